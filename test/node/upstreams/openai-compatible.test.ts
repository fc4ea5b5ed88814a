import { describe, expect, test, vi } from "vitest";
import type { JsonObject } from "../../../src/conversation.ts";
import { GatewayFailure } from "../../../src/errors.ts";
import { parseExactJson } from "../../../src/json.ts";
import type { Egress, EgressRequest } from "../../../src/stream/egress.ts";
import { createDroppedFields } from "../../../src/upstreams/dropped-fields.ts";
import { createOpenAiCompatible, listModels } from "../../../src/upstreams/openai-compatible.ts";
import type { NativeTools, UpstreamRequest } from "../../../src/upstreams/upstream.ts";

type Asked = Parameters<typeof createOpenAiCompatible>[0];

const ENDPOINT = {
  kind: "generic",
  baseUrl: "https://upstream.example/v1",
  apiKey: "secret",
  headersTimeoutMs: 60_000,
} as const;
const REQUEST: UpstreamRequest = {
  model: "m",
  clientNamed: true,
  messages: [{ role: "user", content: "hi" }],
  sampling: {},
  stop: [],
};

function answering(answer: Response | Error) {
  const sent: EgressRequest[] = [];
  const egress: Pick<Egress, "send" | "takeRetry"> = {
    async send(request) {
      sent.push(request);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    takeRetry: () => true,
  };
  return { sent, egress };
}

async function open(answer: Response, request = REQUEST, endpoint: Asked["endpoint"] = ENDPOINT) {
  const { sent, egress } = answering(answer);
  const outcome = await createOpenAiCompatible({ endpoint, egress, dropped: createDroppedFields().at("") })
    .open(request, new AbortController().signal)
    .catch((thrown: unknown) => thrown as GatewayFailure);
  return { sent: sent[0], outcome };
}

const stream = (headers: Record<string, string> = { "content-type": "text/event-stream" }, status = 200) =>
  new Response("data: [DONE]\n\n", { status, headers });

describe("the request", () => {
  test("asks for a stream with usage, and says no more than it has to", async () => {
    const { sent } = await open(stream());
    expect(sent).toMatchObject({
      method: "POST",
      url: "https://upstream.example/v1/chat/completions",
      apiKey: "secret",
    });
    expect(JSON.parse(sent?.body ?? "")).toEqual({
      model: "m",
      messages: [{ role: "user", content: "hi" }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test("holds no half of a surrogate pair", async () => {
    const { sent } = await open(stream(), { ...REQUEST, messages: [{ role: "user", content: "a\ud83d" }] });
    expect(JSON.parse(sent?.body ?? "")).toMatchObject({ messages: [{ role: "user", content: "a\ufffd" }] });
  });

  test.each<[UpstreamRequest["reasoningField"], object]>([
    ["reasoning", { reasoning: "hm" }],
    ["reasoning_content", { reasoning_content: "hm" }],
    [undefined, {}],
  ])("has reasoning in the field that was planned: %s", async (reasoningField, thought) => {
    const call = { id: "c1", name: "ping", input: {} };
    const request: UpstreamRequest = {
      ...REQUEST,
      messages: [
        { role: "assistant", content: "a", reasoning: "hm" },
        { role: "assistant", content: "", reasoning: "hm", calls: [call] },
        { role: "assistant", content: "b" },
      ],
      ...(reasoningField && { reasoningField }),
    };
    const { sent } = await open(stream(), request);
    const calls = [{ id: "c1", type: "function", function: { name: "ping", arguments: "{}" } }];
    expect(JSON.parse(sent?.body ?? "").messages).toEqual([
      { role: "assistant", content: "a", ...thought },
      { role: "assistant", content: null, ...thought, tool_calls: calls },
      { role: "assistant", content: "b" },
    ]);
  });

  test("carries calls, results and tools as OpenAI writes them", async () => {
    const parameters = { type: "object", properties: { path: { type: "string" } } };
    const { sent } = await open(stream(), {
      ...REQUEST,
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: "Well.", calls: [{ id: "c1", name: "read", input: { path: "a\ud83d" } }] },
        { role: "tool", callId: "c1", content: "x" },
        {
          role: "assistant",
          content: "",
          calls: [{ id: "c2", name: "ping", input: parseExactJson('{"n":1.50}') as JsonObject }],
        },
        { role: "tool", callId: "c2", content: "" },
      ],
      native: {
        tools: [
          { name: "read", description: "Reads", parameters },
          { name: "ping", parameters: true, namespace: "net", freeform: true },
        ],
        choice: { mode: "auto" },
        parallel: true,
      },
    });
    const called = (id: string, name: string, json: string) => [
      { id, type: "function", function: { name, arguments: json } },
    ];
    expect(JSON.parse(sent?.body ?? "")).toEqual({
      model: "m",
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: "Well.", tool_calls: called("c1", "read", '{"path":"a\ufffd"}') },
        { role: "tool", tool_call_id: "c1", content: "x" },
        { role: "assistant", content: null, tool_calls: called("c2", "ping", '{"n":1.50}') },
        { role: "tool", tool_call_id: "c2", content: "" },
      ],
      tools: [
        { type: "function", function: { name: "read", description: "Reads", parameters } },
        { type: "function", function: { name: "ping", parameters: { type: "object", properties: {} } } },
      ],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test.each<[string, Pick<NativeTools, "choice" | "parallel">, object]>([
    ["one call at most", { choice: { mode: "auto" }, parallel: false }, { parallel_tool_calls: false }],
    ["a call of any tool", { choice: { mode: "required" }, parallel: true }, { tool_choice: "required" }],
    ["no call", { choice: { mode: "none" }, parallel: true }, { tool_choice: "none" }],
    [
      "a call of one tool",
      { choice: { mode: "required", only: "read" }, parallel: true },
      { tool_choice: { type: "function", function: { name: "read" } } },
    ],
  ])("asks for %s", async (_what, asked, fields) => {
    const native = { tools: [{ name: "read", parameters: {} }], ...asked };
    const { sent } = await open(stream(), { ...REQUEST, native });
    const { tool_choice, parallel_tool_calls } = JSON.parse(sent?.body ?? "");
    expect({ tool_choice, parallel_tool_calls }).toEqual({
      tool_choice: undefined,
      parallel_tool_calls: undefined,
      ...fields,
    });
  });

  test("carries the sampling, the stops, the format and the effort", async () => {
    const { sent } = await open(stream(), {
      ...REQUEST,
      sampling: {
        maxTokens: 1,
        temperature: 0,
        topP: 0.5,
        topK: 3,
        seed: 4,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        logitBias: { "50256": -100 },
        verbosity: "low",
        user: "u",
      },
      stop: ["a", "b"],
      responseFormat: { type: "json-schema", name: "n", schema: { type: "object" } },
      effort: "low",
    });
    expect(JSON.parse(sent?.body ?? "")).toMatchObject({
      max_tokens: 1,
      temperature: 0,
      top_p: 0.5,
      top_k: 3,
      seed: 4,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      logit_bias: { "50256": -100 },
      verbosity: "low",
      user: "u",
      stop: ["a", "b"],
      response_format: { type: "json_schema", json_schema: { name: "n", schema: { type: "object" } } },
      reasoning_effort: "low",
    });
    expect(sent?.body).not.toMatch(/tools|null/);
  });

  test("a slash behind the base URL makes no difference", async () => {
    const { sent, egress } = answering(stream());
    await createOpenAiCompatible({
      endpoint: { kind: "generic", baseUrl: "https://a.example/v1/", headersTimeoutMs: 60_000 },
      egress,
      dropped: createDroppedFields().at(""),
    }).open(REQUEST, new AbortController().signal);
    expect(sent[0]?.url).toBe("https://a.example/v1/chat/completions");
    expect(sent[0]).not.toHaveProperty("apiKey");
  });
});

describe("the answer", () => {
  test.each([
    ["an event stream", stream()],
    ["one that says nothing of its type", stream({})],
    ["JSON", stream({ "content-type": "application/json" })],
    ["201", stream({}, 201)],
  ])("%s is taken", async (_, answer) => {
    const { outcome } = await open(answer);
    expect(outcome).toHaveProperty("body");
  });

  test.each([
    ["HTML", stream({ "content-type": "text/html; charset=utf-8" }), "upstream-failed"],
    ["no body", new Response(null, { status: 200 }), "upstream-failed"],
    ["204", new Response(null, { status: 204 }), "upstream-failed"],
    [
      "a redirect",
      new Response(null, { status: 302, headers: { location: "https://elsewhere.example" } }),
      "upstream-failed",
    ],
    ["429", new Response("", { status: 429 }), "rate-limited"],
  ])("%s is refused", async (_, answer, kind) => {
    const { outcome } = await open(answer);
    expect(outcome).toBeInstanceOf(GatewayFailure);
    expect((outcome as GatewayFailure).error.kind).toBe(kind);
  });

  test.each([
    ["HTML", stream({ "content-type": "text/html" })],
    ["a redirect", new Response(null, { status: 302, headers: { location: "https://elsewhere.example" } })],
  ])("%s will come again", async (_, answer) => {
    expect((await open(answer)).outcome).toMatchObject({ error: { kind: "upstream-failed", lasting: true } });
  });

  test("that is not read, and cannot be cancelled either, is still refused well", async () => {
    const cancel = () => Promise.reject(new Error("gone"));
    const body = new ReadableStream({ cancel });
    const { outcome } = await open(new Response(body, { headers: { "content-type": "text/html" } }));
    expect(outcome).toBeInstanceOf(GatewayFailure);
  });
});

describe("the list of models", () => {
  test("is their names", async () => {
    const { sent, egress } = answering(Response.json({ data: [{ id: "a" }, { id: "b", x: 1 }, {}, null, "c"] }));
    expect(await listModels(ENDPOINT, egress)).toEqual(["a", "b"]);
    expect(sent[0]).toMatchObject({ method: "GET", url: "https://upstream.example/v1/models" });
  });

  test.each([
    ["no connection", new Error("refused")],
    ["a refusal", Response.json({ data: [{ id: "a" }] }, { status: 500 })],
    ["no JSON", new Response("<html>")],
    ["another shape", Response.json([1])],
  ])("is empty after %s", async (_, answer) => {
    expect(await listModels(ENDPOINT, answering(answer).egress)).toEqual([]);
  });

  test("is waited for as long as one signal allows, its body included", async () => {
    const clock = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(clock.signal);
    const egress: Pick<Egress, "send" | "takeRetry"> = {
      async send(_, signal) {
        const start = (controller: ReadableStreamDefaultController) =>
          signal.addEventListener("abort", () => controller.error(signal.reason));
        return new Response(new ReadableStream({ start }));
      },
      takeRetry: () => false,
    };
    const names = listModels(ENDPOINT, egress);
    await Promise.resolve();
    clock.abort();
    expect(await names).toEqual([]);
    expect(timeout.mock.calls).toEqual([[5_000]]);
    timeout.mockRestore();
  });
});
