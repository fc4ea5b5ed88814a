import { BACKSLASH, LINE_FEED } from "../characters.ts";
import type { Write } from "../value-scan/marks.ts";
import { readEscape } from "../values/python.ts";
import type { LookBehind } from "./argument-end.ts";
import type { LiteralReader, Repaired } from "./argument-value.ts";

/** Takes what a quoted string consists of. */
export interface QuotedParts {
  /** Characters that mean themselves. */
  text(piece: string): void;
  /** The string's own quotes, and backslashes with what stands behind them, that mean themselves all the same. */
  data(piece: string): void;
  /** A backslash and what belongs to it, and what that stands for. */
  escape(written: string, value: string): void;
  /** The quotes that open the string, and those that close it. */
  quotes(written: string): void;
}

/** The text that a string stands for. */
export function decoded(write: Write): QuotedParts {
  return { text: write, data: write, escape: (_written, value) => write(value), quotes() {} };
}

/** The string as it stands there. */
export function verbatim(write: Write): QuotedParts {
  return { text: write, data: write, escape: (written) => write(written), quotes: write };
}

/** Text as it stands in a string of Python's, whichever the quotes. */
export function protectedText(write: Write): (piece: string) => void {
  return (piece) => write(piece.replace(/[\\'"]/g, "\\$&"), piece);
}

/** The string as Python would write it: what means itself without saying so gets its backslash. */
export function mended(write: Write): QuotedParts {
  return { ...verbatim(write), data: protectedText(write) };
}

/** What follows a backslash, as far as it goes. */
const ESCAPE_BEGINS = /^\\(?:[0-7]{1,3}|x[0-9a-fA-F]{0,2}|u[0-9a-fA-F]{0,4}|U[0-9a-fA-F]{0,8}|[^0-7xuU])$/;

const ESCAPE_LENGTHS: Readonly<Record<string, number>> = { x: 4, u: 6, U: 10 };

/**
 * A string as Python writes it, from behind its first quote on: in one quote or in three. Models also write it without
 * escapes, and then its own quotes stand inside. So a quote closes it only if what stands behind fits (R22); any other is
 * data. What is written properly is never misread by that, since there all other quotes have their backslash.
 */
export class Quoted implements LiteralReader {
  closed = false;
  /** Behind the closing quote. */
  back = "";
  again = 0;

  readonly #quote: string;
  /** A backslash keeps a quote from closing the string, and means itself. */
  readonly #raw: boolean;
  readonly #parts: QuotedParts;
  readonly #lookBehind: () => LookBehind;
  readonly #repaired: Repaired;
  /** Quotes that open the string, and close it; undefined as long as there may be more of them. */
  #size: 1 | 3 | undefined;
  /** Quotes in a row that may still open or close it. */
  #quotes = 1;
  #look: LookBehind | undefined;
  #escape = "";

  constructor(quote: string, raw: boolean, parts: QuotedParts, lookBehind: () => LookBehind, repaired: Repaired) {
    this.#quote = quote;
    this.#raw = raw;
    this.#parts = parts;
    this.#lookBehind = lookBehind;
    this.#repaired = repaired;
  }

  get held(): number {
    return this.#quotes + this.#escape.length + (this.#look?.held.length ?? 0);
  }

  /** Passes over characters that mean themselves, hands them on and returns where it stopped. */
  plain(s: string, at: number): number {
    if (this.held > 0) return at;
    const quote = this.#quote.charCodeAt(0);
    let i = at;
    for (; i < s.length; i++) {
      const code = s.charCodeAt(i);
      if (code === quote || code === BACKSLASH) break;
    }
    if (i > at) this.#parts.text(s.slice(at, i));
    return i;
  }

  step(code: number) {
    const character = String.fromCharCode(code);
    if (this.#look) this.#judge(this.#look, code);
    else if (this.#escape !== "") this.#inEscape(code, character);
    else if (character === this.#quote) this.#countQuote();
    else if (this.#size === undefined) this.#opened(code);
    else {
      if (this.#quotes > 0) this.#quotesAreData(this.#quotes);
      if (code === BACKSLASH) this.#escape = character;
      else this.#parts.text(character);
    }
  }

  finish() {
    if (this.#look?.closed) this.#close(this.#look);
  }

  #countQuote() {
    this.#quotes += 1;
    if (this.#size === undefined && this.#quotes === 3) {
      this.#begin(3);
      this.#quotes = 0;
    } else if (this.#quotes === this.#size) this.#look = this.#lookBehind();
  }

  /** The first character that is no quote: two quotes are an empty string, or the second one is data. */
  #opened(code: number) {
    this.#begin(1);
    this.#quotes -= 1;
    if (this.#quotes === 1) this.#look = this.#lookBehind();
    this.step(code);
  }

  #begin(size: 1 | 3) {
    this.#size = size;
    this.#parts.quotes(this.#quote.repeat(size));
  }

  #judge(look: LookBehind, code: number) {
    const verdict = look.step(code);
    if (verdict === "more") return;
    if (verdict === "end") return this.#close(look);
    this.#look = undefined;
    const behind = look.held.slice(0, -1);
    // Of four quotes in a row the last three may close it.
    if (behind === "" && this.#quotes === 3) {
      this.#quotesAreData(1);
      this.#quotes = 2;
    } else {
      this.#quotesAreData(this.#quotes);
      if (behind !== "") this.#parts.text(behind);
    }
    this.again += 1;
    this.step(code);
  }

  #quotesAreData(count: number) {
    // In three quotes fewer of them need no backslash.
    if (count === this.#size) this.#repaired("lenient-quotes");
    this.#parts.data(this.#quote.repeat(count));
    this.#quotes = 0;
  }

  #close(look: LookBehind) {
    this.#parts.quotes(this.#quote.repeat(this.#size ?? 1));
    this.back = look.back;
    this.closed = true;
    this.#look = undefined;
    this.#quotes = 0;
  }

  #inEscape(code: number, character: string) {
    const read = this.#escape + character;
    if (this.#raw) return this.#escapeIsData(read);
    // In a string of one quote a raw line break is a fault of Python's, so the backslash before it is not Python's either.
    if (code === LINE_FEED && this.#size === 1 && this.#escape === "\\") return this.#loneBackslash(read);
    if (ESCAPE_BEGINS.test(read)) {
      this.#escape = read;
      if (read.length === escapeLength(read)) this.#escaped();
      return;
    }
    this.#escaped();
    this.again += 1;
    this.step(code);
  }

  #escaped() {
    const written = this.#escape;
    const value = readEscape(written, 0)?.value;
    if (value === undefined) return this.#loneBackslash(written);
    this.#escape = "";
    this.#parts.escape(written, value);
  }

  #loneBackslash(written: string) {
    this.#repaired("lenient-quotes");
    this.#escapeIsData(written);
  }

  #escapeIsData(written: string) {
    this.#escape = "";
    this.#parts.data(written);
  }
}

/** Characters of the whole escape, given its beginning. */
function escapeLength(beginning: string): number {
  const letter = beginning.charAt(1);
  return /[0-7]/.test(letter) ? 4 : (ESCAPE_LENGTHS[letter] ?? 2);
}
