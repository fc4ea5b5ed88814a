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

/** Characters that an average token has. */
export const CHARACTERS_PER_TOKEN = 4;

/** A guess, where nobody has counted. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** What an estimate of the prompt's tokens rests on. */
export function countCharacters(messages: readonly UpstreamMessage[]): number {
  return messages.reduce((sum, message) => sum + message.content.length, 0);
}
