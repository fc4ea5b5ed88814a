import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { GatewayError } from "../../../src/errors.ts";
import { LONGEST_TIMER, UPSTREAM_LIMITS } from "../../../src/limits.ts";
import { createPump, type Outcome, type Pipeline, type PumpOptions } from "../../../src/stream/pump.ts";
import { type FakeBody, fakeBody } from "./fake-body.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets everything happen that waits for nothing. */
const settle = () => vi.advanceTimersByTimeAsync(0);

/**
 * A pipeline of one rule: text comes out as it is, `(…)` is held back until it is closed, `.` ends the reply, `!` throws.
 */
function fakePipeline() {
  const faults: GatewayError[] = [];
  let out = "";
  let held = "";
  let finished = false;
  let unsent = 0;

  const pipeline: Pipeline = {
    feed(bytes) {
      unsent += bytes.length;
      for (const character of new TextDecoder().decode(bytes)) {
        if (finished) return;
        if (character === "!") throw new Error("a bug");
        held += character;
        if (character === ".") finished = true;
        if (!held.startsWith("(") || character === ")") {
          out += held;
          held = "";
        }
      }
    },
    end() {
      out += "<end>";
      finished = true;
    },
    fault(error) {
      faults.push(error);
      out += `<${error.kind}>`;
      finished = true;
    },
    finished: () => finished,
    start: () => "<start>",
    take() {
      const taken = out;
      out = "";
      return taken;
    },
    sent() {
      unsent = 0;
    },
    held: () => unsent,
    heartbeat: () => "<beat>",
  };
  return { pipeline, faults };
}

function start(options: Partial<PumpOptions> = {}) {
  const upstream = fakeBody();
  const client = new AbortController();
  const { pipeline, faults } = fakePipeline();
  const leased: number[] = [];
  const pump = createPump({
    body: upstream.body,
    pipeline,
    signal: client.signal,
    idleMs: 120_000,
    totalMs: 900_000,
    maxBytes: 1_000_000,
    lease: { add: (bytes) => void leased.push((leased.at(-1) ?? 0) + bytes) },
    ...options,
  });
  return { upstream, client, pump, faults, leased };
}

/** Reads the client's stream to its end, noting each chunk and when it came. */
function listen(readable: ReadableStream<Uint8Array>) {
  const chunks: string[] = [];
  const times: number[] = [];
  const reader = readable.getReader();
  const begun = Date.now();
  const over = (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return settle();
      chunks.push(new TextDecoder().decode(value));
      times.push(Date.now() - begun);
    }
  })();
  return { chunks, times, over, reader };
}

function stream(started: ReturnType<typeof start>, heartbeatMs = 10_000) {
  const { readable, done } = started.pump.stream(heartbeatMs);
  let outcome: Outcome | undefined;
  void done.then((it) => {
    outcome = it;
  });
  return { ...listen(readable), readable, ending: () => outcome?.ending, outcome: () => outcome };
}

async function feed(upstream: FakeBody, ...pieces: string[]) {
  for (const piece of pieces) {
    upstream.send(piece);
    await settle();
  }
}

describe("C23: what is held", () => {
  test("of a stream is what was read since something last went out", async () => {
    const started = start();
    const client = stream(started);
    await feed(started.upstream, "(held", " back", ")", "d");
    started.upstream.end();
    await client.over;
    expect(started.leased).toEqual([0, 5, 10, 11, 0, 1, 0, 0, 0]);
  });

  test("of a slow client's stream is what it has not taken", async () => {
    const started = start();
    const reader = started.pump.stream(0).readable.getReader();
    await reader.read();
    await feed(started.upstream, "abc");
    expect(started.leased.at(-1)).toBe(3);
    await reader.read();
    await settle();
    expect(started.leased.at(-1)).toBe(0);
  });

  test("of a collected answer is all of it", async () => {
    const started = start();
    const collected = started.pump.collect();
    await feed(started.upstream, "ab", "cd", ".");
    await collected;
    expect(started.leased).toEqual([2, 4, 5]);
  });
});

