import type { Effort, ResponseFormat, Sampling } from "../conversation.ts";
import type { UpstreamMessage } from "../prompt/prompt.ts";

/** A model that writes text. */
export interface Upstream {
  /**
   * Resolves once the upstream has begun to answer well: every refusal is known before the client's first byte. The
   * body has the events of an OpenAI chat completion, or one whole completion as JSON; `BodyReader` tells them apart.
   *
   * @throws GatewayFailure with the kind that says what went wrong; the signal's reason when the client has gone
   */
  open(request: UpstreamRequest, signal: AbortSignal): Promise<{ body: ReadableStream<Uint8Array> }>;
}

export interface UpstreamRequest {
  model: string;
  /** The model's name is the client's own, not one that the gateway put in its place: a missing model is its 404. */
  clientNamed: boolean;
  messages: readonly UpstreamMessage[];
  sampling: Omit<Sampling, "stop">;
  /** All that go upstream. */
  stop: readonly string[];
  responseFormat?: ResponseFormat;
  effort?: Effort;
}
