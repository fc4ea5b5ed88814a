import { createGoogle } from "@ai-sdk/google";
import { ApiError, GoogleGenAI } from "@google/genai";
import { generateText, jsonSchema, streamText, type ToolSet } from "ai";
import { describe, expect, test } from "vitest";
import { toGatewayError } from "../../../../src/errors.ts";
import { gemini } from "../../../../src/protocols/gemini/protocol.ts";
import { createFold, type ReplyEvent } from "../../../../src/reply.ts";
import { targetOf } from "./requests.ts";

/** Every request is read, and these events are what the model answers. */
function answerWith(events: readonly ReplyEvent[], bodies: unknown[] = []): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const target = targetOf(request.url);
    const body = await request.json();
    bodies.push(body);
    try {
      if (target.method === "countTokens") {
        gemini.tokenCount?.readRequest(body, target);
        return Response.json(gemini.tokenCount?.render(42));
      }
      const { conversation, createRenderer } = gemini.readRequest(body, target);
      const randomId = () => "A".repeat(24);
      const renderer = createRenderer({ requestId: "req_1", created: 1, randomId, promptTokens: () => 7 });
      if (conversation.stream) {
        const pieces = [renderer.start(), ...events.map((event) => renderer.event(event))];
        return new Response(streamOf(pieces), { headers: { "content-type": renderer.contentType } });
      }
      const fold = createFold();
      for (const event of events) fold.push(event);
      return Response.json(renderer.body(fold.reply()));
    } catch (thrown) {
      const { status, body, headers } = gemini.renderError(toGatewayError(thrown), { requestId: "req_1" });
      return Response.json(body, { status, headers });
    }
  };
}

/** One write for each event, as the gateway does it. */
function streamOf(pieces: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream<string>({
    start(controller) {
      for (const piece of pieces) if (piece !== "") controller.enqueue(piece);
      controller.close();
    },
  }).pipeThrough(new TextEncoderStream());
}

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

const events: ReplyEvent[] = [
  { type: "reasoning", text: "hm" },
  { type: "text", text: "Look" },
  { type: "text", text: "ing." },
  { type: "call-start", index: 0, id: "call_1", name: "read" },
  { type: "call-arguments", index: 0, json: '{"path":' },
  { type: "call-arguments", index: 0, json: '"a\\nb"}' },
  { type: "call-end", index: 0 },
  { type: "call-start", index: 1, id: "call_2", name: "now" },
  { type: "call-arguments", index: 1, json: "{}" },
  { type: "call-end", index: 1 },
  { type: "usage", usage: { input: 3, output: 4, reasoning: 1 } },
  { type: "finish", reason: "tool" },
];
const broken: ReplyEvent[] = [...events.slice(0, 4), { type: "error", error: { kind: "upstream-overloaded" } }];

const calls = [
  { id: "call_1", name: "read", args: { path: "a\nb" } },
  { id: "call_2", name: "now", args: {} },
];
const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 3, thoughtsTokenCount: 1, totalTokenCount: 7 };

