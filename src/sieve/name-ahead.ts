import { NameScan } from "./name-scan.ts";
import { type Heads, OneOf } from "./one-of.ts";
import type { Scan } from "./scan.ts";

/** A name, what stands behind it, and the blanks around it. */
const MOST_AHEAD = 512;

/** Looks whether a name stands next and what stands behind that. All that it has read goes back. */
export class NameAhead implements Scan {
  readonly again = 0;
  done = false;
  back = "";
  readonly #name = new NameScan("tool", { skipsBlanks: true });
  readonly #next: OneOf;

  constructor(behind: Heads) {
    this.#next = new OneOf(behind);
  }

  /** Empty where none stands there. */
  get name(): string {
    return this.#name.name;
  }

  /** What was found behind the name. */
  get found(): string | undefined {
    return this.#next.found;
  }

  get held(): number {
    return this.back.length;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) this.#step(s.charAt(i++));
    return i;
  }

  finish() {
    this.#name.finish();
    this.#next.finish();
    this.done = true;
  }

  #step(character: string) {
    this.back += character;
    if (this.#name.done) this.#next.eat(character, 0);
    else {
      this.#name.eat(character, 0);
      if (this.#name.done) this.#next.eat(this.#name.back, 0);
    }
    const noName = this.#name.done && this.name === "";
    this.done = noName || this.#next.done || this.back.length >= MOST_AHEAD;
  }
}
