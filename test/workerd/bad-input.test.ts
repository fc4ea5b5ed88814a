import { describe, expect, test } from "vitest";
import { canonical } from "../../src/dialects/canonical.ts";
import { PING, READ_FILE, TOOLS } from "../chat-tools.ts";
import { says } from "../scripted-upstream/script.ts";
import { readChatBody, readChatStream } from "../wires/chat.ts";
import { captureLog, faultsIn, scriptedModel, send } from "./gateway.ts";

const log = captureLog();

const CHAT = "/v1/chat/completions";
const USER = { role: "user", content: "hi" };
const CALL = { id: "c1", type: "function", function: { name: "ping", arguments: "{}" } };

const named = (name: unknown) => ({ tools: [{ type: "function", function: { name } }] });
const nested = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);
const last = (message: unknown) => ({ messages: [USER, message] });

const post = (body: BodyInit, more: RequestInit = {}) => send("POST", CHAT, { body, ...more });

async function expectRefusal(response: Response, status: number, param: string | null = null) {
  expect(response.status).toBe(status);
  expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  expect(await response.json()).toEqual({
    error: {
      message: expect.stringMatching(/\w.*\.$/),
      type: "invalid_request_error",
      param,
      code: expect.toSatisfy((code) => code === null || typeof code === "string"),
    },
  });
  expect(faultsIn(log)).toEqual([]);
}

