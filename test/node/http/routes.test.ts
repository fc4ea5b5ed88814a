import { describe, expect, test } from "vitest";
import { type AppParts, createApp } from "../../../src/app.ts";
import type { ExchangeRequest } from "../../../src/exchange.ts";

function gateway(env: object = {}, exchange: AppParts["exchange"] = async () => new Response("ok")) {
  const app = createApp({ exchange, listUpstreamModels: async () => [] });
  return (method: string, path: string, { headers = {}, body }: { headers?: HeadersInit; body?: object } = {}) =>
    app.fetch(
      new Request(new URL(path, "http://localhost"), {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      }),
      env,
    );
}

type Wire = "chat" | "responses" | "messages" | "gemini";

/** Whose error it is, by what no other wire's errors have. */
function wireOf(body: object): Exclude<Wire, "responses"> {
  if ("type" in body) return "messages";
  return "error" in body && body.error instanceof Object && "status" in body.error ? "gemini" : "chat";
}

const BODIES: Record<Wire, object> = {
  chat: { model: "m", messages: [{ role: "user", content: "hi" }] },
  responses: { model: "m", input: "hi" },
  messages: { model: "m", max_tokens: 9, messages: [{ role: "user", content: "hi" }] },
  gemini: { contents: [{ parts: [{ text: "hi" }] }] },
};

const ANTHROPIC = { "anthropic-version": "2026-10-21" };
const GOOGLE = { "x-goog-api-key": "key" };

describe("a request reaches the exchange on its own wire", () => {
  test.each<[string, Wire, string, string, boolean]>([
    ["/v1/chat/completions", "chat", "openai-chat", "m", false],
    ["/v1/responses", "responses", "openai-responses", "m", false],
    ["/v1/messages", "messages", "anthropic", "m", false],
    ["/v1/messages?beta=true", "messages", "anthropic", "m", false],
    ["/v1beta/models/m:generateContent", "gemini", "gemini", "m", false],
    ["/v1beta/models/m:streamGenerateContent?alt=sse", "gemini", "gemini", "m", true],
    ["/v1/models/m:streamGenerateContent?alt=sse", "gemini", "gemini", "m", true],
    ["/v1/models/m:streamGenerateContent", "gemini", "gemini", "m", true],
    ["/v1beta/models/org/qwen:7b:generateContent", "gemini", "gemini", "org/qwen:7b", false],
    ["/v1beta/models/org%2Fqwen%3A7b:generateContent", "gemini", "gemini", "org/qwen:7b", false],
    ["/v1beta/org/qwen:7b:generateContent", "gemini", "gemini", "org/qwen:7b", false],
    ["/v1/org/qwen:7b:generateContent", "gemini", "gemini", "org/qwen:7b", false],
  ])("POST %s", async (path, wire, name, model, stream) => {
    const seen: ExchangeRequest[] = [];
    const exchange = async (asked: ExchangeRequest) => {
      seen.push(asked);
      return new Response("ok");
    };
    const response = await gateway({}, exchange)("POST", path, { body: BODIES[wire] });
    expect([response.status, await response.text()]).toEqual([200, "ok"]);
    expect(seen).toMatchObject([{ protocol: { name }, request: { conversation: { model, stream } } }]);
  });
});

describe("a request of which nothing can be shown to a model is refused", () => {
  test.each<[string, object]>([
    ["/v1/responses", { model: "m", input: [{ type: "item_reference", id: "x" }] }],
    ["/v1beta/models/m:generateContent", { contents: [{ role: "model", parts: [] }] }],
    ["/v1/chat/completions", { model: "m", messages: [{ role: "assistant", content: null }] }],
  ])("%s %j", async (path, body) => {
    expect((await gateway()("POST", path, { body })).status).toBe(400);
  });
});

