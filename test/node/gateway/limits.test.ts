import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ISOLATE_LIMITS, RATE_LIMITS } from "../../../src/limits.ts";
import { createOccupancy } from "../../../src/occupancy.ts";
import type { Protocol } from "../../../src/protocols/protocol.ts";
import { createKey } from "../../../src/tenants/gateway-key.ts";
import { chunk, DONE } from "../../scripted-upstream/script.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { platform, sent, server, stubUpstreams, unstubUpstreams } from "./platform.ts";

/** In the middle of a minute. */
const NOW = 1_800_000_030_000;

beforeEach(() => void stubUpstreams());
afterEach(unstubUpstreams);

const limited = (limits: object) => ({ ...server("acme"), limits });
const from = (address: string) => ({ "cf-connecting-ip": address });
const wires = WIRES.map((wire) => [wire.name, wire] as const);

/** What a refusal by a limit looks like, wire by wire. */
const CODES: Readonly<Record<Protocol["name"], object>> = {
  "openai-chat": { type: "rate_limit_error", code: "rate_limit_exceeded" },
  "openai-responses": { type: "rate_limit_error", code: "rate_limit_exceeded" },
  anthropic: { type: "rate_limit_error" },
  gemini: { code: 429, status: "RESOURCE_EXHAUSTED" },
};
const BUSY: typeof CODES = {
  "openai-chat": { type: "server_error", code: "gateway_busy" },
  "openai-responses": { type: "server_error", code: "gateway_busy" },
  anthropic: { type: "api_error" },
  gemini: { code: 503, status: "UNAVAILABLE" },
};
const codesOf = ({ protocol }: Wire) => CODES[protocol.name];

