import { expect } from "vitest";
import { readData, readJson } from "./events.ts";
import { readOpenAiError } from "./openai-error.ts";
import type { WireStream } from "./wire-reply.ts";
import { refusal, toReply, type WireCall, type WireFinish, type WirePart, type WireReply } from "./wire-reply.ts";

interface Chunk {
  id: string;
  object: string;
  created: number;
  model: string;
  choices: { index: number; delta: Delta & { role?: string }; logprobs: null; finish_reason: string | null }[];
  usage?: Usage;
  error?: object;
}

interface Delta {
  content?: string;
  reasoning_content?: string;
  tool_calls?: [CallDelta];
}

interface CallDelta {
  index: number;
  id?: string;
  type?: string;
  function?: { name?: string; arguments: string };
  custom?: { name?: string; input: string };
}

interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

/**
 * Reads a whole event stream of Chat Completions (docs/wires.md): one identity, the role first, one thing in a delta and
 * no empty one, calls that are numbered and never interleave, then the finish, the usage where it was asked for, [DONE].
 */
export function readChatStream(body: string): WireStream {
  const data = readData(body, { named: false, keepAlive: ": keep-alive" });
  const done = data.at(-1) === "[DONE]";
  const chunks = (done ? data.slice(0, -1) : data).map((json) => readJson<Chunk>(json));
  const error = chunks.at(-1)?.error;
  const [opening, ...rest] = error ? chunks.slice(0, -1) : chunks;
  expect(opening?.choices, "what opens the stream").toEqual([choiceOf({ role: "assistant", content: "" })]);
  expect([opening?.id, opening?.object]).toEqual([
    expect.stringMatching(/^chatcmpl-\w{24,}$/),
    "chat.completion.chunk",
  ]);
  expect(rest.map(identityOf), "one identity").toEqual(rest.map(() => identityOf(opening)));

  const usageChunks = rest.filter(({ choices }) => choices.length === 0);
  const closing = rest.filter(({ choices }) => choices[0]?.finish_reason);
  const deltas = rest.filter((chunk) => ![...usageChunks, ...closing].includes(chunk));
  expect(rest, "nothing behind the finish but usage").toEqual([...deltas, ...closing, ...usageChunks]);
  expect([closing.length, done], "one terminal signal").toEqual(error ? [0, false] : [1, true]);
  expect(usageChunks.length, "usage comes once").toBeLessThanOrEqual(1);
  for (const { choices } of closing) expect(choices).toEqual([choiceOf({}, choices[0]?.finish_reason)]);
  const given = deltas.map(({ choices }) => choices);
  expect(given).toEqual(given.map(([choice]) => [choiceOf(choice?.delta)]));

  const finish = closing[0]?.choices[0]?.finish_reason as WireFinish | undefined;
  const { parts, openCall } = settleOpenCall(
    joinDeltas(deltas.map(({ choices }) => choices[0]?.delta ?? {})),
    error ? "error" : finish,
  );
  const usage = usageChunks[0]?.usage;
  return {
    ...toReply(parts, {
      finish,
      openCall,
      usage: usage && readUsage(usage),
      error: error && readOpenAiError(error),
    }),
    events: chunks,
  };
}

const choiceOf = (delta: object | undefined, finish_reason: string | null = null) => ({
  index: 0,
  delta,
  logprobs: null,
  finish_reason,
});

const identityOf = (chunk: Chunk | undefined) => [chunk?.id, chunk?.object, chunk?.created, chunk?.model];

