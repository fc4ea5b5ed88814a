import type { Effort, ResponseFormat, Sampling } from "../conversation.ts";
import type { UpstreamMessage } from "../prompt/prompt.ts";

/** A model that writes text. */
export interface Upstream {
  /**
   * Resolves once the upstream has begun to answer well: every refusal is known before the client's first byte.
   *
   * @throws GatewayFailure with the kind that says what went wrong; the signal's reason when the client has gone
   */
  open(request: UpstreamRequest, signal: AbortSignal): Promise<UpstreamStream>;
}

export interface UpstreamRequest {
  model: string;
  /** The model's name is the client's own, not one that the gateway put in its place: a missing model is its 404. */
  clientNamed: boolean;
  messages: readonly UpstreamMessage[];
  sampling: Omit<Sampling, "stop">;
  /** All that go upstream, the client's and the gateway's own. */
  stop: readonly string[];
  /** Set only where the upstream is known to take it. */
  responseFormat?: ResponseFormat;
  effort?: Effort;
}

/** The events of an OpenAI chat completion, or one whole completion as JSON; `BodyReader` tells them apart. */
interface UpstreamStream {
  body: ReadableStream<Uint8Array>;
}

/** What an estimate of the prompt's tokens rests on. */
export function countCharacters(messages: readonly UpstreamMessage[]): number {
  return messages.reduce((sum, message) => sum + message.content.length, 0);
}
