import { mayBeString, onlyString, onlyStringOrNull, type Shape, wantsArray } from "../../schema.ts";
import type { Sink } from "../value-scan/marks.ts";
import { Collected, type Given, Ignored, NullableString, Streamed } from "./sinks.ts";
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
  #repeats: { key: string; items: Given[]; size: number } | undefined;
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
      return this.#collect((item) => {
        repeats.items.push(item);
        repeats.size += item.text.length;
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
      (value) => this.#value(key, shape, value),
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

  #collect(done: (value: Given) => void): Collected {
    this.#collecting = new Collected((value) => {
      this.#collecting = undefined;
      done(value);
    });
    return this.#collecting;
  }

  #value(key: string, shape: Shape | undefined, value: Given) {
    const { json, fits } = typed(value, shape);
    if (!fits && wantsArray(shape) && !json.startsWith("[")) {
      this.#repeats = { key, items: [value], size: value.text.length };
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
    const values = items.map((value) => typed(value, item));
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

function typed({ text, origin, written }: Given, shape: Shape | undefined) {
  return typedJson(text, origin, shape, written);
}

/** Chooses, once it is known how the value is written, whether it streams or is collected (sieve.md E2). */
class Typed implements Sink {
  readonly #shape: Shape | undefined;
  readonly #string: () => Sink;
  readonly #collect: (done: (value: Given) => void) => Collected;
  readonly #done: (value: Given) => void;
  #sink: Sink = new Ignored();

  constructor(
    shape: Shape | undefined,
    string: () => Sink,
    collect: (done: (value: Given) => void) => Collected,
    done: (value: Given) => void,
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
      this.#sink = new NullableString(this.#string, () =>
        this.#done({ text: "null", written: "null", origin: "bare" }),
      );
    } else this.#sink = this.#collect(this.#done);
    this.#sink.begin(kind);
  }

  text(piece: string, written: string) {
    this.#sink.text(piece, written);
  }

  close() {
    this.#sink.close();
  }
}
