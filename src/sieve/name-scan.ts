import { REQUEST_LIMITS, SIEVE_LIMITS } from "../limits.ts";
import { isBlank, isHighSurrogate } from "./characters.ts";
import type { Scan } from "./scan.ts";

/** Of a tool, of a parameter where a notation writes it without quotes, or of an element. */
export type NameKind = "tool" | "key" | "element";

/**
 * What a name holds besides letters, marks and digits of any script (sieve.md N3). A colon or a slash is no part of a
 * key, since a colon may stand between it and its value.
 */
const PUNCTUATION: Readonly<Record<NameKind, string>> = { tool: "._-:/", key: "._-$", element: "._-:$" };

/** A longer name is none. Some notations put a prefix and a running number around the name of a tool. */
export const LONGEST_NAME = REQUEST_LIMITS.toolName + 32;

const LETTER = /^[\p{L}\p{M}\p{N}]$/u;

/** Tells what belongs to a name, one code unit after the other. Of a surrogate pair that is known at its second half. */
export class NameCharacters {
  readonly #punctuation: string;
  #half = "";

  constructor(kind: NameKind) {
    this.#punctuation = PUNCTUATION[kind];
  }

  /** One more character: part of the name or not, or the first half of a pair that may be. */
  step(code: number): "part" | "half" | "no" {
    const character = this.#half + String.fromCharCode(code);
    this.#half = "";
    if (LETTER.test(character) || this.#punctuation.includes(character)) return "part";
    if (character.length > 1 || !isHighSurrogate(code)) return "no";
    this.#half = character;
    return "half";
  }
}

/** Reads a name. What stands behind it goes back. */
export class NameScan implements Scan {
  readonly again = 0;
  done = false;
  back = "";
  /** Empty when no name stands there, or one that is too long; what was read of that does not go back. */
  name = "";
  /** The reply ended first. */
  ended = false;

  readonly #characters: NameCharacters;
  readonly #skipsBlanks: boolean;
  #read = "";
  #half = "";
  #blanks = 0;

  constructor(kind: NameKind, { skipsBlanks }: { skipsBlanks: boolean }) {
    this.#characters = new NameCharacters(kind);
    this.#skipsBlanks = skipsBlanks;
  }

  get held(): number {
    return this.#read.length + this.#half.length;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) this.#step(s.charCodeAt(i++));
    return i;
  }

  finish() {
    if (this.done) return;
    this.ended = true;
    this.#decide(this.#half);
  }

  #step(code: number) {
    if (this.#skipsBlanks && this.held === 0 && isBlank(code)) {
      // At the cap scanning goes on behind what was read.
      if (++this.#blanks > SIEVE_LIMITS.between) this.#decide("");
      return;
    }
    const character = String.fromCharCode(code);
    switch (this.#characters.step(code)) {
      case "half":
        this.#half = character;
        return;
      case "part":
        this.#read += this.#half + character;
        this.#half = "";
        if (this.#read.length > LONGEST_NAME) this.#tooLong();
        return;
      default:
        this.#decide(this.#half + character);
    }
  }

  #tooLong() {
    this.#read = "";
    this.#decide("");
  }

  #decide(back: string) {
    this.name = this.#read;
    this.back = back;
    this.done = true;
  }
}
