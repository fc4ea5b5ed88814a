import { fail } from "../errors.ts";
import { UPSTREAM_LIMITS } from "../limits.ts";
import { retryAfterSeconds } from "./retry-after.ts";

/** Counts the gateways that a request has passed, so that two of them pointing at each other come to an end. */
export const HOPS_HEADER = "x-toolsieve-hops";

/** How long at most the retry waits where the upstream asked for nothing, in milliseconds. */
const OWN_WAIT = 250;

export interface EgressRequest {
  method: "GET" | "POST";
  url: string;
  apiKey?: string;
  accept: string;
  /** JSON. */
  body?: string;
  /** Until the headers of the answer are there, a retry included; in milliseconds. */
  headersTimeoutMs: number;
}

/** The one way out: nothing else calls `fetch`. One serves one client's request at one upstream, and tries one thing again at most. */
export interface Egress {
  /**
   * The answer whatever its status, as soon as its headers are there; `signal` goes on to rule its body.
   * @throws GatewayFailure `upstream-timeout`, `upstream-failed`, what `checkAddress` throws; the signal's reason when it was aborted
   */
  send(request: EgressRequest, signal: AbortSignal): Promise<Response>;
  /** Whether the caller may ask once more for a reason of its own; whoever is told so has had the one retry. */
  takeRetry(reason: RetryReason): boolean;
  /** Milliseconds that are left for the whole answer. */
  left(): number;
  /** Requests that have gone out so far. */
  readonly requests: number;
  /** What the one retry was for, if it was needed. */
  readonly retried: RetryReason | undefined;
}

export type RetryReason =
  /** The upstream turned the request away at the door. */
  | "upstream-busy"
  /** It refused a field. */
  | "field-dropped"
  /** It refused tools in its own form. */
  | "tools-refused"
  /** It refused what was to force a call. */
  | "force-refused";

export interface EgressOptions {
  /** How many gateways the client's request has passed. */
  hops: number;
  /** Throws for an address that must not be asked. There is one only where whoever is served may have named the address. */
  checkAddress?: ((url: string) => void) | undefined;
  /** Milliseconds from now on in which all has to be over; without it there is no such limit. */
  totalMs?: number;
  fetch?: typeof fetch;
}

export function createEgress({
  hops,
  checkAddress,
  totalMs = Number.POSITIVE_INFINITY,
  fetch = globalThis.fetch,
}: EgressOptions): Egress {
  const until = Date.now() + totalMs;
  const left = () => until - Date.now();
  let requests = 0;
  let retried: RetryReason | undefined;

  return {
    async send(request, signal) {
      checkAddress?.(request.url);
      const headersMs = Math.min(request.headersTimeoutMs, left());
      // Nobody would wait for the answer, and it may cost all the same.
      if (headersMs <= 0) fail({ kind: "upstream-timeout", detail: "no time is left" });
      const deadline = new AbortController();
      // Not AbortSignal.timeout: it cannot be called off, and would cut the body of an answer that came in time.
      const timer = setTimeout(() => deadline.abort(), headersMs);
      const either = AbortSignal.any([signal, deadline.signal]);
      const call = () => {
        requests += 1;
        return fetch(request.url, buildCall(request, hops, either));
      };

      try {
        let outcome = await attempt(call, either);
        const wait = retried ? undefined : retryWait(outcome);
        if (wait !== undefined) {
          retried = "upstream-busy";
          if (outcome instanceof Response) outcome.body?.cancel().catch(() => {});
          await pause(wait, either);
          outcome = await attempt(call, either);
        }
        if (outcome instanceof Response) return outcome;
        fail({ kind: "upstream-failed", detail: `unreachable: ${outcome.message}` });
      } catch (thrown) {
        signal.throwIfAborted();
        if (!deadline.signal.aborted) throw thrown;
        fail({ kind: "upstream-timeout", detail: `no status for ${headersMs} ms` });
      } finally {
        clearTimeout(timer);
      }
    },
    takeRetry(reason) {
      const may = retried === undefined;
      retried ??= reason;
      return may;
    },
    left,
    get requests() {
      return requests;
    },
    get retried() {
      return retried;
    },
  };
}

/**
 * The answer, or why there is none.
 * @throws the signal's reason when it is aborted
 */
async function attempt(call: () => Promise<Response>, signal: AbortSignal): Promise<Response | Error> {
  try {
    return await call();
  } catch (thrown) {
    signal.throwIfAborted();
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  }
}

function buildCall(request: EgressRequest, hops: number, signal: AbortSignal): RequestInit {
  return {
    method: request.method,
    headers: buildHeaders(request, hops),
    ...(request.body !== undefined && { body: request.body }),
    // A redirect would carry the key and the prompt to a host that nobody configured.
    redirect: "manual",
    signal,
  };
}

/** From scratch: no header of the client's ever goes upstream. */
function buildHeaders(request: EgressRequest, hops: number): Headers {
  const headers = new Headers({
    accept: request.accept,
    // A compressed answer could unfold to any size behind the caps.
    "accept-encoding": "identity",
    [HOPS_HEADER]: String(hops + 1),
  });
  if (request.body !== undefined) headers.set("content-type", "application/json");
  if (request.apiKey !== undefined) headers.set("authorization", `Bearer ${request.apiKey}`);
  return headers;
}

/**
 * Milliseconds until the one retry, or undefined when there is none. Tried again is what rarely did any work: a
 * connection that was not made, and what turns requests away at the door (429, 502, 503), unless it asks for a longer
 * wait. A time-out or a 504 may have cost the whole answer already, and a 500 will mostly come again.
 */
function retryWait(outcome: Response | Error): number | undefined {
  const ownWait = OWN_WAIT * (0.5 + Math.random() / 2);
  if (!(outcome instanceof Response)) return ownWait;
  if (![429, 502, 503].includes(outcome.status)) return undefined;
  const asked = retryAfterSeconds(outcome.headers);
  // A rate limit that names no end would only be hit again.
  if (asked === undefined) return outcome.status === 429 ? undefined : ownWait;
  return asked * 1000 <= UPSTREAM_LIMITS.retryWait ? asked * 1000 : undefined;
}

/** @throws the signal's reason when it is aborted meanwhile */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
  });
}
