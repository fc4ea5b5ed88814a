import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { operate, record } from "./operator.ts";
import { platform, sent, server, stubUpstreams, unstubUpstreams } from "./platform.ts";

beforeEach(() => void stubUpstreams());
afterEach(unstubUpstreams);

const GATEWAY_HOSTS = "localhost,gw.example";
const ACME = "https://ai.acme.example";

async function world(given: object = {}) {
  const made = operate({ GATEWAY_HOSTS, ...given });
  const { create, admin } = made;
  const keyOf = async (id: string, hosts: string[]) => {
    await create(id, record(server(id), { hosts }));
    return (await admin("POST", `/${id}/keys`)).body.key as string;
  };
  return { ...made, acme: await keyOf("acme", ["ai.acme.example"]), beta: await keyOf("beta", []) };
}

describe("C5: tenants by host name", () => {
  test("a host's requests are its tenant's, with two reads, and none when they are kept", async () => {
    const { ask, acme, beta, store } = await world();
    store.reads.length = 0;
    for (const prefix of [ACME, `${ACME}:8443`, `${ACME}.`, "https://AI.ACME.example", `${ACME}/t/acme`]) {
      expect((await ask(acme, { prefix })).calls).toBe(1);
    }
    expect(store.reads).toEqual(["v1:host:ai.acme.example", "v1:tenant:acme"]);
    expect(sent.every(({ url }) => url.startsWith("https://acme.example/"))).toBe(true);
    // Under the gateway's own names it is as ever.
    for (const prefix of ["", "https://gw.example", "https://gw.example./t/beta"]) {
      expect((await ask(beta, { prefix })).calls).toBe(1);
    }
  });

  test("an unknown host, a foreign key, a path of another tenant and a host that the record has not are refused alike", async () => {
    const { ask, acme, beta, store } = await world();
    store.values.set("v1:host:old.example", '{"t":"acme"}');
    store.values.set("v1:host:odd.example", "?");
    const tried: [string, string][] = [
      [ACME, beta],
      [ACME, "own"],
      [ACME, ""],
      [`${ACME}/t/beta`, beta],
      [`${ACME}/t/beta`, acme],
      [`${ACME}/t/nobody`, acme],
      ["https://nobody.example", acme],
      ["https://nobody.example/t/acme", acme],
      ["https://old.example", acme],
      ["https://odd.example", acme],
      ["https://127.0.0.1", acme],
      ["https://[::1]", "own"],
      ["https://gw.example.evil.example", acme],
    ];
    const answers = await Promise.all(tried.map(([prefix, key]) => ask(key, { prefix })));
    expect(new Set(answers.map(({ response, text }) => `${response.status} ${text}`)).size).toBe(1);
    expect(answers[0]?.response.status).toBe(401);
    expect(sent).toEqual([]);
  });

  test("junk costs no read, under whatever name", async () => {
    const { ask, store } = await world();
    store.reads.length = 0;
    for (const prefix of [ACME, "https://nobody.example", `${ACME}/t/acme`]) {
      for (const key of ["", "own", "gk_junk"]) expect((await ask(key, { prefix })).response.status).toBe(401);
    }
    expect(store.reads).toEqual([]);
  });

  test("a host that goes to another tenant goes with its record", async () => {
    vi.useFakeTimers();
    const { ask, acme, beta, put } = await world();
    expect((await ask(acme, { prefix: ACME })).calls).toBe(1);
    await put("acme", record(server("acme")), 2);
    await put("beta", record(server("beta"), { hosts: ["ai.acme.example"] }), 2);
    vi.advanceTimersByTime(30_000);
    expect((await ask(acme, { prefix: ACME })).response.status).toBe(401);
    expect((await ask(beta, { prefix: ACME })).calls).toBe(1);
  });

  test("without names of the gateway's own, host names mean nothing", async () => {
    const { ask, acme, store } = await world({ GATEWAY_HOSTS: "" });
    store.reads.length = 0;
    expect((await ask(acme, { prefix: "https://nobody.example" })).calls).toBe(1);
    expect(store.reads.filter((key) => key.startsWith("v1:host:"))).toEqual([]);
  });

  test("a record that cannot be read is nobody's host, and costs two reads", async () => {
    const { ask, acme, store } = await world();
    store.putTenant("acme", { v: 2, hosts: ["ai.acme.example"] });
    store.reads.length = 0;
    expect((await ask(acme, { prefix: ACME })).response.status).toBe(401);
    expect(store.reads).toHaveLength(2);
  });

  test("without a store there are no other hosts", async () => {
    const { gatewayOf } = await import("./in-process.ts");
    const { VARIABLES } = await import("./platform.ts");
    const { send } = gatewayOf({ ...VARIABLES, GATEWAY_HOSTS });
    const headers = { "x-api-key": "own" };
    expect((await send(`${ACME}/v1/models`, { headers })).status).toBe(401);
    expect((await send("/v1/models", { headers })).status).toBe(200);
  });
});

