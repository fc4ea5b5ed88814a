import { SIEVE_LIMITS } from "../../limits.ts";
import { isBlank, isHighSurrogate } from "../scan.ts";
import type { Sink } from "../value-scan/marks.ts";
import { escapeJson } from "./json.ts";
import type { Origin } from "./value.ts";

/** A value that was collected. */
export interface Given {
  readonly text: string;
  /** The text with the marks of CDATA sections inside it. */
  readonly written: string;
  readonly origin: Origin;
}

/** Takes a value and forgets it. */
export class Ignored implements Sink {
  readonly full = false;
  begin() {}
  text() {}
  close() {}
}

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

  begin() {}

  text(piece: string) {
    let text = this.#half + piece;
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

/** Held until its end. */
export class Collected implements Sink {
  held = 0;
  readonly #done: (value: Given) => void;
  readonly #text: string[] = [];
  readonly #written: string[] = [];
  #origin: Origin = "bare";

  constructor(done: (value: Given) => void) {
    this.#done = done;
  }

  get full(): boolean {
    return this.held > SIEVE_LIMITS.value;
  }

  begin(kind: Origin) {
    this.#origin = kind;
  }

  text(piece: string, written: string) {
    this.#text.push(piece);
    this.#written.push(written);
    this.held += written.length;
  }

  close() {
    this.#done({ text: this.#text.join(""), written: this.#written.join(""), origin: this.#origin });
  }
}

/** `null` or a string: streams once it is no prefix of `null` with blanks around it (sieve.md E2). */
export class NullableString implements Sink {
  readonly full = false;
  readonly #string: () => Sink;
  readonly #null: () => void;
  #held = "";
  /** Blanks in front, then letters of `null`, then blanks behind. */
  #matched = 0;
  #blanks = 0;
  #stream: Sink | undefined;

  constructor(string: () => Sink, isNull: () => void) {
    this.#string = string;
    this.#null = isNull;
  }

  begin() {}

  text(piece: string) {
    if (this.#stream) return this.#stream.text(piece, piece);
    this.#held += piece;
    for (let i = 0; i < piece.length; i++) {
      if (this.#fits(piece.charCodeAt(i))) continue;
      this.#stream = this.#string();
      this.#stream.text(this.#held, this.#held);
      this.#held = "";
      return;
    }
  }

  close() {
    if (!this.#stream && this.#matched === 4) return this.#null();
    const stream = this.#stream ?? this.#string();
    if (!this.#stream && this.#held !== "") stream.text(this.#held, this.#held);
    stream.close();
  }

  #fits(code: number): boolean {
    if (isBlank(code)) return (this.#matched === 0 || this.#matched === 4) && ++this.#blanks <= SIEVE_LIMITS.blanks;
    return this.#matched < 4 && code === "null".charCodeAt(this.#matched++);
  }
}
