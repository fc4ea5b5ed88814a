import type { GatewayError } from "../../errors.ts";
import type { ErrorAnswer } from "../protocol.ts";

interface OpenAiError {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
}

/** What is the same for every failure of a kind. */
interface Row {
  status: number;
  type: "invalid_request_error" | "rate_limit_error" | "insufficient_quota" | "server_error";
  code: string | null;
  param?: "model" | "messages";
  /** Will not go away by itself: the official SDKs repeat 408, 409, 429 and 5xx unless told not to. */
  lasting?: true;
}

const ROWS: { readonly [K in GatewayError["kind"]]: Row } = {
  "invalid-request": { status: 400, type: "invalid_request_error", code: null },
  unsupported: { status: 400, type: "invalid_request_error", code: null },
  unauthorized: { status: 401, type: "invalid_request_error", code: "invalid_api_key" },
  forbidden: { status: 403, type: "invalid_request_error", code: null },
  "unknown-path": { status: 404, type: "invalid_request_error", code: null },
  "wrong-method": { status: 405, type: "invalid_request_error", code: null },
  "unknown-model": { status: 404, type: "invalid_request_error", code: "model_not_found", param: "model" },
  "too-large": { status: 413, type: "invalid_request_error", code: null },
  "unsupported-encoding": { status: 415, type: "invalid_request_error", code: null },
  "not-configured": { status: 503, type: "server_error", code: "not_configured", lasting: true },
  "config-invalid": { status: 503, type: "server_error", code: "config_invalid", lasting: true },
  "context-length": { status: 400, type: "invalid_request_error", code: "context_length_exceeded", param: "messages" },
  "rate-limited": { status: 429, type: "rate_limit_error", code: "rate_limit_exceeded" },
  "quota-exhausted": { status: 429, type: "insufficient_quota", code: "insufficient_quota", lasting: true },
  "upstream-rejected": { status: 400, type: "invalid_request_error", code: "upstream_rejected" },
  "upstream-failed": { status: 502, type: "server_error", code: "upstream_error" },
  "upstream-overloaded": { status: 503, type: "server_error", code: "overloaded" },
  "upstream-timeout": { status: 504, type: "server_error", code: "upstream_timeout" },
  "loop-detected": { status: 508, type: "server_error", code: "loop_detected", lasting: true },
  internal: { status: 500, type: "server_error", code: null },
};

/** A failure before the first byte. */
export function renderError(error: GatewayError): ErrorAnswer {
  return { status: ROWS[error.kind].status, body: errorBody(error), headers: headersOf(error) };
}

/** The same body in-band, once the status is out. */
export function errorBody(error: GatewayError): { error: OpenAiError } {
  const row = ROWS[error.kind];
  const param = "param" in error ? error.param : row.param;
  const code = error.kind === "unsupported" ? `unsupported_${error.what}` : row.code;
  return { error: { message: messageOf(error), type: row.type, param: param ?? null, code } };
}

/** Vague where the cause lies behind the gateway: an upstream's text, URL or key hint never gets out. */
function messageOf(error: GatewayError): string {
  switch (error.kind) {
    case "invalid-request":
    case "unsupported":
    case "unauthorized":
    case "forbidden":
    case "unknown-path":
    case "wrong-method":
    case "too-large":
    case "unsupported-encoding":
    case "not-configured":
    case "config-invalid":
    case "context-length":
    case "loop-detected":
      return error.message;
    case "unknown-model":
      return `The model \`${error.model}\` does not exist or you do not have access to it.`;
    case "rate-limited":
      return "Rate limit reached. Please try again later.";
    case "quota-exhausted":
      return "The quota of this gateway's upstream is used up.";
    case "upstream-rejected":
      return "The model server refused this request.";
    case "upstream-failed":
      return "The model server could not be reached or gave an answer that cannot be read.";
    case "upstream-overloaded":
      return "The model server is overloaded. Please try again later.";
    case "upstream-timeout":
      return "The model server did not answer in time.";
    case "internal":
      return "The gateway failed to handle this request.";
    default:
      return error satisfies never;
  }
}

function headersOf(error: GatewayError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (ROWS[error.kind].lasting) headers["x-should-retry"] = "false";
  if (error.kind === "wrong-method") headers.allow = error.allow;
  if (error.kind === "unauthorized") headers["www-authenticate"] = "Bearer";
  if ("retryAfter" in error && error.retryAfter !== undefined) {
    headers["retry-after"] = String(Math.ceil(error.retryAfter));
  }
  return headers;
}
