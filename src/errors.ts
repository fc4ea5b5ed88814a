/**
 * Every way in which an exchange can fail, as one tagged union. `protocols/failure.ts` maps it exhaustively to what is the
 * same on every wire, `protocols/<name>/errors.ts` to the wire's own body; `detail` is for the log alone and never reaches
 * a client.
 */
export type GatewayError =
  /** Malformed JSON, a wrong type, a missing field. `param` names the field in the client's own spelling. */
  | { kind: "invalid-request"; message: string; param?: string }
  | { kind: "unsupported"; what: "parameter" | "value"; message: string; param: string }
  | { kind: "unauthorized"; message: string }
  | { kind: "unknown-path"; message: string }
  | { kind: "wrong-method"; message: string; allow: string }
  | { kind: "unknown-model"; model: string; detail?: string }
  | { kind: "too-large"; message: string }
  /** A change that does not say which revision it changes. */
  | { kind: "revision-required"; message: string }
  /** Somebody has changed it meanwhile. `current`: the revision that there is; 0: none. */
  | { kind: "revision-conflict"; message: string; current: number }
  /** What may belong to one alone belongs to another. */
  | { kind: "taken"; message: string }
  | { kind: "unsupported-encoding"; message: string }
  /** No upstream, no key: the operator has to act; a retry cannot help. */
  | { kind: "not-configured"; message: string }
  | { kind: "config-invalid"; message: string; detail?: string }
  /** Tenants, keys or budgets cannot be read at the moment, so nobody can be let in. */
  | { kind: "store-failed"; detail?: string }
  /** The conversation does not fit; the numbers where the upstream tells them. Each wire has words that agents act on. */
  | ({ kind: "context-length" } & ContextOverflow)
  /** Nothing is stored here that has this id. */
  | { kind: "unknown-response"; message: string }
  /** A request builds on what was said earlier and is to be stored here: without it the conversation would be another one. */
  | { kind: "conversation-not-stored"; message: string; param: string }
  /** `limit`: which one of the gateway's own; absent: the upstream's. `retryAfter` in seconds. */
  | { kind: "rate-limited"; limit?: OwnLimit; retryAfter?: number; detail?: string }
  /** The isolate holds as much as it can of other requests. */
  | { kind: "gateway-busy"; retryAfter: number }
  | { kind: "quota-exhausted"; detail?: string }
  /** Tokens that an operator lets be used in a day. */
  | { kind: "over-budget"; message: string; retryAfter: number }
  /** The upstream refused the request as such (400, 413, 422). */
  | { kind: "upstream-rejected"; detail?: string }
  /**
   * Unreachable, 5xx, its key refused, its model missing, an answer that cannot be read, a cut stream. `lasting`: it
   * stays so until the operator acts.
   */
  | { kind: "upstream-failed"; lasting?: true; detail?: string }
  | { kind: "upstream-overloaded"; retryAfter?: number; detail?: string }
  | { kind: "upstream-timeout"; detail?: string }
  | { kind: "loop-detected"; message: string }
  | { kind: "internal"; detail?: string };

export type OwnLimit = "requests-per-minute" | "concurrent-requests" | "failures";

/** Tokens. */
export interface ContextOverflow {
  /** All that the model can hold. */
  limit?: number;
  /** Of the prompt, or of everything asked for where `output` is not told. */
  used?: number;
  /** Asked for as the answer's maximum, besides the prompt. */
  output?: number;
}

/** Carries a `GatewayError` up to where the protocol renders it. */
export class GatewayFailure extends Error {
  readonly error: GatewayError;

  constructor(error: GatewayError) {
    super(error.kind);
    this.name = "GatewayFailure";
    this.error = error;
  }
}

/** Up to the nearest place that tells failures: `app.ts` before the first byte, the pump behind it. */
export function fail(error: GatewayError): never {
  throw new GatewayFailure(error);
}

/** What a thrown value is, seen from outside: ours as it is, everything else an internal fault. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayFailure) return thrown.error;
  return { kind: "internal", detail: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
}