describe("C17: requests in a minute", () => {
  beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ["Date"] }));

  test.each(wires)(
    "%s: the sixth of five is refused, in the wire's own words and in nobody else's name",
    async (_name, wire) => {
      const { store, ask } = platform();
      const { key } = await store.tenant("acme", limited({ requests_per_minute: 5 }));
      for (let index = 0; index < 5; index += 1) expect((await ask(key, { wire })).response.status).toBe(200);
      const { response, text } = await ask(key, { wire, prefix: "/t/acme" });
      expect(response.status).toBe(429);
      expect([response.headers.get("retry-after"), response.headers.get("x-should-retry")]).toEqual(["30", null]);
      expect(JSON.parse(text).error).toMatchObject(codesOf(wire));
      expect(text).toContain("Rate limit reached: too many requests in this minute. Please try again in 30s.");
      expect(text).not.toContain("server");
      expect(sent).toHaveLength(5);
      vi.setSystemTime(NOW + 30_000);
      expect((await ask(key, { wire })).response.status).toBe(200);
    },
  );

  test("each key of a tenant has its own, and so has each tenant", async () => {
    const { store, ask } = platform();
    const [one, two] = [await createKey(), await createKey()];
    const keys = [one, two].map(({ id, hash }) => ({ id, hash }));
    for (const tenant of ["acme", "beta"]) {
      store.putTenant(tenant, { v: 1, rev: 1, status: "active", keys, settings: limited({ requests_per_minute: 1 }) });
    }
    const statuses = [];
    for (const prefix of ["/t/acme", "/t/beta"]) {
      for (const { key } of [one, two, one]) statuses.push((await ask(key, { prefix })).response.status);
    }
    expect(statuses).toEqual([200, 200, 429, 200, 200, 429]);
  });

  test("of the gateway's own keys each is counted, and a refused one for nobody", async () => {
    const { ask } = platform({ GATEWAY_API_KEYS: "own,other", RATE_LIMIT: "2" });
    const statuses = [];
    for (const key of ["own", "wrong", "own", "own", "other", "wrong"])
      statuses.push((await ask(key, { model: "echo" })).response.status);
    expect(statuses).toEqual([200, 401, 200, 429, 200, 401]);
  });

  test("where no key is needed each address is counted", async () => {
    const { ask } = platform({ GATEWAY_API_KEYS: "", RATE_LIMIT: "1" });
    const ok = async (address: string) => (await ask("", { model: "echo", headers: from(address) })).response.status;
    expect([await ok("192.0.2.1"), await ok("192.0.2.2"), await ok("192.0.2.1")]).toEqual([200, 200, 429]);
  });

  test("without a limit there is none", async () => {
    const { send } = platform();
    const headers = { "x-api-key": "own" };
    for (let index = 0; index < 400; index += 1) expect((await send("/v1/models", { headers })).status).toBe(200);
  });

  test("a binding of the limit's number counts, by tenant and key", async () => {
    const asked: string[] = [];
    const limit = async ({ key }: { key: string }) => ({ success: asked.push(key) < 3 });
    const { store, ask } = platform({ RATE_60: { limit }, RATE_0: { limit }, RATE_LIMIT: "60" });
    const { key, id } = await store.tenant("acme", limited({ requests_per_minute: 60 }));
    expect((await ask(key)).response.status).toBe(200);
    await ask("own", { model: "echo" });
    expect((await ask(key)).response.status).toBe(429);
    expect(asked).toEqual([`acme:${id}`, expect.stringMatching(/^key [0-9a-f]{16}$/), `acme:${id}`]);
  });

  test("operators are counted by themselves", async () => {
    const { store, ask, send } = platform({ ADMIN_TOKEN: "operator" });
    const { key } = await store.tenant("acme", limited({ requests_per_minute: 1 }));
    const headers = { "x-api-key": "operator", "x-toolcall-debug": "1" };
    const look = () => send("/t/acme/v1/models", { headers });
    await ask(key);
    for (let index = 0; index < RATE_LIMITS.operator; index += 1) expect((await look()).status).toBe(200);
    expect((await look()).status).toBe(429);
  });

  test("it is refused before a byte of its body is read", async () => {
    const { send } = platform({ RATE_LIMIT: "1" });
    const headers = { "x-api-key": "own" };
    await send("/v1/models", { headers });
    let pulls = 0;
    const pull = (controller: ReadableStreamDefaultController) => {
      pulls += 1;
      controller.close();
    };
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    expect([(await send("/v1/messages", init)).status, pulls]).toEqual([429, 0]);
  });

  test.each([["0"], ["many"], ["1.5"], ["-1"]])("a limit of %s is none that there is", async (RATE_LIMIT) => {
    const { ask } = platform({ RATE_LIMIT });
    const { response, text } = await ask("own", { model: "echo" });
    expect([response.status, text.includes("RATE_LIMIT takes a whole number")]).toEqual([503, true]);
  });
});

