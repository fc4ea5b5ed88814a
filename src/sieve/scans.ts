import { SIEVE_LIMITS } from "../limits.ts";
import { APOSTROPHE, EQUALS, foldAscii, GREATER, isBlank, LESS, QUOTE, SLASH } from "./characters.ts";
import { CDATA_CLOSE, CDATA_OPEN, COMMENT_CLOSE, COMMENT_OPEN } from "./markup.ts";
import { compileWords, Matcher } from "./matcher.ts";
import type { Scan } from "./scan.ts";
import type { Triggers } from "./triggers.ts";
import { decodeEntities } from "./values/entities.ts";
import { trimBlanks } from "./values/value.ts";

/** What is passed over whole, up to its closer. */
const CLOSERS: Readonly<Record<string, string>> = { [COMMENT_OPEN]: COMMENT_CLOSE, [CDATA_OPEN]: CDATA_CLOSE };

/** Heads of tags to find. Compiled once for a notation. */
export interface Heads {
  readonly words: Triggers<string>;
  /** Blanks and comments alone may stand before the head (sieve.md G2), or anything, comments and CDATA whole (G3). */
  readonly skips: "blanks" | "anything";
}

export function compileHeads(tags: readonly string[], skips: "blanks" | "anything" = "blanks"): Heads {
  return { words: compileWords(tags, skips === "blanks" ? [COMMENT_OPEN] : [COMMENT_OPEN, CDATA_OPEN]), skips };
}

/** Skips what may stand between tags and finds the head of one of several tags. */
export class OneOf implements Scan {
  readonly again = 0;
  done = false;
  back = "";
  /** The head that was found; undefined when something else stands there or the reply ended. */
  found: string | undefined;
  /** The reply ended first. */
  ended = false;

  readonly #heads: Heads;
  readonly #matcher: Matcher<string>;
  /** What closes the comment or section that is being passed over. */
  #closer = "";
  #matched = 0;
  #passed = 0;
  /** Blanks and comments so far. */
  #between = 0;

  constructor(heads: Heads) {
    this.#heads = heads;
    this.#matcher = new Matcher(heads.words);
  }

  get held(): number {
    return this.#matcher.held.length;
  }

  /** The beginning of a tag at the end of the reply, in lower case; undefined inside a comment. */
  get rest(): string | undefined {
    return this.#closer === "" ? this.#matcher.held.toLowerCase() : undefined;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) {
      if (this.#heads.skips === "anything" && this.#closer === "" && this.#matcher.held === "") {
        i = this.#heads.words.skip(s, i);
        if (i === s.length) break;
      }
      this.#step(s.charCodeAt(i++));
    }
    return i;
  }

  finish() {
    this.done = true;
    this.ended = true;
  }

  #step(code: number) {
    const blanks = this.#heads.skips === "blanks";
    // At the cap scanning goes on behind what was read.
    if (blanks && ++this.#between > SIEVE_LIMITS.between) return this.#decide(undefined, "");
    if (this.#closer !== "") return this.#pass(code);
    const began = this.#matcher.held !== "";
    const released = this.#matcher.step(code);
    const { hit } = this.#matcher;
    if (blanks && released !== "" && (began || !isBlank(code))) {
      return this.#decide(undefined, released + this.#matcher.held);
    }
    if (hit === undefined) return;
    this.#matcher.take();
    const closer = CLOSERS[hit];
    if (closer === undefined) return this.#decide(hit, String.fromCharCode(code));
    this.#closer = closer;
    this.#matched = this.#passed = 0;
  }

  #pass(code: number) {
    const closer = this.#closer;
    this.#passed += 1;
    if (code === closer.charCodeAt(this.#matched)) this.#matched += 1;
    // A longer run of dashes or brackets still ends in the closer: `--->`, `]]]>`.
    else if (code !== closer.charCodeAt(0)) this.#matched = 0;
    if (this.#matched === closer.length) this.#closer = "";
    else if (closer === COMMENT_CLOSE && this.#passed >= SIEVE_LIMITS.tag) {
      this.#closer = "";
      if (this.#heads.skips === "blanks") this.#decide(undefined, "");
    }
  }

  #decide(found: string | undefined, back: string) {
    this.found = found;
    this.back = back;
    this.done = true;
  }
}

type TagState = "between" | "name" | "behind-name" | "before-value" | "quoted" | "unquoted";

/** The rest of a tag behind its name, up to `>` (sieve.md G1). A raw `<` never stands in a tag, not even in quotes. */
export class TagRest implements Scan {
  readonly again = 0;
  done = false;
  back = "";
  /** The tag was complete. */
  ok = false;
  selfClosing = false;
  /** Value of the first attribute `name`: quoted, trimmed, entities decoded, not empty. */
  name: string | undefined;
  /** The reply ended first. */
  ended = false;

  #state: TagState = "between";
  #length = 0;
  #quote = 0;
  #attribute = "";
  #value = "";
  #named = false;

  get held(): number {
    return this.#value.length + this.#attribute.length;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) this.step(s.charCodeAt(i++));
    return i;
  }

  finish() {
    this.done = true;
    this.ended = true;
  }

  /** One more character. */
  step(code: number) {
    // At the cap scanning goes on behind what was read (G2); a raw `<` is the token that did not fit (A6).
    if (code === LESS || ++this.#length > SIEVE_LIMITS.tag) {
      this.back = code === LESS ? "<" : "";
      this.done = true;
    } else if (this.#state === "quoted") this.#quoted(code);
    else if (code === GREATER) {
      this.ok = true;
      this.done = true;
    } else this.#unquoted(code);
  }

  #quoted(code: number) {
    if (code === this.#quote) {
      this.#attributeEnds(this.#value);
      this.#state = "between";
    } else if (this.#attribute === "name") this.#value += String.fromCharCode(code);
  }

  #unquoted(code: number) {
    const blank = isBlank(code);
    // In an unquoted value a slash is part of it, as in `x=/usr/`.
    this.selfClosing = this.#state !== "unquoted" && (code === SLASH || (blank && this.selfClosing));
    switch (this.#state) {
      case "between":
        if (!blank && code !== SLASH) this.#beginName(code);
        return;
      case "name":
        if (code === EQUALS) this.#state = "before-value";
        else if (blank) this.#state = "behind-name";
        else if (code === SLASH) this.#state = "between";
        else this.#attribute += String.fromCharCode(foldAscii(code));
        return;
      case "behind-name":
        if (code === EQUALS) this.#state = "before-value";
        else if (!blank) this.#beginName(code);
        return;
      case "before-value":
        if (!blank) this.#beginValue(code);
        return;
      case "unquoted":
        if (blank) this.#state = "between";
        return;
      case "quoted":
        return;
      default:
        this.#state satisfies never;
    }
  }

  #beginName(code: number) {
    // An attribute without a value is closed by the next one: a bare `name` is no name.
    this.#attributeEnds(undefined);
    this.#attribute = String.fromCharCode(foldAscii(code));
    this.#state = "name";
  }

  #beginValue(code: number) {
    this.#value = "";
    if (code === QUOTE || code === APOSTROPHE) {
      this.#quote = code;
      this.#state = "quoted";
    } else {
      // An unquoted name is no name, and the first one counts.
      this.#attributeEnds(undefined);
      this.#state = "unquoted";
    }
  }

  #attributeEnds(value: string | undefined) {
    if (this.#attribute !== "name" || this.#named) return;
    this.#named = true;
    const name = value === undefined ? "" : decodeEntities(trimBlanks(value));
    if (name !== "") this.name = name;
  }
}
