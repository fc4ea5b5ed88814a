import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { RATE_LIMITS } from "../../../src/limits.ts";
import { chunk, DONE } from "../../scripted-upstream/script.ts";
import { WIRES } from "../../wires/wires.ts";
import { platform, server, stubUpstreams, unstubUpstreams } from "./platform.ts";

let log: string[];
beforeEach(() => {
  ({ log } = stubUpstreams());
});
afterEach(unstubUpstreams);

const lines = (event: string) => log.map((line) => JSON.parse(line)).filter((line) => line.event === event);
const OPERATOR = { authorization: "Bearer operator" };

/** A tenant, its key, and an operator who reads its numbers. */
async function counted(settings: object = {}, given: Parameters<typeof platform>[0] = {}, options = {}) {
  const world = platform({ ADMIN_TOKEN: "operator", ...given }, options);
  const { key } = await world.store.tenant("acme", { ...server("acme"), ...settings });
  const read = (path = "/t/acme/metrics", headers: Record<string, string> = OPERATOR) => world.send(path, { headers });
  /** Of counters, the lines without what they all begin with. */
  const numbers = async (path?: string) =>
    (await (await read(path)).text())
      .split("\n")
      .filter((line) => /^toolcall_\w+_total\{/.test(line))
      .map((line) => line.replace("toolcall_", "").replace(/tenant="[^"]*",/, ""));
  const calls = () => world.objects.calls.filter((call) => !call.endsWith(" counted"));
  return { ...world, key, read, numbers, calls };
}

describe.each(WIRES.map((wire) => [wire.name, wire] as const))("%s", (_name, wire) => {
  test.each([false, true])("a reply is in the numbers; stream: %s", async (stream) => {
    const { ask, key, numbers, calls } = await counted({ models: ["my-*"] });
    expect((await ask(key, { wire, stream, model: "my-model" })).response.status).toBe(200);
    const of = `model="my-*",wire="${wire.protocol.name}"`;
    const block = 'rollout="none",source="canonical",dialect="canonical"';
    await vi.waitFor(async () => expect(await numbers()).not.toEqual([]));
    expect((await numbers()).filter((line) => !line.startsWith("tokens_total"))).toEqual([
      `replies_total{${of},mode="feature_match",rollout="none",outcome="tool"} 1`,
      `blocks_total{${of},${block},outcome="call"} 1`,
      `calls_total{${of},${block}} 1`,
      `delivered_calls_total{${of}} 1`,
      `upstream_requests_total{${of}} 1`,
    ]);
    expect(calls()).toEqual(["acme count"]);
  });

  test("a request that fails before it has come to a reply is an error of no model, once", async () => {
    const { send, key, numbers, calls } = await counted();
    const { path } = wire.address({ model: "m", stream: false });
    expect((await send(path, { method: "POST", headers: { "x-api-key": key }, body: "{" })).status).toBe(400);
    await vi.waitFor(async () =>
      expect(await numbers()).toEqual([`errors_total{model="",wire="${wire.protocol.name}",kind="invalid-request"} 1`]),
    );
    expect(calls()).toEqual(["acme count"]);
  });

  test.each([false, true])("one that fails within it is counted once, with its model; stream: %s", async (stream) => {
    stubUpstreams(() => new Response("no", { status: 400 }));
    const { ask, key, numbers, calls } = await counted();
    expect((await ask(key, { wire, stream, model: "qwen3" })).response.status).toBe(400);
    const of = `model="qwen*",wire="${wire.protocol.name}"`;
    await vi.waitFor(async () =>
      expect(await numbers()).toEqual([
        `replies_total{${of},mode="feature_match",rollout="none",outcome="upstream-rejected"} 1`,
        `errors_total{${of},kind="upstream-rejected"} 1`,
        `upstream_requests_total{${of}} 1`,
      ]),
    );
    expect(calls()).toEqual(["acme count"]);
  });
});

describe("what fails is counted by its kind", () => {
  test.each<[kind: string, settings: object, asked: object, status: number]>([
    ["unknown-model", { models: ["other"] }, {}, 404],
    ["invalid-request", {}, { headers: { "x-toolcall-mode": "off" } }, 400],
    ["too-large", { max_body_bytes: 10 }, {}, 413],
    ["unsupported-encoding", {}, { headers: { "content-encoding": "gzip" } }, 415],
  ])("%s, of no model", async (kind, settings, asked, status) => {
    const { ask, key, numbers } = await counted(settings);
    expect((await ask(key, asked)).response.status).toBe(status);
    await vi.waitFor(async () =>
      expect(await numbers()).toEqual([`errors_total{model="",wire="openai-chat",kind="${kind}"} 1`]),
    );
  });

  test("over-budget, of its model", async () => {
    const { ask, key, numbers } = await counted({ limits: { tokens_per_day: 1 } });
    expect((await ask(key)).response.status).toBe(429);
    await vi.waitFor(async () =>
      expect(await numbers()).toEqual([
        'replies_total{model="other",wire="openai-chat",mode="feature_match",rollout="none",outcome="over-budget"} 1',
        'errors_total{model="other",wire="openai-chat",kind="over-budget"} 1',
      ]),
    );
  });
});

describe("C17: what is refused to save work costs no write", () => {
  test("a wrong key, and a circle of gateways", async () => {
    const { ask, key, calls } = await counted();
    expect((await ask("wrong")).response.status).toBe(401);
    expect((await ask(key, { headers: { "x-toolsieve-hops": "3" } })).response.status).toBe(508);
    expect(calls()).toEqual([]);
  });

  test("a key that clients should have brought for the upstream", async () => {
    const { ask, key, calls } = await counted({ byok: "required" });
    expect((await ask(key)).response.status).toBe(401);
    expect(calls()).toEqual([]);
  });

  test("a request too many", async () => {
    const { ask, key, calls } = await counted({ limits: { requests_per_minute: 1 } });
    expect((await ask(key)).response.status).toBe(200);
    for (let count = 0; count < 10; count += 1) expect((await ask(key)).response.status).toBe(429);
    await vi.waitFor(() => expect(calls()).toEqual(["acme count"]));
  });

  test("a path that is none, a preflight, and an operator's look", async () => {
    const { send, key, calls } = await counted();
    const ask = async (method: string, path: string, headers: Record<string, string>) =>
      (await send(path, { method, headers, ...(method === "POST" && { body: "{" }) })).status;
    const known = { "x-api-key": key };
    expect(await ask("GET", "/t/acme/v1/nothing", known)).toBe(404);
    expect(await ask("POST", "/v1/models/m:nothing", known)).toBe(404);
    expect(await ask("GET", "/t/acme/v1/messages", known)).toBe(405);
    expect(await ask("OPTIONS", "/t/acme/v1/messages", {})).toBe(204);
    expect(await ask("POST", "/t/acme/v1/messages", { ...OPERATOR, "x-toolcall-debug": "1" })).toBe(400);
    expect(calls()).toEqual([]);
  });
});

/** A stream of so many deltas. */
const streamed = (deltas: number) =>
  new Response(
    Array.from({ length: deltas }, (_, index) => chunk({ content: `word ${index} ` })).join("") +
      chunk({}, "stop") +
      DONE,
  );

test("C17: a long stream is counted once, and none of its deltas is", async () => {
  stubUpstreams(() => streamed(2_000));
  const { ask, key, calls, numbers } = await counted();
  expect((await ask(key, { stream: true })).text).toContain("word 1999");
  await vi.waitFor(async () => expect((await numbers()).join()).toContain('outcome="stop"} 1'));
  expect(calls()).toEqual(["acme count"]);
});

describe("a reply waits for no object", () => {
  test.each([false, true])("that never answers; stream: %s", async (stream) => {
    const { ask, key, objects } = await counted();
    objects.gate = new Promise(() => {});
    expect((await ask(key, { stream })).calls).toBe(1);
  });

  test.each([false, true])("that is away: the log has a line on it; stream: %s", async (stream) => {
    const { ask, key, objects, numbers, read } = await counted();
    objects.broken = true;
    const { response, calls } = await ask(key, { stream });
    expect(calls).toBe(1);
    await vi.waitFor(() => expect(lines("uncounted")).toHaveLength(1));
    const request_id = response.headers.get("x-request-id");
    expect(lines("uncounted")).toEqual([{ level: "warn", event: "uncounted", request_id, tenant: "acme" }]);
    expect(lines("reply")).toHaveLength(1);
    const away = await read();
    expect([away.status, await away.text()]).toEqual([503, expect.stringContaining("store_unavailable")]);
    objects.broken = false;
    expect(await numbers()).toEqual([]);
  });
});

test("a client that leaves is counted as one that has left, and as no error", async () => {
  const pieces = [chunk({ content: "Hello, this is a stream." })];
  stubUpstreams(
    () =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            const piece = pieces.shift();
            if (piece === undefined) await new Promise(() => {});
            controller.enqueue(new TextEncoder().encode(piece));
          },
        }),
      ),
  );
  const { send, key, numbers } = await counted();
  const leaving = new AbortController();
  const body = JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "Hi" }] });
  const headers = { "x-api-key": key };
  const response = await send("/v1/chat/completions", { method: "POST", headers, body, signal: leaving.signal });
  const reader = response.body?.getReader();
  await reader?.read();
  leaving.abort();
  await reader?.cancel();
  await vi.waitFor(async () => expect((await numbers()).join()).toContain('outcome="aborted"} 1'));
  expect((await numbers()).join()).not.toContain("errors_total");
});