describe("C17: who comes with made-up keys", () => {
  beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ["Date"] }));

  /** So many refusals from one address, with keys in the right form. */
  async function knock(ask: ReturnType<typeof platform>["ask"], times: number, headers: Record<string, string>) {
    const statuses = new Map<number, number>();
    const body = { headers, prefix: "" };
    for (let index = 0; index < times; index += 1) {
      const { response } = await ask((await createKey()).key, body);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
    return Object.fromEntries(statuses);
  }

  test("costs the store 301 reads, and no more until ten seconds are over", async () => {
    const { store, ask } = platform();
    const { key } = await store.tenant("acme", server("acme"));
    expect(await knock(ask, 400, from("2001:db8::1"))).toEqual({ 401: 301, 429: 99 });
    expect(store.reads).toHaveLength(301);
    const refused = async (given: string, prefix = "", headers: object = from("2001:db8::ffff")) =>
      (await ask(given, { prefix, headers: { ...headers } })).response.status;
    for (const given of [key, "own", "junk", ""]) {
      for (const prefix of ["", "/t/acme", "/t/nobody"]) expect(await refused(given, prefix)).toBe(429);
    }
    expect(store.reads).toHaveLength(301);
    expect(await refused(key, "", from("2001:db8:0:1::1"))).toBe(200);
    vi.setSystemTime(NOW + 10_000);
    expect(await refused(key)).toBe(200);
  });

  test.each(wires)("%s: is told so in the wire's own words", async (_name, wire) => {
    const { ask } = platform({ RATE_FAILURES: { limit: async () => ({ success: false }) } });
    expect((await ask("wrong", { wire })).response.status).toBe(401);
    const { response, text } = await ask("own", { wire, model: "echo" });
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "10"]);
    expect(JSON.parse(text).error).toMatchObject(codesOf(wire));
    expect(text).toContain("Rate limit reached: too many requests without a valid API key came from here.");
  });

  test("by way of names of tenants, a browser's question or an operator's token it is the same", async () => {
    for (const go of [
      { method: "OPTIONS", path: "/t/nobody/v1/messages", headers: {} },
      { method: "GET", path: "/t/nobody/v1/models", headers: { "x-api-key": (await createKey()).key } },
      { method: "POST", path: "/t/nobody/v1/messages", headers: { "x-api-key": "wrong", "x-toolcall-debug": "1" } },
    ]) {
      const { store, send } = platform({ ADMIN_TOKEN: "operator" });
      const { method, headers } = go;
      for (let index = 0; index < 320; index += 1) await send(go.path, { method, headers });
      const reads = store.reads.length;
      expect(reads).toBeLessThanOrEqual(301);
      const response = await send(go.path.replace("nobody", "acme"), { method, headers });
      expect([response.status, store.reads.length]).toEqual([method === "OPTIONS" ? 204 : 429, reads]);
    }
  });

  test("where nobody tells addresses, there is one for all", async () => {
    const { ask } = platform();
    await knock(ask, 301, { "x-forwarded-for": "192.0.2.1" });
    expect((await ask("own", { model: "echo", headers: { "x-forwarded-for": "192.0.2.2" } })).response.status).toBe(
      429,
    );
    expect((await ask("own", { model: "echo", headers: from("192.0.2.2") })).response.status).toBe(200);
  });

  test("a store that is away is nobody's failure", async () => {
    const { store, ask } = platform();
    store.broken = true;
    expect(await knock(ask, 302, from("192.0.2.1"))).toEqual({ 503: 302 });
    expect((await ask("own", { model: "echo", headers: from("192.0.2.1") })).response.status).toBe(200);
  });
});

const STREAMED = { method: "POST", body: '{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}]}' };
const WHOLE = { method: "POST", body: '{"model":"m","messages":[{"role":"user","content":"x"}]}' };
const CHAT = "/v1/chat/completions";

/** A body of which so much has come, and that waits for the rest; `onWait`: that much has been dealt with. */
function endless(text: string, onWait = () => {}): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream(
    {
      pull(controller) {
        if (sent) {
          onWait();
          return new Promise(() => {});
        }
        sent = true;
        controller.enqueue(new TextEncoder().encode(text));
      },
    },
    { highWaterMark: 0 },
  );
}

/** As `fetch` does it: a signal breaks off what is under way. */
function hangs(after?: string, onWait?: () => void) {
  vi.stubGlobal("fetch", (_url: string, { signal }: RequestInit) => {
    if (after !== undefined) return Promise.resolve(new Response(endless(after, onWait)));
    return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  });
}

const answers = (status: number, body: string) => () =>
  void vi.stubGlobal("fetch", async () => new Response(body, { status }));

interface Ending {
  before?: () => void;
  path?: string;
  init?: RequestInit & { duplex?: "half" };
  /** What the client does, with what it was given by then. */
  client?: (leave: AbortController, response: Promise<Response>) => Promise<unknown>;
}

const reads = async (_leave: AbortController, response: Promise<Response>) => (await response).text();
/** Once all has come that will. */
const leaves = async (leave: AbortController) => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  leave.abort();
};
const cancels = async (_leave: AbortController, response: Promise<Response>) => {
  const reader = (await response).body?.getReader();
  await reader?.read();
  await reader?.cancel();
};
const said = chunk({ content: "Hello" });
const good = said + chunk({}, "stop") + DONE;