describe("a body that is no request", () => {
  test.each<[string, BodyInit]>([
    ["no body", ""],
    ["blanks", " \n"],
    ["half of one", '{"model":'],
    ["a form", "model=m&stream=true"],
    ["null", "null"],
    ["a number", "1"],
    ["a string", '"m"'],
    ["a list", "[{}]"],
    ["two objects", "{}{}"],
    ["not UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ["a NUL behind it", '{"model":"m","messages":[{"content":"hi"}]}\u0000'],
  ])("%s: 400", async (_what, body) => expectRefusal(await post(body), 400));
});

describe("a field that is wrong", () => {
  const cases: [object, string][] = [
    [{ model: undefined }, "model"],
    [{ model: 7 }, "model"],
    [{ model: "x".repeat(513) }, "model"],
    [{ messages: undefined }, "messages"],
    [{ messages: [] }, "messages"],
    [{ messages: { role: "user" } }, "messages"],
    [{ messages: "hi" }, "messages"],
    [{ messages: Array(5_001).fill(USER) }, "messages"],
    [{ messages: ["hi"] }, "messages[0]"],
    [last(null), "messages[1]"],
    [last({ role: "robot", content: "hi" }), "messages[1].role"],
    [last({ role: "constructor", content: "hi" }), "messages[1].role"],
    [last({ role: 1, content: "hi" }), "messages[1].role"],
    [last({ role: "user", content: 1 }), "messages[1].content"],
    [last({ role: "user", content: { text: "hi" } }), "messages[1].content"],
    [last({ role: "user", content: [null] }), "messages[1].content[0]"],
    [last({ role: "user", content: [{ type: "text" }] }), "messages[1].content[0].text"],
    [last({ role: "assistant", tool_calls: "ping" }), "messages[1].tool_calls"],
    [last({ role: "assistant", tool_calls: [7] }), "messages[1].tool_calls[0]"],
    [last({ role: "tool", tool_call_id: 7, content: "x" }), "messages[1].tool_call_id"],
    [{ messages: nested(99) }, "messages[0]"],
    [{ messages: nested(100) }, "messages"],
    [{ metadata: nested(200) }, "metadata"],
    [{ metadata: Array(300_000).fill(0) }, "metadata"],
    [{ tools: { type: "function" } }, "tools"],
    [{ tools: ["ping"] }, "tools[0]"],
    [{ tools: [{ type: "function" }] }, "tools[0].name"],
    [{ tools: Array(513).fill(PING) }, "tools"],
    [{ tools: [{ type: "web_search" }] }, "tools"],
    [{ tools: [{ type: "function", function: { name: "x", parameters: "none" } }] }, "tools[0].function.parameters"],
    [named(undefined), "tools[0].function.name"],
    [named(7), "tools[0].function.name"],
    [named(""), "tools[0].function.name"],
    [named("a<b"), "tools[0].function.name"],
    [named("a>b"), "tools[0].function.name"],
    [named('a"b'), "tools[0].function.name"],
    [named("a b"), "tools[0].function.name"],
    [named("a\nb"), "tools[0].function.name"],
    [named("x".repeat(129)), "tools[0].function.name"],
    [{ tool_choice: "required" }, "tool_choice"],
    [{ tool_choice: "sometimes", tools: TOOLS }, "tool_choice"],
    [{ tool_choice: { type: "function", function: { name: "pong" } }, tools: TOOLS }, "tool_choice"],
    [{ stream: "yes" }, "stream"],
    [{ stream_options: true }, "stream_options"],
    [{ n: 2 }, "n"],
    [{ temperature: "hot" }, "temperature"],
    [{ max_tokens: -1 }, "max_tokens"],
    [{ stop: 7 }, "stop"],
    [{ response_format: { type: "xml" } }, "response_format.type"],
    [{ modalities: ["audio"] }, "modalities"],
  ];
  const shown = (fields: object) => JSON.stringify(fields).slice(0, 80);

  test.each(cases.map(([fields, param]) => [shown(fields), param, fields] as const))(
    "%s: 400 that names %s",
    async (_, param, fields) => {
      const model = await scriptedModel(says("ok"));
      await expectRefusal(await post(JSON.stringify({ model: model.name, messages: [USER], ...fields })), 400, param);
      expect(await model.requests()).toEqual([]);
    },
  );

  test("a number too large for one is refused too", async () => {
    await expectRefusal(await post('{"model":"m","messages":[{}],"temperature":1e999}'), 400, "temperature");
  });
});

describe("what is odd but harmless", () => {
  test.each<[string, object, RegExp?]>([
    ["unknown fields", { store: true, metadata: { a: "b" }, whatever: [null] }],
    ["null for what is left out", { tools: null, tool_choice: null, stop: null, temperature: null, n: null }],
    ["no role", { messages: [{ content: "hi" }] }],
    ["no content", last({ role: "assistant", content: null })],
    ["nothing said", { messages: [{ role: "user" }] }],
    ["half a surrogate pair", last({ role: "user", content: "\ud800" })],
    ["an unknown part", last({ role: "user", content: [{ type: "hologram" }] }), /hologram/],
    [
      "an image",
      last({ role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,AA" } }] }),
      /images and files/,
    ],
    ["a response format beside tools", { tools: [PING], response_format: { type: "json_object" } }, /response format/],
    ["a result without a call", last({ role: "tool", tool_call_id: "c9", content: "R" })],
    ["a result without an id", last({ role: "tool", content: "R" })],
    ["a call without a result", { messages: [USER, { role: "assistant", tool_calls: [CALL] }, USER] }],
    [
      "arguments that are no JSON",
      last({ role: "assistant", tool_calls: [{ ...CALL, function: { name: "ping", arguments: "{oops" } }] }),
    ],
    [
      "arguments that are nested deep",
      last({ role: "assistant", tool_calls: [{ ...CALL, function: { name: "ping", arguments: "[".repeat(50_000) } }] }),
    ],
    ["a call without a name", last({ role: "assistant", tool_calls: [{ id: "c1" }] }), /without a name/],
    ["no tools", { tools: [], parallel_tool_calls: false }],
    ["a tool declared twice", { tools: [PING, PING] }, /'ping' is declared twice/],
    ["a hosted tool beside one's own", { tools: [{ type: "web_search" }, PING] }, /'web_search'/],
    ["schemas of true and false", { tools: [{ type: "function", function: { name: "x", parameters: true } }] }],
    [
      "a schema that refers to itself",
      { tools: [{ type: "function", function: { name: "x", parameters: { $ref: "#" } } }] },
    ],
    [
      "names from Object.prototype",
      { tools: ["__proto__", "constructor", "toString"].map((name) => named(name).tools[0]) },
    ],
    ["a name with everything allowed", named("a.b-c_d:e/f'&ü天")],
    ["functions of old", { functions: [{ name: "ping" }], function_call: "auto" }],
  ])("%s is borne", async (_what, fields, warning) => {
    const model = await scriptedModel(says("ok"));
    const request = { model: model.name, messages: [USER], ...fields };
    const body = await post(JSON.stringify(request));
    expect(body.status).toBe(200);
    expect(readChatBody(await body.text())).toMatchObject({ text: "ok", calls: [], finish: "stop" });
    if (warning) expect(body.headers.get("x-gateway-warning")).toMatch(warning);
    else expect(body.headers.has("x-gateway-warning")).toBe(false);

    const stream = await post(JSON.stringify({ ...request, stream: true }));
    expect(readChatStream(await stream.text())).toMatchObject({ text: "ok", calls: [], finish: "stop" });
    expect(stream.headers.get("x-gateway-warning")).toBe(body.headers.get("x-gateway-warning"));
  });

  test("what is borne never reaches a prototype", async () => {
    const called = canonical.write.calls([{ name: "__proto__", input: JSON.parse('{"__proto__":{"polluted":true}}') }]);
    const model = await scriptedModel(says(called));
    const body = { model: model.name, messages: [USER], ...named("__proto__"), "__proto__.polluted": true };
    const { calls } = readChatBody(await (await post(JSON.stringify(body))).text());
    expect(calls).toMatchObject([{ name: "__proto__", arguments: '{"__proto__":{"polluted":true}}' }]);
    expect({}).not.toHaveProperty("polluted");
  });

  test("roles of a history that begins with an answer stay in order", async () => {
    const model = await scriptedModel(says("ok"));
    const messages = [{ role: "assistant", content: "A" }, { role: "tool", tool_call_id: "c9", content: "R" }, USER];
    await post(JSON.stringify({ model: model.name, messages, tools: [READ_FILE] }));
    const [request] = await model.requests();
    expect(request?.body.messages.map(({ role }) => role)).toEqual(["system", "assistant", "user"]);
  });
});

describe("C19: a body over the cap", () => {
  const large = JSON.stringify({ model: "m", messages: [USER], user: "x".repeat(1_000_000) });

  test("is refused by its length", async () => expectRefusal(await post(large), 413));

  test("is refused while it is read where no length is told", async () => {
    let left = 200;
    const piecemeal = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new Uint8Array(10_000).fill(0x20));
        left -= 1;
        if (left === 0) controller.close();
      },
    });
    await expectRefusal(await post(piecemeal), 413);
  });
});

