import { ApiError, GoogleGenAI } from "@google/genai";
import { describe, expect, test } from "vitest";
import { gemini } from "../../../../src/protocols/gemini/protocol.ts";
import type { ReplyEvent } from "../../../../src/reply.ts";
import { answering } from "../answering.ts";

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
      httpOptions: { baseUrl: "http://gateway.example", fetch: answering(gemini, answer, bodies) },
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
