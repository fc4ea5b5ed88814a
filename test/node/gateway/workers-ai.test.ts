import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { canonical } from "../../../src/dialects/canonical.ts";
import { GET_WEATHER } from "../../chat-tools.ts";
import { chunkings } from "../../chunking.ts";
import { chunk, DONE, event } from "../../scripted-upstream/script.ts";
import { type Variables, variables } from "../../variables.ts";
import type { RequestTool } from "../../wires/requests.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { fakeBody } from "../stream/fake-body.ts";
import { gatewayOf } from "./in-process.ts";

const MODEL = "@cf/acme/chat-8b";
const chat = WIRES.find(({ name }) => name === "chat") as Wire;

interface Run {
  model: string;
  inputs: Record<string, unknown> & { messages: { role: string; content: unknown }[] };
  options: { returnRawResponse: true; signal: AbortSignal };
}

/** A gateway whose binding answers with one answer after the other, and with the last one for ever. */
function workersAi(given: Variables, ...answers: unknown[]) {
  const runs: Run[] = [];
  const AI = {
    async run(model: string, inputs: Run["inputs"], options: Run["options"]) {
      runs.push({ model, inputs, options });
      const answer = answers[Math.min(runs.length, answers.length) - 1];
      if (answer instanceof Error) throw answer;
      return answer instanceof Response ? answer.clone() : answer;
    },
  };
  const env = variables({ UPSTREAM_KIND: "workers-ai", GATEWAY_AUTH: "none", TOOLCALL_TEACH: "canonical", ...given });
  return { ...gatewayOf({ ...env, AI }), runs };
}

const request = {
  turns: [{ user: "What is the weather in Paris?" }],
  tools: [GET_WEATHER.function as RequestTool],
};
const raw = (body: string | ReadableStream<Uint8Array>) =>
  new Response(body, { headers: { "content-type": "text/event-stream" } });

const CALL = canonical.write.calls([{ name: "get_weather", input: { city: "Zürich 😀", days: 3 } }]);
const PIECES = Array.from(`Well. ${CALL}`.matchAll(/.{1,7}/gsu), ([piece]) => piece);
const COUNTS = { prompt_tokens: 40, completion_tokens: 9, total_tokens: 49 };
/** With the sum at the end, padding, and no reason. */
const OLDER = [...PIECES.map((response) => ({ response, p: "abcdef" })), { tool_calls: [], p: "abc" }];
const OLDER_STREAM = [...OLDER, { response: "", usage: COUNTS }].map(event).join("") + DONE;
/** As newer models are streamed: each event tells its own tokens, and the sum comes in the older form. */
const OWN = (delta: object, finish: string | null = null) =>
  event({ ...JSON.parse(chunk(delta, finish).slice(6)), usage: { prompt_tokens: 0, completion_tokens: 1 } });
const NEWER_STREAM =
  PIECES.map((content) => OWN({ content })).join("") + OWN({}, "stop") + event({ response: "", usage: COUNTS }) + DONE;

