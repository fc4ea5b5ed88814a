import type { Engine } from "./engine.ts";
import { Matcher } from "./matcher.ts";
import { mark, type ReasoningMarks } from "./notation.ts";
import type { Scan } from "./scan.ts";
import { Triggers } from "./triggers.ts";

/** A closer, and what has to follow it and goes back. */
export interface ChannelEnd {
  readonly closer: string;
  readonly ahead: string;
}

export function compileChannelEnds(all: readonly ReasoningMarks[]): Triggers<ChannelEnd> {
  const ends = all.flatMap(({ close, before = [""] }) => before.map((ahead) => ({ closer: close, ahead })));
  const spelled = new Map(ends.map((end) => [`${end.closer}${end.ahead}`.toLowerCase(), end]));
  return new Triggers([...spelled].map(([spelling, meaning]) => ({ ...mark(spelling), meaning })));
}

/**
 * Reasoning that is marked inside the text: hands everything to that channel's own engine up to its closer, which
 * counts wherever it stands (sieve.md A4).
 */
export class ChannelScan implements Scan {
  readonly again = 0;
  back = "";
  done = false;
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
      if (hit) this.#end(hit);
    }
    return i;
  }

  finish() {
    this.#engine.push(this.#matcher.take());
    this.done = true;
  }

  #end({ closer, ahead }: ChannelEnd) {
    const held = this.#matcher.take();
    const stays = held.length - ahead.length;
    this.#engine.push(held.slice(0, stays - closer.length));
    this.#engine.leave();
    this.back = held.slice(stays);
    this.done = true;
  }
}