describe("the official SDK", () => {
  const client = (answer: readonly ReplyEvent[], bodies?: unknown[]) =>
    new GoogleGenAI({
      apiKey: "any",
      httpOptions: { baseUrl: "http://gateway.example", fetch: answerWith(answer, bodies) },
    });
  const request = {
    model: "m",
    contents: "hi",
    config: { tools: [{ functionDeclarations: [{ name: "read" }, { name: "now" }] }] },
  };

  test("reads a body", async () => {
    const response = await client(events).models.generateContent(request);
    const parts = [{ text: "Looking." }, ...calls.map((functionCall) => ({ functionCall }))];
    const candidates = [{ content: { role: "model", parts }, finishReason: "STOP" }];
    expect(response).toMatchObject({ candidates, functionCalls: calls, usageMetadata, modelVersion: "m" });
  });

  test("puts a stream together to the same", async () => {
    const stream = await client(events).models.generateContentStream(request);
    const responses = await collect(stream);
    const parts = responses.flatMap((response) => response.candidates?.[0]?.content?.parts ?? []);
    expect(parts.map(({ text = "" }) => text).join("")).toBe("Looking.");
    expect(parts.flatMap(({ functionCall }) => functionCall ?? [])).toEqual(calls);
    expect(responses.map((response) => response.candidates?.[0]?.finishReason)).toEqual([
      ...Array.from({ length: responses.length - 1 }),
      "STOP",
    ]);
    expect(responses.at(-1)?.usageMetadata).toEqual(usageMetadata);
  });

  test("shows thoughts where they were asked for", async () => {
    const config = { thinkingConfig: { includeThoughts: true } };
    const stream = await client(events).models.generateContentStream({ ...request, config });
    const [first] = await collect(stream);
    expect(first?.candidates?.[0]?.content?.parts).toEqual([{ text: "hm", thought: true }]);
  });

  test.each<[string, ReplyEvent[]]>([
    ["text and calls", events],
    ["nothing", events.slice(-1)],
    ["a call that is open at the end", [...events.slice(1, 5), { type: "finish", reason: "length" }]],
  ])("keeps an answer of %s in the history of its chat", async (_what, answer) => {
    const bodies: unknown[] = [];
    const chat = client(answer, bodies).chats.create({ model: "m", config: request.config });
    await collect(await chat.sendMessageStream({ message: "hi" }));
    await collect(await chat.sendMessageStream({ message: "and?" }));
    const history = bodies[1] as { contents: { role: string }[] };
    expect(history.contents.map(({ role }) => role)).toEqual([
      "user",
      ...history.contents.slice(2).map(() => "model"),
      "user",
    ]);
    expect(history.contents.length).toBeGreaterThan(2);
  });

  test("throws at an error inside the stream, behind all that was said", async () => {
    const texts: string[] = [];
    const read = async () => {
      for await (const { text = "" } of await client(broken).models.generateContentStream(request)) texts.push(text);
    };
    await expect(read()).rejects.toMatchObject({ name: "ApiError", status: 503 });
    expect(texts).toEqual(["Look", "ing."]);
  });

  test("throws its error with the status of a refusal", async () => {
    const refused = client(events).models.generateContent({ ...request, config: { candidateCount: 2 } });
    await expect(refused).rejects.toThrow(ApiError);
    await expect(refused).rejects.toMatchObject({ status: 400, message: expect.stringContaining("candidateCount") });
  });

  test("counts tokens", async () => {
    const { totalTokens } = await client([]).models.countTokens({ model: "m", contents: "hi" });
    expect(totalTokens).toBe(42);
  });
});

describe("the AI SDK", () => {
  const inputSchema = jsonSchema({ type: "object", properties: { path: { type: "string" } } });
  const tools: ToolSet = { read: { inputSchema }, now: { inputSchema } };
  const request = (answer: readonly ReplyEvent[]) => ({
    model: createGoogle({ apiKey: "any", baseURL: "http://gateway.example/v1beta", fetch: answerWith(answer) })("m"),
    prompt: "hi",
    tools,
    maxRetries: 0,
  });
  const toolCalls = [
    { toolCallId: "call_1", toolName: "read", input: { path: "a\nb" } },
    { toolCallId: "call_2", toolName: "now", input: {} },
  ];

  test("reads a body", async () => {
    const result = await generateText(request(events));
    expect(result.text).toBe("Looking.");
    expect(result.finishReason).toBe("tool-calls");
    expect(result.toolCalls).toMatchObject(toolCalls);
    expect(result.usage).toMatchObject({ inputTokens: 3, outputTokens: 4 });
  });

  test("puts a stream together to the same", async () => {
    const result = streamText(request(events));
    expect(await result.text).toBe("Looking.");
    expect(await result.finishReason).toBe("tool-calls");
    expect(await result.toolCalls).toMatchObject(toolCalls);
    expect(await result.usage).toMatchObject({ inputTokens: 3, outputTokens: 4 });
  });

  test("sees an error inside the stream", async () => {
    const errors: unknown[] = [];
    const result = streamText({ ...request(broken), onError: ({ error }) => void errors.push(error) });
    await result.consumeStream();
    expect(errors).not.toEqual([]);
  });
});
