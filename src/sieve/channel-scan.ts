import type { Engine } from "./engine.ts";
import { Matcher } from "./matcher.ts";
import type { Scan } from "./scan.ts";
import type { Triggers } from "./triggers.ts";

/**
 * Reasoning that is marked inside the text: hands everything to that channel's own engine up to its closer, which
 * counts wherever it stands (sieve.md A4).
 */
export class ChannelScan implements Scan {
  readonly again = 0;
  readonly back = "";
  done = false;
  readonly #ends: Triggers<true>;
  readonly #matcher: Matcher<true>;
  readonly #engine: Engine;

  constructor(ends: Triggers<true>, engine: Engine) {
    this.#ends = ends;
    this.#matcher = new Matcher(ends);
    this.#engine = engine;
  }

  get held(): number {
    return this.#matcher.held.length + this.#engine.held;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) {
      if (this.#matcher.held === "") {
        const to = this.#ends.skip(s, i);
        this.#engine.push(s.slice(i, to));
        i = to;
        if (i === s.length) break;
      }
      this.#engine.push(this.#matcher.step(s.charCodeAt(i++)));
      this.done = this.#matcher.hit !== undefined;
    }
    if (this.done) this.#engine.leave();
    return i;
  }

  finish() {
    this.#engine.push(this.#matcher.take());
    this.done = true;
  }
}
