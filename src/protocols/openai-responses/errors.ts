import type { GatewayError } from "../../errors.ts";
import { createErrors } from "../openai/errors.ts";

const { errorBody, renderError } = createErrors("input");

export { renderError };

/** Codes of the vendor's own that agents act on. At any other than these and `server_error` some of them give up. */
const KNOWN = new Set(["context_length_exceeded", "insufficient_quota", "rate_limit_exceeded"]);

/** What `response.failed` tells. */
export function failedResponseError(error: GatewayError): { code: string; message: string } {
  const { code, message } = errorBody(error).error;
  return { code: code !== null && KNOWN.has(code) ? code : "server_error", message };
}
