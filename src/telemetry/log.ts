import type { GatewayError } from "../errors.ts";
import type { Deed } from "../tenants/audit.ts";
import type { ReplyReport } from "./reply-report.ts";

/** Whose a request is, in the operator's own words. */
export interface Asker {
  /** Absent: the gateway's own. */
  tenant?: string | undefined;
  /** The id of a tenant's key, or how the hash of the gateway's own begins; absent where none was asked for, or taken. */
  key?: string | undefined;
}

export interface Failure extends Asker {
  requestId: string;
  /** The pattern of the path, never the path: it may hold a key. */
  route: string;
  /** Told to the client; 200 when the failure came behind it. */
  status: number;
  error: GatewayError;
}

/** Characters of a detail that are worth keeping: of the stack of a fault of our own, of somebody else's words. */
const STACK = 2_000;
const WORDS = 400;

/**
 * Writes one line of JSON about a failure. Its fields are closed and its words our own, but for `detail`: that is the
 * only foreign text, and goes through `redact`.
 *
 * @param secrets what must not stand in the log in whatever form an upstream repeats it, such as its key
 */
export function logFailure(
  { requestId, tenant, key, route, status, error }: Failure,
  secrets: readonly string[],
): void {
  write({
    level: status >= 500 || status === 200 ? "error" : "warn",
    event: "request_failed",
    request_id: requestId,
    tenant,
    key,
    route,
    status,
    ...reason(error, secrets),
  });
}

/** A client's own mistakes are for it to read; a detail is what it is not told. */
export function logIfOurs(failure: Failure, secrets: readonly string[]): void {
  if (failure.status >= 500 || "detail" in failure.error) logFailure(failure, secrets);
}

/** One of several upstreams has failed. `place`: 0 is the first one. */
export function logUpstreamFailure(
  { requestId, tenant, key, route, place, error }: Omit<Failure, "status"> & { place: number },
  secrets: readonly string[],
): void {
  const whose = { request_id: requestId, tenant, key, route };
  write({ level: "warn", event: "upstream_failed", ...whose, place, ...reason(error, secrets) });
}

function reason(error: GatewayError, secrets: readonly string[]): object {
  const detail = "detail" in error && error.detail !== undefined ? redact(error.detail, secrets) : undefined;
  return {
    kind: error.kind,
    ...("message" in error && { message: error.message }),
    // Only now: a cut before could leave half a key, or a quote without its end.
    ...(detail !== undefined && { detail: detail.slice(0, error.kind === "internal" ? STACK : WORDS) }),
  };
}

/** Fields of a request that the upstream has refused, and that it is not sent any more for a while; their names are ours. */
export function logDropped({
  requestId,
  tenant,
  key,
  route,
  fields,
}: Omit<Failure, "status" | "error"> & { fields: readonly string[] }): void {
  write({ level: "warn", event: "fields_dropped", request_id: requestId, tenant, key, route, fields });
}

/**
 * Of budgets: that half, four fifths, all of one has been used, once a day each; or that they could not be asked, and the request
 * was served all the same.
 */
export function logBudget({ requestId, ...news }: BudgetLine): void {
  write({ level: "warn", event: "budget", request_id: requestId, ...news });
}

interface BudgetLine extends Pick<Failure, "requestId"> {
  /** Absent: it is the gateway's own. */
  tenant: string | undefined;
  /** Id of the key that the budget is of. */
  key?: string;
  /** Percent. */
  share?: number;
  failure?: "unchecked" | "unsettled";
}

/** What an operator has done, where it could not be written down elsewhere; names and revisions alone. */
export function logUnaudited(deed: Deed): void {
  write({ level: "error", event: "audit_failed", ...deed });
}

/** The tenant's object could not be told of a reply, or of a failure: it is missing in its counts. */
export function logUncounted({ requestId, tenant }: Pick<Failure, "requestId" | "tenant">): void {
  write({ level: "warn", event: "uncounted", request_id: requestId, tenant });
}

/** The points of a reply could not be written to Analytics Engine. */
export function logUnwritten(requestId: string): void {
  write({ level: "warn", event: "points_lost", request_id: requestId });
}

/** One line on each reply. What is empty, 0 or false is left out, so that a plain reply is a short line. */
export function logReply(report: ReplyReport): void {
  write({ level: "info", event: "reply", ...(inLogSpelling(report) as object) });
}

/** The same in the log's spelling, without what says nothing. */
export function inLogSpelling(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(inLogSpelling);
  if (typeof value !== "object" || value === null) return value === 0 || value === false ? undefined : value;
  const members = Object.entries(value).map(([name, member]) => [snakeCase(name), inLogSpelling(member)] as const);
  const rest = members.filter(([, member]) => member !== undefined);
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** Repairs and error kinds are written with dashes, and stay as they are. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * What stands in quotes was mostly quoted from a body or an answer: by JSON.parse what it could not read, by an
 * upstream's validation (JSON or Python literals) the prompt. A quote without an end is one to the end. An apostrophe
 * is none: it stands behind or before a letter.
 */
const QUOTED = /"(?:[^"\\]|\\.?)*(?:"|$)|(?<!\w)b?'(?:[^'\\]|\\.?|'(?=\w))*(?:'|$)/gs;
const CREDENTIALS = /\/\/[^\s/@]+@/g;
/**
 * A prefix such as `sk-` with a secret behind it, shown in part or not; a bearer token; 32 characters of one piece.
 * Several words are a code, such as `rate_limit_exceeded`.
 */
const KEY = /\b(?:bearer\s+\S+|[a-z]{2,5}[-_](?![a-z]+(?:_[a-z]+)+\b)[\w*-]{12,}|[\w*-]{32,})/gi;

function redact(detail: string, secrets: readonly string[]): string {
  let text = detail;
  for (const secret of secrets) text = withoutParts(text, secret);
  return text.replace(QUOTED, '"…"').replace(CREDENTIALS, "//[redacted]@").replace(KEY, "[redacted]");
}

/** Characters of a secret from which on a part of it is one, too: servers repeat the end of a key, or its beginning. */
const PART = 8;

function withoutParts(text: string, secret: string): string {
  const least = Math.min(PART, secret.length);
  let told = "";
  let at = 0;
  while (at < text.length) {
    let end = at + least;
    const found = end <= text.length && secret.includes(text.slice(at, end));
    while (found && end < text.length && secret.includes(text.slice(at, end + 1))) end += 1;
    told += found ? "[redacted]" : text.charAt(at);
    at = found ? end : at + 1;
  }
  return told;
}

function write(record: Record<string, unknown>): void {
  // biome-ignore lint/suspicious/noConsole: the one place that writes to the log
  console.log(JSON.stringify(record));
}
