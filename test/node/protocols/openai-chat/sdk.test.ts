import OpenAI, { APIError } from "openai";
import { describe, expect, test } from "vitest";
import { openAiChat } from "../../../../src/protocols/openai-chat/protocol.ts";
import type { ReplyEvent } from "../../../../src/reply.ts";
import { answering } from "../answering.ts";

const client = (events: readonly ReplyEvent[]) =>
  new OpenAI({
    apiKey: "any",
    baseURL: "http://gateway.example/v1",
    maxRetries: 0,
    fetch: answering(openAiChat, events),
  });

const request = {
  model: "m",
  messages: [{ role: "user" as const, content: "hi" }],
  tools: [{ type: "custom" as const, custom: { name: "patch" } }],
};

const events: ReplyEvent[] = [
  { type: "reasoning", text: "hm" },
  { type: "text", text: "Look" },
  { type: "text", text: "ing." },
  { type: "call-start", index: 0, id: "call_1", name: "read" },
  { type: "call-arguments", index: 0, json: '{"path":' },
  { type: "call-arguments", index: 0, json: '"a\\nb"}' },
  { type: "call-end", index: 0 },
  { type: "call-start", index: 1, id: "call_2", name: "patch" },
  { type: "call-arguments", index: 1, json: '{"input":"+ a' },
  { type: "call-arguments", index: 1, json: '\\nb"}' },
  { type: "call-end", index: 1 },
  { type: "usage", usage: { input: 3, output: 4 } },
  { type: "finish", reason: "tool" },
];

const message = {
  role: "assistant",
  content: "Looking.",
  tool_calls: [
    { id: "call_1", type: "function", function: { name: "read", arguments: '{"path":"a\\nb"}' } },
    { id: "call_2", type: "custom", custom: { name: "patch", input: "+ a\nb" } },
  ],
};
const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };

describe("the official SDK", () => {
  test("reads a body", async () => {
    const completion = await client(events).chat.completions.create(request);
    expect(completion).toMatchObject({ model: "m", choices: [{ message, finish_reason: "tool_calls" }], usage });
  });

  test("puts a stream together to the same", async () => {
    const stream = client(events).chat.completions.stream({ ...request, stream_options: { include_usage: true } });
    expect(await stream.finalChatCompletion()).toMatchObject({
      model: "m",
      choices: [{ message, finish_reason: "tool_calls" }],
      usage,
    });
  });

  test("throws at an error inside the stream", async () => {
    const broken: ReplyEvent[] = [...events.slice(0, 5), { type: "error", error: { kind: "upstream-failed" } }];
    const stream = client(broken).chat.completions.stream(request);
    await expect(stream.finalChatCompletion()).rejects.toThrow(APIError);
  });

  test.each([
    [{ ...request, messages: [] }, OpenAI.BadRequestError],
    [{ ...request, n: 2 }, OpenAI.BadRequestError],
  ])("%j throws the right class", async (body, errorClass) => {
    await expect(client(events).chat.completions.create(body)).rejects.toThrow(errorClass);
  });
});
