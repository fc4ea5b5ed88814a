import { beforeEach, describe, expect, test, vi } from "vitest";
import { type AppParts, createApp } from "../../src/app.ts";
import { fail } from "../../src/errors.ts";
import type { ExchangeRequest } from "../../src/exchange.ts";
import { MemoryObjects } from "./tenants/memory-objects.ts";
import { MemoryStore } from "./tenants/stored-tenant.ts";

const log = vi.spyOn(console, "log").mockImplementation(() => {});
beforeEach(() => void log.mockClear());

interface Setting {
  env?: object;
  exchange?: AppParts["exchange"];
  models?: string[];
}

/** An app whose exchange answers `ok` unless told otherwise. */
function gateway({ env = {}, exchange = async () => new Response("ok"), models = [] }: Setting = {}) {
  const app = createApp({ exchange, listUpstreamModels: async () => models });
  return (method: string, path: string, init: RequestInit = {}) =>
    app.fetch(new Request(new URL(path, "http://localhost"), { method, ...init }), env);
}

const CHAT = "/v1/chat/completions";
const body = (fields: object = {}) =>
  JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], ...fields });
const KEYS = { GATEWAY_API_KEYS: "key" };
const UPSTREAM = { UPSTREAM_BASE_URL: "https://host.example/v1", GATEWAY_API_KEYS: "key" };
const withKey = (init: RequestInit = {}): RequestInit => ({ headers: { authorization: "Bearer key" }, ...init });

const errorOf = async (response: Response) => ((await response.json()) as { error: object }).error;

describe("routes", () => {
  test.each([
    ["GET", "/", 200],
    ["HEAD", "/", 200],
    ["GET", "/healthz", 200],
    ["HEAD", "/healthz", 200],
    ["GET", "/v1/models", 200],
    ["GET", "/v1/models/demo", 200],
    ["GET", "/v1/nothing", 404],
    ["POST", "/v1/nothing", 404],
    ["HEAD", "/api/hello", 404],
    ["GET", "/v1/chat/completions/", 405],
    ["GET", "/v1/models/", 200],
    ["GET", CHAT, 405],
    ["PUT", CHAT, 405],
    ["constructor", CHAT, 405],
    ["DELETE", "/v1/models/demo", 405],
    ["POST", "/healthz", 405],
  ])("%s %s: %i", async (method, path, status) => {
    const response = await gateway()(method, path);
    expect(response.status).toBe(status);
    expect(response.headers.get("x-request-id")).toMatch(/^req_[A-Za-z0-9]{24}$/);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    if (status >= 400 && method !== "HEAD") {
      expect(await errorOf(response)).toEqual({
        message: expect.any(String),
        type: "invalid_request_error",
        param: null,
        code: null,
      });
    }
  });

  test.each([
    [CHAT, "POST, OPTIONS"],
    ["/v1/models", "GET, HEAD, OPTIONS"],
    ["/v1/models/a/b", "GET, POST, HEAD, OPTIONS"],
    ["/healthz", "GET, HEAD, OPTIONS"],
  ])("OPTIONS %s needs no key and tells the methods", async (path, allow) => {
    const response = await gateway({ env: KEYS })("OPTIONS", path);
    expect([response.status, response.headers.get("allow")]).toEqual([204, allow]);
  });

  test("a wrong method is told the right ones", async () => {
    const response = await gateway()("PATCH", CHAT);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  });
});