const ENDINGS: Readonly<Record<string, Ending>> = {
  "a stream that is read": { init: STREAMED },
  "a whole answer": { init: WHOLE },
  "an answer in another path's shape": {
    path: "/v1beta/models/m:streamGenerateContent",
    init: { method: "POST", body: '{"contents":[{"role":"user","parts":[{"text":"x"}]}]}' },
  },
  "a list of models": { path: "/v1/models", init: {} },
  "a count of tokens": { path: "/v1/messages/count_tokens", init: WHOLE },
  "a preview": { init: { ...WHOLE, headers: { "x-api-key": "operator", "x-toolcall-debug": "1" } } },
  "a body that is no JSON": { init: { method: "POST", body: "{" } },
  "a body that is too large": { init: { method: "POST", body: " ".repeat(8_000_001) } },
  "a body without a model": { init: { method: "POST", body: "{}" } },
  "a body that breaks off": {
    init: { method: "POST", duplex: "half", body: new ReadableStream({ pull: (it) => it.error(new Error("reset")) }) },
  },
  "too many gateways": { init: { ...WHOLE, headers: { "x-api-key": "own", "x-toolsieve-hops": "9" } } },
  "an unknown response": { path: "/v1/responses/resp_1", init: {} },
  "an upstream that refuses": { before: answers(400, '{"error":{"message":"no"}}'), init: STREAMED },
  "an upstream that fails": { before: answers(500, "no"), init: STREAMED },
  "an upstream that cannot be reached": {
    before: () => void vi.stubGlobal("fetch", () => Promise.reject(new TypeError("refused"))),
    init: STREAMED,
  },
  "a stream that is cut at once": { before: answers(200, ": ok\n\n"), init: STREAMED },
  "a stream that is cut": { before: answers(200, said), init: STREAMED },
  "a whole answer that is cut": { before: answers(200, said), init: WHOLE },
  "a client that leaves before the upstream's status": { before: () => hangs(), init: STREAMED, client: leaves },
  "one that leaves before the first byte": { before: () => hangs(": ok\n\n"), init: STREAMED, client: leaves },
  "one that leaves in a stream": { before: () => hangs(said), init: STREAMED, client: leaves },
  "one that leaves while its answer is collected": { before: () => hangs(said), init: WHOLE, client: leaves },
  "one that reads no more": { before: () => hangs(said), init: STREAMED, client: cancels },
  "one that leaves a good stream unread": { before: answers(200, good), init: STREAMED, client: leaves },
  "one that leaves while it sends": {
    init: { method: "POST", duplex: "half", body: endless('{"model"') },
    client: leaves,
  },
};

describe("C23: a place, and what was held, is free again behind", () => {
  test.each(Object.entries(ENDINGS))("%s", async (_what, { before, path = CHAT, init, client = reads }) => {
    const occupancy = createOccupancy();
    const given = { ADMIN_TOKEN: "operator", CONCURRENT_REQUESTS: "1", UPSTREAM_BASE_URL: "http://u.example/v1" };
    const { send } = platform(given, { occupancy });
    answers(200, good)();
    before?.();
    const leave = new AbortController();
    const response = send(path, { headers: { "x-api-key": "own" }, ...init, signal: leave.signal });
    response.catch(() => {});
    await client(leave, response);
    await expect.poll(() => [occupancy.requests, occupancy.bytes]).toEqual([0, 0]);
    answers(200, good)();
    const next = await send(CHAT, { ...STREAMED, headers: { "x-api-key": "own" } });
    expect(next.status).toBe(200);
    await next.text();
    await expect.poll(() => [occupancy.requests, occupancy.bytes]).toEqual([0, 0]);
  });
});

