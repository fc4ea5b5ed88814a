import type { Part, Scan } from "./scan.ts";
import type { Sink } from "./values/sinks.ts";

/**
 * Runs a part of a grammar on text that is none of the reply as it stands, such as the contents of a string that holds
 * JSON once more: the same grammar reads it, as it comes.
 */
export class Feed<T> implements Sink {
  readonly full = false;
  /** What the part found; undefined as long as it has not. */
  result: T | undefined;
  readonly #part: Part<T>;
  #scan: Scan | undefined;
  #looks = 0;

  constructor(part: Part<T>) {
    this.#part = part;
    this.#advance();
  }

  get held(): number {
    return this.#scan?.held ?? 0;
  }

  /** Characters looked at, those looked at twice counted twice (sieve.md P5). */
  get looks(): number {
    return this.#looks + (this.#scan?.again ?? 0);
  }

  text(piece: string) {
    let at = 0;
    while (this.#scan && at < piece.length) {
      const scan = this.#scan;
      const from = at;
      at = scan.eat(piece, from);
      this.#looks += at - from;
      if (!scan.done) continue;
      this.#looks += scan.again;
      this.#advance();
      at = this.#giveBack(scan.back, at);
    }
  }

  /** The text is over: whatever is open decides with what it holds. */
  close() {
    while (this.#scan) {
      this.#scan.finish();
      this.#looks += this.#scan.again;
      this.#advance();
    }
  }

  /** By index where it lies in this piece; what lies before it is a piece of its own. */
  #giveBack(back: string, at: number): number {
    if (back.length <= at) return at - back.length;
    this.text(back.slice(0, back.length - at));
    return 0;
  }

  #advance() {
    const step = this.#part.next();
    this.#scan = step.done ? undefined : step.value;
    if (step.done) this.result = step.value;
  }
}

/** The same for a text that was held whole: nothing more of the reply is needed to read it. */
export class Held<T> implements Scan {
  readonly done = true;
  readonly back = "";
  readonly held = 0;
  readonly #feed: Feed<T>;

  constructor(text: string, part: Part<T>) {
    this.#feed = new Feed(part);
    this.#feed.text(text);
    this.#feed.close();
  }

  get result(): T | undefined {
    return this.#feed.result;
  }

  get again(): number {
    return this.#feed.looks;
  }

  eat(_: string, at: number): number {
    return at;
  }

  finish() {}
}