describe("every route", () => {
  const app = createApp({ exchange: async () => new Response(), listUpstreamModels: async () => [] });
  const OPEN = ["/", "/healthz"];
  const GUARDED: [pattern: string, method: string, path: string][] = [
    [CHAT, "POST", CHAT],
    ["/v1/responses", "POST", "/v1/responses"],
    ["/v1/responses/input_tokens", "POST", "/v1/responses/input_tokens"],
    ["/v1/responses/:response{.+}", "GET", "/v1/responses/resp_1"],
    ["/v1/messages", "POST", "/v1/messages"],
    ["/v1/messages/count_tokens", "POST", "/v1/messages/count_tokens"],
    ["/v1/models", "GET", "/v1/models"],
    ["/v1/models/:model{.+}", "GET", "/v1/models/m"],
    ["/v1beta/models", "GET", "/v1beta/models"],
    ["/v1beta/:model{.+}", "POST", "/v1beta/models/m:generateContent"],
    ["/v1/:model{.+:(?:generateContent|streamGenerateContent|countTokens)}", "POST", "/v1/org/m:countTokens"],
  ];

  const ADMIN: [pattern: string, method: string, path: string][] = [
    ["/admin/v1/tenants", "GET", "/admin/v1/tenants"],
    ["/admin/v1/tenants:batch", "POST", "/admin/v1/tenants:batch"],
    ["/admin/v1/tenants/:tenant", "PUT", "/admin/v1/tenants/acme"],
    ["/admin/v1/tenants/:tenant/keys", "POST", "/admin/v1/tenants/acme/keys"],
    [
      "/admin/v1/tenants/:tenant/keys/:key{[^/]+:(?:rotate|disable)}",
      "POST",
      "/admin/v1/tenants/acme/keys/abcdefgh:rotate",
    ],
  ];
  const store = new MemoryStore();
  const OPERATED = { ...KEYS, ADMIN_TOKEN: "operator", TENANTS: store, TENANT_OBJECTS: new MemoryObjects(store) };

  test("C35: is one of those that are known here", () => {
    const closed = [...GUARDED, ["/metrics"] as const, ...ADMIN];
    expect(app.paths).toEqual([...OPEN, ...closed.map(([pattern]) => pattern)]);
  });

  test.each(ADMIN)("C35: %s asks for an operator's token before anything else", async (_pattern, method, path) => {
    for (const headers of [{}, { authorization: "Bearer key" }, { authorization: "Basic operator" }]) {
      const response = await gateway({ env: OPERATED })(method, `${path}?key=operator`, {
        headers: { ...headers, "x-toolcall-debug": "1" },
        ...(method !== "GET" && { body: "{" }),
      });
      expect(response.status).toBe(401);
      expect(await errorOf(response)).toMatchObject({ message: expect.stringContaining("API key is required") });
    }
    expect(store.reads).toEqual([]);
  });

  test.each(ADMIN)(
    "C35, C10: %s is no path of a gateway without operators, or of a tenant",
    async (_pattern, method, path) => {
      const { TENANTS, TENANT_OBJECTS, ADMIN_TOKEN, ...without } = OPERATED;
      const headers = { authorization: "Bearer operator" };
      const answers = await Promise.all(
        [
          { ...without, TENANTS, TENANT_OBJECTS },
          { ...without, ADMIN_TOKEN, TENANTS },
          { ...without, ADMIN_TOKEN, TENANT_OBJECTS },
          { ...OPERATED, GATEWAY_HOSTS: "other.example" },
        ].map((env) => gateway({ env })(method, path, { headers })),
      );
      answers.push(await gateway({ env: OPERATED })(method, `/t/acme${path}`, { headers }));
      const unknown = await (await gateway({ env: OPERATED })(method, "/nothing", { headers })).text();
      for (const answer of answers) expect([answer.status, await answer.text()]).toEqual([404, unknown]);
    },
  );

  test.each(ADMIN.filter(([, method]) => method !== "GET"))(
    "C35: %s takes no more than the body cap, and refuses to run in a circle",
    async (_pattern, method, path) => {
      const headers = { authorization: "Bearer operator", "if-match": '"1"' };
      const env = { ...OPERATED, MAX_BODY_BYTES: "10" };
      const large = await gateway({ env })(method, path, { headers, body: JSON.stringify("x".repeat(20)) });
      expect([large.status, await errorOf(large)]).toMatchObject([413, { type: "invalid_request_error" }]);
      const packed = await gateway({ env })(method, path, {
        headers: { ...headers, "content-encoding": "gzip" },
        body: "{}",
      });
      expect(packed.status).toBe(415);
      const circle = { ...headers, "x-toolsieve-hops": "3" };
      expect((await gateway({ env })(method, path, { headers: circle, body: "{}" })).status).toBe(508);
    },
  );

  test.each(ADMIN)("C16: %s is nothing for a page in a browser", async (_pattern, method, path) => {
    const env = { ...OPERATED, ALLOWED_ORIGINS: "https://app.example" };
    for (const [asked, authorization] of [
      ["OPTIONS", ""],
      [method, "Bearer wrong"],
      [method, "Bearer operator"],
    ] as const) {
      const headers = { origin: "https://app.example", authorization };
      const response = await gateway({ env })(asked, path, { headers });
      expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
  });

  test.each(GUARDED)("%s asks for a key before anything else", async (_pattern, method, path) => {
    const response = await gateway({ env: KEYS })(method, path, method === "POST" ? { body: "{" } : {});
    expect(response.status).toBe(401);
    expect(await errorOf(response)).toMatchObject({ message: expect.stringContaining("API key is required") });
  });

  test.each(GUARDED)("%s refuses to run in a circle", async (_pattern, method, path) => {
    const response = await gateway()(method, path, { headers: { "x-toolsieve-hops": "3" } });
    expect([response.status, await errorOf(response)]).toMatchObject([
      508,
      { message: expect.stringContaining("runs in a circle") },
    ]);
  });
});

describe("hops", () => {
  const seenHops = async (given: string) => {
    const seen: number[] = [];
    const exchange = async ({ hops }: ExchangeRequest) => {
      seen.push(hops);
      return new Response();
    };
    await gateway({ exchange })("POST", CHAT, { headers: { "x-toolsieve-hops": given }, body: body() });
    return seen;
  };

  test.each([
    ["-1000000", [0]],
    ["many", [0]],
    ["2", [2]],
    ["99999999999999999999", []],
  ])("%s", async (given, hops) => {
    expect(await seenHops(given)).toEqual(hops);
  });

  test("are told to nobody without a key", async () => {
    const headers = { "x-toolsieve-hops": "3" };
    expect((await gateway({ env: KEYS })("POST", CHAT, { headers })).status).toBe(401);
  });
});

describe("a chat completion", () => {
  test("goes to the exchange", async () => {
    const seen: ExchangeRequest[] = [];
    const exchange = async (request: ExchangeRequest) => {
      seen.push(request);
      return new Response("answer", { headers: { "cache-control": "no-cache" } });
    };
    const headers = { authorization: "Bearer key", "x-toolsieve-hops": "2" };
    const response = await gateway({ env: UPSTREAM, exchange })("POST", CHAT, { headers, body: body() });
    expect(await response.text()).toBe("answer");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-gateway-warning")).toBeNull();
    expect(seen).toMatchObject([
      {
        request: { conversation: { model: "m" }, warnings: [] },
        config: { upstream: { baseUrl: "https://host.example/v1" } },
        requestId: response.headers.get("x-request-id"),
        hops: 2,
      },
    ]);
  });

  test.each([
    ["malformed JSON", "{", 400],
    ["no body", "", 400],
    ["no object", "[]", 400],
    ["no messages", body({ messages: [] }), 400],
    ["an unknown role", body({ messages: [{ role: "robot", content: "x" }] }), 400],
    ["nesting", `{"messages":${"[".repeat(200_000)}`, 400],
    [
      "a tool name that would break the markup",
      body({ tools: [{ type: "function", function: { name: "<a>" } }] }),
      400,
    ],
    ["a body over the cap", body({ user: "x".repeat(8_000_000) }), 413],
  ])("%s is refused in OpenAI's shape", async (_what, sent, status) => {
    const response = await gateway()("POST", CHAT, { body: sent });
    expect([response.status, await errorOf(response)]).toMatchObject([status, { type: "invalid_request_error" }]);
    expect(log).not.toHaveBeenCalled();
  });

  test.each([
    ["a tool named __proto__", { tools: [{ type: "function", function: { name: "__proto__" } }] }],
    ["a result without its call", { messages: [{ role: "tool", tool_call_id: "c1", content: "R" }] }],
  ])("%s is borne", async (_what, fields) => {
    const response = await gateway()("POST", CHAT, { body: body(fields) });
    expect(response.status).toBe(200);
  });

  test("warns of what was tolerated, in characters that a header bears", async () => {
    const messages = [{ role: "user", content: [{ type: "größe\n😀", text: "x" }] }];
    const response = await gateway()("POST", CHAT, { body: body({ messages }) });
    expect(response.headers.get("x-gateway-warning")).toMatch(/^content parts of type 'gr\?\?e\?\?\?' are not/);
  });

  test("tells what the exchange tolerated too", async () => {
    const exchange = async ({ onWarning }: ExchangeRequest) => {
      onWarning("more");
      return new Response();
    };
    const response = await gateway({ exchange })("POST", CHAT, { body: body() });
    expect(response.headers.get("x-gateway-warning")).toBe("more");
  });

  test("tells failures of the exchange in its shape, and logs what it does not tell", async () => {
    const exchange = async () => fail({ kind: "upstream-failed", detail: "status 500" });
    const response = await gateway({ exchange })("POST", CHAT, { body: body() });
    expect([response.status, await errorOf(response)]).toMatchObject([502, { code: "upstream_error" }]);
    expect(JSON.parse(String(log.mock.calls[0]?.[0]))).toMatchObject({
      request_id: response.headers.get("x-request-id"),
      route: CHAT,
      detail: "status 500",
    });
  });

  test("tells a fault of our own as one, never bare", async () => {
    const exchange = async () => Promise.reject(new TypeError("oops"));
    const response = await gateway({ exchange })("POST", CHAT, { body: body() });
    expect([response.status, await errorOf(response)]).toEqual([
      500,
      { message: "The gateway failed to handle this request.", type: "server_error", param: null, code: null },
    ]);
    expect(log).toHaveBeenCalledTimes(1);
  });

  test("whose client has gone is no failure of ours", async () => {
    const client = new AbortController();
    const exchange = async ({ signal }: ExchangeRequest) => {
      client.abort();
      throw signal.reason;
    };
    await gateway({ exchange })("POST", CHAT, { body: body(), signal: client.signal });
    expect(log).not.toHaveBeenCalled();
  });
});

describe("configuration", () => {
  const broken = { ...UPSTREAM, TOOLCALL_MODE: "sometimes" };

  test("that is invalid is told to every request", async () => {
    const response = await gateway({ env: broken })("POST", CHAT, withKey({ body: body() }));
    expect([response.status, response.headers.get("x-should-retry"), await errorOf(response)]).toMatchObject([
      503,
      "false",
      { code: "config_invalid", message: expect.stringContaining("TOOLCALL_MODE") },
    ]);
  });

  test("that is invalid leaves the health check up", async () => {
    expect((await gateway({ env: broken })("GET", "/healthz")).status).toBe(200);
  });

  test("with an upstream and no key refuses with a hint, for good", async () => {
    const env = { UPSTREAM_BASE_URL: "https://host.example/v1" };
    const response = await gateway({ env })("POST", CHAT, { body: body() });
    expect([response.status, response.headers.get("x-should-retry"), await errorOf(response)]).toMatchObject([
      503,
      "false",
      { code: "not_configured", message: expect.stringContaining("GATEWAY_API_KEYS") },
    ]);
  });

  test("of a smaller body cap holds", async () => {
    const response = await gateway({ env: { MAX_BODY_BYTES: "10" } })("POST", CHAT, { body: body() });
    expect(response.status).toBe(413);
  });
});

describe("models", () => {
  const names = async (response: Response) =>
    ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id);

  test.each([
    ["the demo's", {}, [], ["demo", "echo"]],
    ["the upstream's", UPSTREAM, ["org/a", "b"], ["org/a", "b"]],
    ["UPSTREAM_MODEL", { ...UPSTREAM, UPSTREAM_MODEL: "m" }, ["b"], ["m"]],
    ["MODELS", { ...UPSTREAM, MODELS: "x,gpt-*" }, ["b"], ["x"]],
  ])("are %s", async (_whose, env, models, expected) => {
    const response = await gateway({ env, models })("GET", "/v1/models", withKey());
    expect(await names(response)).toEqual(expected);
  });

  test("are told in the protocol's shape, one by one too", async () => {
    const demo = { id: "demo", object: "model", created: 0, owned_by: "toolsieve" };
    const list = await gateway()("GET", "/v1/models");
    expect(await list.json()).toEqual({ object: "list", data: [demo, { ...demo, id: "echo" }] });
    expect(await (await gateway()("GET", "/v1/models/demo")).json()).toEqual(demo);
  });

  test("of the upstream are asked for once a minute, a failure each time", async () => {
    const lists = [[], ["a"], ["b"]];
    const listUpstreamModels = vi.fn(async () => lists.shift() ?? []);
    const app = createApp({ exchange: async () => new Response(), listUpstreamModels });
    const env = { ...UPSTREAM };
    const ask = async () => names(await app.fetch(new Request("http://localhost/v1/models", withKey()), env));
    expect([await ask(), await ask(), await ask()]).toEqual([[], ["a"], ["a"]]);
  });

  test.each([
    ["/v1/models/org/a", UPSTREAM, 200],
    ["/v1/models/org%2Fa", UPSTREAM, 200],
    ["/v1/models/c", UPSTREAM, 404],
    ["/v1/models/gpt-4o", { ...UPSTREAM, MODELS: "gpt-*" }, 200],
    ["/v1/models/b", { ...UPSTREAM, MODELS: "gpt-*" }, 404],
    ["/v1/models/anything", { ...UPSTREAM, UPSTREAM_MODEL: "m" }, 200],
    ["/v1/models/%E0%A4%A", UPSTREAM, 404],
  ])("%s with %j: %i", async (path, env, status) => {
    const response = await gateway({ env, models: ["org/a", "b"] })("GET", path, withKey());
    expect(response.status).toBe(status);
  });

  test.each([
    ["known where the upstream lists nothing, or could not be asked", "anything", 200],
    ["unknown where no request could name it", "x".repeat(513), 404],
  ])("are %s", async (_what, model, status) => {
    const response = await gateway({ env: UPSTREAM, models: [] })("GET", `/v1/models/${model}`, withKey());
    expect(response.status).toBe(status);
  });

  test("that MODELS does not hold are unknown before anything goes upstream", async () => {
    const exchange = vi.fn(async () => new Response());
    const response = await gateway({ env: { MODELS: "other" }, exchange })("POST", CHAT, { body: body() });
    expect([response.status, await errorOf(response)]).toMatchObject([
      404,
      { code: "model_not_found", param: "model" },
    ]);
    expect(exchange).not.toHaveBeenCalled();
  });
});

