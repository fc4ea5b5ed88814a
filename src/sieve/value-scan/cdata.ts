import { endsTagName, foldAscii, isBlank } from "../scan.ts";
import { TagRest } from "../scans.ts";
import { Lookahead } from "./lookahead.ts";
import type { Ending, ValueMarks, ValueReader } from "./marks.ts";

const CLOSE_BRACKET = 93;
const LESS = 60;
const GREATER = 62;

/**
 * A CDATA value (sieve.md V2): verbatim up to a `]]>` with the closing tag and structure behind it. A `]]>` before
 * another section joins the two; a nested example, raw or split, balances by depth; any other mark is data. Only a
 * possible end is ever held.
 */
export class CdataValue implements ValueReader {
  ending: Ending | undefined;
  back = "";

  readonly #marks: ValueMarks;
  readonly #write: (piece: string) => void;
  #depth = 1;
  /** Brackets held, 0 to 2: they may belong to a `]]>`. */
  #brackets = 0;
  /** A raw `]]>` being judged. */
  #end: Lookahead | undefined;

  /** Brackets at the end of the data written so far, 0 to 2, and whether sections were joined behind one of them. */
  #trail = 0;
  #joined = false;
  /** Data behind a joined `]]>` that may lower the depth; it is written as it comes. */
  #watch: Lookahead | undefined;
  readonly #opener: NestedOpener;

  constructor(marks: ValueMarks, write: (piece: string) => void) {
    this.#marks = marks;
    this.#write = write;
    this.#opener = new NestedOpener(marks);
  }

  get held(): number {
    return this.#brackets + (this.#end?.held.length ?? 0);
  }

  plain(s: string, at: number): number {
    if (this.#end || this.#brackets > 0 || this.#watch || this.#joined || this.#opener.active) return at;
    let i = at;
    for (; i < s.length; i++) {
      const code = s.charCodeAt(i);
      if (code === CLOSE_BRACKET || code === LESS) break;
    }
    if (i > at) this.#data(s.slice(at, i));
    return i;
  }

  step(code: number) {
    if (this.#end) this.#judge(this.#end, code);
    else if (code === CLOSE_BRACKET) this.#bracket();
    else if (code === GREATER && this.#brackets === 2) {
      this.#brackets = 0;
      this.#end = Lookahead.behindSection(this.#marks, "]]>");
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
    this.#data("]".repeat(this.#brackets) + String.fromCharCode(code));
    this.#brackets = 0;
    this.#observe(code);
    if (joinedEnd && this.#depth > 1) this.#watch = Lookahead.behindSection(this.#marks, "");
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
    if (verdict === "join") {
      this.#opener.reset();
      this.#watch = undefined;
      this.#joined = true;
    } else if (verdict === "end" && this.#depth === 1) {
      this.back = end.token;
      this.ending = "closed";
    } else {
      if (verdict === "end") this.#depth -= 1;
      this.#opener.reset();
      this.#data(end.held.slice(0, end.held.length - end.token.length));
      // The token may begin a nested opener or another end; it is at most one marker long.
      for (let i = 0; i < end.token.length; i++) this.step(end.token.charCodeAt(i));
    }
  }
}

/** Finds `<parameter …>`, blanks, `<![CDATA[` in data that goes by: the only place where a nested section counts. */
class NestedOpener {
  readonly #marks: ValueMarks;
  #word = "";
  #tag: TagRest | undefined;
  #behindTag = false;

  constructor(marks: ValueMarks) {
    this.#marks = marks;
  }

  get active(): boolean {
    return this.#word !== "" || this.#tag !== undefined || this.#behindTag;
  }

  reset() {
    this.#word = "";
    this.#tag = undefined;
    this.#behindTag = false;
  }

  /** True when the section's marker is complete. */
  step(code: number): boolean {
    if (this.#tag) this.#inTag(this.#tag, code);
    else if (this.#word !== "") return this.#inWord(code);
    else if (code === LESS) this.#word = "<";
    else if (!isBlank(code)) this.#behindTag = false;
    return false;
  }

  #inWord(code: number): boolean {
    const { open, cdata } = this.#marks;
    if (this.#word === open && endsTagName(code)) {
      this.reset();
      this.#tag = new TagRest();
      this.#inTag(this.#tag, code);
      return false;
    }
    this.#word += String.fromCharCode(foldAscii(code));
    if (this.#behindTag && this.#word === cdata) {
      this.reset();
      return true;
    }
    if (!open.startsWith(this.#word) && !(this.#behindTag && cdata.startsWith(this.#word))) {
      this.reset();
      if (code === LESS) this.#word = "<";
    }
    return false;
  }

  #inTag(tag: TagRest, code: number) {
    tag.eat(String.fromCharCode(code), 0);
    if (!tag.done) return;
    this.reset();
    this.#behindTag = tag.ok && !tag.selfClosing;
    if (tag.back === "<") this.#word = "<";
  }
}
