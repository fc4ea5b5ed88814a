import { expect } from "vitest";
import { readEvents, readJson } from "./events.ts";
import type { WireStream } from "./wire-reply.ts";
import { refusal, toReply, type WireError, type WireFinish, type WirePart, type WireReply } from "./wire-reply.ts";

interface Chunk {
  candidates: { content: { role: string; parts: Part[] }; finishReason?: string; index: number }[];
  usageMetadata?: Usage;
  modelVersion: string;
  responseId: string;
}

type Part =
  | { text: string; thought?: true; functionCall?: never }
  | { functionCall: { id: string; name: string; args: object }; text?: never };

interface Usage {
  promptTokenCount: number;
  cachedContentTokenCount?: number;
  candidatesTokenCount: number;
  thoughtsTokenCount?: number;
  totalTokenCount: number;
}

interface Failure {
  error: { code: number; message: string; status: string };
}

const FINISHES: { readonly [reason: string]: WireFinish } = {
  STOP: "stop",
  MAX_TOKENS: "length",
  SAFETY: "content_filter",
};

/**
 * Reads a whole event stream of streamGenerateContent (docs/wires.md): data alone, no comment, no type, no [DONE]; every
 * chunk with content, the finish and the usage on the last one, which has content like the others.
 */
export function readGeminiStream(body: string): WireStream {
  return readChunks(readEvents<Chunk | Failure>(body, { named: false }));
}

/** The same where `alt=sse` was not asked for: one JSON array, written piece by piece. */
export function readGeminiArray(body: string): WireStream {
  expect([body.at(0), body.at(-1)]).toEqual(["[", "]"]);
  return readChunks(
    body
      .slice(1, -1)
      .split(",\n")
      .map((json) => readJson<Chunk | Failure>(json)),
  );
}

/** Reads the answer to generateContent, or a refusal. */
export function readGeminiBody(body: string): WireReply {
  const whole = readJson<Chunk | Failure>(body);
  if ("error" in whole) return refusal(readError(whole));
  const { events: _, ...reply } = readChunks([whole]);
  return reply;
}

function readChunks(all: readonly (Chunk | Failure)[]): WireStream {
  const chunks = all.filter((chunk) => "candidates" in chunk);
  const failure = all.find((chunk) => "error" in chunk);
  expect(all, "an error is the last thing").toEqual(failure ? [...chunks, failure] : chunks);
  for (const chunk of chunks) expectChunk(chunk, chunks);
  expect(
    chunks.flatMap(({ candidates }) => (candidates[0]?.finishReason === undefined ? [] : "finish")),
    "one finish, or an error",
  ).toEqual(failure ? [] : ["finish"]);

  const parts = chunks.flatMap(({ candidates }) => candidates[0]?.content.parts ?? []);
  for (const part of parts) expectPart(part, parts);
  const last = failure ? undefined : chunks.at(-1);
  const reason = last?.candidates[0]?.finishReason;
  if (last) expect(Object.keys(FINISHES), "the last chunk says why it is the last").toContain(reason);
  // The wire has no finish of its own for calls: clients look whether there are any.
  const calls = reason === "STOP" && parts.some((part) => part.functionCall);
  const reply = toReply(parts.map(partOf), {
    finish: calls ? "tool_calls" : FINISHES[reason ?? ""],
    usage: last && readUsage(last.usageMetadata),
    error: failure && readError(failure),
  });
  return { ...reply, events: all.flatMap((chunk) => ("error" in chunk ? [chunk] : splitChunk(chunk))) };
}

/** Without a part in every chunk the SDK's chat forgets the whole turn. */
function expectChunk(chunk: Chunk, [first]: readonly Chunk[]) {
  expect([chunk.modelVersion, chunk.responseId], "one identity").toEqual([first?.modelVersion, first?.responseId]);
  expect([chunk.modelVersion, chunk.responseId]).toEqual([expect.any(String), expect.stringMatching(/./)]);
  expect(chunk.candidates, "one candidate").toHaveLength(1);
  expect(chunk.candidates[0]).toMatchObject({ content: { role: "model" }, index: 0 });
  expect(chunk.candidates[0]?.content.parts, "a chunk has content").not.toEqual([]);
}

function expectPart(part: Part, parts: readonly Part[]) {
  const { functionCall: call, text } = part;
  if (call) {
    const { id, name } = call;
    expect(part, "a call is whole, in a part of its own").toEqual({
      functionCall: { id, name, args: expect.any(Object) },
    });
  } else {
    const thought = part.thought ? { thought: true } : {};
    expect(part).toEqual({ text: expect.any(String), ...thought });
    if (text !== "") return;
    expect(thought, "no empty thought").toEqual({});
    expect(
      parts.filter((other) => !("thought" in other)),
      "only an empty answer has an empty text",
    ).toEqual([part]);
  }
}

function partOf({ functionCall: call, text, ...part }: Part): WirePart {
  if (call) return { type: "call", call: { id: call.id, name: call.name, arguments: JSON.stringify(call.args) } };
  return { type: "thought" in part && part.thought ? "reasoning" : "text", text: text ?? "" };
}

/** Thoughts are counted beside the rest of the answer, cached tokens inside the prompt. */
function readUsage(usage: Usage | undefined) {
  const { promptTokenCount: input = Number.NaN, thoughtsTokenCount: thoughts = 0 } = usage ?? {};
  const output = (usage?.candidatesTokenCount ?? Number.NaN) + thoughts;
  expect(usage?.totalTokenCount, "usage on the last chunk").toBe(input + output);
  return { input, output };
}

function readError({ error }: Failure): WireError {
  const { code, message, status } = error;
  // As a string the SDK passes over it in silence.
  expect(code).toEqual(expect.any(Number));
  expect(status).toMatch(/^[A-Z_]+$/);
  return { message, type: status, code };
}

/** One event for each part, the end of the reply as one more: which text shares a chunk with the end is free. */
function splitChunk({ usageMetadata, candidates: [candidate], ...chunk }: Chunk): object[] {
  const { content, finishReason, ...rest } = candidate ?? { content: { role: "", parts: [] } };
  const parts = content.parts.map((part) => ({
    ...chunk,
    candidates: [{ ...rest, content: { ...content, parts: [part] } }],
  }));
  return finishReason === undefined ? parts : [...parts, { finishReason, usageMetadata }];
}