describe("where nothing is counted", () => {
  test.each([
    ["the tenant's", { metrics: "off" }, {}, "/t/acme/metrics"],
    ["the gateway's own", {}, { METRICS: "off" }, "/metrics"],
  ])(
    "%s numbers are switched off: no object is asked, and they are not there",
    async (_what, settings, given, path) => {
      const { ask, send, key, read, objects } = await counted(settings, given);
      const own = path === "/metrics" ? "own" : key;
      expect((await ask(own)).response.status).toBe(200);
      await send("/v1/messages", { method: "POST", headers: { "x-api-key": own }, body: "{" });
      const off = await read(path);
      expect([off.status, await off.text()]).toEqual([404, expect.stringContaining("is off")]);
      expect(objects.calls).toEqual([]);
    },
  );

  test("there is no binding: replies go on, and an operator is told why there are no numbers", async () => {
    const { ask, key, read } = await counted({}, {}, { bound: false });
    expect((await ask(key)).response.status).toBe(200);
    const { status, headers } = await read();
    expect([status, headers.get("x-should-retry")]).toEqual([503, "false"]);
    expect(await (await read()).text()).toContain("TENANT_OBJECTS");
    expect(lines("uncounted")).toEqual([]);
  });
});

describe("C10: numbers are for operators", () => {
  const PATHS = ["/metrics", "/t/acme/metrics", "/t/nobody/metrics", "/t/_gateway/metrics"];

  test.each(PATHS)("%s without a token of theirs", async (path) => {
    const { read, key, objects, store } = await counted();
    store.reads.length = 0;
    const tried = [{}, { "x-api-key": key }, { "x-api-key": "own" }, { authorization: "Basic operator" }];
    const answers = await Promise.all(tried.map((headers) => read(path, headers as Record<string, string>)));
    answers.push(await read(`${path}?key=operator`, {}));
    const texts = await Promise.all(answers.map(async (answer) => [answer.status, await answer.text()]));
    expect(new Set(texts.map(String)).size).toBe(1);
    expect(texts[0]?.[0]).toBe(401);
    expect([objects.calls, store.reads]).toEqual([[], []]);
  });

  test.each(PATHS)("%s is no path where there are no operators", async (path) => {
    const { send } = await counted({}, { ADMIN_TOKEN: "" });
    const unknown = await (await send("/nothing")).text();
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const answer = await send(path, { method, headers: OPERATOR });
      expect([answer.status, await answer.text()]).toEqual([404, unknown]);
    }
  });

  test("of a tenant that there is not", async () => {
    const { read, objects } = await counted();
    for (const path of PATHS.slice(2)) expect((await read(path)).status).toBe(404);
    expect(objects.calls).toEqual([]);
  });

  test("are plain text for Prometheus, which nobody stores", async () => {
    const { read, send } = await counted();
    const { status, headers } = await read();
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
      ...[200, "text/plain; version=0.0.4; charset=utf-8", "no-store"],
    ]);
    const head = await send("/t/acme/metrics", { method: "HEAD", headers: OPERATOR });
    expect([head.status, head.body, head.headers.get("content-type")]).toEqual([
      ...[200, null, "text/plain; version=0.0.4; charset=utf-8"],
    ]);
    const options = await send("/t/acme/metrics", { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
    const post = await send("/t/acme/metrics", { method: "POST", headers: OPERATOR });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  test("are the tenant's under its host name, and no page's there", async () => {
    const origin = "https://app.example";
    const { store, send, read, ask, numbers } = await counted(
      {},
      { GATEWAY_HOSTS: "localhost", ALLOWED_ORIGINS: origin },
    );
    const settings = { ...server("beta"), allowed_origins: [origin] };
    const { key } = await store.tenant("beta", settings, { hosts: ["ai.beta.example"] });
    store.values.set("v1:host:ai.beta.example", '{"t":"beta"}');
    await ask(key, { prefix: "https://ai.beta.example" });
    await vi.waitFor(async () => expect(await numbers("/t/beta/metrics")).not.toEqual([]));
    const path = "https://ai.beta.example/metrics";
    expect(await numbers(path)).toEqual(await numbers("/t/beta/metrics"));
    expect(await (await read(path)).text()).toContain('tenant="beta"');
    const page = await send(path, { headers: { ...OPERATOR, origin } });
    expect([page.status, page.headers.get("access-control-allow-origin")]).toEqual([200, null]);
    expect((await read("https://ai.beta.example/t/acme/metrics")).status).toBe(401);
    expect((await read("https://nobody.example/metrics")).status).toBe(401);
  });

  test("are there for a strict tenant, and for one whose places are all taken", async () => {
    const { store, ask, read } = await counted({ limits: { concurrent_requests: 1 } });
    const gate = Promise.withResolvers<void>();
    const { key } = await store.tenant(
      "strict",
      { ...server("s"), limits: { concurrent_requests: 1 } },
      { strict: true },
    );
    stubUpstreams(async () => {
      await gate.promise;
      return streamed(1);
    });
    const waiting = ask(key);
    await vi.waitFor(async () => expect((await ask(key)).response.status).toBe(429));
    expect((await read("/t/strict/metrics")).status).toBe(200);
    gate.resolve();
    expect((await waiting).response.status).toBe(200);
  });
});

test("C17: an operator's reads have the limit of operators, and none of the tenant's", async () => {
  vi.useFakeTimers({ now: 1_800_000_030_000, toFake: ["Date"] });
  const { read, ask, key } = await counted({ limits: { requests_per_minute: 1 } });
  for (let index = 0; index < RATE_LIMITS.operator; index += 1) expect((await read()).status).toBe(200);
  expect((await read()).status).toBe(429);
  expect((await ask(key)).response.status).toBe(200);
});

test("C5: each tenant's numbers are its own, and the gateway's own are nobody else's", async () => {
  const { ask, key, store, read, numbers } = await counted({ models: ["acme-*"] }, { MODELS: "own-*" });
  const beta = (await store.tenant("beta", { ...server("beta"), models: ["beta-*"] })).key;
  await ask(key, { model: "acme-1" });
  await ask(beta, { model: "beta-1" });
  await ask("own", { model: "own-1" });
  const texts: Record<string, string> = {};
  for (const [name, path] of [
    ["acme", "/t/acme/metrics"],
    ["beta", "/t/beta/metrics"],
    ["own", "/metrics"],
  ] as const) {
    await vi.waitFor(async () => expect(await numbers(path)).not.toEqual([]));
    texts[name] = await (await read(path)).text();
    expect(texts[name]).toContain(`model="${name}-*"`);
    for (const other of ["acme-", "beta-", "own-"]) expect(texts[name].includes(other)).toBe(other === `${name}-`);
  }
  expect(texts.own).toContain('{tenant="_gateway",model="own-*"');
});

describe("C14: nothing that a client, a model or an upstream has written is in the numbers", () => {
  const CANARY = "C4NARY";
  const SAYINGS = [
    `${CANARY} <tool_call>{"name": "${CANARY}", "arguments": {"city": "${CANARY}",}}</tool_call> ${CANARY}`,
    `<tool_call>{"name": "get_weather", "arguments": {"${CANARY}`,
    `<${CANARY}><invoke name="${CANARY}"><parameter name="${CANARY}">${CANARY}</parameter></invoke>`,
  ];
  const ANSWERS: (() => Response)[] = [
    ...SAYINGS.map((content) => () => new Response(chunk({ content }) + chunk({}, "stop") + DONE)),
    () =>
      new Response(
        chunk({ tool_calls: [{ index: 0, id: CANARY, function: { name: CANARY, arguments: "{}" } }] }, CANARY) + DONE,
      ),
    () => Response.json({ error: { message: CANARY, type: CANARY, code: CANARY, param: CANARY } }, { status: 400 }),
    () => Response.json({ error: { message: `Unknown parameter: '${CANARY}'` } }, { status: 500 }),
    () => new Response(CANARY, { status: 200, headers: { "content-type": CANARY } }),
    () => {
      throw new Error(CANARY);
    },
  ];

  test.each(WIRES.map((wire) => [wire.name, wire] as const))("%s", async (_name, wire) => {
    let answers = 0;
    stubUpstreams(() => (ANSWERS[Math.floor(answers++ / 2) % ANSWERS.length] as () => Response)());
    const { send, key, read, calls } = await counted();
    const tool = {
      name: CANARY,
      description: CANARY,
      parameters: { type: "object" as const, properties: { [CANARY]: {} } },
    };
    const asked = { system: CANARY, turns: [{ user: CANARY }], tools: [tool], stop: [CANARY], maxTokens: 9 };
    const headers = { "x-api-key": key, "x-toolcall-teach": "hermes", "user-agent": CANARY, [CANARY]: CANARY };
    let requests = 0;
    const post = async (path: string, body: string, more: Record<string, string> = {}) => {
      requests += 1;
      await (await send(path, { method: "POST", headers: { ...headers, ...more }, body })).text();
    };
    for (const stream of ANSWERS.flatMap(() => [false, true])) {
      const { path, fields } = wire.address({ model: CANARY, stream });
      await post(path, JSON.stringify({ ...fields, ...wire.write(asked, stream) }));
    }
    const { path, fields } = wire.address({ model: CANARY, stream: false });
    await post(path, `{"${CANARY}`);
    await post(path, JSON.stringify({ ...fields, ...wire.write(asked, false) }), { "x-toolcall-teach": CANARY });
    await vi.waitFor(() => expect(calls()).toHaveLength(requests));
    const text = await (await read()).text();
    expect(text).toContain("toolcall_blocks_total");
    expect(text).toContain("toolcall_errors_total");
    expect(text.toLowerCase()).not.toContain(CANARY.toLowerCase());
  });

  test("what an operator has called models is, escaped", async () => {
    const odd = 'x"y\\z\n*';
    const { ask, key, numbers } = await counted({ models: [odd] });
    expect((await ask(key, { model: `x"y\\z\n${CANARY}` })).response.status).toBe(200);
    await vi.waitFor(async () => expect((await numbers()).join("\n")).toContain('{model="x\\"y\\\\z\\n*",wire='));
    expect((await numbers()).join("\n")).not.toContain(CANARY);
  });
});
