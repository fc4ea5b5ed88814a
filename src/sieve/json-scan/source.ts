import { VALUE_DEPTH } from "../../limits.ts";
import {
  APOSTROPHE,
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isBlank,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from "../characters.ts";
import type { Scan } from "../scan.ts";
import type { Sink } from "../values/sinks.ts";
import { isWordCharacter, JsonToken } from "./token.ts";

/**
 * One whole value, handed on as it is written (sieve.md V9), at most one piece per chunk. It knows brackets, strings and
 * words, and nothing of where each may stand: whether that is JSON is asked of the whole.
 */
export class JsonSource implements Scan {
  readonly data = true;
  readonly again = 0;
  done = false;
  back = "";
  /** Undefined as long as it has not begun, and where no value begins. */
  kind: "string" | "object" | "array" | "word" | undefined;
  /** `stray`: something that cannot stand there came first, such as a closing bracket that is not its own; it goes back. */
  ending: "closed" | "stray" | "cut" | undefined;

  readonly #sink: Sink;
  readonly #first: JsonToken;
  /** What the first token gave back goes back, unless somebody else has read it. */
  readonly #firstIsOwn: boolean;
  /** What closes the open brackets. */
  readonly #closers: number[] = [];
  /** Brackets open beyond the depth at which a value is read at all: they are only counted. */
  #deeper = 0;
  /** What closes the open string. */
  #quote: number | undefined;
  #escaped = false;
  #text = "";

  /** @param first the value's first token, if that was read already */
  constructor(sink: Sink, first?: JsonToken) {
    this.#sink = sink;
    this.#first = first ?? new JsonToken();
    this.#firstIsOwn = first === undefined;
  }

  get held(): number {
    return this.kind === undefined ? this.#first.held : 0;
  }

  /** The sink could not hold all of it: what it has got is not the value. */
  get overflowed(): boolean {
    return this.#sink.full;
  }

  eat(s: string, at: number): number {
    let i = at;
    if (this.kind === undefined) {
      i = this.#first.eat(s, i);
      if (!this.#first.done) return i;
      this.#begin();
    }
    if (!this.done) i = this.#inside(s, i);
    this.#settle();
    return i;
  }

  finish() {
    if (this.done) return;
    // A word that was read before is whole.
    if (this.kind === undefined && this.#first.done) this.#begin();
    if (!this.done) this.#end("cut");
    this.#settle();
  }

  #begin() {
    const { kind, text, quote, back, ended } = this.#first;
    if (quote) {
      this.kind = "string";
      this.#quote = quote.charCodeAt(0);
    } else if (kind === "word") {
      this.kind = "word";
      this.#end(ended ? "cut" : "closed", this.#firstIsOwn ? back : "");
    } else if (text === "{" || text === "[") {
      this.kind = text === "{" ? "object" : "array";
      this.#closers.push(text === "{" ? CLOSE_BRACE : CLOSE_BRACKET);
    } else return this.#end("stray", this.#firstIsOwn ? text + back : "");
    this.#text = text;
  }

  /** Behind the first token, as far as the value goes. */
  #inside(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) i = this.#quote === undefined ? this.#structure(s, i) : this.#string(s, i);
    this.#text += s.slice(at, i - this.back.length);
    return i;
  }

  /** One character outside strings. */
  #structure(s: string, at: number): number {
    const code = s.charCodeAt(at);
    switch (code) {
      case QUOTE:
      case APOSTROPHE:
        this.#quote = code;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        this.#open(code === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        this.#close(code);
        break;
      case COLON:
      case COMMA:
        break;
      default:
        if (!isBlank(code) && !isWordCharacter(code)) this.#end("stray", String.fromCharCode(code));
    }
    return at + 1;
  }

  #open(closer: number) {
    if (this.#closers.length < VALUE_DEPTH) this.#closers.push(closer);
    else this.#deeper += 1;
  }

  #close(code: number) {
    if (this.#deeper > 0) this.#deeper -= 1;
    else if (this.#closers.at(-1) !== code) this.#end("stray", String.fromCharCode(code));
    else {
      this.#closers.pop();
      if (this.#closers.length === 0) this.#end("closed");
    }
  }

  /** To the end of the open string. An escaped character never closes it, whether it makes an escape or not. */
  #string(s: string, at: number): number {
    for (let i = at; i < s.length; i++) {
      const code = s.charCodeAt(i);
      if (this.#escaped) this.#escaped = false;
      else if (code === BACKSLASH) this.#escaped = true;
      else if (code === this.#quote) {
        this.#quote = undefined;
        if (this.#closers.length === 0) this.#end("closed");
        return i + 1;
      }
    }
    return s.length;
  }

  #end(ending: "closed" | "stray" | "cut", back = "") {
    this.ending = ending;
    this.back = back;
    this.done = true;
  }

  #settle() {
    if (this.#text !== "") this.#sink.text(this.#text);
    this.#text = "";
    if (this.ending === "closed") this.#sink.close();
  }
}
