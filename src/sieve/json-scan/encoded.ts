import { Feed } from "../feed.ts";
import type { Part, Scan } from "../scan.ts";
import { JsonString } from "./string.ts";
import type { Quote } from "./token.ts";

/** A string from behind its opening quote on that holds a notation once more, which is read as it comes. */
export class Encoded<T> implements Scan {
  readonly data = true;
  readonly back = "";
  readonly #string: JsonString;
  readonly #feed: Feed<T>;

  constructor(quote: Quote, inside: Part<T>) {
    this.#feed = new Feed(inside);
    this.#string = new JsonString(quote, this.#feed);
  }

  /** The string's end was seen. */
  get ended(): boolean {
    return this.#string.ending === "closed";
  }

  /** What was found in the string; undefined as long as nothing is decided. */
  get result(): T | undefined {
    return this.#feed.result;
  }

  get done(): boolean {
    return this.#string.done;
  }

  get held(): number {
    return this.#string.held + this.#feed.held;
  }

  /** What is looked at inside the string is looked at again (sieve.md P5). */
  get again(): number {
    return this.#string.again + this.#feed.looks;
  }

  eat(s: string, at: number): number {
    return this.#string.eat(s, at);
  }

  finish() {
    this.#string.finish();
  }
}
