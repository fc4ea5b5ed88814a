import type { Engine } from "./engine.ts";
import { LongestMatch } from "./matcher.ts";
import type { Scan } from "./scan.ts";
import type { Triggers } from "./triggers.ts";

/** A mark that ends reasoning. */
export interface ChannelEnd {
  /** Some notation closes its calls with it, too. */
  readonly closesCalls: boolean;
}

/**
 * Reasoning that is marked inside the text: hands everything to that channel's own engine up to its closer, which
 * counts wherever it stands, but in a call that has suspended the channel (sieve.md A4).
 */
export class ChannelScan implements Scan {
  again = 0;
  back = "";
  done = false;
  /** The head of another channel has ended it, and what follows is said. */
  beginsVisible = false;
  readonly #ends: Triggers<ChannelEnd>;
  readonly #matcher: LongestMatch<ChannelEnd>;
  readonly #engine: Engine;

  constructor(ends: Triggers<ChannelEnd>, engine: Engine) {
    this.#ends = ends;
    this.#matcher = new LongestMatch(ends);
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
        if (this.#push(s.slice(i, to))) return to;
        i = to;
        if (i === s.length) break;
      }
      const code = s.charCodeAt(i);
      if (this.#matcher.endsBefore(code)) this.#found();
      else this.#step(s.charCodeAt(i++));
    }
    return i;
  }

  finish() {
    if (this.done) return;
    if (this.#matcher.endsBefore()) this.#found();
    if (this.done || this.#push(this.#matcher.take())) return;
    this.#engine.end();
    this.#takeLeft("");
    this.done = true;
  }

  #step(code: number) {
    if (this.#push(this.#matcher.step(code))) return;
    const { hit } = this.#matcher;
    if (hit) this.#matcher.find(hit);
    if (this.#matcher.complete) this.#found();
  }

  #found() {
    const found = this.#matcher.takeFound();
    if (!found) return;
    const { meaning, before, matched, back } = found;
    if (this.#push(before)) {
      this.back += matched + back;
      return;
    }
    if (this.#engine.passEnd(matched, meaning.closesCalls)) {
      if (!this.#takeLeft(back)) this.#again(back);
      return;
    }
    this.#engine.leave();
    if (this.#takeLeft(matched + back)) return;
    this.back = back;
    this.done = true;
  }

  /** Hands reasoning on; true when it has ended in it. */
  #push(piece: string): boolean {
    const read = this.#engine.push(piece);
    return this.#takeLeft(piece.slice(read));
  }

  /** Whether the channel has ended in what the engine has read. @param unread what came behind that, the held text apart */
  #takeLeft(unread: string): boolean {
    const left = this.#engine.takeLeft();
    if (!left) return false;
    this.beginsVisible = left.visible;
    this.#engine.leave();
    this.back = left.text + unread + this.#matcher.take();
    this.done = true;
    return true;
  }

  /** What stood behind a mark that means nothing here may hold another one. */
  #again(rest: string) {
    let i = 0;
    while (i < rest.length && !this.done) this.#step(rest.charCodeAt(i++));
    this.again += rest.length;
    this.back += rest.slice(i);
  }
}