beforeEach(() => void vi.spyOn(console, "log").mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

describe.each(WIRES.map((wire) => [wire.name, wire] as const))("%s", (_name, wire) => {
  const called = {
    calls: [{ name: "get_weather", arguments: '{"city":"Zürich 😀","days":3}' }],
    text: "Well.",
    usage: { input: 40, output: 9 },
    error: undefined,
  };
  const nativeCalls = [{ name: "get_weather", arguments: { city: "Zürich 😀", days: 3 } }];

  describe.each([true, false])("stream: %s", (stream) => {
    test.each<[string, Variables, unknown]>([
      ["the older stream", {}, raw(OLDER_STREAM)],
      ["the newer stream", {}, raw(NEWER_STREAM)],
      ["the stream itself", {}, raw(OLDER_STREAM).body],
      ["a whole answer", {}, { response: PIECES.join(""), tool_calls: [], usage: COUNTS }],
      [
        "a whole raw answer",
        {},
        Response.json({ result: { response: PIECES.join(""), usage: COUNTS }, success: true }),
      ],
      [
        "its own calls",
        { TOOLCALL_TEACH: "native" },
        raw(event({ response: "Well.", tool_calls: nativeCalls }) + event({ response: "", usage: COUNTS }) + DONE),
      ],
      [
        "its own calls in a whole answer",
        { TOOLCALL_TEACH: "native" },
        { response: "Well.", tool_calls: nativeCalls, usage: COUNTS },
      ],
    ])("%s", async (_what, given, answer) => {
      const gateway = workersAi(given, answer);
      const reply = await gateway.ask(wire, request, { model: MODEL, stream });
      expect(reply).toMatchObject(called);
      expect(gateway.runs).toMatchObject([
        { model: MODEL, inputs: { stream: true }, options: { returnRawResponse: true } },
      ]);
    });

    test("without the binding it is not configured", async () => {
      const env = variables({ UPSTREAM_KIND: "workers-ai", GATEWAY_AUTH: "none" });
      for (const AI of [undefined, "AI", {}]) {
        const { response, error } = await gatewayOf({ ...env, AI }).ask(wire, request, { model: MODEL, stream });
        expect([response.status, response.headers.get("x-should-retry")]).toEqual([503, "false"]);
        expect(error?.message).toContain("no binding named AI");
      }
    });

    test("a model that it does not have is a 404 where the client has named it", async () => {
      const missing = new Error(`5007: No such model ${MODEL} or task`);
      const own = await workersAi({}, missing).ask(wire, request, { model: MODEL, stream });
      const mapped = await workersAi({ UPSTREAM_MODEL: MODEL }, missing).ask(wire, request, { model: "m", stream });
      expect([own.response.status, mapped.response.status]).toEqual([404, 502]);
    });
  });
});

test.each([
  ["older", OLDER_STREAM],
  ["newer", NEWER_STREAM],
])("the %s stream is the same however it is cut, characters included", async (_shape, body) => {
  const bytes = new TextEncoder().encode(body);
  const whole = await answerCut(bytes, [bytes.length]);
  expect(whole).toMatchObject({ text: "Well.", calls: [{ arguments: '{"city":"Zürich 😀","days":3}' }] });
  // A character for each byte, so that cuts fall between any two of them.
  for (const { name, chunks } of chunkings("x".repeat(bytes.length))) {
    expect(
      await answerCut(
        bytes,
        chunks.map(({ length }) => length),
      ),
      name,
    ).toEqual(whole);
  }
});

async function answerCut(bytes: Uint8Array, lengths: number[]) {
  let at = 0;
  const cut = new ReadableStream<Uint8Array>({
    pull(controller) {
      const length = lengths.shift();
      if (length === undefined) return controller.close();
      controller.enqueue(bytes.slice(at, at + length));
      at += length;
    },
  });
  const { response: _, ...reply } = await workersAi({}, cut).ask(chat, request, { model: MODEL, stream: false });
  return { ...reply, calls: reply.calls.map(({ id: _id, ...call }) => call), parts: undefined };
}

describe("what is asked", () => {
  const inputsOf = async (given: Variables, asked: object) => {
    const gateway = workersAi(given, { response: "ok" });
    await gateway.ask(chat, { ...request, ...asked }, { model: MODEL });
    return gateway.runs[0]?.inputs;
  };

  test("the model stands beside the inputs", async () => {
    const inputs = await inputsOf({}, { stop: ["END"], maxTokens: 7 });
    expect(inputs).toMatchObject({ max_tokens: 7, stop: ["END", "<tool_results>"], stream: true });
    expect(inputs).not.toHaveProperty("model");
    expect(inputs).not.toHaveProperty("tools");
  });

  test("more than its few tokens, where the client sets no limit", async () => {
    expect(await inputsOf({}, {})).toMatchObject({ max_tokens: 4_096 });
  });

  test("every message has a text, even one of calls alone", async () => {
    const call = { id: "c1", name: "get_weather", input: { city: "Paris" } };
    const results = [{ id: "c1", name: "get_weather", output: "sunny" }];
    const turns = [...request.turns, { assistant: "", calls: [call] }, { results }];
    const inputs = await inputsOf({ TOOLCALL_TEACH: "native" }, { turns });
    expect(inputs?.messages[1]).toMatchObject({ content: "", tool_calls: [{ id: "c1" }] });
  });

  test("no response format: it enforces none in a stream", async () => {
    const gateway = workersAi({}, { response: "{}" });
    const body = {
      model: MODEL,
      messages: [{ role: "user", content: "go" }],
      response_format: { type: "json_object" },
    };
    const response = await gateway.send("/v1/chat/completions", { method: "POST", body: JSON.stringify(body) });
    expect(response.headers.get("x-gateway-warning")).toContain("response format");
    expect(gateway.runs[0]?.inputs).not.toHaveProperty("response_format");
  });

  test("once more without a field that it does not take, and never again with it", async () => {
    const message = "AiError: Bad input: Error: the property 'seed' is not permitted";
    const refused = Response.json({ name: "AiError", internalCode: 5006, httpCode: 400, message }, { status: 400 });
    const gateway = workersAi({}, refused, { response: "ok" });
    const asked = { model: "@cf/acme/without-seed", messages: [{ role: "user", content: "go" }], seed: 1 };
    const send = () => gateway.send("/v1/chat/completions", { method: "POST", body: JSON.stringify(asked) });
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    expect(gateway.runs.map(({ inputs }) => inputs.seed)).toEqual([1, undefined, undefined]);
  });

  test("who may ask is as with any real upstream", async () => {
    const ask = (given: Variables, headers = {}) =>
      workersAi(given, { response: "ok" })
        .ask(chat, request, { model: MODEL, headers })
        .then(({ response }) => response.status);
    expect(await ask({ GATEWAY_AUTH: "" })).toBe(503);
    expect(await ask({ GATEWAY_API_KEYS: "key" })).toBe(401);
    expect(await ask({ GATEWAY_API_KEYS: "key" }, { "x-api-key": "key" })).toBe(200);
  });

  test("an operator sees it without the binding", async () => {
    const env = variables({ UPSTREAM_KIND: "workers-ai", ADMIN_TOKEN: "admin" });
    const response = await gatewayOf(env).send("/v1/chat/completions", {
      method: "POST",
      headers: { "x-api-key": "admin", "x-toolcall-debug": "prompt" },
      body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "go" }] }),
    });
    expect(await response.json()).toMatchObject({ upstream_kind: "workers-ai", upstream_request: { model: MODEL } });
  });

  test.each<[Variables, string[]]>([
    [{}, []],
    [{ UPSTREAM_MODEL: MODEL }, [MODEL]],
    [{ MODELS: "a,b-*" }, ["a"]],
  ])("its models are those that are configured: %j", async (given, names) => {
    const gateway = workersAi(given);
    const { data } = (await (await gateway.send("/v1/models")).json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(names);
    expect((await gateway.send(`/v1/models/${names[0] ?? MODEL}`)).status).toBe(200);
  });
});

