import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createApp } from "../../../src/app.ts";
import { exchange } from "../../../src/exchange.ts";
import faultsFile from "../../cases/faults.jsonl?raw";
import { jsonLines } from "../../json-lines.ts";
import { chunk, DONE } from "../../scripted-upstream/script.ts";
import { variables } from "../../variables.ts";
import { readChatStream } from "../../wires/chat.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What the upstream says and when: after so many milliseconds, or again and again. */
type Line = [number, string] | { repeat: number; every_ms: number; text: string };

interface Live {
  id: string;
  runner: string;
  dialect: string;
  tools: object[];
  script: Line[];
  client_abort_at_ms?: number;
  expect: {
    calls: { name: string; arguments: object }[];
    text: string;
    finish: string;
    max_silence_ms?: number;
    upstream_aborted_within_ms?: number;
  };
}

const cases = jsonLines<Live>(faultsFile).filter(({ runner, dialect }) => runner === "live" && dialect === "canonical");

/** An upstream that keeps to a timetable, in place of the network. */
function upstream(script: readonly Line[], { statusAfter = 0 } = {}) {
  let letGo: number | undefined;
  const leave = () => {
    letGo ??= Date.now();
  };

  async function* speak() {
    for (const line of script) {
      const [times, wait, text] = Array.isArray(line) ? [1, ...line] : [line.repeat, line.every_ms, line.text];
      for (let said = 0; said < times; said += 1) {
        await pause(wait);
        yield chunk({ content: text });
      }
    }
    yield chunk({}, "stop") + DONE;
  }

  const events = speak();
  const body = () =>
    new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await events.next();
          if (letGo !== undefined) return;
          if (done) controller.close();
          else controller.enqueue(new TextEncoder().encode(value));
        },
        cancel: leave,
      },
      { highWaterMark: 0 },
    );

  vi.stubGlobal("fetch", async (_url: string, { signal }: { signal: AbortSignal }) => {
    signal.addEventListener("abort", leave);
    await Promise.race([pause(statusAfter), new Promise((_, reject) => signal.addEventListener("abort", reject))]);
    return new Response(body());
  });
  return { letGoAt: () => letGo };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Client {
  /** Of the first write and of each that follows, from the request on. */
  times: number[];
  text: string;
  over: boolean;
}

/** Sends a request that streams, and notes what comes of it and when. */
function ask(tools: object[], given: Parameters<typeof variables>[0], signal?: AbortSignal): Client {
  const app = createApp({ exchange, listUpstreamModels: async () => [] });
  const env = variables({ UPSTREAM_BASE_URL: "http://upstream.example/v1", GATEWAY_AUTH: "none", ...given });
  const request = new Request("http://localhost/v1/chat/completions", {
    method: "POST",
    body: JSON.stringify({
      model: "m",
      stream: true,
      messages: [{ role: "user", content: "Go." }],
      tools: tools.map((tool) => ({ type: "function", function: tool })),
    }),
    ...(signal && { signal }),
  });
  const client: Client = { times: [], text: "", over: false };
  const begun = Date.now();
  (async () => {
    const response = await app.fetch(request, env);
    for await (const bytes of response.body ?? []) {
      client.times.push(Date.now() - begun);
      client.text += new TextDecoder().decode(bytes);
    }
    client.over = true;
  })().catch(() => {});
  return client;
}

const silences = ({ times }: Client) => times.map((time, at) => time - (times[at - 1] ?? 0));

describe.each(cases.filter((live) => live.client_abort_at_ms === undefined))("$id", (live) => {
  test.each(["off", "high", "low"])("early emission %s", async (TOOLCALL_EARLY_EMIT) => {
    upstream(live.script);
    const client = ask(live.tools, { TOOLCALL_EARLY_EMIT });
    await vi.runAllTimersAsync();
    expect(client.over).toBe(true);
    expect(Math.max(...silences(client))).toBeLessThanOrEqual(live.expect.max_silence_ms ?? 0);
    const { text, calls, finish } = readChatStream(client.text);
    expect([text, finish]).toEqual([live.expect.text, live.expect.finish]);
    const given = calls.map(({ name, arguments: json }) => ({ name, arguments: JSON.parse(json) }));
    expect(given).toEqual(live.expect.calls);
  });
});

describe.each(cases.filter((live) => live.client_abort_at_ms !== undefined))("$id", (live) => {
  test.each([
    ["before the upstream's status", { statusAfter: 60_000 }],
    ["behind the upstream's status", {}],
  ])("%s", async (_when, upstreamOptions) => {
    const { letGoAt } = upstream(live.script, upstreamOptions);
    const gone = new AbortController();
    ask(live.tools, {}, gone.signal);
    await vi.advanceTimersByTimeAsync(live.client_abort_at_ms ?? 0);
    const abortedAt = Date.now();
    gone.abort();
    await vi.advanceTimersByTimeAsync(live.expect.upstream_aborted_within_ms ?? 0);
    expect(letGoAt()).toBeDefined();
    expect((letGoAt() ?? 0) - abortedAt).toBeLessThanOrEqual(live.expect.upstream_aborted_within_ms ?? 0);
  });
});

describe("an upstream that has answered 200 and says nothing", () => {
  test("is waited for ten seconds; then the stream begins, and is kept alive", async () => {
    upstream([[25_000, "At last."]]);
    const client = ask([], { HEARTBEAT_MS: "5000" });
    await vi.advanceTimersByTimeAsync(9_999);
    expect(client.times).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(client.text).toContain('"role":"assistant"');
    await vi.runAllTimersAsync();
    expect(client.times).toEqual([10_000, 15_000, 20_000, 25_000, 25_000]);
    expect(readChatStream(client.text)).toMatchObject({ text: "At last.", finish: "stop" });
  });

  test("fails in time, in the stream that has begun", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    upstream([[60_000, "Too late."]]);
    const client = ask([], { UPSTREAM_IDLE_TIMEOUT_MS: "30000" });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(client.over).toBe(true);
    expect(readChatStream(client.text).error).toMatchObject({ type: "server_error", code: "upstream_timeout" });
  });
});
