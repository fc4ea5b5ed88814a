import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { seal } from "../../../src/tenants/sealed.ts";
import { chunk, DONE } from "../../scripted-upstream/script.ts";
import { variables } from "../../variables.ts";
import { WIRES } from "../../wires/wires.ts";
import { gatewayOf } from "./in-process.ts";
import { block, MASTER, platform, sent, server, stubUpstreams, unstubUpstreams, VARIABLES } from "./platform.ts";

beforeEach(() => void stubUpstreams());
afterEach(unstubUpstreams);

describe("two tenants in one gateway", () => {
  async function two() {
    const world = platform();
    const secret = await seal("sk-acme", { tenant: "acme", upstream: "main" }, "1", MASTER);
    const acme = await world.store.tenant("acme", {
      ...server("acme", { api_key: secret, model: "qwen3" }),
      models: ["claude-*"],
    });
    const beta = await world.store.tenant("beta", { ...server("beta"), toolcall: { mode: "off" } });
    return { ...world, acme: acme.key, beta: beta.key };
  }

  test.each(WIRES.flatMap((wire) => [true, false].map((stream) => [wire.name, stream, wire] as const)))(
    "%s, stream: %s: each has its own upstream, key, models and mode, by path and by key alone",
    async (_name, stream, wire) => {
      const { ask, acme, beta } = await two();
      for (const prefix of ["/t/acme", ""]) {
        expect((await ask(acme, { prefix, wire, stream, model: "claude-x" })).calls).toBe(1);
      }
      for (const prefix of ["/t/beta", ""]) {
        expect((await ask(beta, { prefix, wire, stream, model: "any" })).calls).toBe(0);
      }
      expect(sent.map(({ url, authorization, model }) => [url, authorization, model])).toEqual([
        ...Array(2).fill(["https://acme.example/v1/chat/completions", "Bearer sk-acme", "qwen3"]),
        ...Array(2).fill(["https://beta.example/v1/chat/completions", null, "any"]),
      ]);
      const other = await ask(acme, { prefix: "/t/acme", wire, stream, model: "gpt-5" });
      expect([other.response.status, sent.length]).toEqual([404, 4]);
    },
  );

  test("C5: an unknown tenant, a foreign key and a wrong one are refused in the very same words", async () => {
    const { ask, acme, beta, store } = await two();
    store.putTenant("gone", { v: 1, rev: 1, status: "disabled", keys: [], settings: {} });
    const wrong = `${acme.slice(0, -1)}${acme.endsWith("A") ? "B" : "A"}`;
    const tried: [string, string][] = [
      ["/t/beta", acme],
      ["/t/acme", beta],
      ["/t/acme", wrong],
      ["/t/acme", "own"],
      ["/t/acme", ""],
      ["/t/nobody", acme],
      ["/t/gone", acme],
      ["/t/ACME", acme],
      ["/t/a", acme],
      ["/t/..%2facme", acme],
      ["/t/v1:key:x", acme],
      ["", wrong],
      ["", "other"],
    ];
    const answers = await Promise.all(tried.map(([prefix, key]) => ask(key, { prefix })));
    expect(new Set(answers.map(({ response, text }) => `${response.status} ${text}`)).size).toBe(1);
    expect(answers[0]?.response.status).toBe(401);
    expect(sent).toEqual([]);
    expect((await ask("own")).calls).toBe(1);
  });

  test("what is open to all, and what is nobody's, is not served below a tenant", async () => {
    const { send } = await two();
    for (const path of ["/t/acme/healthz", "/t/acme/", "/t/acme", "/t//v1/models", "/t/acme/t/acme/v1/models"]) {
      expect([(await send(path)).status, path]).toEqual([
        path.includes("models") && !path.includes("/t/acme/t") ? 401 : 404,
        path,
      ]);
    }
  });

  test("C16: each has its own origins, and a browser asks before it has a key", async () => {
    const { store, ask, send } = platform();
    const { key } = await store.tenant("acme", { ...server("acme"), allowed_origins: ["https://app.example"] });
    const headers = { origin: "https://app.example" };
    const allowed = (response: Response) => response.headers.get("access-control-allow-origin");
    expect(allowed((await ask(key, { headers })).response)).toBe("https://app.example");
    expect(allowed(await send("/t/acme/v1/messages", { method: "OPTIONS", headers }))).toBe("https://app.example");
    expect(allowed(await send("/v1/messages", { method: "OPTIONS", headers }))).toBeNull();
    expect(allowed((await ask("own", { headers })).response)).toBeNull();
  });
});

