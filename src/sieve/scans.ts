import { SIEVE_LIMITS } from "../limits.ts";
import { endsTagName, foldAscii, isBlank, type Scan } from "./scan.ts";
import { decodeEntities } from "./values/entities.ts";
import { trimBlanks } from "./values/value.ts";

const COMMENT_OPEN = "<!--";
const COMMENT_CLOSE = "-->";
const CDATA_OPEN = "<![cdata[";
const CDATA_CLOSE = "]]>";

/**
 * Skips what may stand between tags and finds the head of one of several tags.
 *
 * With `skip: "blanks"` only blanks and comments are passed over (sieve.md G2) and anything else goes back; with
 * `skip: "anything"` it reads on, comments and CDATA sections whole, until a head comes (sieve.md G3).
 *
 * Words begin with `<` and hold no other `<`, so no character of a failed match can begin another one.
 */
export class OneOf implements Scan {
  looks = 0;
  done = false;
  back = "";
  /** The head that was found; undefined when something else stands there or the reply ended. */
  found: string | undefined;
  /** The reply ended first. */
  ended = false;
  /** The beginning of a tag at the end of the reply, in lower case. */
  rest = "";

  readonly #words: readonly string[];
  readonly #skipsAnything: boolean;
  /** The token so far as written, and folded. */
  #token = "";
  #folded = "";
  /** What closes the comment or section being passed over. */
  #passing: typeof COMMENT_CLOSE | typeof CDATA_CLOSE | undefined;
  #passed = 0;
  #matched = 0;

  constructor(words: readonly string[], skip: "blanks" | "anything") {
    this.#words = skip === "anything" ? [...words, CDATA_OPEN, COMMENT_OPEN] : [...words, COMMENT_OPEN];
    this.#skipsAnything = skip === "anything";
  }

  get held(): number {
    return this.#token.length;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) {
      if (this.#skipsAnything && !this.#passing && this.#token === "") {
        const next = s.indexOf("<", i);
        if (next < 0) i = s.length;
        else {
          this.#step(60);
          i = next + 1;
        }
      } else this.#step(s.charCodeAt(i++));
    }
    this.looks += i - at;
    return i;
  }

  finish() {
    this.done = true;
    this.ended = true;
    this.rest = this.#folded;
  }

  #step(code: number) {
    if (this.#passing) return this.#pass(code, this.#passing);
    if (this.#token === "" && code !== 60) {
      if (!this.#skipsAnything && !isBlank(code)) this.#decide(undefined, String.fromCharCode(code));
      return;
    }
    if (this.#words.includes(this.#folded) && endsTagName(code)) {
      return this.#decide(this.#folded, String.fromCharCode(code));
    }
    this.#token += String.fromCharCode(code);
    this.#folded += String.fromCharCode(foldAscii(code));
    if (this.#folded === COMMENT_OPEN) this.#begin(COMMENT_CLOSE);
    else if (this.#folded === CDATA_OPEN && this.#skipsAnything) this.#begin(CDATA_CLOSE);
    else if (!this.#words.some((word) => word.startsWith(this.#folded))) this.#mismatch(code);
  }

  #mismatch(code: number) {
    if (!this.#skipsAnything) return this.#decide(undefined, this.#token);
    this.#token = this.#folded = code === 60 ? "<" : "";
  }

  #begin(closer: typeof COMMENT_CLOSE | typeof CDATA_CLOSE) {
    this.#passing = closer;
    this.#passed = this.#matched = 0;
    this.#token = this.#folded = "";
  }

  #pass(code: number, closer: string) {
    this.#passed += 1;
    if (code === closer.charCodeAt(this.#matched)) this.#matched += 1;
    // A longer run of dashes or brackets still ends in the closer: `--->`, `]]]>`.
    else if (!(this.#matched === 2 && code === closer.charCodeAt(0)))
      this.#matched = code === closer.charCodeAt(0) ? 1 : 0;
    if (this.#matched === closer.length) this.#passing = undefined;
    else if (closer === COMMENT_CLOSE && this.#passed >= SIEVE_LIMITS.tag) {
      this.#passing = undefined;
      if (!this.#skipsAnything) this.#decide(undefined, "");
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
  looks = 0;
  done = false;
  back = "";
  /** The tag was complete. */
  ok = false;
  selfClosing = false;
  /** Value of the first attribute `name`: quoted, entities decoded, trimmed, not empty. */
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
    while (i < s.length && !this.done) this.#step(s.charCodeAt(i++));
    this.looks += i - at;
    return i;
  }

  finish() {
    this.done = true;
    this.ended = true;
  }

  #step(code: number) {
    // At the cap scanning goes on behind what was read (G2); a raw `<` is the token that did not fit (A6).
    if (code === 60 || ++this.#length > SIEVE_LIMITS.tag) {
      this.back = code === 60 ? "<" : "";
      this.done = true;
    } else if (this.#state === "quoted") this.#quoted(code);
    else if (code === 62) this.#close();
    else this.#unquoted(code);
  }

  #quoted(code: number) {
    if (code !== this.#quote) this.#value += String.fromCharCode(code);
    else {
      this.#attributeEnds(this.#value);
      this.#state = "between";
    }
  }

  #unquoted(code: number) {
    const blank = isBlank(code);
    this.selfClosing = code === 47 || (blank && this.selfClosing);
    switch (this.#state) {
      case "between":
        if (!blank && code !== 47) this.#beginName(code);
        return;
      case "name":
        if (code === 61) this.#state = "before-value";
        else if (blank) this.#state = "behind-name";
        else if (code === 47) this.#state = "between";
        else this.#attribute += String.fromCharCode(foldAscii(code));
        return;
      case "behind-name":
        if (code === 61) this.#state = "before-value";
        else if (!blank) this.#beginName(code);
        return;
      case "before-value":
        if (blank) return;
        if (code === 34 || code === 39) {
          this.#quote = code;
          this.#value = "";
          this.#state = "quoted";
        } else {
          // An unquoted name is no name, and the first one counts.
          this.#attributeEnds(undefined);
          this.#state = "unquoted";
        }
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

  #attributeEnds(value: string | undefined) {
    if (this.#attribute !== "name" || this.#named) return;
    this.#named = true;
    const name = value === undefined ? "" : decodeEntities(trimBlanks(value));
    if (name !== "") this.name = name;
  }

  #close() {
    this.ok = true;
    this.done = true;
  }
}
