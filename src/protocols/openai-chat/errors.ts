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
  /** Absent, the status tells whose fault it is. */
  type?: "rate_limit_error" | "insufficient_quota";
  code?: string;
  param?: "model" | "messages";
  /** Will not go away by itself: the official SDKs repeat 408, 409, 429 and 5xx unless told not to. */
  lasting?: true;
}

type Kind = GatewayError["kind"];
/** Kinds that come with words for the client. */
type Worded = Extract<GatewayError, { message: string }>["kind"] | "unknown-model";

/** Vague where the cause lies behind the gateway: an upstream's text, URL or key hint never gets out. */
const ROWS: { readonly [K in Kind]: K extends Worded ? Row : Row & { message: string } } = {
  "invalid-request": { status: 400 },
  unsupported: { status: 400 },
  unauthorized: { status: 401, code: "invalid_api_key" },
  "unknown-path": { status: 404 },
  "wrong-method": { status: 405 },
  "unknown-model": { status: 404, code: "model_not_found", param: "model" },
  "too-large": { status: 413 },
  "unsupported-encoding": { status: 415 },
  "not-configured": { status: 503, code: "not_configured", lasting: true },
  "config-invalid": { status: 503, code: "config_invalid", lasting: true },
  "context-length": { status: 400, code: "context_length_exceeded", param: "messages" },
  "rate-limited": {
    status: 429,
    type: "rate_limit_error",
    code: "rate_limit_exceeded",
    message: "Rate limit reached. Please try again later.",
  },
  "quota-exhausted": {
    status: 429,
    type: "insufficient_quota",
    code: "insufficient_quota",
    lasting: true,
    message: "The quota of this gateway's upstream is used up.",
  },
  "upstream-rejected": { status: 400, code: "upstream_rejected", message: "The model server refused this request." },
  "upstream-failed": {
    status: 502,
    code: "upstream_error",
    message: "The model server could not be reached or gave an answer that cannot be read.",
  },
  "upstream-overloaded": {
    status: 503,
    code: "overloaded",
    message: "The model server is overloaded. Please try again later.",
  },
  "upstream-timeout": { status: 504, code: "upstream_timeout", message: "The model server did not answer in time." },
  "loop-detected": { status: 508, code: "loop_detected", lasting: true },
  internal: { status: 500, message: "The gateway failed to handle this request." },
};

/** A failure before the first byte. */
export function renderError(error: GatewayError): ErrorAnswer {
  return { status: ROWS[error.kind].status, body: errorBody(error), headers: headersOf(error) };
}

/** The same body in-band, once the status is out. */
export function errorBody(error: GatewayError): { error: OpenAiError } {
  const row: Row = ROWS[error.kind];
  const type = row.type ?? (row.status < 500 ? "invalid_request_error" : "server_error");
  const param = ("param" in error ? error.param : row.param) ?? null;
  const code = (error.kind === "unsupported" ? `unsupported_${error.what}` : row.code) ?? null;
  return { error: { message: messageOf(error), type, param, code } };
}

function messageOf(error: GatewayError): string {
  if ("message" in error) return error.message;
  if (error.kind !== "unknown-model") return ROWS[error.kind].message;
  return `The model \`${error.model}\` does not exist or you do not have access to it.`;
}

function headersOf(error: GatewayError): Record<string, string> {
  const headers: Record<string, string> = {};
  const row: Row = ROWS[error.kind];
  if (row.lasting || ("lasting" in error && error.lasting)) headers["x-should-retry"] = "false";
  if (error.kind === "wrong-method") headers.allow = error.allow;
  if (error.kind === "unauthorized") headers["www-authenticate"] = "Bearer";
  if ("retryAfter" in error && error.retryAfter !== undefined) {
    headers["retry-after"] = String(Math.ceil(error.retryAfter));
  }
  return headers;
}