describe("settings by model", () => {
  test("the first route that fits holds, with its upstream, its model and its switches", async () => {
    const { store, ask } = platform();
    const { key } = await store.tenant("acme", {
      upstreams: { main: { base_url: "https://main.example/v1" }, spare: { base_url: "https://spare.example/v1" } },
      toolcall: { teach: "hermes" },
      routes: [
        { models: ["claude-*"], upstream: "spare", model: "glm-4.6", toolcall: { teach: "glm45" } },
        { models: ["*"], toolcall: { mode: "canonical", teach: "auto" } },
      ],
    });
    const taught = [];
    for (const model of ["claude-x", "other"]) {
      taught.push((await ask(key, { model })).response.headers.get("x-toolcall-dialect"));
    }
    expect(taught).toEqual(["glm45", "canonical"]);
    expect(sent.map(({ url, model }) => [new URL(url).host, model])).toEqual([
      ["spare.example", "glm-4.6"],
      ["main.example", "other"],
    ]);
  });
});

describe("C11: a record that is wrong closes its tenant, and nobody else", () => {
  test.each<[string, unknown]>([
    ["an unknown setting", { ...server("acme"), colour: "blue" }],
    ["an unknown setting within", { ...server("acme"), toolcall: { modes: "off" } }],
    ["a bad value", { ...server("acme"), toolcall: { mode: "on" } }],
    ["what makes no sense", { ...server("acme"), toolcall: { mode: "canonical", teach: "hermes" } }],
    ["a route to nowhere", { ...server("acme"), routes: [{ models: ["*"], upstream: "spare" }] }],
    ["a key in clear", server("acme", { api_key: "sk-clear" })],
    ["a key of another tenant", server("acme", { api_key: "s1.1.AAAAAAAAAAAAAAAA.AAAA" })],
    ["no settings at all", "settings"],
    ["an address without TLS", server("acme", { base_url: "http://acme.example/v1" })],
    ["an address of a private network", server("acme", { base_url: "https://127.1/v1" })],
    [
      "such an address of an upstream that is not asked",
      { upstreams: { ...server("acme").upstreams, spare: { base_url: "https://llm.internal/v1" } } },
    ],
  ])("%s", async (_what, settings) => {
    const { store, ask } = platform();
    const { key } = await store.tenant("acme", settings);
    const beta = await store.tenant("beta", server("beta"));
    const { response, text } = await ask(key, { prefix: "/t/acme" });
    expect(response.status).toBe(503);
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(text).toContain("config_invalid");
    expect(text).not.toMatch(/acme|sk-clear|blue/);
    expect((await ask("wrong", { prefix: "/t/acme" })).response.status).toBe(401);
    expect((await ask(beta.key)).calls).toBe(1);
    expect(sent).toHaveLength(1);
  });

  test("C11: the log says which, and what is wrong, and shows no secret", async () => {
    const { log } = stubUpstreams();
    const { store, ask } = platform();
    const details = async (settings: object, fields = {}) => {
      const { key } = await store.tenant(`t-${log.length}`, settings, fields);
      await ask(key);
      return JSON.parse(log.at(-1) ?? "").detail;
    };
    expect(await details({ colour: "blue" })).toBe("the record of t-0: colour is no setting.");
    expect(await details({}, { status: "on" })).toBe("the record of t-1: status takes active or disabled.");
    expect(await details(server("acme", { api_key: "sk-clear" }))).toMatch(/upstreams\.main\.api_key is not sealed/);
    expect(await details(server("acme", { base_url: "http://a.example" }))).toMatch(/base_url takes an address/);
    expect(log.join()).not.toContain("sk-clear");
  });

  test("one that cannot be read at all", async () => {
    const { store, ask } = platform();
    const { key } = await store.tenant("acme", server("acme"), { v: 2 });
    expect((await ask(key)).response.status).toBe(503);
    store.values.set("v1:tenant:acme", "no JSON");
    expect((await ask(key)).response.status).toBe(503);
    expect(sent).toEqual([]);
  });
});

