import { SIEVE_LIMITS } from "../../limits.ts";
import { foldAscii, isBlank, type Scan } from "../scan.ts";
import { type BareRules, BareValue } from "./bare.ts";
import { CdataValue } from "./cdata.ts";
import type { Ending, Sink, ValueMarks, ValueReader } from "./marks.ts";

/**
 * A value up to its closing tag. What its first non-blank character says decides how it is read: a CDATA value
 * (sieve.md V2) or a bare one (V3 to V5). Text goes to the sink as it comes, at most one piece per chunk.
 */
export class Delimited implements Scan {
  looks = 0;
  done = false;
  back = "";
  ending: Ending | undefined;

  readonly #marks: ValueMarks;
  readonly #rules: BareRules;
  readonly #sink: Sink;
  #reader: ValueReader | undefined;
  #blanks = "";
  #mark = "";
  #text = "";
  /** The same with the marks of sections that were taken off, where any were. */
  #written: string | undefined;

  constructor(marks: ValueMarks, rules: BareRules, sink: Sink) {
    this.#marks = marks;
    this.#rules = rules;
    this.#sink = sink;
  }

  get held(): number {
    return this.#blanks.length + this.#mark.length + (this.#reader?.held ?? 0);
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) {
      const reader = this.#reader;
      if (!reader) {
        this.#lead(s.charCodeAt(i++));
        continue;
      }
      const to = reader.plain(s, i);
      if (to === i) reader.step(s.charCodeAt(i++));
      else i = to;
      if (reader.ending) this.#end(reader);
    }
    this.looks += i - at;
    this.#flush();
    return i;
  }

  finish() {
    const reader = this.#reader;
    reader?.finish();
    if (reader) this.#end(reader);
    else {
      this.ending = "cut";
      this.done = true;
    }
  }

  /** Blanks, and then perhaps the marker of a CDATA section. */
  #lead(code: number) {
    const character = String.fromCharCode(code);
    if (this.#mark === "" && isBlank(code) && this.#blanks.length < SIEVE_LIMITS.blanks) {
      this.#blanks += character;
      return;
    }
    const folded = this.#mark.toLowerCase() + String.fromCharCode(foldAscii(code));
    this.#mark += character;
    if (folded === this.#marks.cdata) {
      this.#sink.begin("cdata");
      this.#reader = new CdataValue(this.#marks, this.#write);
    } else if (!this.#marks.cdata.startsWith(folded)) this.#bare();
  }

  #bare() {
    this.#sink.begin("bare");
    const reader = new BareValue(this.#marks, this.#rules, this.#blanks, this.#write);
    this.#reader = reader;
    this.looks += this.#mark.length;
    for (let i = 0; i < this.#mark.length; i++) reader.step(this.#mark.charCodeAt(i));
  }

  #end(reader: ValueReader) {
    this.#flush();
    this.back = reader.back;
    this.ending = this.ending ?? reader.ending;
    this.done = true;
    if (this.ending !== "cut" && this.ending !== "full") this.#sink.close();
  }

  #write = (piece: string, written?: string) => {
    if (written !== undefined) this.#written ??= this.#text;
    if (this.#written !== undefined) this.#written += written ?? piece;
    this.#text += piece;
  };

  #flush() {
    if (this.#text === "" && this.#written === undefined) return;
    this.#sink.text(this.#text, this.#written ?? this.#text);
    this.#text = "";
    this.#written = undefined;
    if (!this.#sink.full) return;
    this.ending = "full";
    this.done = true;
  }
}