test("C23: however requests that run side by side end, and whenever their clients leave, nothing stays behind", async () => {
  const upstreams: Readonly<Record<string, (signal: AbortSignal) => Promise<Response>>> = {
    good: async () => new Response(good),
    cut: async () => new Response(said),
    refuses: async () => new Response("{}", { status: 400 }),
    fails: async () => new Response("", { status: 500 }),
    "is silent": async () => new Response(endless(said)),
    hangs: (signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  };
  vi.stubGlobal("fetch", async (_url: string, { body, signal }: { body: string; signal: AbortSignal }) => {
    signal.throwIfAborted();
    return upstreams[JSON.parse(body).model]?.(signal);
  });
  const occupancy = createOccupancy();
  const { send } = platform({ UPSTREAM_BASE_URL: "http://u.example/v1" }, { occupancy });
  const request = fc.record({
    model: fc.constantFrom(...Object.keys(upstreams)),
    stream: fc.boolean(),
    broken: fc.boolean(),
    /** Turns of the event loop. */
    stays: fc.nat(12),
  });
  async function run({ model, stream, broken, stays }: typeof request extends fc.Arbitrary<infer R> ? R : never) {
    const body = JSON.stringify({ model, stream, messages: [{ role: "user", content: "x" }] });
    const leave = new AbortController();
    const init = { method: "POST", headers: { "x-api-key": "own" }, body: broken ? body.slice(1) : body };
    const text = send(CHAT, { ...init, signal: leave.signal }).then((response) => response.text());
    text.catch(() => {});
    for (let turn = 0; turn < stays; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    leave.abort();
  }
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 6 }), async (requests) => {
      await Promise.all(requests.map(run));
      await expect.poll(() => [occupancy.requests, occupancy.bytes], { interval: 1 }).toEqual([0, 0]);
    }),
    { numRuns: 150 },
  );
});

describe("C23: places of a tenant", () => {
  test.each(wires)(
    "%s: one too many is refused, in the wire's own words; another tenant's is not",
    async (_name, wire) => {
      const occupancy = createOccupancy();
      const { store, ask, send } = platform({}, { occupancy });
      const acme = await store.tenant("acme", limited({ concurrent_requests: 2 }));
      const beta = await store.tenant("beta", { ...server("beta"), limits: { concurrent_requests: 1 } });
      hangs(said);
      const leave = [new AbortController(), new AbortController()];
      const open = leave.map(({ signal }) => send(CHAT, { ...STREAMED, headers: { "x-api-key": acme.key }, signal }));
      await Promise.all(open);
      const { response, text } = await ask(acme.key, { wire });
      expect([response.status, response.headers.get("retry-after")]).toEqual([429, "1"]);
      expect(JSON.parse(text).error).toMatchObject(codesOf(wire));
      expect(text).toContain("Rate limit reached: too many requests are under way. Please try again in 1s.");
      stubUpstreams();
      expect((await ask(beta.key, { wire })).response.status).toBe(200);
      leave[0]?.abort();
      expect((await ask(acme.key, { wire })).response.status).toBe(200);
      leave[1]?.abort();
      expect([occupancy.requests, occupancy.bytes]).toEqual([0, 0]);
    },
  );
});

