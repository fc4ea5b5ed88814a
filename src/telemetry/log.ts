import type { GatewayError } from "../errors.ts";

export interface Failure {
  requestId: string;
  /** The pattern of the path, never the path: it may hold a key. */
  route: string;
  /** Told to the client; 200 when the failure came behind it. */
  status: number;
  error: GatewayError;
}

/** Characters of a detail that are worth keeping. */
const DETAIL = 2_000;

/**
 * Writes one line of JSON about a failure. Its fields are closed, so that no header, body or prompt can get in by
 * accident; `detail` is the only foreign text and goes through `redact`.
 *
 * @param secrets what must not stand in the log in whatever form an upstream repeats it, such as its key
 */
export function logFailure({ requestId, route, status, error }: Failure, secrets: readonly string[]): void {
  const detail = "detail" in error && error.detail !== undefined ? redact(error.detail, secrets) : undefined;
  write({
    level: status >= 500 || status === 200 ? "error" : "warn",
    event: "request_failed",
    request_id: requestId,
    route,
    status,
    kind: error.kind,
    ...("message" in error && { message: error.message }),
    // In the stack of a fault, what stands in quotes was quoted from a body or an answer.
    ...(detail !== undefined && { detail: error.kind === "internal" ? detail.replace(QUOTED, '"…"') : detail }),
  });
}

/** JSON.parse quotes what it could not read. */
const QUOTED = /"[^"]*"/g;
const CREDENTIALS = /\/\/[^\s/@]+@/g;
/** A prefix such as `sk-` with a secret behind it, a bearer token, or 32 characters of one piece. */
const KEY = /\b(?:bearer\s+\S+|[a-z]{2,5}[-_][\w-]{12,}|[\w-]{32,})/gi;

function redact(detail: string, secrets: readonly string[]): string {
  let text = detail.slice(0, DETAIL);
  for (const secret of secrets) text = text.replaceAll(secret, "[redacted]");
  return text.replace(CREDENTIALS, "//[redacted]@").replace(KEY, "[redacted]");
}

function write(record: Record<string, unknown>): void {
  // biome-ignore lint/suspicious/noConsole: the one place that writes to the log
  console.log(JSON.stringify(record));
}
