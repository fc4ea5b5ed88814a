import { SIEVE_LIMITS } from "../../limits.ts";
import { mayBeString, onlyString, onlyStringOrNull, type Shape, wantsArray } from "../../schema.ts";
import { isBlank, isHighSurrogate } from "../scan.ts";
import type { Sink } from "../value-scan/marks.ts";
import { escapeJson } from "./json.ts";
import { typedJson } from "./typing.ts";
import type { Origin } from "./value.ts";

/** What `Arguments` tells about the call that it writes. */
export interface ArgumentsObserver {
  /** A fragment; all fragments joined are the JSON of the arguments object (sieve.md E2). */
  write(json: string): void;
  /** The place where a call may be announced: its first parameter, or its end (sieve.md E). */
  certain(): void;
  repaired(name: string): void;
  /** A value that could not be brought to its schema's type stayed text (V6). */
  uncoercible(): void;
}

/**
 * Writes the arguments of one call as JSON, member by member. Nothing else writes JSON: braces, commas, keys and quotes
 * come from here, so fragments join to one valid object whatever a grammar met. A value that can only be a string is
 * escaped and out at once; every other is collected and typed at its end.
 */
export class Arguments {
  readonly #shape: Shape | undefined;
  readonly #observer: ArgumentsObserver;
  readonly #given = new Set<string>();
  /** Structure that goes out with the text behind it. */
  #structure = "";
  #open = "{";
  #repeats: { key: string; items: { text: string; origin: Origin }[]; size: number } | undefined;
  #collecting: Collected | undefined;

  constructor(shape: Shape | undefined, observer: ArgumentsObserver) {
    this.#shape = shape;
    this.#observer = observer;
  }

  /** The parameter is declared, and not yet given (sieve.md V3). */
  expects(key: string): boolean {
    return this.#shape?.declares(key) === true && !this.#given.has(key);
  }

  /** Characters held: of a value that cannot stream, and of one that may become an item. */
  get held(): number {
    return (this.#collecting?.held ?? 0) + (this.#repeats?.size ?? 0);
  }

  /** Begins a member; its value goes to the sink. Of a repeated parameter the first one stands (V8). */
  member(key: string): Sink {
    this.#observer.certain();
    const shape = this.#shape?.property(key);
    const repeats = this.#repeats;
    if (repeats?.key === key) {
      return this.#collect((text, origin) => {
        repeats.items.push({ text, origin });
        repeats.size += text.length;
      });
    }
    if (this.#given.has(key)) {
      this.#observer.repaired("parameter-repeated");
      return new Ignored();
    }
    this.#flushRepeats();
    this.#given.add(key);
    return new Typed(
      shape,
      () => this.#string(key),
      (done) => this.#collect(done),
      (text, origin) => this.#value(key, shape, text, origin),
    );
  }

  end() {
    this.#observer.certain();
    this.#flushRepeats();
    this.#write(this.#open === "{" ? "{}" : "}");
  }

  #string(key: string): Sink {
    this.#key(key);
    this.#structure += '"';
    return new Streamed(
      (json) => this.#write(json),
      () => {
        this.#structure += '"';
      },
    );
  }

  #collect(done: (text: string, origin: Origin) => void): Collected {
    this.#collecting = new Collected((text, origin) => {
      this.#collecting = undefined;
      done(text, origin);
    });
    return this.#collecting;
  }

  #value(key: string, shape: Shape | undefined, text: string, origin: Origin) {
    const { json, fits } = typedJson(text, origin, shape);
    if (!fits && wantsArray(shape) && !json.startsWith("[")) {
      this.#repeats = { key, items: [{ text, origin }], size: text.length };
      return;
    }
    if (!fits) this.#observer.uncoercible();
    this.#key(key);
    this.#write(json);
  }

  /** Adjacent repeats are the items of an array; one alone stays the text that it is. */
  #flushRepeats() {
    const repeats = this.#repeats;
    if (!repeats) return;
    this.#repeats = undefined;
    const { key, items } = repeats;
    const shape = this.#shape?.property(key);
    const item = items.length > 1 ? shape?.items() : shape;
    const values = items.map(({ text, origin }) => typedJson(text, origin, item));
    for (const { fits } of values) if (!fits) this.#observer.uncoercible();
    this.#key(key);
    const json = values.map((value) => value.json).join(",");
    this.#write(items.length > 1 ? `[${json}]` : json);
  }

  #key(key: string) {
    this.#structure += `${this.#open}${JSON.stringify(key)}:`;
    this.#open = ",";
  }

  #write(json: string) {
    const fragment = this.#structure + json;
    this.#structure = "";
    this.#observer.write(fragment);
  }
}

