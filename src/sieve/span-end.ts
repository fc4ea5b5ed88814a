import { SIEVE_LIMITS } from "../limits.ts";
import type { Scan } from "./scan.ts";

const BACKTICK = 96;

/**
 * Behind a block that began inside open backtick runs: looks for a run that closes one of them before the line ends,
 * which makes the block code and not a call (sieve.md A2). All that it eats goes back.
 */
export class SpanEnd implements Scan {
  looks = 0;
  done = false;
  back = "";
  closed = false;
  readonly #open: ReadonlySet<number>;
  #run = 0;
  #length = 0;

  constructor(open: ReadonlySet<number>) {
    this.#open = open;
  }

  get held(): number {
    return this.back.length;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) this.#step(s.charCodeAt(i++));
    this.looks += i - at;
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
      if (code === 10 || code === 13) this.done = true;
    }
    // A run that has begun within the cap is still read to its end.
    if (this.#length >= SIEVE_LIMITS.codeSpan && this.#run === 0) this.done = true;
  }

  #runEnds() {
    if (this.#run > 0 && this.#open.has(this.#run)) this.closed = this.done = true;
    this.#run = 0;
  }
}
