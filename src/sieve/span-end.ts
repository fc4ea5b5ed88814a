import { SIEVE_LIMITS } from "../limits.ts";
import { BACKTICK, CARRIAGE_RETURN, LINE_FEED } from "./characters.ts";
import type { OpenRuns } from "./open-runs.ts";
import type { Scan } from "./scan.ts";

/**
 * Behind a block that began inside open backtick runs: looks for a run that closes one of them before the line ends,
 * which makes the block code and not a call (sieve.md A2). All that it eats goes back; so with many short blocks on one
 * line a character may be looked at as often as blocks fit into the cap.
 */
export class SpanEnd implements Scan {
  readonly again = 0;
  done = false;
  back = "";
  closed = false;
  readonly #open: OpenRuns;
  #run = 0;
  #length = 0;

  constructor(open: OpenRuns) {
    this.#open = open;
  }

  get held(): number {
    return this.back.length;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) this.#step(s.charCodeAt(i++));
    this.back += s.slice(at, i);
    return i;
  }

  /** Looks at what was read before and does not go back. */
  pass(text: string) {
    this.eat(text, 0);
    this.back = "";
  }

  finish() {
    this.#runEnds();
    this.done = true;
  }

  #step(code: number) {
    this.#length += 1;
    if (code === BACKTICK) this.#run += 1;
    else {
      this.#runEnds();
      if (code === LINE_FEED || code === CARRIAGE_RETURN) this.done = true;
    }
    // A run that has begun within the cap is read on, as long as it can still be one that stands open.
    const inRun = this.#run > 0 && this.#run <= this.#open.longest;
    if (this.#length >= SIEVE_LIMITS.codeSpan && !inRun) this.done = true;
  }

  #runEnds() {
    if (this.#run > 0 && this.#open.has(this.#run)) this.closed = this.done = true;
    this.#run = 0;
  }
}
