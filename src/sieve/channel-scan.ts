import type { Engine } from "./engine.ts";
import { Matcher } from "./matcher.ts";
import type { ChannelEnd, Opening } from "./notation.ts";
import type { Scan } from "./scan.ts";
import type { Triggers } from "./triggers.ts";

/**
 * Reasoning that is marked inside the text: hands everything to that channel's own engine up to its closer, which
 * counts wherever it stands, or to an opener that suspends it (sieve.md A4).
 */
export class ChannelScan implements Scan {
  readonly again = 0;
  back = "";
  done = false;
  /** What has interrupted the channel, and how it was written. */
  suspendedBy: { readonly opening: Opening; readonly matched: string } | undefined;
  readonly #ends: Triggers<ChannelEnd>;
  readonly #matcher: Matcher<ChannelEnd>;
  readonly #engine: Engine;

  constructor(ends: Triggers<ChannelEnd>, engine: Engine) {
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
      const { hit } = this.#matcher;
      if (hit) this.#ended(hit);
    }
    if (this.done) this.#engine.leave();
    return i;
  }

  finish() {
    this.#engine.push(this.#matcher.take());
    this.done = true;
  }

  #ended(end: ChannelEnd) {
    const matched = this.#matcher.take();
    if (end.does === "suspends") {
      if (!this.#engine.mayOpen) return this.#engine.push(matched);
      this.suspendedBy = { opening: end.opening, matched };
    }
    this.done = true;
  }
}
