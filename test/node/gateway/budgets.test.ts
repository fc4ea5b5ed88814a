import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { TENANT_LIMITS } from "../../../src/limits.ts";
import { estimateTokens } from "../../../src/tokens.ts";
import { chunk, DONE, event } from "../../scripted-upstream/script.ts";
import { WIRES } from "../../wires/wires.ts";
import { platform, sent, server, stubUpstreams, unstubUpstreams, VARIABLES } from "./platform.ts";

/** The most that is asked for is 100 tokens; the prompt is some hundred more. */
const PROMPT = expect.any(Number);
const usage = event({ choices: [], usage: { prompt_tokens: 30, completion_tokens: 12 } });
const counted = () => new Response(chunk({ content: "Hi." }) + chunk({}, "stop") + usage + DONE);

let log: string[];
beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-30T23:00:00Z"), toFake: ["Date"] });
  ({ log } = stubUpstreams(counted));
});
afterEach(unstubUpstreams);

const lines = (name: string) => log.map((line) => JSON.parse(line)).filter(({ event }) => event === name);

/** A tenant and its key, with what may be used of each. */
async function budgeted(limits: object, key: object = {}, options = {}) {
  const world = platform({}, options);
  const made = await world.store.tenant("acme", { ...server("acme"), limits }, {}, key);
  return { ...world, made, key: made.key, spent: () => world.objects.spent("acme") };
}

describe.each(WIRES.map((wire) => [wire.name, wire] as const))("C18: %s", (_name, wire) => {
  test.each([false, true])("what the upstream counts is what is spent; stream: %s", async (stream) => {
    const { ask, key, made, spent, objects } = await budgeted({ tokens_per_day: 10_000 }, { tokens_per_day: 9_000 });
    expect((await ask(key, { wire, stream })).response.status).toBe(200);
    await vi.waitFor(() => expect(spent()).toEqual({ "": 42, [made.id]: 42 }));
    expect(objects.asked).toEqual(["acme reserve", "acme settle"]);
  });

  test.each([
    [{ tokens_per_day: 1_000 }, {}, "this tenant"],
    [{}, { tokens_per_day: 1_000 }, "this API key"],
  ])("over budget: 429 in the wire's form of a quota; %j %j", async (limits, own, whose) => {
    const { ask, key, spent, made } = await budgeted(limits, own);
    stubUpstreams(() => new Response(chunk({}, "stop") + usage.replace("30", "980") + DONE));
    await ask(key, { wire });
    await vi.waitFor(() => expect(spent()).toEqual({ [whose === "this tenant" ? "" : made.id]: 992 }));
    const { sent } = stubUpstreams(counted);
    const { response, text } = await ask(key, { wire });
    expect([response.status, response.headers.get("retry-after"), response.headers.get("x-should-retry")]).toEqual([
      ...[429, "3600", "false"],
    ]);
    expect(text).toContain(whose);
    expect(text).toContain("00:00 UTC");
    expect(text).toMatch(/"(insufficient_quota|rate_limit_error|RESOURCE_EXHAUSTED)"/);
    expect(sent).toEqual([]);
    vi.setSystemTime(new Date("2026-12-01T00:00:00Z"));
    expect((await ask(key, { wire })).response.status).toBe(200);
  });
});

