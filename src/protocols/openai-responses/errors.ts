import type { GatewayError } from "../../errors.ts";
import { createErrors } from "../openai/errors.ts";

const { errorBody, renderError } = createErrors("input");

export { renderError };

/** What `response.failed` tells. Codex acts on the code, which is never absent here. */
export function failedResponseError(error: GatewayError): { code: string; message: string } {
  const { code, message } = errorBody(error).error;
  return { code: code ?? "server_error", message };
}
