import type { ContextOverflow, GatewayError, OwnLimit } from "../errors.ts";

/** Every status that an error of ours has; a wire's own names for them are a table over it, exhaustive by its type. */
export type Status = 400 | 401 | 404 | 405 | 409 | 412 | 413 | 415 | 428 | 429 | 500 | 502 | 503 | 504 | 508;

/** What is the same on every wire. */
export interface Failure {
  status: Status;
  message: string;
  headers: Record<string, string>;
}

/** What is the same for every failure of a kind. */
interface Row {
  status: Status;
  /** Will not go away by itself: the official SDKs repeat 408, 409, 429 and 5xx unless told not to. */
  lasting?: true;
  /** May well go away: told in words at which agents repeat a request where no status tells them to, in a stream. */
  passing?: true;
}

type Kind = GatewayError["kind"];
/** Kinds that come with words for the client, or get them from the wire. */
type Worded = Extract<GatewayError, { message: string }>["kind"] | "unknown-model" | "context-length";

/** Vague where the cause lies behind the gateway: an upstream's text, URL or key hint never gets out. */
const ROWS: { readonly [K in Kind]: K extends Worded ? Row : Row & { message: string } } = {
  "invalid-request": { status: 400 },
  unsupported: { status: 400 },
  // Claude Code repeats it all the same, unless told not to.
  unauthorized: { status: 401, lasting: true },
  "unknown-path": { status: 404 },
  "wrong-method": { status: 405 },
  "unknown-model": { status: 404 },
  "unknown-response": { status: 404 },
  "conversation-not-stored": { status: 400 },
  "too-large": { status: 413 },
  "unsupported-encoding": { status: 415 },
  "revision-required": { status: 428 },
  "revision-conflict": { status: 412 },
  taken: { status: 409, lasting: true },
  "not-configured": { status: 503, lasting: true },
  "config-invalid": { status: 503, lasting: true },
  "store-failed": { status: 503, passing: true, message: "The store of this gateway cannot be reached at the moment." },
  "context-length": { status: 400 },
  "rate-limited": { status: 429, passing: true, message: "Rate limit reached." },
  "gateway-busy": { status: 503, passing: true, message: "The gateway is busy." },
  "quota-exhausted": { status: 429, lasting: true, message: "The quota of this gateway's upstream is used up." },
  "over-budget": { status: 429, lasting: true },
  "upstream-rejected": { status: 400, message: "The model server refused this request." },
  "upstream-failed": {
    status: 502,
    passing: true,
    message: "The model server could not be reached or gave an answer that cannot be read.",
  },
  "upstream-overloaded": { status: 503, passing: true, message: "The model server is overloaded." },
  "upstream-timeout": { status: 504, passing: true, message: "The model server did not answer in time." },
  "loop-detected": { status: 508, lasting: true },
  internal: { status: 500, message: "The gateway failed to handle this request." },
};

/** Whose limit it is, and of what. */
const OWN_LIMITS: { readonly [L in OwnLimit]: string } = {
  "requests-per-minute": "Rate limit reached: too many requests in this minute.",
  "concurrent-requests": "Rate limit reached: too many requests are under way.",
  failures: "Rate limit reached: too many requests without a valid API key came from here.",
};

/** @param describeOverflow the wire's own words for a conversation that does not fit */
export function describeFailure(error: GatewayError, describeOverflow: (numbers: ContextOverflow) => string): Failure {
  return {
    status: ROWS[error.kind].status,
    message: error.kind === "context-length" ? describeOverflow(error) : messageOf(error),
    headers: headersOf(error),
  };
}

function messageOf(error: Exclude<GatewayError, { kind: "context-length" }>): string {
  if ("message" in error) return error.message;
  if (error.kind !== "unknown-model") {
    const { message: own, passing }: Row & { message: string } = ROWS[error.kind];
    const message = "limit" in error && error.limit !== undefined ? OWN_LIMITS[error.limit] : own;
    return passing && !isLasting(error) ? `${message} Please try again ${whenOf(error)}.` : message;
  }
  return `The model \`${error.model}\` does not exist or you do not have access to it.`;
}

/** Codex reads the seconds out of the words. */
function whenOf(error: GatewayError): string {
  const seconds = secondsOf(error);
  return seconds === undefined ? "later" : `in ${seconds}s`;
}

function secondsOf(error: GatewayError): number | undefined {
  return "retryAfter" in error && error.retryAfter !== undefined ? Math.ceil(error.retryAfter) : undefined;
}

function isLasting(error: GatewayError): boolean {
  const { lasting }: Row = ROWS[error.kind];
  return lasting === true || ("lasting" in error && error.lasting === true);
}

function headersOf(error: GatewayError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (isLasting(error)) headers["x-should-retry"] = "false";
  if (error.kind === "wrong-method") headers.allow = error.allow;
  if (error.kind === "revision-conflict" && error.current > 0) headers.etag = etagOf(error.current);
  if (error.kind === "unauthorized") headers["www-authenticate"] = "Bearer";
  const seconds = secondsOf(error);
  if (seconds !== undefined) headers["retry-after"] = String(seconds);
  return headers;
}

/** A revision of a record, as HTTP names it. */
export function etagOf(rev: number): string {
  return `"${rev}"`;
}
