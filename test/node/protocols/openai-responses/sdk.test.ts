import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { openAiResponses } from "../../../../src/protocols/openai-responses/protocol.ts";
import type { ReplyEvent } from "../../../../src/reply.ts";
import { answering } from "../answering.ts";

const client = (events: readonly ReplyEvent[]) =>
  new OpenAI({
    apiKey: "any",
    baseURL: "http://gateway.example/v1",
    maxRetries: 0,
    fetch: answering(openAiResponses, events),
  });

const request = {
  model: "m",
  input: "hi",
  reasoning: { summary: "auto" as const },
  tools: [
    { type: "custom" as const, name: "patch" },
    {
      type: "namespace" as const,
      name: "crm",
      description: "Customers",
      tools: [{ type: "function" as const, name: "find", parameters: {}, strict: false }],
    },
  ],
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
  { type: "call-start", index: 2, id: "call_3", name: "find" },
  { type: "call-arguments", index: 2, json: "{}" },
  { type: "call-end", index: 2 },
  { type: "text", text: "Done." },
  { type: "usage", usage: { input: 3, output: 4 } },
  { type: "finish", reason: "tool" },
];
const failed: ReplyEvent = { type: "error", error: { kind: "upstream-failed" } };

const expected = {
  model: "m",
  status: "completed",
  output_text: "Looking.Done.",
  output: [
    { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] },
    { type: "message", status: "completed", content: [{ type: "output_text", text: "Looking." }] },
    { type: "function_call", call_id: "call_1", name: "read", arguments: '{"path":"a\\nb"}' },
    { type: "custom_tool_call", call_id: "call_2", name: "patch", input: "+ a\nb" },
    { type: "function_call", call_id: "call_3", name: "find", namespace: "crm", arguments: "{}" },
    { type: "message", content: [{ type: "output_text", text: "Done." }] },
  ],
  usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
};

describe("the official SDK", () => {
  test("reads a body", async () => {
    expect(await client(events).responses.create(request)).toMatchObject(expected);
  });

  test("puts a stream together to the same", async () => {
    const stream = client(events).responses.stream(request);
    const deltas: string[] = [];
    stream.on("response.output_text.delta", ({ delta }) => deltas.push(delta));
    expect(await stream.finalResponse()).toMatchObject(expected);
    expect(deltas).toEqual(["Look", "ing.", "Done."]);
  });

  test("reads a plain stream, of events that it knows alone", async () => {
    const stream = await client(events).responses.create({ ...request, stream: true });
    const read: { type: string; sequence_number: number }[] = [];
    for await (const event of stream) read.push(event);
    expect(read.map(({ sequence_number }) => sequence_number)).toEqual(read.map((_, index) => index));
    expect(read.at(0)?.type).toBe("response.created");
    expect(read.at(-1)).toMatchObject({ type: "response.completed", response: { status: "completed" } });
  });

  test("reads an empty answer", async () => {
    const empty: ReplyEvent[] = [{ type: "finish", reason: "stop" }];
    const stream = client(empty).responses.stream(request);
    expect(await stream.finalResponse()).toMatchObject({ status: "completed", output_text: "" });
  });

  test.each([
    ["text that is cut", events.slice(0, 3), [{}, { status: "incomplete" }]],
    ["a call that is cut, which is left out", events.slice(0, 5), [{}, { status: "completed" }]],
  ])("reads %s", async (_what, cut, output) => {
    const reply: ReplyEvent[] = [...cut, { type: "finish", reason: "length" }];
    const incomplete = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    const response = await client(reply).responses.stream(request).finalResponse();
    expect(response).toMatchObject({ ...incomplete, output });
    expect(await client(reply).responses.create(request)).toMatchObject({ ...incomplete, output });
  });

  test("reads an error inside the stream as a failed response", async () => {
    const stream = client([...events.slice(0, 5), failed]).responses.stream(request);
    expect(await stream.finalResponse()).toMatchObject({
      status: "failed",
      error: { code: "server_error", message: expect.stringContaining("model server") },
    });
  });

  test("throws at what this gateway refuses, naming the field", async () => {
    const { responses } = client(events);
    await expect(responses.create({ ...request, previous_response_id: "resp_1" })).rejects.toMatchObject({
      status: 400,
      code: "previous_response_not_found",
      param: "previous_response_id",
    });
  });
});
