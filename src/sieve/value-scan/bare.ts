import { SIEVE_LIMITS } from "../../limits.ts";
import { endsTagName, foldAscii } from "../scan.ts";
import { TagRest } from "../scans.ts";
import { BareText, type Write } from "./bare-text.ts";
import { Lookahead } from "./lookahead.ts";
import type { Ending, ValueMarks, ValueReader } from "./marks.ts";

const LESS = 60;
const AMPERSAND = 38;

export interface BareRules {
  /** The head of a declared parameter that was not yet given: the end tag before it was missed (V3). */
  missed: (name: string) => boolean;
  /** The call's own closer may end the value, too (V3, `param-close-missing`). */
  callCloses: boolean;
}

/**
 * A value without CDATA (sieve.md V3): ends at its closing tag with structure behind it; every look-alike is data, and
 * a nested example balances by depth. What text is made of it is `BareText`'s.
 */
export class BareValue implements ValueReader {
  ending: Ending | undefined;
  back = "";

  readonly #marks: ValueMarks;
  readonly #rules: BareRules;
  readonly #text: BareText;
  readonly #words: readonly string[];
  #depth = 1;
  /** Behind an `<invoke …` in the value heads and call closers are data (V3). */
  #sawCall = false;
  /** The beginning of a marker, as written and folded. */
  #mark = "";
  #folded = "";
  #tag: TagRest | undefined;
  /** A closing tag being judged: of the value or, by `#closes`, of the call. */
  #look: Lookahead | undefined;
  #closes: "value" | "call" = "value";
  #section: Section | undefined;

  constructor(marks: ValueMarks, rules: BareRules, blanks: string, write: Write) {
    this.#marks = marks;
    this.#rules = rules;
    this.#words = [marks.open, marks.close, marks.callOpen, marks.callClose, marks.cdata];
    this.#text = new BareText(blanks, write);
  }

  get held(): number {
    return this.#mark.length + (this.#look?.held.length ?? 0) + (this.#section?.held ?? 0) + this.#text.held;
  }