describe("a stream", () => {
  test.each([true, false])(
    "that is written is told of before it ends, unless its client has left; stays: %s",
    async (stays) => {
      const started = start();
      const told: string[] = [];
      const { readable, done } = started.pump.stream(10_000, () => {
        told.push("written");
        return "<last words>";
      });
      void done.then(() => told.push("over"));
      const client = listen(readable);
      void client.over.then(() => told.push("read"));
      await feed(started.upstream, "a");
      if (stays) await feed(started.upstream, ".");
      else await client.reader.cancel();
      await done;
      await settle();
      expect(told[0]).toBe(stays ? "written" : "over");
      expect(client.chunks.slice(2)).toEqual(stays ? [".", "<last words>"] : []);
    },
  );

  test("one read makes at most one write, in order, and none where nothing came out", async () => {
    const started = start();
    const client = stream(started);
    await feed(started.upstream, "a b c", "(held", " back", ")", "d");
    started.upstream.end();
    await client.over;
    expect(client.chunks).toEqual(["<start>", "a b c", "(held back)", "d", "<end>"]);
    expect(client.ending()).toBe("finished");
  });

  test("ends as soon as the pipeline has finished, and the upstream is cancelled", async () => {
    const started = start();
    const client = stream(started);
    await feed(started.upstream, "a.never read");
    await client.over;
    expect(client.chunks).toEqual(["<start>", "a."]);
    expect(started.upstream.cancelled()).toBe(true);
  });

  test("C28: nothing is read ahead of a client that does not read", async () => {
    const started = start();
    const { readable } = started.pump.stream(0);
    const reader = readable.getReader();
    await reader.read();
    for (const piece of "abcdef") started.upstream.send(piece);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(started.faults).toEqual([]);
    const rest = [];
    for (let i = 0; i < 6; i += 1) rest.push(new TextDecoder().decode((await reader.read()).value));
    expect(rest).toEqual([..."abcdef"]);
  });

  test("silence is filled with heartbeats", async () => {
    const started = start();
    const client = stream(started);
    await vi.advanceTimersByTimeAsync(25_000);
    await feed(started.upstream, "a");
    await vi.advanceTimersByTimeAsync(9_000);
    expect(client.chunks).toEqual(["<start>", "<beat>", "<beat>", "a"]);
  });

  test("no heartbeat comes behind the end, however long the client takes to read it", async () => {
    const started = start();
    const { readable, done } = started.pump.stream(10_000);
    const reader = readable.getReader();
    await feed(started.upstream, "a.");
    await reader.read();
    await vi.advanceTimersByTimeAsync(0);
    await vi.advanceTimersByTimeAsync(60_000);
    const rest = [];
    for (let read = await reader.read(); !read.done; read = await reader.read()) rest.push(read.value);
    expect(rest.map((bytes) => new TextDecoder().decode(bytes))).toEqual(["a."]);
    expect(await done).toEqual({ ending: "finished" });
  });

  test("a heartbeat of 0 is none", async () => {
    const started = start();
    const client = stream(started, 0);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(client.chunks).toEqual(["<start>"]);
  });

  test("a held-back call of 600 deltas, one each 300 ms, leaves no silence of 15 s", async () => {
    const started = start();
    const client = stream(started);
    await feed(started.upstream, "(");
    for (let i = 0; i < 600; i += 1) {
      await vi.advanceTimersByTimeAsync(300);
      started.upstream.send("x");
    }
    await feed(started.upstream, ")");
    started.upstream.end();
    await client.over;
    const gaps = client.times.map((time, i) => time - (client.times[i - 1] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(15_000);
    expect(client.chunks.filter((chunk) => chunk !== "<beat>")).toEqual(["<start>", `(${"x".repeat(600)})`, "<end>"]);
  });

  test("C25: a stream of deltas arms one timer for each kind of silence, not one for each delta", async () => {
    const armed = vi.spyOn(globalThis, "setTimeout");
    const started = start();
    const client = stream(started);
    for (let i = 0; i < 500; i += 1) await feed(started.upstream, "x");
    started.upstream.end();
    await client.over;
    expect(armed.mock.calls.length).toBeLessThan(10);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("C21, C25, C26: faults", () => {
  const cases: {
    fault: string;
    cause: (upstream: FakeBody) => unknown;
    kind: string;
    options?: Partial<PumpOptions>;
  }[] = [
    { fault: "a broken connection", cause: (upstream) => upstream.break(), kind: "upstream-failed" },
    { fault: "an exception in a stage", cause: (upstream) => upstream.send("!"), kind: "internal" },
    {
      fault: "a silent upstream",
      cause: () => vi.advanceTimersByTimeAsync(5_000),
      kind: "upstream-timeout",
      options: { idleMs: 5_000 },
    },
    {
      fault: "a body beyond its cap",
      cause: (upstream) => upstream.send("x".repeat(101)),
      kind: "upstream-failed",
      options: { maxBytes: 100 },
    },
  ];

  test.each(cases)(
    "$fault after bytes are out is written in-band, then the stream is closed well",
    async ({ cause, kind, options }) => {
      const started = start(options);
      const client = stream(started);
      await feed(started.upstream, "a");
      await cause(started.upstream);
      await client.over;
      expect(client.chunks).toEqual(["<start>", "a", `<${kind}>`]);
      expect(started.faults).toHaveLength(1);
      expect(client.ending()).toBe("finished");
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  test.each(cases)(
    "$fault before the first output is known before the client's stream begins",
    async ({ cause, kind, options }) => {
      const started = start(options);
      const first = started.pump.firstOutput(10_000);
      await settle();
      await cause(started.upstream);
      await first;
      expect(started.faults.map((fault) => fault.kind)).toEqual([kind]);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  test("a pipeline that cannot report its own fault ends the stream all the same", async () => {
    const { pipeline } = fakePipeline();
    const started = start({
      pipeline: {
        ...pipeline,
        fault: () => {
          throw new Error("a bug in the renderer");
        },
      },
    });
    const client = stream(started);
    client.over.catch(() => {});
    await feed(started.upstream, "!");
    await settle();
    // The first cause: what the renderer threw is but its echo.
    expect(client.outcome()).toEqual({ ending: "broken", cause: new Error("a bug") });
    expect(started.upstream.cancelled()).toBe(true);
  });

  test("a pipeline that does not finish at its end is not waited for", async () => {
    const { pipeline, faults } = fakePipeline();
    const started = start({ pipeline: { ...pipeline, end: () => {} } });
    const client = stream(started);
    started.upstream.end();
    await client.over;
    expect(faults.map((fault) => fault.kind)).toEqual(["internal"]);
  });
});

describe("C25: the time of all of it", () => {
  test("ends a stream that goes on and on, with its error", async () => {
    const started = start({ totalMs: 1_000 });
    const client = stream(started);
    for (let sent = 0; sent < 12; sent += 1) {
      started.upstream.send("x");
      await vi.advanceTimersByTimeAsync(100);
    }
    await client.over;
    expect(client.chunks.join("")).toMatch(/^<start>x{9,10}<upstream-timeout>$/);
    expect(started.faults).toMatchObject([{ detail: "not over after 1000 ms" }]);
    expect(started.upstream.cancelled()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("ends one that is collected", async () => {
    const started = start({ totalMs: 1_000 });
    const collected = started.pump.collect();
    await feed(started.upstream, "a");
    await vi.advanceTimersByTimeAsync(1_000);
    await collected;
    expect(started.faults).toMatchObject([{ kind: "upstream-timeout" }]);
  });

  test("frees the upstream of a client that reads nothing, and tells it when it does", async () => {
    const started = start({ totalMs: 1_000 });
    const { readable } = started.pump.stream(0);
    await feed(started.upstream, "a", "b");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(started.upstream.cancelled()).toBe(true);
    const client = listen(readable);
    await client.over;
    expect(client.chunks.join("")).toMatch(/^<start>a?b?<upstream-timeout>$/);
  });

  test.each([
    ["goes on", "a"],
    ["is over", "a."],
  ])("and a minute are all that a client has that reads nothing, though the answer %s", async (_what, said) => {
    const started = start({ totalMs: 1_000 });
    const { done } = started.pump.stream(0);
    let outcome: Outcome | undefined;
    void done.then((it) => {
      outcome = it;
    });
    await feed(started.upstream, said);
    await vi.advanceTimersByTimeAsync(1_000 + UPSTREAM_LIMITS.lastRead - 1);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toEqual({ ending: "client-gone" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("that no timer can be set for does not end it at once", async () => {
    const started = start({ totalMs: LONGEST_TIMER });
    const client = stream(started);
    await vi.advanceTimersByTimeAsync(1_000);
    await feed(started.upstream, "a.");
    await client.over;
    expect(client.chunks.join("")).toBe("<start>a.");
  });

  test("does not reach an answer that is over", async () => {
    const started = start({ totalMs: 1_000 });
    const client = stream(started);
    await feed(started.upstream, "a.");
    await client.over;
    await vi.advanceTimersByTimeAsync(2_000);
    expect([client.chunks.join(""), started.faults]).toEqual(["<start>a.", []]);
  });
});

describe("the first output", () => {
  test("is waited for, and goes out with what opens the stream", async () => {
    const started = start();
    const first = started.pump.firstOutput(10_000);
    await feed(started.upstream, "(", "a)");
    await first;
    const client = stream(started);
    started.upstream.end();
    await client.over;
    expect(client.chunks).toEqual(["<start>(a)", "<end>"]);
  });

  test("is waited for no longer than asked; nothing that comes later is lost", async () => {
    const started = start();
    let opened = false;
    void started.pump.firstOutput(10_000).then(() => {
      opened = true;
    });
    await feed(started.upstream, "(");
    await vi.advanceTimersByTimeAsync(9_999);
    expect(opened).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(opened).toBe(true);
    const client = stream(started);
    await feed(started.upstream, "a)");
    started.upstream.end();
    await client.over;
    expect(client.chunks).toEqual(["<start>", "(a)", "<end>"]);
  });
});

describe("C27: a client that goes away", () => {
  test("before the upstream's first byte ends the upstream at once", async () => {
    const started = start();
    const first = started.pump.firstOutput(10_000);
    await vi.advanceTimersByTimeAsync(200);
    started.client.abort();
    await first;
    expect(started.upstream.cancelled()).toBe(true);
    expect(started.faults).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("had gone already: nothing is read", async () => {
    const client = new AbortController();
    client.abort();
    const started = start({ signal: client.signal });
    await started.pump.collect();
    expect(started.upstream.cancelled()).toBe(true);
  });

  test.each([
    {
      how: "its request is aborted",
      leave: (started: ReturnType<typeof start>, _: { reader: ReadableStreamDefaultReader }) => started.client.abort(),
    },
    {
      how: "its stream is cancelled",
      leave: (_: ReturnType<typeof start>, client: { reader: ReadableStreamDefaultReader }) =>
        void client.reader.cancel(),
    },
  ])("while streaming ends the upstream: $how", async ({ leave }) => {
    const started = start();
    const client = stream(started);
    client.over.catch(() => {});
    await feed(started.upstream, "a");
    leave(started, client);
    await settle();
    expect(started.upstream.cancelled()).toBe(true);
    expect(client.ending()).toBe("client-gone");
    expect(started.faults).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("while a write waits for it ends the upstream", async () => {
    const started = start();
    const { done } = started.pump.stream(10_000);
    await feed(started.upstream, "a", "b");
    started.client.abort();
    expect(await done).toEqual({ ending: "client-gone" });
    expect(started.upstream.cancelled()).toBe(true);
  });

  test("after the finish, before it has read it all, is noticed", async () => {
    const started = start();
    const { done } = started.pump.stream(10_000);
    await feed(started.upstream, "a.");
    started.client.abort();
    expect(await done).toEqual({ ending: "client-gone" });
  });

  test("between the first output and the stream is noticed", async () => {
    const started = start();
    const first = started.pump.firstOutput(10_000);
    await feed(started.upstream, "a");
    await first;
    started.client.abort();
    const { readable, done } = started.pump.stream(10_000);
    expect(await done).toEqual({ ending: "client-gone" });
    await expect(readable.getReader().read()).rejects.toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("while its answer is collected ends the upstream", async () => {
    const started = start();
    const collected = started.pump.collect();
    await feed(started.upstream, "a");
    started.client.abort();
    await collected;
    expect(started.upstream.cancelled()).toBe(true);
  });
});

test("collecting reads to the finish", async () => {
  const started = start();
  const collected = started.pump.collect();
  await feed(started.upstream, "a", "b.", "c");
  await collected;
  expect(started.upstream.cancelled()).toBe(true);
});
