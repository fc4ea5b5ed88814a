/**
 * What is asked: the one neutral form that every protocol's request is read into.
 * Nothing here knows a wire, a dialect or an upstream.
 */
export interface Conversation {
  /** As the client named it; echoed back. */
  model: string;
  /** Leading system and developer turns, joined by a blank line; empty when there are none. */
  system: string;
  turns: Turn[];
  tools: Tool[];
  toolChoice: ToolChoice;
  parallelToolCalls: boolean;
  sampling: Sampling;
  responseFormat?: ResponseFormat;
  reasoning: { effort?: Effort; expose: boolean };
  stream: boolean;
}

export interface Turn {
  role: "user" | "assistant";
  parts: Part[];
}

export type Part = TextPart | MediaPart | ImagePart | CallPart | ResultPart | { type: "reasoning"; text: string };

export interface TextPart {
  type: "text";
  text: string;
}

export interface CallPart {
  type: "tool-call";
  id: string;
  name: string;
  input: JsonObject;
  namespace?: string;
}

export interface ResultPart {
  type: "tool-result";
  callId: string;
  name?: string;
  failed: boolean;
  parts: Part[];
}

export interface MediaPart {
  type: "media";
  mediaType: string;
  /** Base64. */
  data?: string;
  url?: string;
  name?: string;
}

/** A picture that the model is shown. No wire gives one: which of the media can be shown depends on the upstream. */
export interface ImagePart {
  type: "image";
  /** Of the web, or with the data in it. */
  url: string;
}

/** What a message says: a text, or where there are pictures texts and pictures in their order. */
export type Content = string | readonly (TextPart | ImagePart)[];

export interface Tool {
  name: string;
  description?: string;
  parameters: JsonSchema;
  namespace?: string;
  /** Takes plain text instead of an object of arguments. */
  freeform?: boolean;
}

/** The text among the parts, and nothing else. */
export function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** One tool is `required` with `only: [name]`. */
export interface ToolChoice {
  mode: "auto" | "none" | "required";
  only?: string[];
}

export interface Sampling {
  maxTokens?: number;
  temperature?: number;
  topP?: number;
  topK?: number;
  stop?: string[];
  seed?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  logitBias?: JsonObject;
  verbosity?: string;
  /** Who is asking, for the upstream's own records. */
  user?: string;
}

export type ResponseFormat =
  | { type: "json" }
  | { type: "json-schema"; name: string; schema: JsonSchema; description?: string; strict?: boolean };

/** How much a model is to think, from the least on. */
export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof EFFORTS)[number];

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };
/** A JSON Schema as the client sent it: untrusted, of any draft; `schema.ts` is its one reader. */
export type JsonSchema = JsonObject | boolean;
