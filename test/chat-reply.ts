import { expect } from "vitest";

/** An answer on the Chat wire with its deltas joined. */
export interface ChatReply {
  content: string;
  reasoning: string;
  calls: { id: string; name: string; arguments: string }[];
  finish: string | undefined;
  usage: object | undefined;
  /** How it broke. */
  error: { message: string; type: string; code: string | null } | undefined;
}

/** The same as it came. */
export interface ChatStream extends ChatReply {
  /** Without the opening one. */
  deltas: Delta[];
  usageChunks: { choices: unknown[]; usage: object }[];
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
  function: { name?: string; arguments: string };
}

interface Chunk {
  id: string;
  object: string;
  created: number;
  model: string;
  choices: { index: number; delta: Delta & { role?: string }; logprobs: null; finish_reason: string | null }[];
  usage?: object;
  error?: ChatReply["error"];
}

/**
 * Reads a whole event stream and demands of it what clients rely on (protocols.md 4): its framing, one identity, the
 * role first, no empty delta, calls that are numbered and never interleave, one terminal signal.
 */
export function readChatStream(body: string): ChatStream {
  const { chunks, done } = readEvents(body);
  const error = chunks.at(-1)?.error;
  const [opening, ...rest] = error ? chunks.slice(0, -1) : chunks;
  expect(opening?.choices, "what opens the stream").toEqual([choiceOf({ role: "assistant", content: "" })]);
  for (const chunk of rest) expect(identityOf(chunk)).toEqual(identityOf(opening));

  const usageChunks = rest.filter(({ choices }) => choices.length === 0);
  const closing = rest.filter(({ choices }) => choices[0]?.finish_reason);
  const deltas = rest.filter((chunk) => ![...usageChunks, ...closing].includes(chunk));
  expect(rest, "nothing behind the finish but usage").toEqual([...deltas, ...closing, ...usageChunks]);
  expect([closing.length, done], "one terminal signal").toEqual(error ? [0, false] : [1, true]);
  for (const { choices } of closing) expect(choices).toEqual([choiceOf({}, choices[0]?.finish_reason)]);
  for (const { choices } of deltas) expect(choices).toEqual([choiceOf(choices[0]?.delta)]);

  return {
    ...joinDeltas(deltas.map(({ choices }) => choices[0]?.delta ?? {})),
    finish: closing[0]?.choices[0]?.finish_reason ?? undefined,
    usage: usageChunks[0]?.usage,
    error,
    usageChunks: usageChunks.map(({ choices, usage = {} }) => ({ choices, usage })),
  };
}

const choiceOf = (delta: object | undefined, finish_reason: string | null = null) => ({
  index: 0,
  delta,
  logprobs: null,
  finish_reason,
});

const identityOf = (chunk: Chunk | undefined) => [chunk?.id, chunk?.object, chunk?.created, chunk?.model];

function readEvents(body: string): { chunks: Chunk[]; done: boolean } {
  expect(body.endsWith("\n\n"), "a blank line behind the last event").toBe(true);
  const events = body.slice(0, -2).split("\n\n");
  const data = events.flatMap((event) => (event === ": keep-alive" ? [] : [event]));
  for (const event of data) expect(event).toMatch(/^data: \S.*$/);
  const done = data.at(-1) === "data: [DONE]";
  const chunks = done ? data.slice(0, -1) : data;
  return { chunks: chunks.map((event) => JSON.parse(event.slice("data: ".length))), done };
}

function joinDeltas(deltas: Delta[]): Pick<ChatStream, "content" | "reasoning" | "calls" | "deltas"> {
  const calls: ChatReply["calls"] = [];
  for (const delta of deltas) {
    expect(Object.keys(delta), "one thing in a delta").toHaveLength(1);
    const [call] = delta.tool_calls ?? [];
    if (call) addToCalls(calls, call);
    else expect(delta.content ?? delta.reasoning_content, "an empty delta").not.toBe("");
  }
  const joined = (key: "content" | "reasoning_content") => deltas.map((delta) => delta[key] ?? "").join("");
  return { content: joined("content"), reasoning: joined("reasoning_content"), calls, deltas };
}

function addToCalls(calls: ChatReply["calls"], delta: CallDelta) {
  const { index, id = "", function: piece } = delta;
  const { name = "" } = piece;
  if (index === calls.length) {
    expect(delta).toEqual({ index, id, type: "function", function: { name, arguments: "" } });
    expect([id, name]).not.toContain("");
    expect(calls.map((call) => call.id)).not.toContain(id);
    calls.push({ id, name, arguments: "" });
  } else {
    expect(index, "calls never interleave").toBe(calls.length - 1);
    expect(delta).toEqual({ index, function: { arguments: piece.arguments } });
    expect(piece.arguments, "an empty delta").not.toBe("");
    const call = calls.at(-1);
    if (call) call.arguments += piece.arguments;
  }
}

interface Completion {
  object: string;
  choices: [{ message: CompleteMessage; finish_reason: string }];
  usage?: object;
}

interface CompleteMessage {
  content: string | null;
  reasoning_content?: string;
  tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[];
}

/** Reads the answer to a request that does not stream. */
export function readChatBody(body: unknown): ChatReply {
  const { object, choices, usage } = body as Completion;
  const [{ message, finish_reason }] = choices;
  expect(object).toBe("chat.completion");
  const { content, reasoning_content: reasoning = "", tool_calls: calls = [] } = message;
  // Null is "nothing beside calls"; an empty string, or a list without calls, would be taken for something.
  expect(content === null || content !== "" || calls.length === 0).toBe(true);
  expect(content !== null || calls.length > 0).toBe(true);
  expect(message).not.toHaveProperty("tool_calls", []);
  return {
    content: content ?? "",
    reasoning,
    calls: calls.map(({ id, function: { name, arguments: json } }) => ({ id, name, arguments: json })),
    finish: finish_reason,
    usage,
    error: undefined,
  };
}