describe("C23: what all requests hold together", () => {
  /** A body of so many bytes, in pieces as they come over the network. */
  function body(bytes: number): RequestInit {
    const [head, tail] = ['{"model":"m","stream":true,"messages":[{"role":"user","content":"', '"}]}'];
    let left = bytes - head.length - tail.length;
    const pieces = (function* () {
      yield head;
      for (; left > 0; left -= 65_536) yield "x".repeat(Math.min(left, 65_536));
      yield tail;
    })();
    const stream = new ReadableStream<Uint8Array>({
      // One after the other, as many clients at once are read.
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve));
        const { done, value } = pieces.next();
        if (done) controller.close();
        else controller.enqueue(new TextEncoder().encode(value));
      },
    });
    return { method: "POST", headers: { "x-api-key": "own" }, body: stream, duplex: "half" } as RequestInit;
  }

  test("of 40 bodies of 8 MB at once some are served, the others told to come again, and 48 MB are held at most", async () => {
    const occupancy = createOccupancy();
    const { send } = platform({ UPSTREAM_BASE_URL: "http://u.example/v1" }, { occupancy });
    let most = 0;
    let waiting = 0;
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    vi.stubGlobal("fetch", async () => {
      most = Math.max(most, occupancy.bytes);
      waiting += 1;
      await gate;
      return new Response(good);
    });
    const asked = Array.from({ length: 40 }, () => send(CHAT, body(8_000_000)));
    const statuses: unknown[][] = [];
    for (const response of asked) {
      void response.then(({ status, headers }) => {
        statuses.push([status, headers.get("retry-after"), headers.get("x-should-retry")]);
      });
    }
    await expect.poll(() => statuses.length + waiting, { timeout: 60_000 }).toBe(40);
    expect([most <= 48_000_000, occupancy.bytes <= 48_000_000, occupancy.requests]).toEqual([true, true, waiting]);
    open();
    const answered = await Promise.all(asked);
    const served = statuses.filter(([status]) => status === 200).length;
    expect(served).toBeGreaterThanOrEqual(4);
    expect(served).toBeLessThanOrEqual(6);
    expect(statuses.filter(([status]) => status !== 200)).toEqual(Array(40 - served).fill([503, "1", null]));
    for (const response of answered) await response.text();
    await expect.poll(() => [occupancy.requests, occupancy.bytes]).toEqual([0, 0]);
    expect((await send(CHAT, body(8_000_000))).status).toBe(200);
  });

  test("the largest body that may be allowed can be held, and a larger one is not told to come again", async () => {
    const most = ISOLATE_LIMITS.heldByTenant;
    const { store, send } = platform();
    const { key } = await store.tenant("acme", { ...server("acme"), max_body_bytes: most });
    const { key: more } = await store.tenant("beta", { ...server("beta"), max_body_bytes: most + 1 });
    async function status(name: string, bytes: number) {
      const response = await send(CHAT, { ...body(bytes), headers: { "x-api-key": name } });
      await response.text();
      return response.status;
    }
    expect([await status(key, most), await status(key, most + 1)]).toEqual([200, 413]);
    expect(await status(more, 1_000)).toBe(503);
  });

  test.each(wires)("%s: a full isolate takes nothing on, and says so before a body is read", async (_name, wire) => {
    const occupancy = createOccupancy();
    const { ask, send } = platform({}, { occupancy });
    const lease = occupancy.enter("neighbour", undefined, new AbortController().signal);
    const leave = lease.hold();
    lease.add(48_000_001);
    const { response, text } = await ask("own", { wire, model: "echo" });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(text).toContain("The gateway is busy. Please try again in 1s.");
    expect(JSON.parse(text).error).toMatchObject(BUSY[wire.protocol.name]);
    expect((await send("/healthz")).status).toBe(200);
    leave();
    expect((await ask("own", { wire, model: "echo" })).response.status).toBe(200);
  });

  /** Starts an answer that waits behind `text`, and tells what is held of it. */
  async function heldBehind(text: string, init: RequestInit, given = {}) {
    const occupancy = createOccupancy();
    const { send } = platform({ UPSTREAM_BASE_URL: "http://u.example/v1", ...given }, { occupancy });
    const dealtWith = new Promise<void>((resolve) => hangs(text, resolve));
    const leave = new AbortController();
    const response = send(CHAT, { ...init, headers: { "x-api-key": "own" }, signal: leave.signal });
    response.then((it) => it.text()).catch(() => {});
    await dealtWith;
    const held = occupancy.bytes - String(init.body).length;
    leave.abort();
    expect(occupancy.bytes).toBe(0);
    return held;
  }
  const long = "a".repeat(100_000);
  const TOOLS =
    '{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}}]}';

  test("of a whole answer its characters, not what stands around them", async () => {
    const text = Array.from({ length: 1_000 }, () => chunk({ content: "ab" })).join("");
    expect(await heldBehind(text, WHOLE)).toBe(2_000);
  });

  test("of a stream what has not gone out: a call that is held back, an event that has not come whole", async () => {
    expect(await heldBehind(chunk({ content: long }), STREAMED)).toBe(0);
    const call = `<tool_calls><invoke name="f"><parameter name="a">${long}`;
    const early = { TOOLCALL_EARLY_EMIT: "off" };
    const held = await heldBehind(chunk({ content: call }), { method: "POST", body: TOOLS }, early);
    expect(held).toBe(call.length);
    expect(await heldBehind(said + chunk({ content: long }).slice(0, -10), STREAMED)).toBe(0);
    expect(await heldBehind(chunk({ content: long }).slice(0, -10), STREAMED)).toBeGreaterThan(100_000);
  });
});
