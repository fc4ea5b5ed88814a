import type { Engine } from "./engine.ts";
import type { Scan } from "./scan.ts";
import { Triggers } from "./triggers.ts";

/**
 * Reasoning that is marked inside the text: hands everything to that channel's own engine up to its closer, which
 * counts wherever it stands (sieve.md A4).
 */
export class ChannelScan implements Scan {
  looks = 0;
  done = false;
  readonly back = "";
  readonly #ends: Triggers<true>;
  readonly #engine: Engine;
  #state = Triggers.ROOT;
  #held = "";

  constructor(ends: Triggers<true>, engine: Engine) {
    this.#ends = ends;
    this.#engine = engine;
  }

  get held(): number {
    return this.#held.length + this.#engine.held;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) {
      this.#state = this.#ends.step(this.#state, s.charCodeAt(i++));
      this.done = this.#ends.hit(this.#state) !== undefined;
    }
    this.looks += i - at;
    this.#pass(s.slice(at, i), this.#ends.depth(this.#state));
    if (this.done) this.#engine.leave();
    return i;
  }

  finish() {
    this.#engine.push(this.#held);
    this.#held = "";
    this.done = true;
  }

  /** Passes on what was held and this piece, but for the last `keep` characters. */
  #pass(piece: string, keep: number) {
    const text = this.#held === "" ? piece : this.#held + piece;
    this.#engine.push(text.slice(0, text.length - keep));
    this.#held = text.slice(text.length - keep);
  }
}
