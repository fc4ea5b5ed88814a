import type { ContextOverflow, GatewayError } from "../../errors.ts";
import { describeFailure } from "../failure.ts";
import type { ErrorAnswer } from "../protocol.ts";

/** What both of OpenAI's wires answer a failure with, in a body or inside a Chat stream. */
interface OpenAiError {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
}

const CODES: { readonly [K in GatewayError["kind"]]: string | null } = {
  "invalid-request": null,
  // The code names what is not supported.
  unsupported: null,
  unauthorized: "invalid_api_key",
  "unknown-path": null,
  "wrong-method": null,
  "unknown-model": "model_not_found",
  "unknown-response": "not_found",
  "conversation-not-stored": "previous_response_not_found",
  "too-large": null,
  "unsupported-encoding": null,
  "revision-required": "revision_required",
  "revision-conflict": "revision_conflict",
  taken: "already_taken",
  "not-configured": "not_configured",
  "config-invalid": "config_invalid",
  "store-failed": "store_unavailable",
  "context-length": "context_length_exceeded",
  "rate-limited": "rate_limit_exceeded",
  "gateway-busy": "gateway_busy",
  "quota-exhausted": "insufficient_quota",
  "over-budget": "insufficient_quota",
  "upstream-rejected": "upstream_rejected",
  "upstream-failed": "upstream_error",
  "upstream-overloaded": "overloaded",
  "upstream-timeout": "upstream_timeout",
  "loop-detected": "loop_detected",
  internal: null,
};

/** @param history the field that holds the conversation on this wire */
export function createErrors(history: "messages" | "input") {
  /** The body; in-band once the status is out. */
  function errorBody(error: GatewayError): { error: OpenAiError } {
    const { status, message } = describeFailure(error, describeOverflow);
    const code = error.kind === "unsupported" ? `unsupported_${error.what}` : CODES[error.kind];
    return { error: { message, type: typeOf(error, status), param: paramOf(error), code } };
  }

  function paramOf(error: GatewayError): string | null {
    if ("param" in error) return error.param ?? null;
    if (error.kind === "unknown-model") return "model";
    return error.kind === "context-length" ? history : null;
  }

  return {
    errorBody,
    /** A failure before the first byte. */
    renderError(error: GatewayError): ErrorAnswer {
      const { status, headers } = describeFailure(error, describeOverflow);
      return { status, body: errorBody(error), headers };
    },
  };
}

function typeOf(error: GatewayError, status: number): string {
  if (error.kind === "rate-limited") return "rate_limit_error";
  if (error.kind === "quota-exhausted" || error.kind === "over-budget") return "insufficient_quota";
  return status < 500 ? "invalid_request_error" : "server_error";
}

/** Agents look for OpenAI's own beginning of this sentence, and those of other makers for `prompt is too long`. */
function describeOverflow({ limit, used, output }: ContextOverflow): string {
  if (limit === undefined) return "The prompt is too long: it exceeds this model's maximum context length.";
  const maximum = `This model's maximum context length is ${limit} tokens`;
  if (used === undefined) return `${maximum}; with the requested output the prompt is too long for it.`;
  if (output === undefined) return `${maximum}, but the prompt is too long: ${used} tokens > ${limit} maximum.`;
  const parts = `${used} in the messages, ${output} in the completion`;
  return `${maximum}. However, you requested ${used + output} tokens (${parts}): the prompt is too long.`;
}
