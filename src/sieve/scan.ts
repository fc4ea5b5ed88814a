/**
 * Eats characters until it has decided. Scans are the only code that sees where a chunk ends: each keeps its place, so
 * whatever is built on them gives the same result for every chunking.
 */
export interface Scan {
  /** Eats from `s[at]` and returns the index behind the last character eaten. */
  eat(s: string, at: number): number;
  /** The reply has ended: decides with what it holds. */
  finish(): void;
  readonly done: boolean;
  /** Eaten, but beyond the decision: the token that did not fit. Its length is bounded by a cap of `limits.ts`. */
  readonly back: string;
  /** Characters held until it has decided. */
  readonly held: number;
  /** Characters looked at, those looked at twice counted twice (sieve.md P5). */
  looks: number;
}

/** A grammar is a coroutine: it yields the scan it wants run next and so reads like the notation it describes. */
export type Grammar = Generator<Scan, Verdict, void>;

/**
 * - `misfit`: not this notation; scanning goes on at the token that did not fit (sieve.md A6).
 * - `broken`: this notation, but no call in it; the block is text as a whole.
 * - `accepted`: the block's own end was seen.
 * - `unclosed`: the block ended behind a good call; the token behind it goes back.
 */
export type Verdict = "misfit" | "broken" | "accepted" | "unclosed";

/** Space, tab, CR, LF: what `sieve.md` calls blank. */
export function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** What may stand behind the name of a tag: a blank, `/` or `>`. Anything else makes it another name (sieve.md A7). */
export function endsTagName(code: number): boolean {
  return code === 62 || code === 47 || isBlank(code);
}

/** Tag and attribute names are compared without regard to ASCII case (sieve.md G1); other letters are never folded. */
export function foldAscii(code: number): number {
  return code >= 65 && code <= 90 ? code | 32 : code;
}

export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
