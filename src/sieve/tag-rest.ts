import { SIEVE_LIMITS } from "../limits.ts";
import { APOSTROPHE, EQUALS, foldAscii, GREATER, isBlank, LESS, QUOTE, SLASH } from "./characters.ts";
import type { Scan } from "./scan.ts";
import { decodeEntities } from "./values/entities.ts";
import { trimBlanks } from "./values/value.ts";

type TagState = "between" | "name" | "behind-name" | "before-value" | "quoted" | "unquoted";

/** The rest of a tag behind its name, up to `>` (sieve.md G1). A raw `<` never stands in a tag, not even in quotes. */
export class TagRest implements Scan {
  readonly again = 0;
  done = false;
  back = "";
  /** The tag was complete. */
  ok = false;
  selfClosing = false;
  /** The reply ended first. */
  ended = false;

  #state: TagState = "between";
  #length = 0;
  #quote = 0;
  #attribute = "";
  #value = "";
  /** The first value of each; undefined where it was not quoted, or absent. */
  readonly #attributes = new Map<string, string | undefined>();

  get held(): number {
    return this.#length;
  }

  /** The attribute `name`, if it is not empty. */
  get name(): string | undefined {
    return this.attribute("name") || undefined;
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
    } else this.#value += String.fromCharCode(code);
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
    if (this.#attribute !== "" && !this.#attributes.has(this.#attribute)) this.#attributes.set(this.#attribute, value);
    this.#attribute = "";
  }
}