  plain(s: string, at: number): number {
    if (this.#mark !== "" || this.#tag || this.#look || this.#section || this.#text.inReference) return at;
    let i = at;
    for (; i < s.length; i++) {
      const code = s.charCodeAt(i);
      if (code === LESS || (code === AMPERSAND && this.#text.decodes)) break;
    }
    if (i > at) this.#text.data(s.slice(at, i));
    return i;
  }

  step(code: number) {
    if (this.#section) this.#inSection(this.#section, code);
    else if (this.#look) this.#judge(this.#look, code);
    else if (this.#tag) this.#inTag(this.#tag, code);
    else if (this.#mark !== "") this.#inMark(code);
    else if (code === LESS) this.#mark = this.#folded = "<";
    else this.#text.character(code);
  }

  finish() {
    const look = this.#look;
    if (!look?.closed) this.ending = "cut";
    else this.#end(look);
  }

  #inMark(code: number) {
    const { open, close, callOpen, callClose } = this.#marks;
    const head = this.#words.includes(this.#folded) && endsTagName(code) ? this.#folded : undefined;
    switch (head) {
      case open:
        this.#tag = new TagRest();
        return this.#inTag(this.#tag, code);
      case close:
        if (this.#depth === 1) return this.#lookBehind("value", code);
        // Above depth one every closer balances an opener, with structure behind it or not.
        this.#depth -= 1;
        return this.#release(code);
      case callOpen:
        this.#sawCall = true;
        return this.#release(code);
      case callClose:
        if (this.#rules.callCloses && !this.#sawCall && this.#depth === 1) return this.#lookBehind("call", code);
        return this.#release(code);
      default:
        return this.#extend(code);
    }
  }

  #extend(code: number) {
    if (code === LESS) {
      this.#release();
      this.#mark = this.#folded = "<";
      return;
    }
    this.#mark += String.fromCharCode(code);
    this.#folded += String.fromCharCode(foldAscii(code));
    if (this.#folded === this.#marks.cdata) {
      this.#section = new Section(this.#marks, this.#mark);
      this.#mark = "";
    } else if (!this.#words.some((word) => word.startsWith(this.#folded))) this.#release();
  }

  /** The marker read so far is data, and with it a raw `<`. */
  #release(code?: number) {
    const data = code === undefined ? this.#mark : this.#mark + String.fromCharCode(code);
    this.#mark = "";
    this.#text.markup(data);
  }

  #inTag(tag: TagRest, code: number) {
    this.#mark += String.fromCharCode(code);
    tag.eat(String.fromCharCode(code), 0);
    if (!tag.done) return;
    this.#tag = undefined;
    if (tag.back !== "") {
      this.#mark = this.#mark.slice(0, -1);
      this.#release();
      this.#mark = this.#folded = "<";
    } else if (!tag.ok || tag.selfClosing) this.#release();
    else if (this.#depth === 1 && !this.#sawCall && tag.name !== undefined && this.#rules.missed(tag.name)) {
      this.#settle("at-head", this.#mark);
    } else {
      this.#depth += 1;
      this.#release();
    }
  }

  #lookBehind(closes: "value" | "call", code: number) {
    this.#closes = closes;
    this.#look = Lookahead.behindHead(this.#marks, this.#mark);
    this.#mark = "";
    this.#judge(this.#look, code);
  }

  #judge(look: Lookahead, code: number) {
    const verdict = look.step(code);
    if (verdict === "more") return;
    this.#look = undefined;
    if (verdict === "end") return this.#end(look);
    this.#text.markup(look.held.slice(0, look.held.length - look.token.length));
    this.#again(look.token);
  }

  #end(look: Lookahead) {
    if (this.#closes === "value") this.#settle("closed", look.token);
    else this.#settle("at-call-close", look.held);
  }

  #settle(ending: Ending, back: string) {
    this.#text.end();
    this.ending = ending;
    this.back = back;
  }

  #inSection(section: Section, code: number) {
    const verdict = section.step(code);
    if (verdict === "more") return;
    this.#section = undefined;
    if (verdict === "unwrapped") this.#text.section(section.content(), `${section.written()}>`);
    else {
      this.#text.markup(section.written());
      this.#again(section.token);
    }
  }

  /** Looks again at a token that turned out to be something else; it is at most one marker long. */
  #again(token: string) {
    for (let i = 0; i < token.length; i++) this.step(token.charCodeAt(i));
  }
}

/** A CDATA section inside a bare value (V2): unwrapped when it closes before the next tag of a value, else data. */
class Section {
  /** The head that came first. */
  token = "";
  readonly #marks: ValueMarks;
  readonly #marker: string;
  readonly #pieces: string[] = [];
  #held = "";
  #brackets = 0;
  held = 0;

  constructor(marks: ValueMarks, marker: string) {
    this.#marks = marks;
    this.#marker = marker;
  }

  step(code: number): "more" | "unwrapped" | "data" {
    const { open, close } = this.#marks;
    const folded = this.token.toLowerCase();
    if ((folded === open || folded === close) && endsTagName(code)) {
      this.token += String.fromCharCode(code);
      return "data";
    }
    if (code === 62 && this.#brackets >= 2) return "unwrapped";
    this.#brackets = code === 93 ? this.#brackets + 1 : 0;
    this.#token(code, folded + String.fromCharCode(foldAscii(code)));
    this.held += 1;
    return this.held > SIEVE_LIMITS.section ? "data" : "more";
  }

  /** Text between the markers. */
  content(): string {
    return this.#joined().slice(0, -2);
  }

  /** All of it as it was written, but the token that came first. */
  written(): string {
    return this.#marker + this.#joined();
  }

  #token(code: number, folded: string) {
    const { open, close } = this.#marks;
    const character = String.fromCharCode(code);
    if (open.startsWith(folded) || close.startsWith(folded)) this.token += character;
    else {
      this.#held += this.token;
      this.token = code === LESS ? character : "";
      if (code !== LESS) this.#held += character;
    }
    if (this.#held.length > 1024) {
      this.#pieces.push(this.#held);
      this.#held = "";
    }
  }

  #joined(): string {
    return this.#pieces.join("") + this.#held;
  }
}