describe("C3: what changes in the store", () => {
  test("holds after half a minute; till then nothing is read, and first two things are", async () => {
    vi.useFakeTimers();
    const { store, ask } = platform();
    const { key, id, hash } = await store.tenant("acme", server("acme"));
    await ask(key);
    expect(store.reads).toEqual([`v1:key:${hash}`, "v1:tenant:acme"]);
    store.putTenant("acme", {
      v: 1,
      rev: 2,
      status: "active",
      keys: [{ id, hash, status: "disabled" }],
      settings: server("acme"),
    });
    vi.advanceTimersByTime(29_999);
    expect((await ask(key)).response.status).toBe(200);
    expect(store.reads).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect((await ask(key)).response.status).toBe(401);
  });

  test("a mode that is changed holds after half a minute", async () => {
    vi.useFakeTimers();
    const { store, ask } = platform();
    const { key, id, hash } = await store.tenant("acme", server("acme"));
    const settings = { ...server("acme"), toolcall: { mode: "off" } };
    expect((await ask(key)).calls).toBe(1);
    store.putTenant("acme", { v: 1, rev: 2, status: "active", keys: [{ id, hash }], settings });
    vi.advanceTimersByTime(29_999);
    expect((await ask(key)).calls).toBe(1);
    vi.advanceTimersByTime(1);
    expect((await ask(key)).calls).toBe(0);
  });

  test("a key expires at its second, and one that is denied at once", async () => {
    vi.useFakeTimers({ now: 1_000_000 });
    const { store, ask } = platform();
    const { key } = await store.tenant("acme", server("acme"), {}, { expires: 1_010 });
    expect((await ask(key)).response.status).toBe(200);
    vi.setSystemTime(1_010_000);
    expect((await ask(key)).response.status).toBe(401);
    const other = await store.tenant("beta", server("beta"));
    expect((await ask(other.key)).response.status).toBe(200);
    const denying = gatewayOf({ ...VARIABLES, DENY_KEY_IDS: `00000000,${other.id}`, TENANTS: store });
    const refused = await denying.send("/v1/models", { headers: { "x-api-key": other.key } });
    expect(refused.status).toBe(401);
  });

  test("where the store is away, what was read holds for five minutes; nobody new is let in", async () => {
    vi.useFakeTimers();
    const { store, ask } = platform();
    const { key } = await store.tenant("acme", server("acme"));
    const late = await store.tenant("beta", server("beta"));
    await ask(key);
    store.broken = true;
    vi.advanceTimersByTime(299_999);
    expect((await ask(key)).response.status).toBe(200);
    expect((await ask(late.key)).response.status).toBe(503);
    vi.advanceTimersByTime(1);
    const { response, text } = await ask(key);
    expect([response.status, response.headers.get("x-should-retry")]).toEqual([503, null]);
    expect(text).toContain("store_unavailable");
    vi.useRealTimers();
    expect((await ask("own")).calls).toBe(1);
  });
});

test("C37: what a server refuses of one tenant's requests is sent with another's", async () => {
  const { store, ask } = platform();
  const settings = server("shared");
  const [acme, beta] = [await store.tenant("acme", settings), await store.tenant("beta", settings)];
  const bodies: Record<string, unknown>[] = [];
  vi.stubGlobal("fetch", async (_url: string, { body }: { body: string }) => {
    bodies.push(JSON.parse(body));
    const refusal = { error: { message: "Unsupported parameter: 'stream_options'" } };
    if ("stream_options" in (bodies.at(-1) ?? {}) && bodies.length === 1)
      return Response.json(refusal, { status: 400 });
    return new Response(chunk({ content: block }) + chunk({}, "stop") + DONE);
  });
  await ask(acme.key);
  await ask(acme.key);
  await ask(beta.key);
  expect(bodies.map((body) => "stream_options" in body)).toEqual([true, false, false, true]);
});

test("C37: what a request is given cannot be changed by it", async () => {
  const { store, send } = platform({ ADMIN_TOKEN: "operator" });
  await store.tenant("acme", server("acme"));
  const look = {
    method: "POST",
    headers: { "x-api-key": "operator", "x-toolcall-debug": "1" },
    body: '{"messages":[]}',
  };
  expect(
    (
      await send("/t/acme/v1/chat/completions", {
        ...look,
        body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "x" }] }),
      })
    ).status,
  ).toBe(200);
  expect((await send("/t/nobody/v1/chat/completions", look)).status).toBe(404);
  const { loadConfig } = await import("../../../src/tenants/variables.ts");
  const { config } = loadConfig(variables({}));
  expect(Object.isFrozen(config) && Object.isFrozen(config?.toolcall) && Object.isFrozen(config?.toolcall.policy)).toBe(
    true,
  );
});
