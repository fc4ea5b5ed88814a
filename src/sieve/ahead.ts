import { Feed } from "./feed.ts";
import type { Part, Scan } from "./scan.ts";

/** A name, a key, and the blanks around them. */
const MOST_AHEAD = 512;

/** Lets a part of a grammar look at what comes: all that it has read goes back. */
export class Ahead<T> implements Scan {
  done = false;
  back = "";
  readonly #feed: Feed<T>;

  constructor(part: Part<T>) {
    this.#feed = new Feed(part);
  }

  /** What the part found; undefined where it did not come to its end within the cap. */
  get result(): T | undefined {
    return this.#feed.result;
  }

  get held(): number {
    return this.back.length;
  }

  get again(): number {
    return this.#feed.looks - this.back.length;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) {
      const character = s.charAt(i++);
      this.back += character;
      this.#feed.text(character);
      this.done = this.#feed.result !== undefined || this.back.length >= MOST_AHEAD;
    }
    return i;
  }

  finish() {
    this.#feed.close();
    this.done = true;
  }
}
