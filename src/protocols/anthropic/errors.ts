import type { ContextOverflow, GatewayError } from "../../errors.ts";
import { describeFailure, type Status } from "../failure.ts";
import type { ErrorAnswer } from "../protocol.ts";

interface AnthropicError {
  type: "error";
  error: { type: string; message: string; details?: object };
  request_id: string;
}

const TYPES: { readonly [K in Status | 529]: string } = {
  400: "invalid_request_error",
  401: "authentication_error",
  404: "not_found_error",
  405: "not_found_error",
  409: "invalid_request_error",
  412: "invalid_request_error",
  413: "request_too_large",
  415: "invalid_request_error",
  428: "invalid_request_error",
  429: "rate_limit_error",
  500: "api_error",
  502: "api_error",
  503: "api_error",
  504: "timeout_error",
  508: "api_error",
  529: "overloaded_error",
};

/** A failure before the first byte; behind it the body alone is an event of the stream. */
export function renderError(
  error: GatewayError,
  { requestId }: { requestId: string },
): ErrorAnswer & { body: AnthropicError } {
  const failure = describeFailure(error, describeOverflow);
  // The wire has a status of its own for this; agents back off from it, and from a 503 they need not (docs/wires.md).
  const status = error.kind === "upstream-overloaded" ? 529 : failure.status;
  const { message, headers } = failure;
  const body: AnthropicError = {
    type: "error",
    error: { type: TYPES[status], message, ...detailsOf(error) },
    request_id: requestId,
  };
  return { status, body, headers };
}

/** At this code the official SDK's tool runner sends the whole conversation instead of a thread's next turn. */
function detailsOf(error: GatewayError): { details?: object } {
  if (error.kind !== "conversation-not-stored") return {};
  return { details: { error_code: "thread_unsupported_request", unsupported: [error.param] } };
}

/**
 * Claude Code looks for these words: at the first sentence it asks for a shorter answer, at the second it shortens the
 * conversation, which is all that helps where the prompt alone is too long.
 */
function describeOverflow({ limit, used, output }: ContextOverflow): string {
  if (limit === undefined || used === undefined) return "prompt is too long";
  if (output === undefined || used >= limit) return `prompt is too long: ${used} tokens > ${limit} maximum`;
  // The second half is for other agents, which know no other words on any wire.
  return `input length and \`max_tokens\` exceed context limit: ${used} + ${output} > ${limit}: the prompt is too long`;
}