/** Neighbouring deltas of text are neighbouring parts; those of a call are joined. */
function joinDeltas(deltas: readonly Delta[]): WirePart[] {
  const parts: WirePart[] = [];
  const calls: WireCall[] = [];
  const freeform = new Set<WireCall>();
  expect(
    deltas.filter((delta) => Object.keys(delta).length !== 1),
    "one thing in a delta",
  ).toEqual([]);
  for (const delta of deltas) {
    const { content, reasoning_content: reasoning = "", tool_calls: [piece] = [] } = delta;
    if (!piece) {
      if ((content ?? reasoning) === "") expect.fail("an empty delta");
      parts.push(content === undefined ? { type: "reasoning", text: reasoning } : { type: "text", text: content });
    } else if (piece.index === calls.length) {
      const call = beginCall(piece);
      calls.push(call);
      if (piece.custom) freeform.add(call);
      parts.push({ type: "call", call });
    } else {
      const call = calls.at(-1) ?? expect.fail("a call begins with its first delta");
      expect(piece.index, "calls never interleave").toBe(calls.length - 1);
      expect(parts.at(-1)?.type, "nothing comes inside a call").toBe("call");
      call.arguments += continueCall(piece, freeform.has(call));
    }
  }
  // The plain text of a freeform call is its one argument.
  for (const call of freeform) call.arguments = JSON.stringify({ input: call.arguments });
  return parts;
}

function beginCall(piece: CallDelta): WireCall {
  const { index, id = "", function: named, custom } = piece;
  const { name = "" } = named ?? custom ?? {};
  expect(piece, "what begins a call").toEqual(
    custom
      ? { index, id, type: "custom", custom: { name, input: "" } }
      : { index, id, type: "function", function: { name, arguments: "" } },
  );
  return { id, name, arguments: "" };
}

function continueCall({ index: _, ...piece }: CallDelta, freeform: boolean): string {
  const text = piece.function?.arguments ?? piece.custom?.input ?? "";
  expect(piece, "id, type and name come once").toEqual(
    freeform ? { custom: { input: text } } : { function: { arguments: text } },
  );
  expect(text, "an empty delta").not.toBe("");
  return text;
}

/** Nothing on this wire ends a call: a reply that was cut leaves its last call as far as it came (sieve.md T3). */
function settleOpenCall(parts: WirePart[], finish: WireFinish | undefined) {
  const last = parts.at(-1);
  if ((finish !== "length" && finish !== "error") || last?.type !== "call" || isJson(last.call.arguments)) {
    return { parts, openCall: undefined };
  }
  const { name, arguments: json } = last.call;
  return { parts: parts.slice(0, -1), openCall: { name, arguments: json } };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function readUsage({ prompt_tokens: input, completion_tokens: output, total_tokens: total }: Usage) {
  expect(total).toBe(input + output);
  return { input, output };
}

interface Completion {
  id: string;
  object: string;
  choices: { index: number; message: Message; logprobs: null; finish_reason: WireFinish }[];
  usage: Usage;
  error?: object;
}

interface Message {
  role: string;
  content: string | null;
  refusal: null;
  reasoning_content?: string;
  tool_calls?: {
    id: string;
    type: string;
    function?: { name: string; arguments: string };
    custom?: { name: string; input: string };
  }[];
}

/**
 * Reads the answer to a request that does not stream, or a refusal. Where its calls stood in the text is not told: the
 * parts are reasoning, text, calls.
 */
export function readChatBody(body: string): WireReply {
  const { id, object, choices, usage, error } = readJson<Completion>(body);
  if (error) return refusal(readOpenAiError(error));
  expect([id, object, choices.length]).toEqual([expect.stringMatching(/^chatcmpl-\w{24,}$/), "chat.completion", 1]);
  const [choice] = choices;
  expect(choice).toMatchObject({ index: 0, logprobs: null, message: { role: "assistant", refusal: null } });
  const { content = null, reasoning_content: reasoning = "", tool_calls: calls } = choice?.message ?? {};
  // Null is "nothing beside calls"; an empty string, or a list without calls, would be taken for something.
  expect(calls, "no list without calls").not.toEqual([]);
  expect(content === null || content === "" ? content : "text", "no text").toBe(content ? "text" : calls ? null : "");
  const parts: WirePart[] = [
    { type: "reasoning", text: reasoning },
    { type: "text", text: content ?? "" },
    ...(calls ?? []).map(({ id, function: named, custom }): WirePart => {
      const { name = "" } = named ?? custom ?? {};
      return {
        type: "call",
        call: { id, name, arguments: named?.arguments ?? JSON.stringify({ input: custom?.input }) },
      };
    }),
  ];
  return toReply(parts, { finish: choice?.finish_reason, usage: readUsage(usage) });
}