describe("what is not served is told in the shape of its wire", () => {
  test.each<[string, string, HeadersInit, number, Exclude<Wire, "responses">]>([
    ["GET", "/v1/responses/resp_1", {}, 404, "chat"],
    ["GET", "/v1/responses/resp_1?stream=true&starting_after=3", {}, 404, "chat"],
    ["DELETE", "/v1/responses/resp_1", {}, 404, "chat"],
    ["GET", "/v1/responses/resp_1/input_items", {}, 404, "chat"],
    ["POST", "/v1/responses/resp_1/cancel", {}, 404, "chat"],
    ["POST", "/v1/responses/compact", {}, 404, "chat"],
    ["GET", "/v1/responses", {}, 405, "chat"],
    ["POST", "/v1/embeddings", {}, 404, "chat"],
    ["POST", "/v1/completions", {}, 404, "chat"],
    ["POST", "/v1/messages/batches", {}, 404, "messages"],
    ["GET", "/v1/messages", {}, 405, "messages"],
    ["GET", "/v1beta/models/m:generateContent", {}, 404, "gemini"],
    ["POST", "/v1beta/models/m:embedContent", {}, 404, "gemini"],
    ["POST", "/v1/models/m:embedContent", {}, 404, "gemini"],
    ["POST", "/v1beta/models/m", {}, 404, "gemini"],
    ["GET", "/v1beta/cachedContents", GOOGLE, 404, "gemini"],
    ["POST", "/v1beta/models", {}, 405, "gemini"],
    ["POST", "/v1beta", {}, 404, "gemini"],
    ["DELETE", "/v1/models/m", ANTHROPIC, 405, "messages"],
    ["DELETE", "/v1/models/m", GOOGLE, 405, "gemini"],
    ["DELETE", "/v1/models/m", {}, 405, "chat"],
    ["POST", "/anything", ANTHROPIC, 404, "chat"],
    ["GET", "/v1/files", ANTHROPIC, 404, "messages"],
    ["GET", "/v1/cachedContents", GOOGLE, 404, "gemini"],
    ["GET", "/v1/files", {}, 404, "chat"],
    ["GET", "/v1/chat/completions", GOOGLE, 405, "chat"],
  ])("%s %s %j: %i, as %s", async (method, path, headers, status, wire) => {
    const response = await gateway()(method, path, { headers });
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(wireOf((await response.json()) as object)).toBe(wire);
  });

  test("no response is stored, which has a code of its own", async () => {
    const response = await gateway()("GET", "/v1/responses/resp_1");
    expect(await response.json()).toMatchObject({ error: { type: "invalid_request_error", code: "not_found" } });
  });

  test("a question that no client asks a key for", async () => {
    expect((await gateway({ GATEWAY_API_KEYS: "key" })("HEAD", "/api/hello")).status).toBe(404);
  });
});

describe("the list of models", () => {
  test.each([
    ["/v1/models", {}, { object: "list", data: [{ id: "demo" }, { id: "echo" }] }],
    ["/v1/models", ANTHROPIC, { data: [{ type: "model", id: "demo" }, { id: "echo" }], has_more: false }],
    ["/v1/models", GOOGLE, { models: [{ name: "models/demo" }, { name: "models/echo" }] }],
    ["/v1/models?key=k", {}, { models: [{ name: "models/demo" }, { name: "models/echo" }] }],
    ["/v1beta/models", {}, { models: [{ name: "models/demo" }, { name: "models/echo" }] }],
    ["/v1/models/demo", {}, { id: "demo", object: "model" }],
    ["/v1/models/demo", ANTHROPIC, { id: "demo", type: "model" }],
    ["/v1beta/models/demo", {}, { name: "models/demo" }],
    ["/v1beta/models/models/demo", {}, { error: { status: "NOT_FOUND" } }],
  ])("%s with %j", async (path, headers, expected) => {
    const env = { MODELS: "demo,echo" };
    const response = await gateway(env)("GET", path, { headers });
    expect(await response.json()).toMatchObject(expected);
  });
});

