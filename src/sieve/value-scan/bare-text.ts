import { SIEVE_LIMITS } from "../../limits.ts";
import { AMPERSAND, SEMICOLON } from "../characters.ts";
import { decodeEntities, entityValue, LONGEST_ENTITY } from "../values/entities.ts";
import { leadingLineBreak } from "../values/value.ts";
import type { TextStyle, Write } from "./marks.ts";

/**
 * The text of a bare value, as its notation has it: one line break at its beginning is cut, and then one at its end
 * (sieve.md V4); references are decoded only if the whole value is well-formed escaped text (V5), so from the first good
 * one on it is held.
 */
export class BareText {
  readonly #write: Write;
  /** Nothing is decoded, or not any more: a raw `<` or a bad `&` was there. */
  #raw: boolean;
  /** A reference being read, from its `&` on. */
  #reference = "";
  /** From the first good reference on. */
  #escaped: string[] = [];
  #size = 0;
  /** The value began with a line break: one at its end is held back. */
  readonly #trims: boolean;
  #break = "";

  constructor(style: TextStyle, blanks: string, write: Write) {
    this.#write = write;
    this.#raw = style !== "markup";
    const cut = style === "verbatim" ? 0 : leadingLineBreak(blanks);
    this.#trims = cut > 0;
    if (blanks.length > cut) this.data(blanks.slice(cut));
  }

  /** An `&` still means something. */
  get decodes(): boolean {
    return !this.#raw;
  }

  get inReference(): boolean {
    return this.#reference !== "";
  }

  get held(): number {
    return this.#size + this.#reference.length + this.#break.length;
  }

  /** Text without `<` and, as long as it `decodes`, without `&`. */
  data(piece: string) {
    if (!this.#trims) return this.#pass(piece);
    const text = this.#break + piece;
    const cut = text.endsWith("\r\n") ? 2 : text.endsWith("\n") || text.endsWith("\r") ? 1 : 0;
    this.#break = text.slice(text.length - cut);
    if (text.length > cut) this.#pass(text.slice(0, text.length - cut));
  }

  /** Any character but `<`. */
  character(code: number) {
    if (this.#reference !== "") this.#inReference(code);
    else if (code === AMPERSAND && !this.#raw) {
      this.#releaseBreak();
      this.#reference = "&";
    } else this.data(String.fromCharCode(code));
  }

  /** Text that holds a raw `<`: nothing in this value is decoded. */
  markup(piece: string) {
    this.#giveUp();
    this.data(piece);
  }

  /** A CDATA section: verbatim, its own line breaks too, and nothing around it is decoded. */
  section(content: string, written: string) {
    this.#giveUp();
    this.#releaseBreak();
    this.#write(content, written);
  }

  end() {
    if (this.#reference !== "") this.#giveUp();
    else if (this.#size > 0) this.#write(decodeEntities(this.#escaped.join("")));
    // A lone CR is no line break.
    if (this.#break === "\r") this.#write(this.#break);
  }

  #inReference(code: number) {
    const character = String.fromCharCode(code);
    if (code === SEMICOLON && entityValue(this.#reference.slice(1)) !== undefined) {
      const reference = `${this.#reference};`;
      this.#reference = "";
      this.#hold(reference);
    } else if (code === SEMICOLON || this.#reference.length >= LONGEST_ENTITY || !/[#0-9A-Za-z]/.test(character)) {
      this.#giveUp();
      this.data(character);
    } else this.#reference += character;
  }

  #pass(piece: string) {
    if (this.#size === 0) this.#write(piece);
    else this.#hold(piece);
  }

  #hold(piece: string) {
    this.#escaped.push(piece);
    this.#size += piece.length;
    if (this.#size > SIEVE_LIMITS.entities) this.#giveUp();
  }

  #giveUp() {
    if (this.#raw) return;
    this.#raw = true;
    if (this.#size > 0) this.#write(this.#escaped.join(""));
    this.#escaped = [];
    this.#size = 0;
    const reference = this.#reference;
    this.#reference = "";
    if (reference !== "") this.data(reference);
  }

  #releaseBreak() {
    const held = this.#break;
    this.#break = "";
    if (held !== "") this.#pass(held);
  }
}
