import { SIEVE_LIMITS } from "../../limits.ts";
import { isBlank } from "../characters.ts";
import { Matcher } from "../matcher.ts";
import type { Scan } from "../scan.ts";
import type { Member, Sink } from "../values/sinks.ts";
import { type BareRules, BareValue } from "./bare.ts";
import { CdataValue } from "./cdata.ts";
import type { Ending, ValueMark, ValueMarks, ValueReader } from "./marks.ts";
import { Pieces } from "./pieces.ts";

/**
 * A value up to its closing tag. What its first non-blank character says decides how it is read: a CDATA value
 * (sieve.md V2) or a bare one (V3 to V5). Text goes to the sink as it comes, at most one piece per chunk.
 */
export class Delimited implements Scan {
  done = false;
  back = "";
  ending: Ending | undefined;

  readonly #marks: ValueMarks;
  readonly #rules: BareRules;
  readonly #member: Member;
  readonly #start: Matcher<ValueMark>;
  readonly #pieces = new Pieces();
  #sink: Sink | undefined;
  #reader: ValueReader | undefined;
  #blanks = "";
  #again = 0;

  constructor(marks: ValueMarks, rules: BareRules, member: Member) {
    this.#marks = marks;
    this.#rules = rules;
    this.#member = member;
    this.#start = new Matcher(marks.atStart());
  }

  get held(): number {
    return this.#blanks.length + this.#start.held.length + (this.#reader?.held ?? 0);
  }

  get again(): number {
    return this.#again + (this.#reader?.again ?? 0);
  }

  get data(): boolean {
    return this.#marks.data;
  }

  /** The sink could not hold all of it: what it has got is not the value. */
  get overflowed(): boolean {
    return this.#sink?.full === true;
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
    this.#pieces.flush(this.#sink);
    return i;
  }

  finish() {
    this.#reader?.finish();
    if (this.#reader) this.#end(this.#reader);
    else {
      this.ending = "cut";
      this.done = true;
    }
  }

  /** Blanks, and then perhaps the mark of a CDATA section. */
  #lead(code: number) {
    if (this.#start.held === "" && isBlank(code) && this.#blanks.length < SIEVE_LIMITS.blanks) {
      this.#blanks += String.fromCharCode(code);
      return;
    }
    const released = this.#start.step(code);
    if (this.#start.hit !== undefined) {
      this.#sink = this.#member.begin("string");
      this.#reader = new CdataValue(this.#marks, this.#pieces.write);
      this.#start.take();
      this.#blanks = "";
    } else if (released !== "") this.#bare(released + this.#start.take());
  }

  #bare(read: string) {
    this.#sink = this.#member.begin("bare");
    const reader = new BareValue(this.#marks, this.#rules, this.#blanks, this.#pieces.write);
    this.#reader = reader;
    this.#blanks = "";
    this.#again += read.length;
    for (let i = 0; i < read.length; i++) reader.step(read.charCodeAt(i));
  }

  #end(reader: ValueReader) {
    this.back = reader.back;
    this.ending = reader.ending;
    this.done = true;
    // What a cut value still held could have become something else: it is not said (sieve.md T3).
    if (this.ending === "cut") return;
    this.#pieces.flush(this.#sink);
    this.#sink?.close();
  }
}
