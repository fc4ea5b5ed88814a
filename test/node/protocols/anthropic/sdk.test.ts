import Anthropic, { APIError } from "@anthropic-ai/sdk";
import { describe, expect, test } from "vitest";
import type { GatewayError } from "../../../../src/errors.ts";
import { anthropic } from "../../../../src/protocols/anthropic/protocol.ts";
import type { ReplyEvent } from "../../../../src/reply.ts";
import { answering } from "../answering.ts";

const client = (events: readonly ReplyEvent[]) =>
  new Anthropic({
    apiKey: "any",
    baseURL: "http://gateway.example",
    maxRetries: 0,
    fetch: answering(anthropic, events),
  });

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
});