describe("keys", () => {
  const env = { GATEWAY_API_KEYS: "key" };
  const paths: Record<Wire, string> = {
    chat: "/v1/chat/completions",
    responses: "/v1/responses",
    messages: "/v1/messages",
    gemini: "/v1beta/models/m:generateContent",
  };
  const wires = Object.keys(paths) as Wire[];

  test.each(
    wires.flatMap((wire) =>
      [{ authorization: "Bearer key" }, { "x-api-key": "key" }, { "x-goog-api-key": "key" }].map(
        (headers) => [wire, headers] as const,
      ),
    ),
  )("%s takes %j", async (wire, headers) => {
    const response = await gateway(env)("POST", paths[wire], { headers, body: BODIES[wire] });
    expect(response.status).toBe(200);
  });

  test.each<[string, Wire, HeadersInit, string, number]>([
    ["in the URL, on Gemini's paths", "gemini", {}, "?key=key", 200],
    ["a wrong one in the URL", "gemini", {}, "?key=other", 401],
    ["two that differ, one of them in the URL", "gemini", { "x-goog-api-key": "key" }, "?key=other", 401],
    ["two in the URL that differ", "gemini", {}, "?key=key&key=other", 401],
    ["the same twice", "gemini", { "x-goog-api-key": "key" }, "?key=key", 200],
    ["in the URL, elsewhere", "messages", {}, "?key=key", 401],
    ["in the URL, elsewhere", "responses", {}, "?key=key", 401],
    ["of another scheme", "responses", { authorization: "Basic a2V5" }, "", 401],
  ])("%s (%s)", async (_what, wire, headers, query, status) => {
    const response = await gateway(env)("POST", paths[wire] + query, { headers, body: BODIES[wire] });
    expect(response.status).toBe(status);
  });

  test.each(wires)("%s: who has none is told so before the body is read", async (wire) => {
    const response = await gateway(env)("POST", paths[wire]);
    expect(response.status).toBe(401);
    expect(wireOf((await response.json()) as object)).toBe(wire === "responses" ? "chat" : wire);
  });
});

describe("the id of a request", () => {
  test.each<[string, HeadersInit, string[]]>([
    ["/v1/chat/completions", {}, ["x-request-id"]],
    ["/v1/messages", {}, ["request-id", "x-request-id"]],
    ["/v1/models", ANTHROPIC, ["request-id", "x-request-id"]],
    ["/v1beta/models", {}, ["x-request-id"]],
  ])("%s %j: %j", async (path, headers, names) => {
    const response = await gateway()("GET", path, { headers });
    const ids = names.map((name) => response.headers.get(name));
    expect(ids[0]).toMatch(/^req_/);
    expect(new Set(ids).size).toBe(1);
    expect(response.headers.has("request-id")).toBe(names.includes("request-id"));
  });

  test("stands in the body of an Anthropic error", async () => {
    const response = await gateway()("GET", "/v1/messages");
    expect(await response.json()).toMatchObject({ request_id: response.headers.get("request-id") });
  });
});

describe("counting tokens", () => {
  const TEXT = "The quick brown fox jumps over the lazy dog. ".repeat(20);
  const tool = { name: "read_file", description: "Read a file", schema: { type: "object", properties: {} } };
  const asked: [string, object, object, string][] = [
    [
      "/v1/messages/count_tokens?beta=true",
      { model: "m", messages: [{ role: "user", content: TEXT }] },
      { tools: [{ name: tool.name, description: tool.description, input_schema: tool.schema }] },
      "input_tokens",
    ],
    [
      "/v1/responses/input_tokens",
      { model: "m", input: TEXT },
      { tools: [{ type: "function", name: tool.name, description: tool.description, parameters: tool.schema }] },
      "input_tokens",
    ],
    [
      "/v1beta/models/m:countTokens",
      { contents: [{ parts: [{ text: TEXT }] }] },
      { tools: [{ functionDeclarations: [{ name: tool.name, parametersJsonSchema: tool.schema }] }] },
      "totalTokens",
    ],
  ];

  test.each(asked)("%s counts what goes upstream, our own teaching included", async (path, body, tools, field) => {
    const count = async (sent: object) => {
      const response = await gateway()("POST", path, { body: sent });
      expect(response.status).toBe(200);
      return ((await response.json()) as Record<string, number>)[field] ?? Number.NaN;
    };
    const [bare, taught] = [await count(body), await count({ ...body, ...tools })];
    // 180 words; and a tool brings the rules of the notation, a few hundred tokens.
    expect(bare).toBeGreaterThan(150);
    expect(bare).toBeLessThan(300);
    expect(taught - bare).toBeGreaterThan(150);
  });

  test("asks nothing upstream, and knows as few models as a completion", async () => {
    const exchange = async () => {
      throw new Error("asked");
    };
    const body = BODIES.messages;
    const ask = (env: object) => gateway(env, exchange)("POST", "/v1/messages/count_tokens", { body });
    expect((await ask({})).status).toBe(200);
    expect((await ask({ MODELS: "other" })).status).toBe(404);
  });
});
