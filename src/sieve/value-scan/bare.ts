import { AMPERSAND, LESS } from "../characters.ts";
import { Matcher } from "../matcher.ts";
import { TagRest } from "../tag-rest.ts";
import { BareText } from "./bare-text.ts";
import { KeyElement } from "./key-element.ts";
import { Lookahead } from "./lookahead.ts";
import type { Ending, ValueMark, ValueMarks, ValueReader, Write } from "./marks.ts";
import { Section } from "./section.ts";

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
  again = 0;

  readonly #marks: ValueMarks;
  readonly #rules: BareRules;
  readonly #text: BareText;
  readonly #matcher: Matcher<ValueMark>;
  #depth = 1;
  /** Behind an `<invoke …` in the value heads and call closers are data (V3). */
  #sawCall = false;
  /** The head of a look-alike or of the next parameter, and its tag as written. */
  #tag: TagRest | KeyElement | undefined;
  #tagText = "";
  /** A closing tag that is being judged: of the value or, by `#closes`, of the call. */
  #look: Lookahead | undefined;
  #closes: "value" | "call" = "value";
  #section: Section | undefined;
  /** A section that did not close is read again: the marks in it are known to be data. */
  #sectionsAreData = false;

  constructor(marks: ValueMarks, rules: BareRules, blanks: string, write: Write) {
    this.#marks = marks;
    this.#rules = rules;
    this.#matcher = new Matcher(marks.inBare());
    this.#text = new BareText(marks.style, blanks, write);
  }

  get held(): number {
    const held = this.#matcher.held.length + this.#tagText.length + this.#text.held;
    return held + (this.#look?.held.length ?? 0) + (this.#section?.held ?? 0);
  }

  plain(s: string, at: number): number {
    if (this.#matcher.held !== "" || this.#tag || this.#look || this.#section || this.#text.inReference) return at;
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
    else if (this.#matcher.held !== "" || code === LESS) this.#match(code);
    else this.#text.character(code);
  }

  finish() {
    if (this.#section) this.#sectionIsData(this.#section);
    if (this.ending) return;
    if (this.#look?.closed) this.#end(this.#look);
    else this.ending = "cut";
  }

  #match(code: number) {
    const released = this.#matcher.step(code);
    if (released !== "") this.#text.markup(released);
    const { hit } = this.#matcher;
    if (hit !== undefined) this.#found(hit, this.#matcher.take(), code);
  }

  /** @param code the last character of the mark: of a tag it is the first one behind its head */
  #found(hit: ValueMark, mark: string, code: number) {
    switch (hit.is) {
      case "open":
        return this.#beginTag(new TagRest(hit.syntax), hit, mark, code);
      case "key":
        return this.#marks.key && this.#beginTag(new KeyElement(this.#marks.key), hit, mark, code);
      case "close":
        if (this.#depth === 1) return this.#lookBehind("value", hit, mark, code);
        // Above depth one every closer balances an opener, with structure behind it or not.
        this.#depth -= 1;
        return this.#text.markup(mark);
      case "call-open":
        this.#sawCall = true;
        return this.#text.markup(mark);
      case "call-close":
        if (this.#rules.callCloses && !this.#sawCall && this.#depth === 1) {
          return this.#lookBehind("call", hit, mark, code);
        }
        return this.#text.markup(mark);
      case "section":
        if (this.#sectionsAreData) this.#text.markup(mark);
        else this.#section = new Section(this.#marks, mark);
        return;
      case "wrapper-close":
      case "comment":
        return this.#text.markup(mark);
      default:
        hit.is satisfies never;
    }
  }

  #beginTag(tag: TagRest | KeyElement, { tag: isTag }: ValueMark, mark: string, code: number) {
    this.#tagText = isTag ? mark.slice(0, -1) : mark;
    this.#tag = tag;
    if (isTag) this.#inTag(tag, code);
  }

  #inTag(tag: TagRest | KeyElement, code: number) {
    this.#tagText += String.fromCharCode(code);
    tag.step(code);
    if (!tag.done) return;
    const text = this.#tagText;
    this.#tag = undefined;
    this.#tagText = "";
    const missed = this.#depth === 1 && !this.#sawCall && tag.name !== undefined && this.#rules.missed(tag.name);
    const opens = tag.ok && !tag.selfClosing;
    if (opens && missed) return this.#settle("at-head", text);
    this.#text.markup(text.slice(0, text.length - tag.back.length));
    // A key opens no value by itself, but where its closing tag does.
    if (opens && (tag instanceof TagRest || this.#marks.keyOpens)) this.#depth += 1;
    this.#readAgain(tag.back);
  }

  #lookBehind(closes: "value" | "call", { tag }: ValueMark, mark: string, code: number) {
    this.#closes = closes;
    this.#look = Lookahead.behindMark(this.#marks, tag ? mark.slice(0, -1) : mark, tag);
    if (tag) this.#judge(this.#look, code);
  }

  #judge(look: Lookahead, code: number) {
    const verdict = look.step(code);
    if (verdict === "more") return;
    this.#look = undefined;
    if (verdict === "end") return this.#end(look);
    this.#text.markup(look.held.slice(0, look.held.length - look.token.length));
    this.#readAgain(look.token);
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
    if (verdict === "data") return this.#sectionIsData(section);
    this.#section = undefined;
    this.#text.section(section.content, section.written);
  }

  /** Its mark was data, and what stands behind it means what it would have meant without. */
  #sectionIsData(section: Section) {
    this.#section = undefined;
    this.#text.markup(section.mark);
    this.#sectionsAreData = true;
    this.#readAgain(section.behindMark);
    this.#sectionsAreData = false;
  }

  /** What turned out to be something else: a token, or a section that did not close. */
  #readAgain(text: string) {
    this.again += text.length;
    for (let i = 0; i < text.length; i++) {
      this.step(text.charCodeAt(i));
      if (!this.ending) continue;
      this.back += text.slice(i + 1);
      return;
    }
  }
}
