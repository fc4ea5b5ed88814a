import { anthropic } from "../../src/protocols/anthropic/protocol.ts";
import { gemini } from "../../src/protocols/gemini/protocol.ts";
import { openAiChat } from "../../src/protocols/openai-chat/protocol.ts";
import { openAiResponses } from "../../src/protocols/openai-responses/protocol.ts";
import type { Protocol } from "../../src/protocols/protocol.ts";
import { readChatBody, readChatStream } from "./chat.ts";
import { readGeminiArray, readGeminiBody, readGeminiStream } from "./gemini.ts";
import { readMessagesBody, readMessagesStream } from "./messages.ts";
import { type WireRequest, writeChat, writeGemini, writeMessages, writeResponses } from "./requests.ts";
import { readResponsesBody, readResponsesStream } from "./responses.ts";
import type { WireReply, WireStream } from "./wire-reply.ts";

/** A wire as a client sees it. */
export interface Wire {
  name: string;
  /** What faults.jsonl calls it. */
  alias: string;
  protocol: Protocol;
  /** Of the stream. */
  contentType: string;
  /** Where a request goes, and what of model and stream its body says. */
  address(asked: Asked): { path: string; fields: object };
  /** The rest of the body; undefined members do not reach the JSON. */
  write(request: WireRequest, stream: boolean): object;
  readStream(body: string): WireStream;
  readBody(body: string): WireReply;
  /** Where the fragment is in each kind of delta: neighbours that differ there alone may be cut in any way. */
  fragments: readonly string[];
  /** Members of an event that count events, and so differ with the cuts. */
  counters?: readonly string[];
  /** Whether a body tells where the calls stood between the texts. */
  bodyKeepsOrder: boolean;
  /**
   * Whether each piece waits for the next: then a call that is cut was never begun, and a reply that breaks at once has
   * not begun either, so that a status tells it.
   */
  holdsBack: boolean;
  /** Whether a client can ask for one call at most. */
  limitsCalls: boolean;
}

interface Asked {
  model: string;
  stream: boolean;
}

const EVENT_STREAM = "text/event-stream; charset=utf-8";

const inBody = (path: string) => (asked: Asked) => ({ path, fields: asked });

const chat: Wire = {
  name: "chat",
  alias: "openai_chat",
  protocol: openAiChat,
  contentType: EVENT_STREAM,
  address: inBody("/v1/chat/completions"),
  write: writeChat,
  readStream: readChatStream,
  readBody: readChatBody,
  fragments: [
    "choices.0.delta.content",
    "choices.0.delta.reasoning_content",
    "choices.0.delta.tool_calls.0.function.arguments",
    "choices.0.delta.tool_calls.0.custom.input",
  ],
  bodyKeepsOrder: false,
  holdsBack: false,
  limitsCalls: true,
};

const responses: Wire = {
  name: "responses",
  alias: "responses",
  protocol: openAiResponses,
  contentType: EVENT_STREAM,
  address: inBody("/v1/responses"),
  write: writeResponses,
  readStream: readResponsesStream,
  readBody: readResponsesBody,
  fragments: ["delta"],
  counters: ["sequence_number"],
  bodyKeepsOrder: true,
  holdsBack: false,
  limitsCalls: true,
};

const messages: Wire = {
  name: "messages",
  alias: "claude",
  protocol: anthropic,
  contentType: EVENT_STREAM,
  address: inBody("/v1/messages"),
  write: writeMessages,
  readStream: readMessagesStream,
  readBody: readMessagesBody,
  fragments: ["delta.text", "delta.thinking", "delta.partial_json"],
  bodyKeepsOrder: true,
  holdsBack: false,
  limitsCalls: true,
};

const inPath =
  (query: string) =>
  ({ model, stream }: Asked) => ({
    path: `/v1beta/models/${model}:${stream ? `streamGenerateContent${query}` : "generateContent"}`,
    fields: {},
  });

const events: Wire = {
  name: "gemini",
  alias: "gemini",
  protocol: gemini,
  contentType: EVENT_STREAM,
  address: inPath("?alt=sse"),
  write: writeGemini,
  readStream: readGeminiStream,
  readBody: readGeminiBody,
  fragments: ["candidates.0.content.parts.0.text"],
  bodyKeepsOrder: true,
  holdsBack: true,
  limitsCalls: false,
};

const array: Wire = {
  ...events,
  name: "gemini, as an array",
  contentType: "application/json",
  address: inPath(""),
  readStream: readGeminiArray,
};

/** Every wire that the gateway speaks: what holds for all of them is tested by going through this list. */
export const WIRES: readonly Wire[] = [chat, responses, messages, events, array];