describe("a request that is none for this path", () => {
  test.each(["gzip", "br", "x-secret"])("content-encoding %s: 415", async (encoding) => {
    const headers = { authorization: "Bearer test-key", "content-encoding": encoding };
    await expectRefusal(await post("{}", { headers }), 415);
  });

  test.each([
    ["GET", CHAT, 405],
    ["PUT", CHAT, 405],
    ["DELETE", CHAT, 405],
    ["POST", "/v1/models", 405],
    ["GET", "/v1/completions", 404],
    ["POST", "/v1/embeddings", 404],
    ["POST", "/v1/chat/completions/x", 404],
    ["GET", "/%", 404],
    ["GET", "/v1/models/nothing", 404],
  ])("%s %s: %i", async (method, path, status) => {
    const param = path.startsWith("/v1/models/") ? "model" : null;
    await expectRefusal(await send(method, path), status, param);
  });

  test.each([
    ["OPTIONS", CHAT, 204, "POST, OPTIONS"],
    ["OPTIONS", "/v1/models", 204, "GET, HEAD, OPTIONS"],
    ["HEAD", "/healthz", 200, null],
    ["GET", "/healthz", 200, null],
    ["GET", "/", 200, null],
  ])("%s %s: %i, without a key", async (method, path, status, allow) => {
    const response = await send(method, path, { headers: {} });
    expect([response.status, response.headers.get("allow")]).toEqual([status, allow]);
    if (method !== "GET") expect(await response.text()).toBe("");
  });

  test("a circle of gateways: 508, not to be tried again", async () => {
    const headers = { authorization: "Bearer test-key", "x-toolsieve-hops": "3" };
    const response = await post("{}", { headers });
    expect([response.status, response.headers.get("x-should-retry")]).toEqual([508, "false"]);
  });
});

test("the models are the upstream's", async () => {
  expect(await (await send("GET", "/v1/models")).json()).toMatchObject({
    object: "list",
    data: [{ id: "scripted", object: "model" }, { id: "org/scripted" }],
  });
  expect(await (await send("GET", "/v1/models/org%2Fscripted")).json()).toMatchObject({ id: "org/scripted" });
});
