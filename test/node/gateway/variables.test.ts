import OpenAI from "openai";
import { afterAll, describe, expect, test } from "vitest";
import { loadConfig } from "../../../src/tenants/variables.ts";
import { TOOLS } from "../../chat-tools.ts";
import { connectUpstream } from "../../scripted-upstream/control.ts";
import { answers, chunk, DONE, says } from "../../scripted-upstream/script.ts";
import { startScriptedUpstream } from "../../scripted-upstream/server.ts";
import { variables } from "../../variables.ts";
import { readChatBody, readChatStream } from "../../wires/chat.ts";
import { gateway } from "./harness.ts";

const upstream = await startScriptedUpstream();
afterAll(upstream.close);
const scriptedModel = connectUpstream(upstream.url);
const UPSTREAM_BASE_URL = upstream.url;
const OPEN = { UPSTREAM_BASE_URL, GATEWAY_AUTH: "none" };

type Fetch = ReturnType<typeof gateway>;

const post = (fetch: Fetch, body: object, headers: Record<string, string> = {}) =>
  fetch("/v1/chat/completions", {
    method: "POST",
    headers,
    body: JSON.stringify({ messages: [{ role: "user", content: "Go." }], tools: TOOLS, ...body }),
  });

const errorOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string; message: string } }).error;