describe("an answer that does not say why it ended", () => {
  const older = (tokens: number) =>
    raw(event({ response: "Once" }) + event({ response: "", usage: { ...COUNTS, completion_tokens: tokens } }) + DONE);
  const whole = (tokens: number) => ({ response: "Once", usage: { ...COUNTS, completion_tokens: tokens } });

  test.each([older, whole])("was cut if it has all the tokens that were asked for", async (answer) => {
    const finish = async (tokens: number, maxTokens?: number) => {
      const asked = { ...request, ...(maxTokens !== undefined && { maxTokens }) };
      return (await workersAi({}, answer(tokens)).ask(chat, asked, { model: MODEL })).finish;
    };
    expect([await finish(9, 10), await finish(10, 10)]).toEqual(["stop", "length"]);
    expect([await finish(4_095), await finish(4_096)]).toEqual(["stop", "length"]);
  });

  test("and that came to no end at all has failed", async () => {
    const { response } = await workersAi({}, raw(event({ response: "Once" }))).ask(chat, request, { model: MODEL });
    expect(response.status).toBe(502);
  });
});

describe("refusals", () => {
  const aiError = (internalCode: number, httpCode: number, words: string) =>
    Response.json(
      { name: "AiError", internalCode, httpCode, message: `AiError: ${words}`, description: words },
      { status: httpCode },
    );
  const tooLong =
    "The estimated number of input and maximum output tokens (42481) exceeded this model context window limit (32000).";

  test.each<[string, Error | Response, number, string]>([
    ["no such model", aiError(5007, 400, "No such model x or task"), 404, "model_not_found"],
    ["no such model", new Error("AiError: 5007: No such model x or task"), 404, "model_not_found"],
    ["bad input", aiError(5006, 400, "Bad input: oneOf at '/' not met"), 400, "upstream_rejected"],
    ["bad input", new Error("5006: oneOf at '/' not met"), 400, "upstream_rejected"],
    ["too long", aiError(5021, 413, `Ai: ${tooLong}`), 400, "context_length_exceeded"],
    ["too long", new Error(`5021: ${tooLong}`), 400, "context_length_exceeded"],
    ["no capacity", aiError(3040, 429, "Capacity temporarily exceeded"), 503, "overloaded"],
    ["no capacity", new Error("3040: Capacity temporarily exceeded"), 503, "overloaded"],
    [
      "the day's allocation",
      aiError(4006, 429, "you have used up your daily free allocation"),
      429,
      "insufficient_quota",
    ],
    ["the day's allocation", new Error("3036: You have used up your daily free allocation"), 429, "insufficient_quota"],
    ["too many", aiError(9999, 429, "slow down"), 429, "rate_limit_exceeded"],
    ["a paid plan", aiError(5035, 403, "This model requires a Workers Paid plan"), 502, "upstream_error"],
    ["a fault", aiError(4007, 500, "An internal server error occured."), 502, "upstream_error"],
    ["a fault", new Error("Network connection lost."), 502, "upstream_error"],
    ["an event", raw(event({ errors: [{ code: 3040, message: "no capacity" }], success: false })), 503, "overloaded"],
  ])("%s: %s", async (_what, answer, status, code) => {
    const { response, error } = await workersAi({}, answer).ask(chat, request, { model: "x", stream: true });
    expect([response.status, error?.code]).toEqual([status, code]);
  });

  test("a connection that was not made is tried once more", async () => {
    const gateway = workersAi({}, new Error("Network connection lost."), { response: "ok" });
    const { text } = await gateway.ask(chat, request, { model: MODEL });
    expect([text, gateway.runs.length]).toEqual(["ok", 2]);
  });
});