describe("CORS", () => {
  const env = { ALLOWED_ORIGINS: "https://app.example" };
  const cors = (response: Response) =>
    Object.fromEntries([...response.headers].filter(([name]) => name.startsWith("access-control-")));

  test("an allowed origin may read the answer, errors too", async () => {
    for (const path of ["/v1/models", "/nothing"]) {
      const response = await gateway({ env })("GET", path, { headers: { origin: "https://app.example" } });
      expect(cors(response)).toEqual({
        "access-control-allow-origin": "https://app.example",
        "access-control-expose-headers":
          "x-request-id, request-id, x-gateway-warning, x-toolcall-dialect, x-toolcall-rollout, x-toolcall-report, x-should-retry, retry-after",
      });
      expect(response.headers.get("vary")).toBe("Origin");
    }
  });

  test("an allowed origin may send what it asks for", async () => {
    const headers = {
      origin: "https://app.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization, x-stainless-lang",
    };
    expect(cors(await gateway({ env })("OPTIONS", CHAT, { headers }))).toMatchObject({
      "access-control-allow-origin": "https://app.example",
      "access-control-allow-methods": "POST, OPTIONS",
      "access-control-allow-headers": "authorization, x-stainless-lang",
    });
  });

  test.each([
    ["another origin", env, "https://app.example.evil"],
    ["another scheme", env, "http://app.example"],
    ["null", env, "null"],
    ["no origins configured", {}, "https://app.example"],
    ["an invalid configuration", { ...env, MODELS: "," }, "https://app.example"],
  ])("%s gets nothing", async (_what, variables, origin) => {
    for (const method of ["GET", "OPTIONS"]) {
      const response = await gateway({ env: variables })(method, "/v1/models", { headers: { origin } });
      expect(cors(response)).toEqual({});
    }
  });
});
