import type { Engine } from "./engine.ts";
import { Matcher } from "./matcher.ts";
import type { Scan } from "./scan.ts";
import type { Triggers } from "./triggers.ts";

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
  readonly #ends: Triggers<true>;
  readonly #matcher: Matcher<true>;
  readonly #engine: Engine;
  /** Length of an end that the held text begins with, while a longer one may begin with it, too: that one counts. */
  #shorter: number | undefined;

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
        if (this.#push(s.slice(i, to))) return to;
        i = to;
        if (i === s.length) break;
      }
      const code = s.charCodeAt(i);
      if (this.#shorter !== undefined && !this.#matcher.goesOn(code)) this.#found(this.#shorter);
      else this.#step(s.charCodeAt(i++));
    }
    return i;
  }

  finish() {
    if (this.done) return;
    if (this.#shorter !== undefined) this.#found(this.#shorter);
    this.#engine.push(this.#matcher.take());
    this.done = true;
  }

  #step(code: number) {
    if (this.#push(this.#matcher.step(code))) return;
    const { hit, held, extends: goesOn } = this.#matcher;
    if (!hit) return;
    if (goesOn) this.#shorter = held.length;
    else this.#found(held.length);
  }

  #found(length: number) {
    const held = this.#matcher.take();
    const rest = held.slice(length);
    this.#shorter = undefined;
    if (this.#engine.isSuspended) {
      if (this.#push(held.slice(0, length))) this.back += rest;
      else this.#again(rest);
      return;
    }
    this.#leave(rest);
  }

  /** Hands reasoning on; true when a channel's head in it has ended the channel. */
  #push(piece: string): boolean {
    const read = this.#engine.push(piece);
    const left = this.#engine.takeLeft();
    if (left === undefined) return false;
    this.beginsVisible = true;
    this.#leave(left + piece.slice(read) + this.#matcher.take());
    return true;
  }

  #leave(back: string) {
    this.#engine.leave();
    this.back = back;
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