/** Takes a value and forgets it. */
export class Ignored implements Sink {
  readonly full = false;
  begin() {}
  text() {}
  close() {}
}

/** Chooses, once it is known how the value is written, whether it streams or is collected (sieve.md E2). */
class Typed implements Sink {
  readonly #shape: Shape | undefined;
  readonly #string: () => Sink;
  readonly #collect: (done: (text: string, origin: Origin) => void) => Collected;
  readonly #done: (text: string, origin: Origin) => void;
  #sink: Sink = new Ignored();

  constructor(
    shape: Shape | undefined,
    string: () => Sink,
    collect: (done: (text: string, origin: Origin) => void) => Collected,
    done: (text: string, origin: Origin) => void,
  ) {
    this.#shape = shape;
    this.#string = string;
    this.#collect = collect;
    this.#done = done;
  }

  get full(): boolean {
    return this.#sink.full;
  }

  begin(kind: Origin) {
    if (kind === "cdata" ? mayBeString(this.#shape) : onlyString(this.#shape)) this.#sink = this.#string();
    else if (kind === "bare" && onlyStringOrNull(this.#shape)) {
      this.#sink = new NullableString(this.#string, () => this.#done("null", "bare"));
    } else this.#sink = this.#collect(this.#done);
    this.#sink.begin(kind);
  }

  text(piece: string) {
    this.#sink.text(piece);
  }

  close() {
    this.#sink.close();
  }
}

/** A string that goes out as it comes. Half a surrogate pair waits for its other half (sieve.md P6). */
class Streamed implements Sink {
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
class Collected implements Sink {
  held = 0;
  readonly #done: (text: string, origin: Origin) => void;
  readonly #pieces: string[] = [];
  #origin: Origin = "bare";

  constructor(done: (text: string, origin: Origin) => void) {
    this.#done = done;
  }

  get full(): boolean {
    return this.held > SIEVE_LIMITS.value;
  }

  begin(kind: Origin) {
    this.#origin = kind;
  }

  text(piece: string) {
    this.#pieces.push(piece);
    this.held += piece.length;
  }

  close() {
    this.#done(this.#pieces.join(""), this.#origin);
  }
}

/** `null` or a string: streams once it is no prefix of `null` with blanks around it (sieve.md E2). */
class NullableString implements Sink {
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
    if (this.#stream) return this.#stream.text(piece);
    this.#held += piece;
    for (let i = 0; i < piece.length; i++) {
      if (this.#fits(piece.charCodeAt(i))) continue;
      this.#stream = this.#string();
      this.#stream.text(this.#held);
      this.#held = "";
      return;
    }
  }

  close() {
    if (!this.#stream && this.#matched === 4) return this.#null();
    const stream = this.#stream ?? this.#string();
    if (!this.#stream && this.#held !== "") stream.text(this.#held);
    stream.close();
  }

  #fits(code: number): boolean {
    if (isBlank(code)) return (this.#matched === 0 || this.#matched === 4) && ++this.#blanks <= SIEVE_LIMITS.blanks;
    return this.#matched < 4 && code === "null".charCodeAt(this.#matched++);
  }
}
