import type { Conversation } from "../conversation.ts";
import type { GatewayError } from "../errors.ts";
import type { Reply, ReplyEvent } from "../reply.ts";

/**
 * What a wire is: a request becomes a `Conversation`, reply events become bytes of the client's stream or one body, a
 * `GatewayError` becomes a status and a body. A renderer sees neither policy nor model nor upstream.
 */
export interface Protocol {
  readonly name: "openai-chat" | "openai-responses" | "anthropic" | "gemini";
  /** What the id of a call begins with. */
  readonly callIdPrefix: string;
  /** The header that the wire's own clients look for the request's id in, where it is not `x-request-id`. */
  readonly requestIdHeader?: string;
  /** The query parameter that the wire's own clients may send the key in, where they may. */
  readonly keyParameter?: string;
  /**
   * Reads a parsed JSON body leniently: unknown fields are ignored, foreign ones tolerated with a warning.
   * @param target what the path says; a wire that says it in the body looks at nothing of it
   * @throws GatewayFailure `invalid-request` or `unsupported`, naming the field
   */
  readRequest(body: unknown, target?: Target): ReadRequest;
  /** The question how many tokens a request has, where the wire has it. */
  readonly tokenCount?: TokenCount;
  /** A failure before the first byte. */
  renderError(error: GatewayError, context: { requestId: string }): ErrorAnswer;
  /** The body of the list of models. */
  renderModels(names: readonly string[]): object;
  /** The body of one model. */
  renderModel(name: string): object;
}

/** What a path says of a request: Gemini's names the model, and whether and how to stream. */
export interface Target {
  model: string;
  /** Such as `streamGenerateContent`. */
  method: string;
  query: URLSearchParams;
}

interface TokenCount {
  /** @throws GatewayFailure as `readRequest` does */
  readRequest(body: unknown, target?: Target): Conversation;
  /** The body of the answer. */
  render(tokens: number): object;
}

export interface ReadRequest {
  conversation: Conversation;
  /** What was tolerated; told to the client in `x-gateway-warning`. */
  warnings: string[];
  /**
   * Bound to the conversation and to what the request asks of this wire alone, such as a usage chunk: such options mean
   * nothing to anyone else and never leave the protocol.
   */
  createRenderer(context: RenderContext): Renderer;
}

export interface RenderContext {
  requestId: string;
  /** Seconds since 1970. */
  created: number;
  /** A fresh random id of 24 characters of [A-Za-z0-9]. */
  randomId: () => string;
  /** What the prompt is guessed to have: for a wire that says so before the upstream has counted. */
  promptTokens: () => number;
}

export interface Renderer {
  /** Of the stream. */
  readonly contentType: string;
  /** What opens the stream. Called once, before any event; not sent where the reply fails before its first output. */
  start(): string;
  /** Bytes for one event; for `finish` and `error` all that closes the stream, its terminal signal included. */
  event(event: ReplyEvent): string;
  /** Whether readers of the stream read over comments. */
  readonly bearsComments: boolean;
  /** Keep-alive in the form that this wire bears; empty where it bears none. */
  heartbeat(): string;
  /** The whole answer as one JSON body; a reply that failed is an `ErrorAnswer` instead. */
  body(reply: Reply): unknown;
}

export interface ErrorAnswer {
  status: number;
  body: unknown;
  /** Such as `retry-after`, `x-should-retry`, `allow`. */
  headers: Record<string, string>;
}