describe("C18: what is spent of a reply", () => {
  test.each<[what: string, answer: () => Response, spent: unknown]>([
    [
      "that the upstream has not counted: our estimate",
      () => new Response(chunk({ content: "Hello there, world." }) + chunk({}, "stop") + DONE),
      expect.any(Number),
    ],
    ["that failed when the upstream was asked: the prompt", () => new Response("", { status: 500 }), PROMPT],
    ["that broke: what came of it", () => new Response(chunk({ content: "Hello" })), PROMPT],
  ])("%s", async (_what, answer, tokens) => {
    stubUpstreams(answer);
    const { ask, key, spent } = await budgeted({ tokens_per_day: 10_000 });
    await ask(key);
    await vi.waitFor(() => expect(spent()).toEqual({ "": tokens }));
    const { response } = await ask(key, { prefix: "/t/acme" });
    expect(response.status).toBeLessThan(503);
    // The prompt has more than 60 tokens, and what was reserved besides it is 100.
    const once = Number(spent()[""]) / 2;
    expect(once).toBeGreaterThan(60);
    expect(once).toBe(Math.trunc(once));
  });

  test.each([400, 401, 404, 413, 429, 503])("that the upstream has refused with %d: nothing", async (status) => {
    stubUpstreams(() => new Response("", { status, headers: { "retry-after": "9" } }));
    const { ask, key, spent, objects } = await budgeted({ tokens_per_day: 10_000 });
    await ask(key);
    await vi.waitFor(() => expect(objects.asked).toEqual(["acme reserve", "acme settle"]));
    expect(spent()).toEqual({ "": 0 });
  });

  test("that was never asked for: nothing", async () => {
    const { store, ask, objects } = platform();
    const settings = { upstreams: { main: { kind: "workers-ai" } }, limits: { tokens_per_day: 10_000 } };
    const { key } = await store.tenant("acme", settings);
    expect((await ask(key)).response.status).toBe(503);
    expect(objects.spent("acme")).toEqual({});
  });

  test("of two attempts: both, in one reservation", async () => {
    const { ask, key, spent, objects, send } = await budgeted({ tokens_per_day: 10_000 });
    await ask(key);
    await vi.waitFor(() => expect(spent()).toEqual({ "": 42 }));
    const body = JSON.stringify({
      model: "m",
      messages: [{ role: "user", content: "Go." }],
      tools: [{ type: "function", function: { name: "go" } }],
      tool_choice: "required",
    });
    await send("/v1/chat/completions", { method: "POST", headers: { "x-api-key": key }, body });
    await vi.waitFor(() => expect(spent()).toEqual({ "": 3 * 42 }));
    expect(lines("reply").at(-1)).toMatchObject({ asked_again: ["call-missing"] });
    expect(objects.asked).toEqual(["acme reserve", "acme settle", "acme reserve", "acme settle"]);
  });

  test("that its client has left: what came till then, though it goes before the object has answered", async () => {
    const { key, send, spent, objects } = await budgeted({ tokens_per_day: 10_000 });
    const leaving = new AbortController();
    const gate = Promise.withResolvers<void>();
    objects.gate = gate.promise;
    const init = {
      method: "POST",
      headers: { "x-api-key": key },
      body: JSON.stringify({ model: "m", max_tokens: 5, messages: [{ role: "user", content: "Go." }] }),
      signal: leaving.signal,
    };
    const answered = send("/t/acme/v1/chat/completions", init);
    await vi.waitFor(() => expect(objects.asked).toEqual(["acme reserve"]));
    leaving.abort();
    gate.resolve();
    await answered;
    await vi.waitFor(() => expect(objects.asked).toEqual(["acme reserve", "acme settle"]));
    await vi.waitFor(() => expect(spent()).toEqual({ "": 0 }));
    expect(sent).toEqual([]);
  });
});

describe("C18: who is asked, and when", () => {
  test("where there is no budget, and of what costs nothing, nobody is", async () => {
    const { ask, key, objects, send } = await budgeted({});
    await ask(key);
    const other = await budgeted({ tokens_per_day: 1 });
    const headers = { "x-api-key": other.key };
    const body = JSON.stringify({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "Hi" }] });
    expect((await other.send("/v1/messages/count_tokens", { method: "POST", headers, body })).status).toBe(200);
    expect((await other.send("/v1/models", { headers })).status).toBe(200);
    expect(
      (await send("/v1/chat/completions", { method: "POST", headers: { "x-api-key": key }, body: "{" })).status,
    ).toBe(400);
    expect([...objects.asked, ...other.objects.asked]).toEqual([]);
  });

  test("an operator's look costs nothing", async () => {
    const { store, send, objects } = platform({ ADMIN_TOKEN: "operator" });
    await store.tenant("acme", { ...server("acme"), limits: { tokens_per_day: 1 } });
    const headers = { "x-api-key": "operator", "x-toolcall-debug": "1" };
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }] });
    expect((await send("/t/acme/v1/chat/completions", { method: "POST", headers, body })).status).toBe(200);
    expect(objects.asked).toEqual([]);
  });

  test("the gateway's own tenant has a budget by variables, in an object that is no tenant's", async () => {
    const { ask, objects, store } = platform({ TOKENS_PER_DAY: "200" });
    const { key } = await store.tenant("gateway", server("gateway"));
    expect((await ask("own")).text).toContain("this gateway");
    expect((await ask(key)).response.status).toBe(200);
    expect(objects.asked).toEqual(["_gateway reserve"]);
  });

  test("requests at the same time never use more than there is", async () => {
    const { ask, key, spent } = await budgeted({ tokens_per_day: 1_000 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(key)));
    const served = answers.filter(({ response }) => response.status === 200).length;
    expect(served).toBeGreaterThan(0);
    expect(served).toBeLessThan(20);
    await vi.waitFor(() => expect(spent()).toEqual({ "": served * 42 }));
  });

  test("a key that is listed twice has the lower budget", async () => {
    const { store, ask, key, made, spent } = await budgeted({});
    const twice = [9_000, 8_000].map((tokens_per_day) => ({ id: made.id, hash: made.hash, tokens_per_day }));
    store.putTenant("acme", { v: 1, rev: 2, status: "active", keys: twice, settings: server("acme") });
    await ask(key);
    await vi.waitFor(() => expect(spent()).toEqual({ [made.id]: 42 }));
  });
});

