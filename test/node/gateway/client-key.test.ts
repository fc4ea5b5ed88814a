import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { seal } from "../../../src/tenants/sealed.ts";
import { listUpstreamModels } from "../../../src/upstream-access.ts";
import { WIRES } from "../../wires/wires.ts";
import { MemoryStore } from "../tenants/stored-tenant.ts";
import { gatewayOf } from "./in-process.ts";
import { calls, MASTER, platform, sent, server, stubUpstreams, unstubUpstreams, VARIABLES } from "./platform.ts";

/** Keys that clients bring for the upstream (`x-upstream-key`), and what must never become of them. */

beforeEach(() => void stubUpstreams());
afterEach(unstubUpstreams);

const OPERATORS = "sk-operator-0123456789";
/** In no form that a log would know by itself. */
const CLIENTS = "cl!ent.Abcd/efgh+1234=";
const own = { "x-upstream-key": CLIENTS };

/** A tenant whose first upstream has a key of the operator's, and a second one to fall back on. */
async function street(byok: string | undefined, more: object = {}) {
  const made = platform();
  const api_key = await seal(OPERATORS, { tenant: "acme", upstream: "main" }, "1", MASTER);
  const settings = {
    upstreams: {
      main: { base_url: "https://main.example/v1", api_key },
      spare: { base_url: "https://spare.example/v1" },
    },
    fallback: ["spare"],
    ...(byok && { byok }),
    ...more,
  };
  const { key } = await made.store.tenant("acme", settings);
  const ask = (headers: Record<string, string>, asked: Parameters<typeof made.ask>[1] = {}) =>
    made.ask(key, { ...asked, headers });
  return { ...made, ask, key };
}

const keysSent = () => sent.map(({ authorization }) => authorization);

describe.each(WIRES.map((wire) => [wire.name, wire] as const))("C13: a client's own key; %s", (_name, wire) => {
  test.each([
    ["off", {}, 200, [`Bearer ${OPERATORS}`]],
    ["off", own, 400, []],
    ["optional", {}, 200, [`Bearer ${OPERATORS}`]],
    ["optional", own, 200, [`Bearer ${CLIENTS}`]],
    ["required", {}, 401, []],
    ["required", own, 200, [`Bearer ${CLIENTS}`]],
  ])("byok %s with %j: %i", async (byok, headers, status, keys) => {
    const { ask } = await street(byok);
    const { response, text } = await ask(headers, { wire });
    expect([response.status, keysSent()]).toEqual([status, keys]);
    expect(text).not.toContain(CLIENTS);
    if (status === 200) return;
    expect(text).toContain("x-upstream-key");
    expect(response.headers.get("x-should-retry")).toBe(status === 401 ? "false" : null);
  });

  test.each([401, 403])("an upstream that answers %i to it: 401, asked once and nobody else", async (refusal) => {
    stubUpstreams(() => Response.json({ error: { message: `no such key: ${CLIENTS}` } }, { status: refusal }));
    const { ask } = await street("optional");
    for (const stream of [false, true]) {
      const { response, text } = await ask(own, { wire, stream });
      expect(response.status).toBe(401);
      expect(text).not.toContain(CLIENTS.slice(3, 12));
    }
    expect(keysSent()).toEqual([`Bearer ${CLIENTS}`, `Bearer ${CLIENTS}`]);
    expect((await ask({}, { wire })).response.status).toBe(502);
  });

  test("an upstream that says so in its stream", async () => {
    stubUpstreams(() => new Response('data: {"error": {"code": 401, "message": "no"}}\n\n'));
    const { ask } = await street("optional");
    expect((await ask(own, { wire, stream: true })).response.status).toBe(401);
  });
});

test.each(["", "a b", "a\tb", "sk-é", "a, b", "x".repeat(2_049)])("%j is none", async (key) => {
  for (const byok of ["optional", "required"]) {
    const { ask } = await street(byok);
    const { response, text } = await ask({ "x-upstream-key": key });
    expect(response.status).toBe(400);
    if (key !== "") expect(text).not.toContain(key);
  }
  expect(sent).toEqual([]);
});

test("another vendor never sees it", async () => {
  stubUpstreams(() => new Response("", { status: 500 }));
  const { ask } = await street("optional");
  expect((await ask(own)).response.status).toBe(502);
  expect(sent.map(({ url }) => new URL(url).hostname)).toEqual(["main.example"]);
});

test("C6: is for one server: where models are asked for at several, there is no such key", async () => {
  const { ask } = await street("optional", { routes: [{ models: ["small"], upstream: "spare" }] });
  expect((await ask(own)).response.status).toBe(503);
  expect(sent).toEqual([]);
});

