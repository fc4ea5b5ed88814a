import { SIEVE_LIMITS } from "../../limits.ts";
import { isBlank, isHighSurrogate } from "../characters.ts";
import { escapeJson, jsonTypeOf } from "./json.ts";
import { type Claim, type Origin, trimBlanks } from "./value.ts";

/** A place for one value. How that is written decides what becomes of it, so it is told before the first piece. */
export interface Member {
  begin(origin: Claim): Sink;
}

/** Takes the text of one value, piece by piece. */
export interface Sink {
  /** @param written the piece with the marks of CDATA sections inside it, where they were taken off */
  text(piece: string, written?: string): void;
  /** The value's own end was seen. */
  close(): void;
  /** There was more than it can hold: what it has got is not the value. */
  readonly full: boolean;
}

/** A value that was collected. */
export interface Collection {
  readonly text: string;
  /** The text with the marks of CDATA sections inside it. */
  readonly written: string;
  readonly origin: Origin;
}

/** A text that is needed whole, such as a name; beyond the cap it is not the text. */
export class Text implements Sink {
  value = "";
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get full(): boolean {
    return this.value.length > this.#most;
  }

  text(piece: string) {
    if (!this.full) this.value += piece;
  }

  close() {}
}

/** Takes a value and forgets it. */
export const ignored: Member & Sink = {
  begin: () => ignored,
  text() {},
  close() {},
  full: false,
};

/** A string that goes out as it comes. Half a surrogate pair waits for its other half (sieve.md P6). */
export class Streamed implements Sink {
  readonly full = false;
  readonly #write: (json: string) => void;
  readonly #close: () => void;
  #half = "";

  constructor(write: (json: string) => void, close: () => void) {
    this.#write = write;
    this.#close = close;
  }

  text(piece: string) {
    let text = this.#half === "" ? piece : this.#half + piece;
    this.#half = "";
    if (isHighSurrogate(text.charCodeAt(text.length - 1))) {
      this.#half = text.slice(-1);
      text = text.slice(0, -1);
    }
    if (text !== "") this.#write(escapeJson(text));
  }

  close() {
    if (this.#half !== "") this.#write(escapeJson(this.#half));
    this.#close();
  }
}

/** Held until its end; beyond the cap it is forgotten, but still read to its end. */
export class Collected implements Sink {
  readonly #claim: Claim;
  readonly #done: (value: Collection) => void;
  #text: string[] = [];
  /** Kept apart only where it differs. */
  #written: string[] | undefined;
  /** Summed up apart: the greater of the two sums must not depend on where the pieces were cut. */
  #textSize = 0;
  #writtenSize = 0;

  constructor(claim: Claim, done: (value: Collection) => void) {
    this.#claim = claim;
    this.#done = done;
  }

  get held(): number {
    return Math.max(this.#textSize, this.#writtenSize);
  }

  get full(): boolean {
    return this.held > SIEVE_LIMITS.value;
  }

  text(piece: string, written?: string) {
    if (this.full) return;
    if (written !== undefined) this.#written ??= [...this.#text];
    this.#text.push(piece);
    this.#written?.push(written ?? piece);
    this.#textSize += piece.length;
    this.#writtenSize += (written ?? piece).length;
    if (!this.full) return;
    this.#text = [];
    this.#written = undefined;
  }

  close() {
    if (this.full) return;
    const text = this.#text.join("");
    const written = this.#written?.join("") ?? text;
    this.#done(this.#claim === "literal" ? literal(text) : { text, written, origin: this.#claim });
  }
}

/** What should be JSON, and is read as bare text where it is none. */
function literal(written: string): Collection {
  const text = trimBlanks(written);
  const type = jsonTypeOf(text);
  if (type === "string") return collection(JSON.parse(text), "string");
  return type ? collection(text, "json") : collection(written, "bare");
}

function collection(text: string, origin: Origin): Collection {
  return { text, written: text, origin };
}

/** `null` or a string: streams once it is no prefix of `null` with blanks around it (sieve.md E2). */
export class NullableString implements Sink {
  readonly full = false;
  readonly #string: () => Sink;
  readonly #null: () => void;
  #held = "";
  /** Letters of `null`, with blanks in front of them or behind. */
  #matched = 0;
  #blanks = 0;
  #stream: Sink | undefined;

  constructor(string: () => Sink, isNull: () => void) {
    this.#string = string;
    this.#null = isNull;
  }

  text(piece: string) {
    if (this.#stream) return this.#stream.text(piece);
    this.#held += piece;
    for (let i = 0; i < piece.length; i++) {
      if (this.#fits(piece.charCodeAt(i))) continue;
      this.#begin().text(this.#held);
      return;
    }
  }

  close() {
    if (this.#stream) return this.#stream.close();
    if (this.#matched === 4) return this.#null();
    const stream = this.#begin();
    if (this.#held !== "") stream.text(this.#held);
    stream.close();
  }

  #begin(): Sink {
    this.#stream = this.#string();
    return this.#stream;
  }

  #fits(code: number): boolean {
    if (isBlank(code)) return (this.#matched === 0 || this.#matched === 4) && ++this.#blanks <= SIEVE_LIMITS.blanks;
    return this.#matched < 4 && code === "null".charCodeAt(this.#matched++);
  }
}
