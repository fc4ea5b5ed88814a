import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { GatewayFailure } from "../../../src/errors.ts";
import { createEgress, type EgressRequest } from "../../../src/stream/egress.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const REQUEST: EgressRequest = {
  method: "POST",
  url: "https://upstream.example/v1/chat/completions",
  apiKey: "secret",
  accept: "text/event-stream",
  body: "{}",
  headersTimeoutMs: 60_000,
};

type Step = Response | Error | "hang";

/** Answers one step for each call, as `fetch` would, abort included. */
function scripted(...steps: Step[]) {
  const calls: RequestInit[] = [];
  const fetch = async (_: unknown, init: RequestInit = {}) => {
    calls.push(init);
    const step = steps[calls.length - 1] ?? new Error("not in the script");
    if (step === "hang") {
      await new Promise((_, reject) => init.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
    }
    if (step instanceof Error) throw step;
    return step as Response;
  };
  return { calls, fetch: fetch as typeof globalThis.fetch };
}

async function send(steps: Step[], signal = new AbortController().signal, request = REQUEST) {
  const { calls, fetch } = scripted(...steps);
  const egress = createEgress({ hops: 1, fetch });
  const outcome = egress.send(request, signal).catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(1_500);
  return { calls, outcome: await Promise.race([outcome, Promise.resolve("pending")]), settled: outcome };
}

const answer = (status: number, headers: Record<string, string> = {}) => new Response("x", { status, headers });

test("C8, C15: headers are built from scratch, redirects are not followed", async () => {
  const { calls } = await send([answer(200)]);
  expect(Object.fromEntries(new Headers(calls[0]?.headers))).toEqual({
    accept: "text/event-stream",
    "accept-encoding": "identity",
    authorization: "Bearer secret",
    "content-type": "application/json",
    "x-toolsieve-hops": "2",
  });
  expect(calls[0]).toMatchObject({ method: "POST", body: "{}", redirect: "manual" });
});

test("without a key and a body their headers are absent", async () => {
  const { calls } = await send([answer(200)], undefined, {
    method: "GET",
    url: REQUEST.url,
    accept: "application/json",
    headersTimeoutMs: 60_000,
  });
  const headers = new Headers(calls[0]?.headers);
  expect([headers.get("authorization"), headers.get("content-type")]).toEqual([null, null]);
  expect(calls[0]).not.toHaveProperty("body");
});

describe("C30: the one retry", () => {
  const soon = { "retry-after": "1" };
  test.each<{ name: string; first: Step; retried: boolean }>([
    { name: "a connection that fails", first: new Error("refused"), retried: true },
    { name: "502", first: answer(502), retried: true },
    { name: "503", first: answer(503), retried: true },
    { name: "503 that asks for a short wait", first: answer(503, soon), retried: true },
    { name: "503 that asks for a long wait", first: answer(503, { "retry-after": "30" }), retried: false },
    { name: "429 that asks for a short wait", first: answer(429, soon), retried: true },
    { name: "429 that asks for milliseconds", first: answer(429, { "retry-after-ms": "200" }), retried: true },
    { name: "429 that asks for a long wait", first: answer(429, { "retry-after": "2" }), retried: false },
    { name: "429 that asks for nothing", first: answer(429), retried: false },
    { name: "504", first: answer(504), retried: false },
    { name: "500", first: answer(500), retried: false },
    { name: "400", first: answer(400, soon), retried: false },
    { name: "401", first: answer(401, soon), retried: false },
    { name: "403", first: answer(403, soon), retried: false },
    { name: "404", first: answer(404, soon), retried: false },
    { name: "422", first: answer(422, soon), retried: false },
    { name: "302", first: answer(302, soon), retried: false },
    { name: "200", first: answer(200), retried: false },
  ])("$name: $retried", async ({ first, retried }) => {
    const { calls, outcome } = await send([first, answer(200)]);
    expect(calls).toHaveLength(retried ? 2 : 1);
    if (retried) expect((outcome as Response).status).toBe(200);
    else expect(outcome).toBe(first);
  });

  test("is the only one", async () => {
    const { calls, outcome } = await send([answer(503), answer(503), answer(200)]);
    expect(calls).toHaveLength(2);
    expect((outcome as Response).status).toBe(503);
  });

  test("is the only one of a client's request, however often it is sent", async () => {
    const { calls, fetch } = scripted(answer(503), answer(200), answer(503), answer(200));
    const egress = createEgress({ hops: 0, fetch });
    const statuses = [];
    for (let sent = 0; sent < 2; sent += 1) {
      const outcome = egress.send(REQUEST, new AbortController().signal);
      await vi.advanceTimersByTimeAsync(1_500);
      statuses.push((await outcome).status);
    }
    expect([statuses, calls.length]).toEqual([[200, 503], 3]);
  });

  test("does not wait for the first answer to be cancelled, nor for it to be cancelled well", async () => {
    const cancel = () => Promise.reject(new Error("gone"));
    const { outcome } = await send([new Response(new ReadableStream({ cancel }), { status: 503 }), answer(200)]);
    expect((outcome as Response).status).toBe(200);
  });

  test("that fails to connect as well is a failure of the upstream", async () => {
    const { outcome } = await send([new Error("refused"), new Error("refused")]);
    expect((outcome as GatewayFailure).error).toMatchObject({ kind: "upstream-failed" });
  });
});

describe("C25: waiting for the headers", () => {
  test("ends when the time of the whole answer is over, the first request and all that follow it included", async () => {
    const { calls, fetch } = scripted("hang", "hang");
    const egress = createEgress({ hops: 0, totalMs: 1_000, fetch });
    await vi.advanceTimersByTimeAsync(400);
    expect(egress.left()).toBe(600);
    const settled = egress.send(REQUEST, new AbortController().signal).catch((thrown: unknown) => thrown);
    await vi.advanceTimersByTimeAsync(600);
    expect(((await settled) as GatewayFailure).error).toEqual({
      kind: "upstream-timeout",
      detail: "no status for 600 ms",
    });
    expect(calls).toHaveLength(1);
    await expect(egress.send(REQUEST, new AbortController().signal)).rejects.toMatchObject({
      error: { kind: "upstream-timeout", detail: "no time is left" },
    });
    expect(calls).toHaveLength(1);
  });

  test("ends with a time-out", async () => {
    const { outcome, settled, calls } = await send(["hang"]);
    expect(outcome).toBe("pending");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(((await settled) as GatewayFailure).error).toMatchObject({ kind: "upstream-timeout" });
    expect(calls).toHaveLength(1);
  });

  test("ends when the client goes away, without a retry", async () => {
    const client = new AbortController();
    const { settled, calls } = await send(["hang"], client.signal);
    client.abort("gone");
    expect(await settled).toBe("gone");
    expect(calls).toHaveLength(1);
  });

  test("ends when the client goes away before the retry", async () => {
    const client = new AbortController();
    const { calls, fetch } = scripted(answer(429, { "retry-after": "1" }), answer(200));
    const settled = createEgress({ hops: 0, fetch })
      .send(REQUEST, client.signal)
      .catch((thrown: unknown) => thrown);
    await vi.advanceTimersByTimeAsync(500);
    client.abort("gone");
    expect(await settled).toBe("gone");
    expect(calls).toHaveLength(1);
  });

  test("leaves no timer behind, and the client's signal rules the body", async () => {
    const client = new AbortController();
    const { calls } = await send([answer(200)], client.signal);
    expect(vi.getTimerCount()).toBe(0);
    client.abort();
    expect(calls[0]?.signal?.aborted).toBe(true);
  });
});

test("C30: the one retry is for whoever takes it first", async () => {
  const { calls, fetch } = scripted(answer(503, { "retry-after": "0" }), answer(200));
  const egress = createEgress({ hops: 1, fetch });
  expect([egress.takeRetry("field-dropped"), egress.takeRetry("tools-refused")]).toEqual([true, false]);
  expect((await egress.send(REQUEST, new AbortController().signal)).status).toBe(503);
  expect([calls.length, egress.requests, egress.retried]).toEqual([1, 1, "field-dropped"]);

  const other = createEgress({ hops: 1, fetch: scripted(new Error("gone"), answer(200)).fetch });
  const sent = other.send(REQUEST, new AbortController().signal);
  await vi.advanceTimersByTimeAsync(1_500);
  expect([(await sent).status, other.takeRetry("field-dropped")]).toEqual([200, false]);
  expect([other.requests, other.retried]).toEqual([2, "upstream-busy"]);
});