test("C16: a preflight is answered for the tenant of the host, and tells nothing of hosts that are nobody's", async () => {
  const { send, put } = await world({ ALLOWED_ORIGINS: "https://own.example" });
  await put(
    "acme",
    record({ ...server("acme"), allowed_origins: ["https://app.example"] }, { hosts: ["ai.acme.example"] }),
    2,
  );
  const allowed = async (base: string, origin: string) => {
    const response = await send(`${base}/v1/messages`, { method: "OPTIONS", headers: { origin } });
    return [response.status, response.headers.get("access-control-allow-origin")];
  };
  expect(await allowed(ACME, "https://app.example")).toEqual([204, "https://app.example"]);
  expect(await allowed(ACME, "https://own.example")).toEqual([204, null]);
  expect(await allowed("https://nobody.example", "https://own.example")).toEqual([204, null]);
  expect(await allowed(`${ACME}/t/beta`, "https://app.example")).toEqual([204, null]);
  expect(await allowed("https://gw.example", "https://own.example")).toEqual([204, "https://own.example"]);
});

test("C5, C16: under a name that its record does not list a tenant is shown to nobody", async () => {
  const { send, put, store } = await world();
  await put("acme", record({ ...server("acme"), allowed_origins: ["https://app.example"] }), 2);
  store.values.set("v1:host:ai.acme.example", '{"t":"acme"}');
  const preflight = { method: "OPTIONS", headers: { origin: "https://app.example" } };
  const answered = await send(`${ACME}/v1/messages`, preflight);
  expect(answered.headers.get("access-control-allow-origin")).toBeNull();
  const headers = { authorization: "Bearer operator-token", "x-toolcall-debug": "1" };
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "x" }] });
  expect((await send(`${ACME}/v1/chat/completions`, { method: "POST", headers, body })).status).toBe(404);
});

test("C7, C11: an upstream under a name of the gateway's own is not taken, and closes its tenant", async () => {
  const { put, ask, acme, store } = await world();
  const settings = { upstreams: { main: { base_url: "https://gw.example/v1" } } };
  const { status, text } = await put("acme", record(settings), 2);
  expect([status, text]).toEqual([400, expect.stringContaining("main.base_url names this gateway itself.")]);
  store.putTenant("acme", { ...JSON.parse(store.values.get("v1:tenant:acme") ?? ""), settings });
  const { response } = await ask(acme, { prefix: ACME });
  expect([response.status, sent]).toEqual([503, []]);
});

test("C10: an operator looks at the tenant of a host, and changes none under its name", async () => {
  const { send } = await world();
  const headers = { authorization: "Bearer operator-token" };
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "x" }] });
  const look = { method: "POST", headers: { ...headers, "x-toolcall-debug": "1" }, body };
  expect((await send(`${ACME}/v1/chat/completions`, look)).status).toBe(200);
  expect((await send("https://nobody.example/v1/chat/completions", look)).status).toBe(401);
  expect((await send(`${ACME}/admin/v1/tenants`, { headers })).status).toBe(404);
  expect((await send("https://gw.example/admin/v1/tenants", { headers })).status).toBe(200);
});

test.each(["GW.example", "gw.example:443", "https://gw.example", "gw.example/", "*.example", "gw.example.", ","])(
  "C11: GATEWAY_HOSTS %j is none",
  async (given) => {
    const { send } = platform({ GATEWAY_HOSTS: given });
    const response = await send("/v1/models", { headers: { "x-api-key": "own" } });
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining("GATEWAY_HOSTS ")]);
  },
);
