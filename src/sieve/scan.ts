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
  /** What it reads is data of a call: it means nothing outside, such as the end of a code span (sieve.md A2). */
  readonly data?: boolean;
  /** Characters held until it has decided. */
  readonly held: number;
  /** Characters of held tokens that it has looked at once more than it has eaten them (sieve.md P5). */
  readonly again: number;
}

/** A grammar is a coroutine: it yields the scan it wants run next and so reads like the notation it describes. */
export type Grammar = Generator<Scan, Verdict, void>;

/** A part of a grammar: yields scans, returns what it found. */
export type Part<T> = Generator<Scan, T, void>;

/**
 * - `misfit`: not this notation; scanning goes on at the token that did not fit (sieve.md A6).
 * - `data`: text, and so is the rest of the JSON object that it has begun, whatever that holds.
 * - `broken`: this notation, but no call in it; the block is text as a whole.
 * - `cut`: the reply ended in it, and no call of it is complete (sieve.md T2).
 * - `accepted`: the block's own end was seen.
 * - `unclosed`: the block ended behind a good call; the token behind it goes back.
 * - `surplus`: a closer without its opener (sieve.md W4).
 * - `reasoning`, `visible`: the head of a channel; what follows is reasoning, or is said (A4).
 */
export type Verdict =
  | "misfit"
  | "data"
  | "broken"
  | "cut"
  | "accepted"
  | "unclosed"
  | "surplus"
  | "reasoning"
  | "visible";