describe("C18: where budgets cannot be asked", () => {
  test.each<[what: string, bound: boolean]>([
    ["the object is away", true],
    ["there is no binding", false],
  ])("%s: nobody is served, or all are and it is logged, as the tenant has it", async (_what, bound) => {
    const closed = await budgeted({ tokens_per_day: 10_000 }, {}, { bound });
    closed.objects.broken = true;
    const { response, text } = await closed.ask(closed.key);
    expect([response.status, response.headers.get("x-should-retry")]).toEqual([503, null]);
    expect(text).toContain("store_unavailable");
    expect(lines("request_failed")).toMatchObject([
      { kind: "store-failed", detail: expect.stringContaining("budgets") },
    ]);
    const open = await budgeted({ tokens_per_day: 10_000, on_failure: "open" }, {}, { bound });
    open.objects.broken = true;
    expect((await open.ask(open.key)).response.status).toBe(200);
    expect(lines("budget")).toMatchObject([{ tenant: "acme", failure: "unchecked", level: "warn" }]);
  });

  test("an object that answers too late has reserved all the same, and gets it back", async () => {
    vi.useFakeTimers({ now: new Date("2026-11-30T23:00:00Z"), toFake: ["Date", "setTimeout", "clearTimeout"] });
    const { ask, key, objects, spent } = await budgeted({ tokens_per_day: 10_000 });
    const gate = Promise.withResolvers<void>();
    objects.gate = gate.promise;
    const answer = ask(key);
    await vi.waitFor(() => expect(objects.asked).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(TENANT_LIMITS.wait);
    expect((await answer).response.status).toBe(503);
    expect(spent()[""]).toBeGreaterThan(0);
    gate.resolve();
    await vi.advanceTimersByTimeAsync(1);
    expect(spent()).toEqual({ "": 0 });
    expect(objects.asked).toEqual(["acme reserve", "acme settle"]);
  });

  test("an object that goes away behind the request leaves what was reserved spent, and a line", async () => {
    const { ask, key, objects, spent } = await budgeted({ tokens_per_day: 10_000 });
    stubUpstreams(() => {
      objects.broken = true;
      return counted();
    });
    const said: string[] = [];
    vi.spyOn(console, "log").mockImplementation((line: string) => void said.push(line));
    expect((await ask(key)).response.status).toBe(200);
    await vi.waitFor(() => expect(said.join()).toContain('"failure":"unsettled"'));
    expect(spent()[""]).toBeGreaterThan(42);
  });
});

test("C18: half, four fifths and all of a budget leave a line each, with closed fields", async () => {
  const { ask, key, made } = await budgeted({}, { tokens_per_day: 1_000 });
  const used = (tokens: number) => {
    const { log: written } = stubUpstreams(
      () => new Response(chunk({}, "stop") + usage.replace("30", String(tokens - 12)) + DONE),
    );
    return written;
  };
  const written: unknown[] = [];
  for (const tokens of [499, 1, 310, 42]) {
    const now = used(tokens);
    await ask(key);
    await vi.waitFor(() => expect(now.join()).toContain('"reply"'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    written.push(...now.map((line) => JSON.parse(line)).filter(({ event }) => event === "budget"));
  }
  const line = {
    level: "warn",
    event: "budget",
    request_id: expect.stringMatching(/^req_/),
    tenant: "acme",
    key: made.id,
  };
  expect(written).toEqual([50, 80, 100].map((share) => ({ ...line, share })));
});

test("C18: what keeps the Worker alive is made when a reply is over, and short", async () => {
  const { store, objects } = await budgeted({ tokens_per_day: 10_000 });
  const { key } = await store.tenant("beta", { ...server("beta"), limits: { tokens_per_day: 10_000 } });
  const kept: Promise<unknown>[] = [];
  const { createApp } = await import("../../../src/app.ts");
  const { exchange } = await import("../../../src/exchange.ts");
  const app = createApp({ exchange, listUpstreamModels: async () => [] });
  const env = { ...VARIABLES, TENANTS: store, TENANT_OBJECTS: objects };
  const pieces = [chunk({ content: "Hello, this is a stream." }), chunk({}, "stop") + DONE];
  const gate = Promise.withResolvers<void>();
  stubUpstreams(
    () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            if (pieces.length === 1) await gate.promise;
            controller.enqueue(new TextEncoder().encode(pieces.shift()));
            if (pieces.length === 0) controller.close();
          },
        }),
      ),
  );
  const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "Hi" }] });
  const request = new Request("http://localhost/v1/chat/completions", {
    method: "POST",
    headers: { "x-api-key": key },
    body,
  });
  const response = await app.fetch(request, env, { waitUntil: (work) => void kept.push(work) });
  expect(kept).toEqual([]);
  gate.resolve();
  await response.text();
  // What was spent, and what is counted.
  await vi.waitFor(() => expect(kept).toHaveLength(2));
  await Promise.all(kept);
  expect(Number(objects.spent("beta")[""])).toBeGreaterThan(estimateTokens("Hello, this is a stream."));
  expect(Number(objects.spent("beta")[""])).toBeLessThan(200);
});
