import { SIEVE_LIMITS } from "../limits.ts";
import {
  APOSTROPHE,
  CARRIAGE_RETURN,
  EQUALS,
  foldAscii,
  isBlank,
  LESS,
  LINE_FEED,
  QUOTE,
  SLASH,
} from "./characters.ts";
import type { Scan } from "./scan.ts";
import { decodeEntities } from "./values/entities.ts";
import { trimBlanks } from "./values/value.ts";

/** How a tag says what it names, and how it ends. What is absent is as in `<invoke name="…">`. */
export interface TagSyntax {
  /** The attribute that holds the name. */
  readonly name?: string;
  /** What stands between the head and the tag's end is the name: `<function=…>`. */
  readonly equals?: true;
  /** Attributes need no quotes. */
  readonly unquoted?: true;
  /** What ends the tag. */
  readonly end?: string;
}

type TagState = "between" | "name" | "behind-name" | "before-value" | "quoted" | "unquoted" | "equals";

/**
 * The rest of a tag behind its head, up to its end (sieve.md G1). A raw `<` never stands in a tag, not even in quotes; and
 * outside of quotes nothing does but attributes: what else comes is data behind a tag whose end was lost.
 */
export class TagRest implements Scan {
  readonly again = 0;
  done = false;
  back = "";
  /** The tag was complete. */
  ok = false;
  selfClosing = false;
  /** The reply ended first. */
  ended = false;

  readonly #syntax: TagSyntax;
  readonly #end: string;
  #state: TagState;
  #length = 0;
  /** Characters of the tag's end that were read. */
  #ending = 0;
  #quote = 0;
  #attribute = "";
  /** The attribute stands right behind the quote of another: it would be data if it had no value. */
  #needsValue = false;
  #behindQuote = false;
  #value = "";
  #lineEnded = false;
  /** The first value of each; undefined where it was not quoted, or absent. */
  readonly #attributes = new Map<string, string | undefined>();

  constructor(syntax: TagSyntax = {}) {
    this.#syntax = syntax;
    this.#end = syntax.end ?? ">";
    this.#state = syntax.equals ? "equals" : "between";
  }

  get held(): number {
    return this.#length;
  }

  /** What the tag names, if that is not empty. */
  get name(): string | undefined {
    return this.attribute(this.#syntax.name ?? "name") || undefined;
  }

  /** The first value of an attribute: quoted, trimmed, entities decoded. Names of attributes are in lower case. */
  attribute(name: string): string | undefined {
    const value = this.#attributes.get(name);
    return value === undefined ? undefined : decodeEntities(trimBlanks(value));
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
    const inQuotes = this.#state === "quoted";
    // At the cap scanning goes on behind what was read (G2); a raw `<` is the token that did not fit (A6).
    if (++this.#length > SIEVE_LIMITS.tag && code !== LESS) this.done = true;
    else if (!inQuotes && code === this.#end.charCodeAt(this.#ending)) this.#ends();
    else if (code === LESS || this.#ending > 0) this.#misfit(code);
    else if (inQuotes) this.#quoted(code);
    else if (this.#state === "equals") this.#inEquals(code);
    else this.#unquoted(code);
  }

  #ends() {
    if (this.#lacksValue) return this.#misfit(this.#end.charCodeAt(this.#ending));
    this.#ending += 1;
    if (this.#ending < this.#end.length) return;
    if (this.#state === "equals") this.#equalsEnds();
    else if (this.#state === "unquoted") this.#attributeEnds(this.#value);
    this.ok = true;
    this.done = true;
  }

  #misfit(code: number) {
    this.back = this.#end.slice(0, this.#ending) + String.fromCharCode(code);
    this.done = true;
  }

  #quoted(code: number) {
    if (code === this.#quote) {
      this.#attributeEnds(this.#value);
      this.#state = "between";
      this.#behindQuote = true;
    } else this.#value += String.fromCharCode(code);
  }

  /** A name stands on one line: on the next one the data of a tag begins whose end was lost. */
  #inEquals(code: number) {
    const breaks = code === LINE_FEED || code === CARRIAGE_RETURN;
    this.#lineEnded ||= breaks && this.#value !== "";
    if (this.#lineEnded && !isBlank(code)) this.#misfit(code);
    else if (this.#value !== "" || !isBlank(code)) this.#value += String.fromCharCode(code);
  }

  #unquoted(code: number) {
    const blank = isBlank(code);
    // In an unquoted value a slash is part of it, as in `x=/usr/`.
    this.selfClosing = this.#state !== "unquoted" && (code === SLASH || (blank && this.selfClosing));
    switch (this.#state) {
      case "between":
        if (!blank && code !== SLASH) this.#beginName(code);
        this.#behindQuote = false;
        return;
      case "name":
        if (code === EQUALS) this.#state = "before-value";
        else if (blank) this.#state = "behind-name";
        else if (code === SLASH) this.#state = "between";
        else if (!belongsToName(code)) this.#misfit(code);
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
        if (blank) {
          this.#attributeEnds(this.#value);
          this.#state = "between";
        } else if (this.#syntax.unquoted) this.#value += String.fromCharCode(code);
        return;
      case "quoted":
      case "equals":
        return;
      default:
        this.#state satisfies never;
    }
  }

  #beginName(code: number) {
    if (!beginsName(code) || this.#lacksValue) return this.#misfit(code);
    this.#needsValue = this.#behindQuote;
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
      this.#state = "unquoted";
      if (this.#syntax.unquoted) this.#value = String.fromCharCode(code);
      // An unquoted name is no name, and the first one counts.
      else this.#attributeEnds(undefined);
    }
  }

  get #lacksValue(): boolean {
    return this.#needsValue && this.#attribute !== "";
  }

  /** A slash at the end of it closes the tag, as no name ends in one. */
  #equalsEnds() {
    this.selfClosing = this.#value.endsWith("/");
    this.#attribute = this.#syntax.name ?? "name";
    this.#attributeEnds(this.selfClosing ? this.#value.slice(0, -1) : this.#value);
  }

  #attributeEnds(value: string | undefined) {
    if (this.#attribute !== "" && !this.#attributes.has(this.#attribute)) this.#attributes.set(this.#attribute, value);
    this.#attribute = "";
  }
}

/** Of an attribute: as XML has them, with letters of any script. */
function beginsName(code: number): boolean {
  return code >= 128 || /[A-Za-z_:]/.test(String.fromCharCode(code));
}

function belongsToName(code: number): boolean {
  return code >= 128 || /[\w:.-]/.test(String.fromCharCode(code));
}