test("no other header carries it", async () => {
  const { ask } = await street("required", { routes: [{ models: ["small"], upstream: "main", model: "qwen3" }] });
  await ask(own, { model: "small" });
  expect(JSON.stringify([...(sent[0]?.headers ?? [])]).split(CLIENTS)).toHaveLength(2);
  expect(JSON.stringify(sent[0]?.messages)).not.toContain(CLIENTS);
});

test("the model built in needs none, and Workers AI takes none: the operator would pay", async () => {
  const { store, ask } = platform({ UPSTREAM_HOSTS: "*, workers-ai" });
  const demo = await store.tenant("demo", { byok: "required" });
  expect((await ask(demo.key, { headers: own })).response.status).toBe(200);
  const bound = await store.tenant("bound", { byok: "optional", upstreams: { main: { kind: "workers-ai" } } });
  expect((await ask(bound.key, { headers: own })).response.status).toBe(400);
});

describe("C14: is in no log, nor any part of it", () => {
  test.each<[string, () => Response]>([
    // Not in quotes, which are taken out anyhow.
    ["refused", () => Response.json({ error: { message: `bad key ${CLIENTS}` } }, { status: 500 })],
    ["its end", () => new Response(`bad key ...${CLIENTS.slice(-10)}`, { status: 400 })],
    ["in a stream", () => new Response(`data: ${JSON.stringify({ error: { message: CLIENTS } })}\n\n`)],
  ])("%s", async (_what, answer) => {
    const { log } = stubUpstreams(answer);
    const { ask } = await street("optional");
    for (const stream of [false, true]) expect((await ask(own, { stream })).response.ok).toBe(false);
    expect(log.join("\n")).toContain("request_failed");
    for (const part of [CLIENTS.slice(0, 12), CLIENTS.slice(-10)]) expect(log.join("\n")).not.toContain(part);
  });

  test("nor where it is not taken at all", async () => {
    const { log } = stubUpstreams();
    const { ask } = await street("off");
    await ask(own);
    expect(log.join("\n")).not.toContain(CLIENTS);
  });

  test("nor stored", async () => {
    const { store, ask } = await street("required");
    await ask(own);
    expect([...store.values].flat().join("\n")).not.toContain(CLIENTS);
  });
});

describe("C37: what it was shown or refused is no other's", () => {
  test("the upstream's list of models, which is asked with it each time", async () => {
    stubUpstreams((_url, { headers }) => {
      const key = new Headers(headers).get("authorization");
      return Response.json({ data: [{ id: `for ${key}` }] });
    });
    const store = new MemoryStore();
    const { send } = gatewayOf({ ...VARIABLES, TENANTS: store }, { listUpstreamModels });
    const { key } = await store.tenant("acme", { ...server("acme"), byok: "required" });
    const list = async (given?: string) => {
      const headers = { "x-api-key": key, ...(given !== undefined && { "x-upstream-key": given }) };
      const response = await send("/v1/models", { headers });
      if (!response.ok) return response.status;
      return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
    };
    expect([await list("one"), await list("two"), await list("one")]).toEqual([
      ["for Bearer one"],
      ["for Bearer two"],
      ["for Bearer one"],
    ]);
    expect(await list()).toBe(401);
    expect(await list("a b")).toBe(400);
    expect(sent).toHaveLength(3);
  });

  test("a field that the upstream refused", async () => {
    const seeds = () => sent.map((body) => "stream_options" in body);
    stubUpstreams(() =>
      "stream_options" in (sent.at(-1) ?? {})
        ? Response.json({ error: { message: "Unknown parameter: 'stream_options'." } }, { status: 400 })
        : calls(),
    );
    const { ask } = await street("optional");
    for (let count = 0; count < 2; count += 1) expect((await ask(own)).calls).toBe(1);
    expect(seeds()).toEqual([true, false, true, false]);
    for (let count = 0; count < 2; count += 1) expect((await ask({})).calls).toBe(1);
    expect(seeds().slice(4)).toEqual([true, false, false]);
    expect((await ask(own)).calls).toBe(1);
    expect(seeds().slice(7)).toEqual([true, false]);
  });
});

test("C16: a browser may send it", async () => {
  const { send } = await street("optional", { allowed_origins: ["https://app.example"] });
  const asking = {
    origin: "https://app.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type, x-upstream-key",
  };
  const { headers } = await send("/t/acme/v1/messages", { method: "OPTIONS", headers: asking });
  expect(headers.get("access-control-allow-headers")).toContain("x-upstream-key");
});

test("C2: variables set it for the gateway's own clients, who need the gateway's key all the same", async () => {
  const { ask } = platform({
    BYOK: "required",
    UPSTREAM_BASE_URL: "https://own.example/v1",
    UPSTREAM_API_KEY: OPERATORS,
  });
  expect((await ask("own", { headers: own })).response.status).toBe(200);
  expect((await ask("", { headers: own })).response.status).toBe(401);
  expect((await ask("own")).response.status).toBe(401);
  expect(keysSent()).toEqual([`Bearer ${CLIENTS}`]);
});