describe("waiting", () => {
  const send = (gateway: ReturnType<typeof workersAi>, signal?: AbortSignal) => {
    const body = JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "go" }], stream: true });
    return gateway.send("/v1/chat/completions", { method: "POST", body, ...(signal && { signal }) });
  };

  test("a client that leaves ends the answer, at its source as well", async () => {
    const source = fakeBody();
    const gateway = workersAi({}, source.body);
    const client = new AbortController();
    const asked = send(gateway, client.signal);
    await vi.waitFor(() => expect(source.pulls()).toBeGreaterThan(0));
    source.send(event({ response: "Once" }));
    const response = await asked;
    client.abort();
    await vi.waitFor(() => expect(source.cancelled()).toBe(true));
    expect(gateway.runs[0]?.options.signal.aborted).toBe(true);
    await response.body?.cancel().catch(() => {});
  });

  test("a binding that does not answer in time is not waited for, and what comes late is let go", async () => {
    const answer = Promise.withResolvers<unknown>();
    const gateway = workersAi({ UPSTREAM_HEADERS_TIMEOUT_MS: "20" }, answer.promise);
    const response = await send(gateway);
    expect(response.status).toBe(504);
    expect(gateway.runs[0]?.options.signal.aborted).toBe(true);
    const late = fakeBody();
    answer.resolve(late.body);
    await vi.waitFor(() => expect(late.cancelled()).toBe(true));
  });

  test("silence in the answer has its own time-out", async () => {
    const source = fakeBody();
    const response = await send(workersAi({ UPSTREAM_IDLE_TIMEOUT_MS: "20" }, source.body));
    expect(response.status).toBe(504);
    expect(source.cancelled()).toBe(true);
  });
});
