import { APOSTROPHE, BACKSLASH, SPACE } from "../characters.ts";
import type { Scan } from "../scan.ts";
import type { Sink } from "../values/sinks.ts";
import type { Quote } from "./token.ts";

/** What a string may need so that JSON has it, by the name of its repair (sieve.md T4). */
export type StringRepair = "single-quotes" | "control-character" | "lone-backslash";

/** JSON's, whichever quote the string stands in. An apostrophe is escaped only between apostrophes, as Python has it. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

const HEX = /[0-9a-fA-F]/;

/** Characters of a whole `\u0041`. */
const LONGEST_ESCAPE = 6;

/**
 * A string from behind its opening quote to the closing one. It goes to the sink decoded and as it comes, at most one
 * piece per chunk. A backslash that begins no escape is itself a backslash: models write paths and patterns so.
 */
export class JsonString implements Scan {
  readonly data = true;
  readonly back = "";
  again = 0;
  done = false;
  ending: "closed" | "cut" | undefined;
  /** What was needed so far. */
  readonly repairs = new Set<StringRepair>();

  readonly #quote: number;
  readonly #sink: Sink;
  /** An escape that is being read, from its backslash on. */
  #escape = "";
  #text = "";

  constructor(quote: Quote, sink: Sink) {
    this.#quote = quote.charCodeAt(0);
    this.#sink = sink;
    if (this.#quote === APOSTROPHE) this.repairs.add("single-quotes");
  }

  get held(): number {
    return this.#escape.length;
  }

  /** The sink could not hold all of it: what it has got is not the value. */
  get overflowed(): boolean {
    return this.#sink.full;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) {
      if (this.#escape === "") i = this.#plain(s, i);
      if (i < s.length) this.#step(s.charCodeAt(i++));
    }
    this.#flush();
    return i;
  }

  finish() {
    if (!this.done) this.#end("cut");
  }

  /** Passes over characters that mean themselves and returns where it stopped. */
  #plain(s: string, at: number): number {
    let i = at;
    for (; i < s.length; i++) {
      const code = s.charCodeAt(i);
      if (code === this.#quote || code === BACKSLASH) break;
      if (code < SPACE) this.repairs.add("control-character");
    }
    if (i > at) this.#text += s.slice(at, i);
    return i;
  }

  #step(code: number) {
    if (this.#escape !== "") this.#inEscape(code);
    else if (code === this.#quote) this.#close();
    else if (code === BACKSLASH) this.#escape = "\\";
    else this.#plain(String.fromCharCode(code), 0);
  }

  #inEscape(code: number) {
    const character = String.fromCharCode(code);
    if (this.#escape !== "\\") {
      if (!HEX.test(character)) return this.#noEscape(code);
      this.#escape += character;
      if (this.#escape.length === LONGEST_ESCAPE) this.#decoded(this.#codeUnit());
    } else if (character === "u") this.#escape += character;
    else {
      const value = code === this.#quote ? character : ESCAPES.get(character);
      if (value === undefined) this.#noEscape(code);
      else this.#decoded(value);
    }
  }

  #codeUnit(): string {
    const digits = this.#escape.slice("\\u".length);
    this.again += digits.length;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #decoded(value: string) {
    this.#text += value;
    this.#escape = "";
  }

  /** What was read is its own text, and the character that did not fit means what it means anywhere. */
  #noEscape(code: number) {
    this.repairs.add("lone-backslash");
    this.#decoded(this.#escape);
    this.again += 1;
    this.#step(code);
  }

  #close() {
    this.#flush();
    this.#sink.close();
    this.#end("closed");
  }

  #end(ending: "closed" | "cut") {
    this.ending = ending;
    this.done = true;
  }

  #flush() {
    if (this.#text !== "") this.#sink.text(this.#text);
    this.#text = "";
  }
}
