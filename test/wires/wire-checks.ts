import { expect } from "vitest";
import type { WireStream } from "./wire-reply.ts";

/** What a case demands of one wire besides what its reader demands of every reply. */
export interface WireChecks {
  [check: string]: unknown;
}

/** The answers to one request. */
export interface Answers {
  stream: WireStream;
  /** The body of the answer that is no stream. */
  json: unknown;
}

/** What is found where a check looks; the same as what is wanted if it is passed. */
type Check = (answers: Answers, wanted: never) => unknown;

/** @throws for a check that nobody knows, too */
export function judgeWire(alias: string, answers: Answers, checks: WireChecks) {
  for (const [name, wanted] of Object.entries(checks)) {
    const check = CHECKS[alias]?.[name];
    if (!check) throw new Error(`no such check: ${alias}.${name}`);
    expect(check(answers, wanted as never), `${alias}.${name}`).toEqual(wanted);
  }
}

/** Of the checks that every reader makes: its having come this far. */
const passed: Check = (_answers, wanted) => wanted;

const distinct = <T>(values: readonly T[]) => [...new Set(values)];

const CHECKS: { readonly [alias: string]: { readonly [name: string]: Check } } = {
  openai_chat: {
    indexes: (answers) => distinct(chatCalls(answers).map(({ index }) => index)),
    finish_reason: ({ stream }) => stream.finish,
    content: ({ json }) => (json as ChatBody).choices[0].message.content,
    first_delta_role: (answers) => chatDeltas(answers)[0]?.role,
    call_first_delta_has: (answers, wanted: string[]) =>
      wanted.filter((path) => firstDeltas(answers).every((delta) => at(delta, path) !== undefined)),
    usage_chunks: (answers) => usageChunks(answers).length,
    usage_chunk_choices: (answers) => usageChunks(answers).flatMap(({ choices }) => choices),
    ids_unique: passed,
    ids_nonempty: passed,
    no_empty_delta: passed,
  },
  claude: {
    blocks: ({ stream }) =>
      ofType<BlockStart>(stream, "content_block_start").map(({ content_block: { type } }) => type),
    indexes: ({ stream }) => ofType<BlockStart>(stream, "content_block_start").map(({ index }) => index),
    stop_reason: ({ stream }) =>
      ofType<{ delta: { stop_reason: string } }>(stream, "message_delta")[0]?.delta.stop_reason,
    message_start: ({ stream }) => ofType(stream, "message_start").length,
    inputs: ({ json }) => (json as MessageBody).content.flatMap(({ input }) => input ?? []),
    input_json_concat_in: ({ stream }, wanted: string[]) =>
      wanted.includes(inputJson(stream)) ? wanted : inputJson(stream),
    max_open: (_answers, wanted: number) => Math.max(wanted, 1),
    delta_types_match: passed,
  },
  responses: {
    items: ({ json }) => (json as ResponseBody).output.map(({ type }) => type),
    event_types_in_order: ({ stream }) => withoutRepeats(stream.events.map((event) => (event as Typed).type)),
    every_data_has: ({ stream }, wanted: string[]) =>
      wanted.filter((key) => stream.events.every((event) => Object.hasOwn(event, key))),
    lifecycle_nested_in: ({ stream }, wanted: string) =>
      LIFECYCLE.every((type) => ofType(stream, type).every((event) => Object.hasOwn(event, wanted))) && wanted,
    completed_output_equals_items: passed,
    call_ids_unique: passed,
  },
  gemini: {
    parts: ({ stream }) => geminiParts(stream).map((part) => Object.keys(part)[0]),
    args: ({ stream }) => geminiParts(stream).flatMap(({ functionCall }) => functionCall?.args ?? []),
    finishReason: ({ json }) => (json as GeminiBody).candidates[0]?.finishReason,
    candidates: ({ json }) => (json as GeminiBody).candidates.length,
    finish_after_parts: passed,
  },
};

interface Typed {
  type: string;
}

const ofType = <Event = Typed>({ events }: WireStream, type: string) =>
  events.filter((event) => (event as Typed).type === type) as Event[];

const withoutRepeats = (types: readonly string[]) => types.filter((type, index) => type !== types[index - 1]);

function at(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((inner, key) => (inner as { [key: string]: unknown } | undefined)?.[key], value);
}

interface ChatBody {
  choices: [{ message: { content: string | null } }];
}

interface ChatChunk {
  choices: { delta: { role?: string; tool_calls?: { index: number; id?: string }[] } }[];
}

const chatDeltas = ({ stream }: Answers) =>
  stream.events.flatMap((chunk) => (chunk as ChatChunk).choices.map(({ delta }) => delta));
const chatCalls = (answers: Answers) => chatDeltas(answers).flatMap(({ tool_calls: calls = [] }) => calls);
const firstDeltas = (answers: Answers) => chatCalls(answers).filter(({ id }) => id !== undefined);
const usageChunks = ({ stream }: Answers) => (stream.events as ChatChunk[]).filter((chunk) => "usage" in chunk);

interface BlockStart {
  index: number;
  content_block: { type: string };
}

interface MessageBody {
  content: { input?: object }[];
}

const inputJson = (stream: WireStream) =>
  ofType<{ delta: { partial_json?: string } }>(stream, "content_block_delta")
    .map(({ delta }) => delta.partial_json ?? "")
    .join("");

interface ResponseBody {
  output: { type: string }[];
}

const LIFECYCLE = ["created", "in_progress", "completed", "incomplete", "failed"].map((type) => `response.${type}`);

interface GeminiBody {
  candidates: { finishReason?: string; content: { parts: { functionCall?: { args: object } }[] } }[];
}

const geminiParts = ({ events }: WireStream) =>
  (events as Partial<GeminiBody>[]).flatMap(({ candidates }) => candidates?.[0]?.content.parts ?? []);
