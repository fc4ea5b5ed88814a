import { SIEVE_LIMITS } from "../../limits.ts";
import { foldAscii, isBlank, isDigit } from "../characters.ts";
import type { Scan } from "../scan.ts";

/** What opens a string: JSON's own quote, or the one that Python and JavaScript have besides (sieve.md T4). */
export type Quote = '"' | "'";

/** A longer word is none. The longest number that a double can count has 309 digits. */
const LONGEST_WORD = 512;

/**
 * Skips blanks and reads one token of JSON. Of a string that is the opening quote alone: what is made of the string
 * depends on where it stands, so the grammar chooses the scan that reads it.
 */
export class JsonToken implements Scan {
  readonly again = 0;
  done = false;
  back = "";
  /** `word`: a number, a literal or a bare name. `other`: nothing that JSON is made of. */
  kind: "punctuation" | "quote" | "word" | "other" | undefined;
  /** The token as written; empty for `other`. */
  text = "";
  /** Blanks stood before it. */
  behindBlanks = false;
  /** The reply ended before it, or in the word that it is. */
  ended = false;

  #blanks = 0;

  /** The quote that opens a string. */
  get quote(): Quote | undefined {
    return this.text === '"' || this.text === "'" ? this.text : undefined;
  }

  get held(): number {
    return this.text.length;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) this.#step(s.charCodeAt(i++));
    return i;
  }

  finish() {
    if (this.done) return;
    this.ended = true;
    this.#decide(this.text === "" ? undefined : "word", "");
  }

  #step(code: number) {
    const character = String.fromCharCode(code);
    if (isWordCharacter(code)) this.#inWord(character);
    else if (this.text !== "") this.#decide("word", character);
    else if (isBlank(code)) this.#blank();
    else this.#begin(character);
  }

  #inWord(character: string) {
    this.text += character;
    if (this.text.length <= LONGEST_WORD) return;
    const word = this.text;
    this.text = "";
    this.#decide("other", word);
  }

  #blank() {
    this.behindBlanks = true;
    // At the cap scanning goes on behind what was read.
    if (++this.#blanks > SIEVE_LIMITS.between) this.#decide("other", "");
  }

  #begin(character: string) {
    const kind = "{}[]:,".includes(character) ? "punctuation" : "\"'".includes(character) ? "quote" : "other";
    if (kind !== "other") this.text = character;
    this.#decide(kind, kind === "other" ? character : "");
  }

  #decide(kind: JsonToken["kind"], back: string) {
    this.kind = kind;
    this.back = back;
    this.done = true;
  }
}

/** Numbers, literals, and names as JavaScript writes them without quotes. */
export function isWordCharacter(code: number): boolean {
  const folded = foldAscii(code);
  return (folded >= 97 && folded <= 122) || isDigit(code) || "_+-.$".includes(String.fromCharCode(code));
}
