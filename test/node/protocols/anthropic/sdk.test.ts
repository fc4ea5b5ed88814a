import Anthropic, { APIError } from "@anthropic-ai/sdk";
import { describe, expect, test } from "vitest";
import { type GatewayError, toGatewayError } from "../../../../src/errors.ts";
import { anthropic } from "../../../../src/protocols/anthropic/protocol.ts";
import type { ReplyEvent } from "../../../../src/reply.ts";
import { body, CONTEXT, stream } from "./render.ts";

/** The official SDK, talking to the wire alone, whose every answer is these events. */
function client(events: readonly ReplyEvent[], failure?: GatewayError): Anthropic {
  return new Anthropic({
    apiKey: "any",
    baseURL: "http://gateway.example",
    maxRetries: 0,
    fetch: async (_url, init) => {
      try {
        const request = anthropic.readRequest(JSON.parse(String(init?.body)));
        if (failure) return refuse(failure);
        const renderer = request.createRenderer(CONTEXT);
        if (!request.conversation.stream) return Response.json(body(renderer, events));
        return new Response(stream(renderer, events), { headers: { "content-type": renderer.contentType } });
      } catch (thrown) {
        return refuse(toGatewayError(thrown));
      }
    },
  });
}

function refuse(error: GatewayError): Response {
  const { status, body, headers } = anthropic.renderError(error, CONTEXT);
  return Response.json(body, { status, headers: { ...headers, "request-id": CONTEXT.requestId } });
}

const request: Anthropic.MessageCreateParamsNonStreaming = {
  model: "m",
  max_tokens: 100,
  system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
  thinking: { type: "adaptive" },
  messages: [{ role: "user", content: "hi" }],
  tools: [{ name: "read", input_schema: { type: "object", properties: { path: { type: "string" } } } }],
};

const events: ReplyEvent[] = [
  { type: "reasoning", text: "hm" },
  { type: "text", text: "Look" },
  { type: "text", text: "ing." },
  { type: "call-start", index: 0, id: "toolu_1", name: "read" },
  { type: "call-arguments", index: 0, json: '{"path":' },
  { type: "call-arguments", index: 0, json: '"a\\nb"}' },
  { type: "call-end", index: 0 },
  { type: "call-start", index: 1, id: "toolu_2", name: "now" },
  { type: "call-arguments", index: 1, json: "{}" },
  { type: "call-end", index: 1 },
  { type: "usage", usage: { input: 5, cached: 2, output: 4 } },
  { type: "finish", reason: "tool" },
];

const message = {
  model: "m",
  role: "assistant",
  content: [
    { type: "thinking", thinking: "hm", signature: expect.stringMatching(/./) },
    { type: "text", text: "Looking." },
    { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a\nb" } },
    { type: "tool_use", id: "toolu_2", name: "now", input: {} },
  ],
  stop_reason: "tool_use",
  stop_sequence: null,
  usage: { input_tokens: 3, cache_read_input_tokens: 2, output_tokens: 4 },
};

describe("the official SDK", () => {
  test("reads a body", async () => {
    expect(await client(events).messages.create(request)).toMatchObject(message);
  });

  test("puts a stream together to the same", async () => {
    expect(await client(events).messages.stream(request).finalMessage()).toMatchObject(message);
  });

  test("gives a plain stream event by event", async () => {
    const types: string[] = [];
    for await (const { type } of await client(events).messages.create({ ...request, stream: true })) types.push(type);
    expect(types[0]).toBe("message_start");
    expect(types.filter((type) => type === "content_block_start")).toHaveLength(4);
    expect(types.slice(-2)).toEqual(["message_delta", "message_stop"]);
  });

  test("takes its own answer back as history", async () => {
    const { content } = await client(events).messages.create(request);
    const answered: Anthropic.MessageParam[] = [
      ...request.messages,
      { role: "assistant", content },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "x" }] },
    ];
    expect(await client(events).messages.create({ ...request, messages: answered })).toMatchObject(message);
  });

  test("has nothing to say of an empty reply", async () => {
    const empty: ReplyEvent[] = [{ type: "finish", reason: "stop" }];
    const answer = { content: [], stop_reason: "end_turn", usage: { output_tokens: 0 } };
    expect(await client(empty).messages.create(request)).toMatchObject(answer);
    expect(await client(empty).messages.stream(request).finalMessage()).toMatchObject(answer);
  });

  test.each<[GatewayError, string]>([
    [{ kind: "upstream-failed" }, "api_error"],
    [{ kind: "upstream-overloaded" }, "overloaded_error"],
  ])("throws at an error inside the stream: %j", async (error, type) => {
    const broken: ReplyEvent[] = [...events.slice(0, 5), { type: "error", error }];
    const thrown = await client(broken)
      .messages.stream(request)
      .finalMessage()
      .catch((caught: unknown) => caught);
    expect(thrown).toBeInstanceOf(APIError);
    expect(thrown).toMatchObject({ error: { error: { type } } });
  });

  test.each([
    [{ ...request, messages: [] }],
    [{ ...request, max_tokens: 0 }],
    [{ ...request, messages: [...request.messages, { role: "assistant" as const, content: "He" }] }],
  ])("%j throws the right class", async (body) => {
    await expect(client(events).messages.create(body)).rejects.toThrow(Anthropic.BadRequestError);
  });

  test.each<[GatewayError, number, new (...args: never[]) => Error]>([
    [{ kind: "unauthorized", message: "no" }, 401, Anthropic.AuthenticationError],
    [{ kind: "unknown-model", model: "m" }, 404, Anthropic.NotFoundError],
    [{ kind: "rate-limited" }, 429, Anthropic.RateLimitError],
    [{ kind: "upstream-overloaded" }, 529, Anthropic.InternalServerError],
    [{ kind: "upstream-failed" }, 502, Anthropic.InternalServerError],
  ])("%j throws the right class, with the request's id", async (error, status, errorClass) => {
    const asked = client(events, error).messages.create(request);
    await expect(asked).rejects.toThrow(errorClass);
    await expect(asked).rejects.toMatchObject({ status, requestID: "req_1" });
  });
});
