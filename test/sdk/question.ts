import type { JsonObject } from "../../src/conversation.ts";
import { workerFetch } from "../workerd/gateway.ts";

/** What any client can be told to ask, the same for all of them. */
export interface Question {
  model: string;
  prompt: string;
  tools: readonly DeclaredTool[];
  choice?: "auto" | "none" | "required" | { name: string };
  /** False: at most one call. */
  parallel?: boolean;
  /** Reasoning is asked for, or as far as the wire can say so, refused. */
  reasoning?: boolean;
  stop?: string;
}

export interface DeclaredTool {
  name: string;
  description: string;
  parameters: { type: "object"; properties: Record<string, JsonObject>; required?: string[] };
}

/** What a client made of the answer. */
export interface Answer {
  text: string;
  reasoning: string;
  calls: { id: string; name: string; input: unknown }[];
  /** Kinds of what came, such as `text call text`; what is one thing for its reader counts once. */
  order: string;
  /** In the client's own word. */
  finish: string | undefined;
  stopSequence?: string | null | undefined;
  usage: { input?: number | undefined; output?: number | undefined; cached?: number; reasoning?: number };
}

export type AnswerPart =
  | { type: "text" | "reasoning"; text: string }
  | { type: "call"; id: string; name: string; input: unknown };

/** The answer of these parts, in the order that the client has them in. */
export function answerOf(
  parts: readonly AnswerPart[],
  rest: Pick<Answer, "finish" | "stopSequence" | "usage">,
): Answer {
  const joined = (type: "text" | "reasoning") => parts.map((part) => (part.type === type ? part.text : "")).join("");
  const shown = parts.filter((part) => part.type === "call" || part.text !== "");
  const order = shown.map(({ type }) => type).filter((type, at) => type === "call" || type !== shown[at - 1]?.type);
  return {
    text: joined("text"),
    reasoning: joined("reasoning"),
    calls: parts.flatMap((part) => (part.type === "call" ? [{ id: part.id, name: part.name, input: part.input }] : [])),
    order: order.join(" "),
    ...rest,
  };
}

/** How to get to the gateway. */
export interface Connection {
  key: string;
  fetch: typeof fetch;
}

export const GATEWAY: Connection = { key: "test-key", fetch: workerFetch };

export type Wire = "chat" | "responses" | "messages" | "gemini";

export type Finish = "stop" | "tool" | "length" | "context" | "filter" | "stop-sequence";

/** What not every client can ask or tell. */
export type Ability =
  | "reasoning"
  | "reasoning-tokens"
  /** Where the calls stood in the text. */
  | "order"
  /** To be content with one call. */
  | "one-call"
  /** Stop strings. */
  | "stop"
  /** Which of them it was. */
  | "stop-sequence";

/** A client library on one wire. */
export interface Client {
  name: string;
  wire: Wire;
  finishes: Readonly<Record<Finish, string>>;
  lacks: readonly Ability[];
  /** Its ways to ask, all with the same result. */
  ways: readonly Way[];
  readError(error: unknown): ClientError;
  /** Of the class that it has for a status. */
  errorName(status: number): string;
}

export interface Way {
  name: string;
  streams: boolean;
  /** Its result has a call that was cut, with what came of its arguments. */
  showsCutCall?: true;
  ask(question: Question, connection?: Connection): Promise<Answer>;
}

export interface ClientError {
  /** Of its class. */
  name: string;
  status: number | undefined;
  /** JSON as the gateway sent it. */
  body: unknown;
}
