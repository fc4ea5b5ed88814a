import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createKey } from "../../../src/tenants/gateway-key.ts";
import { seal } from "../../../src/tenants/sealed.ts";
import { WIRES } from "../../wires/wires.ts";
import { MASTER, platform, server, stubUpstreams } from "./platform.ts";

/** Tests of controls of docs/security.md, by their names; those of tenants' settings stand in `tenants.test.ts`. */

let world: ReturnType<typeof stubUpstreams>;

beforeEach(() => {
  world = stubUpstreams();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** All of an answer but its id, which differs each time. */
function seen({ response, text }: { response: Response; text: string }) {
  const headers = [...response.headers].filter(([name]) => !name.endsWith("request-id"));
  return JSON.stringify([response.status, headers, text.replace(/req_\w+/g, "req")]);
}

test("C1: junk is refused without asking the store", async () => {
  const { store, ask } = platform();
  const { key, hash, id } = await store.tenant("acme", server("acme"));
  for (const junk of [key.slice(0, -1), `${key}x`, `x${key}`, key.toUpperCase(), hash, id, "sk-1"]) {
    for (const prefix of ["", "/t/acme"]) expect((await ask(junk, { prefix })).response.status).toBe(401);
  }
  expect(store.reads).toEqual([]);
});

describe("C2, C13, C14: nothing of a tenant's keys, name and secrets is told or logged", () => {
  const SECRET = "acme-Secret/Key+1234==";
  test.each<[string, () => Response]>([
    ["a refusal of the key", () => Response.json({ error: { message: `No such key: ${SECRET}` } }, { status: 401 })],
    ["its beginning", () => new Response(`no such key: ${SECRET.slice(0, 14)}...`, { status: 400 })],
    ["its end", () => new Response(`no such key: ***${SECRET.slice(9)}`, { status: 500 })],
    ["in a stream", () => new Response(`data: ${JSON.stringify({ error: { message: SECRET } })}\n\n`)],
  ])("%s", async (_what, answer) => {
    const { log } = stubUpstreams(answer);
    const { store, ask } = platform();
    const sealed = await seal(SECRET, { tenant: "acme", upstream: "main" }, "1", MASTER);
    const { key, hash } = await store.tenant("acme", server("acme", { api_key: sealed }));
    const answered = await ask(key);
    expect(answered.response.ok).toBe(false);
    expect(log.length).toBeGreaterThan(0);
    const told = seen(answered) + log.join("\n");
    for (const secret of [SECRET.slice(0, 10), SECRET.slice(-8), sealed, key, hash]) expect(told).not.toContain(secret);
    // Whose it was is for the operator to know, and for nobody else.
    expect(seen(answered)).not.toContain("acme");
    for (const line of log) expect(JSON.parse(line)).toMatchObject({ tenant: "acme", key: key.slice(3, 11) });
  });

  test("what is stored holds no key", async () => {
    const { store } = platform();
    const { key } = await store.tenant("acme", server("acme"));
    expect([...store.values].flat().join("\n")).not.toContain(key.slice(12));
  });
});

describe("C4: one key, in one of its places", () => {
  test.each(WIRES.map((wire) => [wire.name, wire] as const))("%s", async (_name, wire) => {
    const { store, ask, send } = platform();
    const { key } = await store.tenant("acme", server("acme"));
    const other = (await store.tenant("acme2", server("acme"))).key;
    const accepted = [{ "x-api-key": key }, { "x-goog-api-key": key }, { authorization: `Bearer ${key}` }];
    const refused = [
      { authorization: key },
      { authorization: `Basic ${btoa(key)}` },
      { authorization: "Bearer ", "x-api-key": key },
      { authorization: `Bearer ${other}`, "x-api-key": key },
    ];
    for (const prefix of ["", "/t/acme"]) {
      for (const headers of accepted) expect((await ask("", { prefix, wire, headers })).response.status).toBe(200);
      for (const headers of refused) expect((await ask("", { prefix, wire, headers })).response.status).toBe(401);
      const { path, fields } = wire.address({ model: "m", stream: false });
      const body = JSON.stringify({ ...fields, ...wire.write({ turns: [{ user: "x" }], maxTokens: 5 }, false) });
      const inQuery = async (query: string) =>
        (await send(`${prefix}${path}?${query}`, { method: "POST", body })).status;
      expect(await inQuery(`key=${key}`)).toBe(path.startsWith("/v1beta") ? 200 : 401);
      expect(await inQuery(`key=${key}&key=${other}`)).toBe(401);
    }
  });
});

describe.each(["/t/acme", ""])("C4: a tenant that wants no key in a URL; at %j", (prefix) => {
  const path = `${prefix}/v1beta/models/m:generateContent`;
  const body = JSON.stringify({ contents: [{ parts: [{ text: "x" }] }] });

  test("refuses it in the words of a wrong one, and takes it in a header", async () => {
    const { store, send } = platform();
    const { key } = await store.tenant("acme", { ...server("acme"), query_keys: "no" });
    const ask = async (query: string, headers = {}) => {
      const response = await send(path + query, { method: "POST", body, headers });
      return { response, text: await response.text() };
    };
    expect((await ask("", { "x-goog-api-key": key })).response.status).toBe(200);
    expect((await ask("?alt=json", { "x-goog-api-key": key })).response.status).toBe(200);
    world.sent.length = 0;
    const refused = [
      await ask(`?key=${(await createKey()).key}`),
      await ask(`?key=${key}`),
      await ask(`?key=${key}`, { "x-goog-api-key": key }),
    ];
    expect([...new Set(refused.map(seen))]).toHaveLength(1);
    expect(refused[0]?.response.status).toBe(401);
    expect(world.sent).toEqual([]);
  });

  test("is the only one", async () => {
    const { store, send } = platform();
    await store.tenant("beta", { ...server("beta"), query_keys: "no" });
    const { key } = await store.tenant("acme", server("acme"));
    expect((await send(`${path}?key=${key}`, { method: "POST", body })).status).toBe(200);
  });
});

test("C4: a tenant's key beside another one is not for a gateway that stands open", async () => {
  const { store, ask } = platform({ GATEWAY_API_KEYS: "" });
  const { key } = await store.tenant("acme", server("acme"));
  expect((await ask(key)).response.status).toBe(200);
  expect((await ask(key, { headers: { authorization: "Bearer another" } })).response.status).toBe(401);
  expect((await ask("one", { headers: { authorization: "Bearer another" } })).response.status).toBe(200);
});

test("C4: so may the gateway's own", async () => {
  const body = JSON.stringify({ contents: [{ parts: [{ text: "x" }] }] });
  const ask = async (QUERY_KEYS: string, query: string, headers = {}) => {
    const { send } = platform({ QUERY_KEYS });
    return (await send(`/v1beta/models/m:generateContent${query}`, { method: "POST", body, headers })).status;
  };
  expect([await ask("", "?key=own"), await ask("no", "?key=own")]).toEqual([200, 401]);
  expect(await ask("no", "", { "x-goog-api-key": "own" })).toBe(200);
});

describe("C5: who may not come in learns nothing", () => {
  async function street() {
    const made = platform();
    const acme = await made.store.tenant("acme", { ...server("acme"), allowed_origins: ["https://app.example"] });
    const beta = await made.store.tenant("beta", server("beta"));
    await made.store.tenant("gone", server("gone"), { status: "disabled" });
    made.store.values.set("v1:tenant:broken", "no JSON");
    return { ...made, acme, beta };
  }
  const DOORS = [
    "/t/acme",
    "/t/gone",
    "/t/broken",
    "/t/nobody",
    "/t/%61cme",
    "/t/Acme",
    "/t/acme%2f..",
    `/t/${"a".repeat(40)}`,
  ];

  test.each(WIRES.map((wire) => [wire.name, wire] as const))("%s: byte for byte", async (_name, wire) => {
    const { ask, beta } = await street();
    const headers = { origin: "https://app.example" };
    const stranger = (await createKey()).key;
    const answers = [];
    for (const prefix of DOORS) {
      for (const key of [stranger, beta.key, "own", ""]) answers.push(seen(await ask(key, { prefix, wire, headers })));
    }
    expect([...new Set(answers)]).toHaveLength(1);
    expect(answers[0]).toContain("401");
    expect(world.sent).toEqual([]);
  });

  test("a browser's question before it has a key is answered alike, wherever it comes from", async () => {
    const { send, store } = await street();
    const ask = async (prefix: string) => {
      const headers = { origin: "https://other.example" };
      const response = await send(`${prefix}/v1/messages`, { method: "OPTIONS", headers });
      return seen({ response, text: await response.text() });
    };
    const answers = await Promise.all(DOORS.map(ask));
    store.broken = true;
    answers.push(await ask("/t/new"));
    expect([...new Set(answers)]).toHaveLength(1);
    expect(answers[0]).toContain("204");
  });

  test.each([
    '{"t":"beta"}',
    '{"t":"nobody"}',
    '{"t":"../x"}',
    '{"t":"__proto__"}',
    '{"t":7}',
    "null",
    "no JSON",
    undefined,
  ])("a key of which the store says %s falls through to nobody, be the gateway open or not", async (pointer) => {
    for (const GATEWAY_API_KEYS of ["", "own"]) {
      const { store, ask } = platform({ GATEWAY_API_KEYS });
      const { key, hash } = await store.tenant("acme", server("acme"));
      await store.tenant("beta", server("beta"));
      if (pointer === undefined) store.values.delete(`v1:key:${hash}`);
      else store.values.set(`v1:key:${hash}`, pointer);
      expect((await ask(key)).response.status).toBe(401);
      expect((await ask("", { model: "echo" })).response.status).toBe(GATEWAY_API_KEYS === "" ? 200 : 401);
    }
  });

  test("a key that is listed twice is as good as its worse half", async () => {
    const { store, ask } = platform();
    for (const worse of [{ status: "disabled" }, { expires: 1 }]) {
      const { id, hash, key } = await createKey();
      const keys = [
        { id, hash },
        { id, hash, ...worse },
      ];
      for (const [index, listed] of [keys, keys.toReversed()].entries()) {
        store.putTenant(`acme${index}`, { v: 1, rev: 1, status: "active", keys: listed, settings: server("acme") });
        expect((await ask(key, { prefix: `/t/acme${index}` })).response.status).toBe(401);
      }
    }
  });
});

describe("C11: what is wrong is never a default in silence", () => {
  const upstreams = server("a").upstreams;
  test.each<[string, string]>([
    ["a list for settings", "[]"],
    ["a list for upstreams", '{"upstreams":[]}'],
    ["null for upstreams", '{"upstreams":null}'],
    ["a list for an upstream", '{"upstreams":{"main":[]}}'],
    ["a list for switches", '{"toolcall":[]}'],
    [
      "an upstream whose name would be passed over",
      '{"upstreams":{"constructor":{"base_url":"https://a.example/v1"}}}',
    ],
    ["another one", '{"upstreams":{"prototype":{"base_url":"https://a.example/v1"}}}'],
    ["one that would come first wherever it stands", `{"upstreams":{"main":${JSON.stringify(upstreams.main)},"2":{}}}`],
    ["no name of a model", '{"models":[""]}'],
    ["null for a model", '{"models":[null]}'],
    ["lists in a list", '{"models":[["m"]]}'],
    ["null for a number", '{"heartbeat_ms":{}}'],
  ])("%s", async (_what, settings) => {
    const { store, ask } = platform();
    const { key } = await store.tenant("acme", JSON.parse(settings));
    expect((await ask(key, { model: "echo" })).response.status).toBe(503);
  });

  test.each(["sk-a\nb", "sk-é", "sk a", ""])("a sealed secret %j that no header bears", async (secret) => {
    const { store, ask } = platform();
    const sealed = await seal(secret, { tenant: "acme", upstream: "main" }, "1", MASTER);
    const { key } = await store.tenant("acme", server("acme", { api_key: sealed }));
    expect((await ask(key)).response.status).toBe(503);
    expect(world.sent).toEqual([]);
  });

  test("an empty list holds nothing: no model, no override", async () => {
    const { store, ask } = platform();
    const none = await store.tenant("none", { ...server("a"), models: [] });
    expect((await ask(none.key)).response.status).toBe(404);
    const fixed = await store.tenant("fixed", { ...server("a"), toolcall: { overrides: [] } });
    expect((await ask(fixed.key, { headers: { "x-toolcall-teach": "hermes" } })).response.status).toBe(400);
  });

  test.each([
    ["MASTER_KEY_1", "secret"],
    ["ADMIN_TOKEN", "sha256:secret"],
    ["DENY_KEY_IDS", "gk_00000000_secret"],
  ])("%s that makes no sense closes every tenant, and says which it is", async (name, value) => {
    const { store, ask } = platform({ [name]: value });
    const { key } = await store.tenant("acme", server("acme"));
    for (const prefix of ["", "/t/acme"]) {
      const { response, text } = await ask(key, { prefix });
      expect(response.status).toBe(503);
      expect(text).toContain(name);
      expect(text).not.toContain("secret");
    }
  });

  test("an operator who looks is told that a record is broken", async () => {
    const { store, ask } = platform({ ADMIN_TOKEN: "operator" });
    await store.tenant("acme", { colour: "blue" });
    const look = (prefix: string) => ask("operator", { prefix, headers: { "x-toolcall-debug": "1" } });
    expect((await look("/t/acme")).response.status).toBe(503);
    expect((await look("/t/nobody")).response.status).toBe(404);
  });
});

test("C15: no header of the client goes upstream, and none of the upstream's to the client", async () => {
  const odd = { "set-cookie": "a=b", "x-upstream": "1", server: "u", "x-request-id": "theirs" };
  const { sent } = stubUpstreams(() => Response.json({ error: { message: "no" } }, { status: 400, headers: odd }));
  const { store, ask } = platform();
  const { key } = await store.tenant("acme", server("acme"));
  const headers = { cookie: "c=1", "x-forwarded-for": "192.0.2.1", "x-api-base": "k", origin: "https://a.example" };
  const { response } = await ask(key, { headers });
  const own = ["accept", "accept-encoding", "content-type", "x-toolsieve-hops"];
  expect([...(sent[0]?.headers.keys() ?? [])].sort()).toEqual(own);
  for (const name of ["set-cookie", "x-upstream", "server"]) expect(response.headers.get(name)).toBeNull();
  expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
});

test.each(["__proto__", "constructor", "toString"])(
  "C20: %s is a name like any other, and pollutes nothing",
  async (name) => {
    const { store, ask } = platform();
    const record = { v: 1, rev: 1, status: "active", settings: server("acme") };
    const { id, hash, key } = await createKey();
    const keys = `"keys":[{"id":"${id}","hash":"${hash}"}]`;
    const put = (text: string) => store.values.set("v1:tenant:acme", text);
    const within = JSON.stringify(record).replace(/^\{/, `{${keys},`);
    put(within.replace('"upstreams":{', `"${name}":{"mode":"off"},"upstreams":{`));
    expect((await ask(key, { prefix: "/t/acme" })).response.status).toBe(503);
    store.values.set("v1:tenant:beta", within.replace('"upstreams":{', `"upstreams":{"${name}":{"kind":"demo"},`));
    expect((await ask(key, { prefix: "/t/beta" })).response.status).toBe(503);
    expect((await ask(key, { prefix: `/t/${name}` })).response.status).toBe(401);
    store.values.set("v1:tenant:gamma", within);
    expect((await ask(key, { prefix: "/t/gamma", model: name })).calls).toBe(1);
    expect(Object.hasOwn(Object.prototype, "mode")).toBe(false);
  },
);

test("C37: what one request sets for itself is no other's", async () => {
  const { store, ask } = platform();
  const { key } = await store.tenant("acme", { ...server("acme"), routes: [{ models: ["r"], model: "s" }] });
  for (const model of ["m", "r"]) {
    const told = async (headers = {}) =>
      (await ask(key, { model, headers })).response.headers.get("x-toolcall-dialect");
    const taught = await Promise.all([
      told({ "x-toolcall-teach": "hermes" }),
      told(),
      told({ "x-toolcall-teach": "glm45" }),
    ]);
    expect([...taught, await told()]).toEqual(["hermes", "canonical", "glm45", "canonical"]);
  }
});
