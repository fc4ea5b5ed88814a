import { expect } from "vitest";

/** A reply as a client of any wire understands it: what all wires, streaming or not, have to agree on. */
export interface WireReply {
  text: string;
  reasoning: string;
  calls: WireCall[];
  /** The same in the order they came; neighbours of one kind joined, without empty ones. */
  parts: WirePart[];
  /** A call that the stream began and never ended: cut at the token limit, or by an error. */
  openCall: Omit<WireCall, "id"> | undefined;
  /** In Chat's words. */
  finish: WireFinish | undefined;
  usage: WireUsage | undefined;
  error: WireError | undefined;
}

/** A reply and the parsed data of the events that it came in, keep-alives left out. */
export interface WireStream extends WireReply {
  events: object[];
}

export type WirePart = { type: "text" | "reasoning"; text: string } | { type: "call"; call: WireCall };

export interface WireCall {
  id: string;
  name: string;
  /** JSON text. */
  arguments: string;
}

export type WireFinish = "stop" | "tool_calls" | "length" | "content_filter" | "error";

/** Tokens: of the whole prompt, cached ones included, and of the whole answer, reasoning included. */
export interface WireUsage {
  input: number;
  output: number;
}

/** How the reply broke, or why there is none. */
export interface WireError {
  message: string;
  type?: string;
  code?: string | number | null;
}

/** What a reader has found besides the parts; a wire that says nothing of calls in its finish gives `stop`. */
interface Ending {
  finish: WireFinish | undefined;
  usage: WireUsage | undefined;
  error?: WireError | undefined;
  openCall?: WireReply["openCall"];
}

/** Demands of the parts what holds on every wire: calls with a name and an id of their own, arguments that are an object. */
export function toReply(found: readonly WirePart[], { finish, usage, error, openCall }: Ending): WireReply {
  const parts = joinNeighbours(found);
  const calls = parts.flatMap((part) => (part.type === "call" ? [part.call] : []));
  for (const call of calls) {
    const said = expect.stringMatching(/./);
    expect([call.id, call.name], "a call has an id and a name").toEqual([said, said]);
    expect(JSON.parse(call.arguments), "arguments are an object").toEqual(expect.objectContaining({}));
    expect(call.arguments.trimStart()[0], "arguments are no array").toBe("{");
  }
  expect(new Set(calls.map(({ id }) => id)).size, "each call has an id of its own").toBe(calls.length);
  const joined = (type: "text" | "reasoning") => parts.map((part) => (part.type === type ? part.text : "")).join("");
  return {
    text: joined("text"),
    reasoning: joined("reasoning"),
    calls,
    parts,
    openCall,
    finish: error ? "error" : finish,
    usage,
    error,
  };
}

function joinNeighbours(parts: readonly WirePart[]): WirePart[] {
  const joined: WirePart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === "call" || last?.type !== part.type) {
      if (part.type === "call" || part.text !== "") joined.push({ ...part });
    } else {
      last.text += part.text;
    }
  }
  return joined;
}

/** A reply to nothing but an error: the body behind a status. */
export function refusal(error: WireError): WireReply {
  expect(error.message, "an error says what is wrong").toMatch(/\S/);
  return toReply([], { finish: undefined, usage: undefined, error });
}
