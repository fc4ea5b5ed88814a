import type { Engine } from "./engine.ts";
import { Matcher } from "./matcher.ts";
import type { ChannelEnd, Opening } from "./notation.ts";
import type { Scan } from "./scan.ts";
import type { Triggers } from "./triggers.ts";

interface FoundEnd {
  readonly end: ChannelEnd;
  readonly length: number;
}

/**
 * Reasoning that is marked inside the text: hands everything to that channel's own engine up to its closer, which
 * counts wherever it stands, or to an opener that suspends it (sieve.md A4).
 */
export class ChannelScan implements Scan {
  again = 0;
  back = "";
  done = false;
  /** What has interrupted the channel, and how it was written. */
  suspendedBy: { readonly opening: Opening; readonly matched: string } | undefined;
  readonly #ends: Triggers<ChannelEnd>;
  readonly #matcher: Matcher<ChannelEnd>;
  readonly #engine: Engine;
  /** What the held text begins with is an end, but a longer one may begin with it, too: that one counts. */
  #shorter: FoundEnd | undefined;

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
      const code = s.charCodeAt(i);
      if (this.#shorter && !this.#matcher.goesOn(code)) this.#found(this.#shorter);
      else this.#step(s.charCodeAt(i++));
    }
    return i;
  }

  finish() {
    if (this.done) return;
    if (this.#shorter) this.#found(this.#shorter);
    this.#engine.push(this.#matcher.take());
    this.done = true;
  }

  #step(code: number) {
    this.#engine.push(this.#matcher.step(code));
    const { hit, held, extends: goesOn } = this.#matcher;
    if (!hit) return;
    const found = { end: hit, length: held.length };
    if (goesOn) this.#shorter = found;
    else this.#found(found);
  }

  #found({ end, length }: FoundEnd) {
    const held = this.#matcher.take();
    const matched = held.slice(0, length);
    const rest = held.slice(length);
    this.#shorter = undefined;
    if (end.does === "suspends" && !this.#engine.mayOpen) {
      this.#engine.push(matched);
      return this.#again(rest);
    }
    if (end.does === "suspends") this.suspendedBy = { opening: end.opening, matched };
    this.#engine.leave();
    this.back = rest;
    this.done = true;
  }

  /** What stood behind a mark that means nothing here may hold another one. */
  #again(rest: string) {
    let i = 0;
    while (i < rest.length && !this.done) this.#step(rest.charCodeAt(i++));
    this.again += rest.length;
    this.back += rest.slice(i);
  }
}
