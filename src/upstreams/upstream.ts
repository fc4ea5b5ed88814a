import type { Effort, ResponseFormat, Sampling, Tool, ToolChoice } from "../conversation.ts";
import type { UpstreamMessage } from "../prompt/messages.ts";
import type { Forcing, ReasoningField } from "./capabilities.ts";

/** A model that writes text, and may know tools of its own. */
export interface Upstream {
  /**
   * Resolves once the upstream has begun to answer well: every refusal is known before the client's first byte. The
   * body has the events of an OpenAI chat completion, or one whole completion as JSON; `BodyReader` tells them apart.
   *
   * @throws GatewayFailure with the kind that says what went wrong; the signal's reason when the client has gone
   */
  open(request: UpstreamRequest, signal: AbortSignal): Promise<{ body: ReadableStream<Uint8Array> }>;
  /** What `open` would send. */
  body(request: UpstreamRequest): object;
}

export interface UpstreamRequest {
  model: string;
  /** The model's name is the client's own, not one that the gateway put in its place: a missing model is its 404. */
  clientNamed: boolean;
  /** The key is the client's own: that it is refused is its 401. */
  clientKeyed?: true;
  messages: readonly UpstreamMessage[];
  /** Absent where the messages teach the tools in words, or there are none. */
  native?: NativeTools;
  sampling: Omit<Sampling, "stop">;
  /** All that go upstream. */
  stop: readonly string[];
  responseFormat?: ResponseFormat;
  effort?: Effort;
  /** Where the reasoning of earlier answers stands; absent: it is sent to none but a server that demands it. */
  reasoningField?: ReasoningField;
  /** Calls are looked for in the text, so the marks of none may be lost on the way. */
  callsInText?: true;
  /** Absent where calls are asked for in words alone, or none has to come. */
  forced?: ForcedCall;
}

/** What makes the model call, besides words. */
export interface ForcedCall {
  readonly by: Forcing["by"];
  /** Of the body. */
  readonly fields: object;
  /** The beginning of the answer, and members that its message has besides. */
  readonly prefill?: { readonly text: string; readonly mark?: object };
}

/** Tools for an upstream that calls by itself. */
export interface NativeTools {
  tools: readonly Tool[];
  /** Names at most one tool: of several, the list above has no others. */
  choice: { mode: ToolChoice["mode"]; only?: string };
  parallel: boolean;
}
