import { CLOSE_BRACKET, GREATER, LESS } from "../characters.ts";
import { CDATA_CLOSE } from "../markup.ts";
import { Lookahead } from "./lookahead.ts";
import type { Ending, ValueMarks, ValueReader, Write } from "./marks.ts";
import { NestedOpener } from "./nested-opener.ts";

/**
 * A CDATA value (sieve.md V2): verbatim up to a `]]>` with the closing tag and structure behind it. A `]]>` before
 * another section joins the two; a nested example, raw or split, balances by depth; any other mark is data. Only a
 * possible end is ever held.
 */
export class CdataValue implements ValueReader {
  ending: Ending | undefined;
  back = "";
  again = 0;

  readonly #marks: ValueMarks;
  readonly #write: Write;
  /** `<parameter name="q"><![CDATA[` in the data raises it, `]]></parameter>` and structure lowers it. */
  #depth = 1;
  /** Brackets held, 0 to 2: they may belong to a `]]>`. */
  #brackets = 0;
  /** A raw `]]>` that is being judged. */
  #end: Lookahead | undefined;

  /** Brackets at the end of the data written so far, 0 to 2: `]]` in `]]]]><![CDATA[>`, whose last `>` joins on to them. */
  #trail = 0;
  /** Two sections were joined right behind them. */
  #joined = false;
  /** Behind a joined `]]>`, above depth one: data that may lower the depth, written as it comes. */
  #watch: Lookahead | undefined;
  readonly #opener: NestedOpener;

  constructor(marks: ValueMarks, write: Write) {
    this.#marks = marks;
    this.#write = write;
    this.#opener = new NestedOpener(marks);
  }

  get held(): number {
    return this.#brackets + (this.#end?.held.length ?? 0);
  }

  plain(s: string, at: number): number {
    if (this.#end || this.#brackets > 0 || this.#watch || this.#joined) return at;
    const opener = this.#opener;
    let i = at;
    for (; i < s.length; i++) {
      const code = s.charCodeAt(i);
      if (code === CLOSE_BRACKET) break;
      if ((code === LESS || opener.active) && opener.step(code)) this.#depth += 1;
    }
    if (i > at) this.#data(s.slice(at, i));
    return i;
  }

  step(code: number) {
    if (this.#end) this.#judge(this.#end, code);
    else if (code === CLOSE_BRACKET) this.#bracket();
    else if (code === GREATER && this.#brackets === 2) {
      this.#brackets = 0;
      this.#end = Lookahead.behindSection(this.#marks, CDATA_CLOSE, this.#depth > 1);
    } else this.#character(code);
  }

  finish() {
    // The end of the reply behind the closing tag is as good as structure.
    this.ending = this.#end?.closed && this.#depth === 1 ? "closed" : "cut";
    if (this.ending === "closed") this.back = this.#end?.token ?? "";
  }

  #bracket() {
    this.#observe(CLOSE_BRACKET);
    if (this.#brackets < 2) this.#brackets += 1;
    else {
      this.#write("]");
      this.#trail = Math.min(2, this.#trail + 1);
    }
  }

  #character(code: number) {
    const joinedEnd = code === GREATER && this.#joined && this.#trail + this.#brackets >= 2;
    const character = String.fromCharCode(code);
    this.#data(this.#brackets === 0 ? character : "]".repeat(this.#brackets) + character);
    this.#brackets = 0;
    this.#observe(code);
    if (joinedEnd && this.#depth > 1) this.#watch = Lookahead.behindSection(this.#marks, "", true);
  }

  #data(piece: string) {
    this.#write(piece);
    this.#trail = 0;
    this.#joined = false;
  }

  /** Depth moves with data that is written anyway: nothing is held for it. */
  #observe(code: number) {
    if (this.#opener.step(code)) this.#depth += 1;
    const seen = this.#watch?.step(code);
    if (seen === "end") this.#depth -= 1;
    if (seen !== "more") this.#watch = undefined;
  }

  #judge(end: Lookahead, code: number) {
    const verdict = end.step(code);
    if (verdict === "more") return;
    this.#end = undefined;
    this.#opener.reset();
    this.#watch = undefined;
    if (verdict === "join") this.#joined = true;
    else if (verdict === "end" && this.#depth === 1) {
      this.back = end.token;
      this.ending = "closed";
    } else {
      if (verdict === "end") this.#depth -= 1;
      this.#data(end.held.slice(0, end.held.length - end.token.length));
      // The token may begin a nested opener or another end; it is at most one mark long.
      this.again += end.token.length;
      for (let i = 0; i < end.token.length; i++) this.step(end.token.charCodeAt(i));
    }
  }
}