test("every variable that the gateway reads is set in every test", () => {
  const read = new Set<string>();
  loadConfig(new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
  expect([...read].toSorted()).toEqual(Object.keys(variables({})).toSorted());
});

describe("an upstream without a key for the gateway", () => {
  const fetch = gateway({ UPSTREAM_BASE_URL });

  test("is refused with a hint; the SDK does not try again", async () => {
    let requests = 0;
    const client = new OpenAI({
      apiKey: "any",
      baseURL: "http://gateway.example/v1",
      fetch: (url, init) => {
        requests += 1;
        return fetch(new URL(String(url)).pathname, init);
      },
    });
    const request = client.chat.completions.create({ model: "m", messages: [{ role: "user", content: "hi" }] });
    await expect(request).rejects.toMatchObject({
      status: 503,
      code: "not_configured",
      message: expect.stringContaining("GATEWAY_API_KEYS"),
    });
    expect(requests).toBe(1);
  });
});

describe("UPSTREAM_MODEL and MODELS", async () => {
  const model = await scriptedModel(says("ok"), answers(404, { error: { message: "gone", code: "model_not_found" } }));
  const fetch = gateway({ ...OPEN, UPSTREAM_MODEL: model.name, MODELS: "main, gpt-*" });

  test("the client's name comes back, the other one goes upstream; its loss is not the client's mistake", async () => {
    const body = (await (await post(fetch, { model: "gpt-4o" })).json()) as { model: string };
    expect(body.model).toBe("gpt-4o");
    expect((await model.requests())[0]?.body.model).toBe(model.name);
    const lost = await post(fetch, { model: "main" });
    expect([lost.status, await errorOf(lost)]).toMatchObject([502, { code: "upstream_error" }]);
  });

  test("other names are unknown, and nothing goes upstream", async () => {
    const before = (await model.requests()).length;
    const response = await post(fetch, { model: "claude" });
    expect([response.status, await errorOf(response)]).toMatchObject([404, { code: "model_not_found" }]);
    expect(await model.requests()).toHaveLength(before);
  });

  test("the list holds the names, not the patterns", async () => {
    const { data } = (await (await fetch("/v1/models")).json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(["main"]);
    expect((await fetch("/v1/models/gpt-4o")).status).toBe(200);
  });
});

describe("TOOLCALL_MODE off", () => {
  const fetch = gateway({ ...OPEN, TOOLCALL_MODE: "off" });

  test("markup is text", async () => {
    const said = '<tool_calls><invoke name="ping"></invoke></tool_calls>';
    const model = await scriptedModel(says(said, { size: 3 }));
    const reply = readChatStream(await (await post(fetch, { model: model.name, stream: true })).text());
    expect(reply).toMatchObject({ text: said, calls: [], finish: "stop" });
  });
});

describe("TOOLCALL_TEACH native", () => {
  const fetch = gateway({ ...OPEN, TOOLCALL_TEACH: "native", TOOLCALL_DIALECTS: "canonical" });

  test("the tools go upstream, and a call that comes natively and as text is one", async () => {
    const leaked = '<tool_calls><invoke name="read_file"><parameter name="path">a</parameter></invoke></tool_calls>';
    const called = (name: string, json: string) =>
      chunk({ tool_calls: [{ id: name, function: { name, arguments: json } }] });
    const send = called("ping", "{}") + called("read_file", '{ "path": "a" }') + chunk({ content: leaked });
    const model = await scriptedModel({ steps: [{ send: send + chunk({}, "tool_calls") + DONE, bytes: 5 }] });
    const reply = readChatStream(await (await post(fetch, { model: model.name, stream: true })).text());
    expect(reply).toMatchObject({
      text: "",
      calls: [
        { name: "read_file", arguments: '{"path":"a"}' },
        { name: "ping", arguments: "{}" },
      ],
      finish: "tool_calls",
    });
    const [request] = await model.requests();
    expect(request?.body).toMatchObject({ messages: [{ role: "user", content: "Go." }], tools: TOOLS });
  });
});

describe("TOOLCALL_MODE canonical, TOOLCALL_EARLY_EMIT off", () => {
  const fetch = gateway({ ...OPEN, TOOLCALL_MODE: "canonical", TOOLCALL_EARLY_EMIT: "off", HEARTBEAT_MS: "50" });
  const half = '<tool_calls><invoke name="read_file"><parameter name="path"><![CDATA[a';

  test("nothing of a call goes out before it is whole, and the client is kept waiting with heartbeats", async () => {
    const close = chunk({ content: "]]></parameter></invoke></tool_calls>" });
    const model = await scriptedModel({
      steps: [{ send: chunk({ content: `So: ${half}` }) }, "gate", { send: close + chunk({}, "stop") + DONE }],
    });
    const response = await post(fetch, { model: model.name, stream: true });
    let text = "";
    for await (const bytes of response.body ?? []) {
      text += new TextDecoder().decode(bytes, { stream: true });
      if (!text.includes(": keep-alive") || text.includes("[DONE]")) continue;
      expect(text).not.toContain("tool_calls");
      await model.openGate();
    }
    const reply = readChatStream(text);
    expect(reply).toMatchObject({ text: "So:", calls: [{ name: "read_file", arguments: '{"path":"a"}' }] });
  });

  test("a call that is cut is text", async () => {
    const model = await scriptedModel(says(`So: ${half}`, { finish: "length" }));
    const reply = readChatBody(await (await post(fetch, { model: model.name })).text());
    expect(reply).toMatchObject({ text: `So: ${half}`, calls: [], finish: "length" });
  });

  test("a call without its wrapper is text", async () => {
    const said = '<invoke name="ping"></invoke>';
    const model = await scriptedModel(says(said, { size: 3 }));
    const reply = readChatBody(await (await post(fetch, { model: model.name })).text());
    expect(reply).toMatchObject({ text: said, calls: [], finish: "stop" });
  });
});

describe("keys by their digest, origins, and a smaller body", () => {
  const fetch = gateway({
    UPSTREAM_BASE_URL,
    // Of "one".
    GATEWAY_API_KEYS: "sha256:7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed",
    ALLOWED_ORIGINS: "https://app.example",
    MAX_BODY_BYTES: "300",
  });
  const authorization = "Bearer one";

  test("let in who has the key", async () => {
    const model = await scriptedModel(says("ok"));
    const send = (headers: Record<string, string>) => post(fetch, { model: model.name, tools: [] }, headers);
    expect((await send({ authorization })).status).toBe(200);
    expect((await send({ authorization: "Bearer two" })).status).toBe(401);
  });

  test("refuse what is larger", async () => {
    expect((await post(fetch, { model: "m", user: "x".repeat(300) }, { authorization })).status).toBe(413);
  });

  test("let a page of that origin read the answer, a refusal too", async () => {
    const origin = "https://app.example";
    const response = await post(fetch, { model: "m" }, { origin });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([401, origin]);
    const preflight = await fetch("/v1/chat/completions", { method: "OPTIONS", headers: { origin } });
    expect([preflight.status, preflight.headers.get("access-control-allow-methods")]).toEqual([204, "POST, OPTIONS"]);
    const other = await post(fetch, { model: "m" }, { origin: "https://evil.example" });
    expect(other.headers.has("access-control-allow-origin")).toBe(false);
  });
});

describe("TOOLCALL_DOCS and TOOLCALL_DOCS_BUDGET", () => {
  const bySchema = gateway({ ...OPEN, TOOLCALL_DOCS: "schema" });
  const inBudget = gateway({ ...OPEN, TOOLCALL_DOCS_BUDGET: "1" });
  const ask = async (fetch: Fetch) => {
    const model = await scriptedModel(says("ok"));
    const response = await post(fetch, { model: model.name, stream: true });
    const [request] = await model.requests();
    const messages = request?.body.messages as { content: string }[] | undefined;
    return {
      system: messages?.[0]?.content,
      warning: response.headers.get("x-gateway-warning"),
      status: response.status,
    };
  };

  test("the model reads schemas", async () => {
    const { system, warning } = await ask(bySchema);
    expect(system).toMatch(/\n<tools>\n\{"name":"[\w-]+","description":/);
    expect(warning).toBeNull();
  });

  test("the model reads of every tool, however small the budget, and the client is told", async () => {
    const { system, warning, status } = await ask(inBudget);
    for (const { function: declared } of TOOLS) expect(system).toContain(`\n${declared.name}(`);
    expect([status, warning]).toEqual([200, expect.stringContaining("none is left out")]);
  });
});
