import { isObject, parseJson } from "../../json.ts";
import { SIEVE_LIMITS } from "../../limits.ts";
import { mayBeString, onlyString, onlyStringOrNull, type Shape, wantsArray } from "../../schema.ts";
import type { Repair } from "../repairs.ts";
import { jsonSource, jsonTypeOf } from "./json.ts";
import { pythonToJson } from "./python.ts";
import { Collected, type Collection, ignored, type Member, NullableString, type Sink, Streamed } from "./sinks.ts";
import { type TypedValue, typedJson } from "./typing.ts";
import type { Claim } from "./value.ts";

/** Whom `Arguments` tells of what it writes. */
export interface ArgumentsObserver {
  /** A fragment; all fragments joined are the JSON of the arguments object (sieve.md E2). */
  write(json: string): void;
  /** The place where a call may be announced: its first parameter, or its end (sieve.md E). */
  certain(): void;
  repaired(name: Repair): void;
  /** Repairs are allowed (sieve.md T4). */
  readonly mends: boolean;
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
  /** A value that may turn out to be the first item of an array (V8). */
  #repeats: { key: string; items: Collection[]; size: number } | undefined;
  /** A first value that may turn out to be all arguments, wrapped once more. */
  #wrapped: { key: string; value: Collection } | undefined;
  #collecting: Collected | undefined;

  constructor(shape: Shape | undefined, observer: ArgumentsObserver) {
    this.#shape = shape;
    this.#observer = observer;
  }

  /** The parameter is declared, and not yet given (sieve.md V3). */
  expects(key: string): boolean {
    return this.#shape?.declares(key) === true && !this.#given.has(key);
  }

  /** The same, or one more item of a parameter whose items may come one by one (V8). */
  expectsItem(key: string): boolean {
    return this.expects(key) || wantsArray(this.#shape?.property(key));
  }

  /** Characters held: of a value that cannot stream, and of those that may become items. */
  get held(): number {
    return (this.#collecting?.held ?? 0) + (this.#repeats?.size ?? 0) + (this.#wrapped?.value.text.length ?? 0);
  }

  /** There was more than may be held: the call is none. */
  get overflowed(): boolean {
    const items = this.#repeats?.items.length ?? 0;
    return this.#given.size + items > SIEVE_LIMITS.parameters || (this.#repeats?.size ?? 0) > SIEVE_LIMITS.value;
  }

  /** Begins a member. Of a repeated parameter the first one stands (V8). */
  member(key: string): Member {
    this.#observer.certain();
    const repeats = this.#repeats;
    if (repeats?.key === key) return { begin: (origin) => this.#collect(origin, (item) => addItem(repeats, item)) };
    if (this.#given.has(key)) {
      this.#observer.repaired("parameter-repeated");
      return ignored;
    }
    this.#flushRepeats();
    this.#flushWrapped();
    const first = this.#given.size === 0;
    this.#given.add(key);
    if (first && this.#observer.mends && WRAPPING.has(key) && this.#shape && !this.#shape.declares(key)) {
      return { begin: (origin) => this.#collect(origin, (value) => this.#wrap(key, value)) };
    }
    return { begin: (origin) => this.#begin(key, origin) };
  }

  end() {
    this.#observer.certain();
    this.#flushRepeats();
    const unwrapped = this.#wrapped && objectOfDeclared(this.#wrapped.value, this.#shape);
    if (unwrapped !== undefined) {
      this.#observer.repaired("arguments-unwrapped");
      return this.#write(unwrapped);
    }
    this.#flushWrapped();
    this.#write(this.#open === "{" ? "{}" : "}");
  }

  #wrap(key: string, value: Collection) {
    this.#wrapped = { key, value };
  }

  /** There is more than the one value: it was no wrapping. */
  #flushWrapped() {
    const wrapped = this.#wrapped;
    this.#wrapped = undefined;
    if (wrapped) this.#value(wrapped.key, this.#shape?.property(wrapped.key), wrapped.value);
  }

  /** Whether it streams or is collected is known once it is known how the value is written (sieve.md E2). */
  #begin(key: string, origin: Claim): Sink {
    const shape = this.#shape?.property(key);
    if (origin === "string" ? mayBeString(shape) : origin === "bare" && onlyString(shape)) return this.#string(key);
    if (origin === "bare" && onlyStringOrNull(shape)) {
      return new NullableString(
        () => this.#string(key),
        () => this.#literal(key, "null"),
      );
    }
    return this.#collect(origin, (value) => this.#value(key, shape, value));
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

  #collect(origin: Claim, done: (value: Collection) => void): Collected {
    this.#collecting = new Collected(origin, (value) => {
      this.#collecting = undefined;
      done(value);
    });
    return this.#collecting;
  }

  #value(key: string, shape: Shape | undefined, value: Collection) {
    const { json, fits } = typed(value, shape);
    if (!fits && value.origin !== "json" && wantsArray(shape) && !json.startsWith("[")) {
      this.#repeats = { key, items: [], size: 0 };
      addItem(this.#repeats, value);
      return;
    }
    if (!fits) this.#observer.uncoercible();
    this.#literal(key, json);
  }

  /** Adjacent repeats are the items of an array; one alone stays the text that it is. */
  #flushRepeats() {
    const repeats = this.#repeats;
    if (!repeats) return;
    this.#repeats = undefined;
    const { key, items } = repeats;
    const shape = this.#shape?.property(key);
    const isArray = items.length > 1;
    const values = items.map((item) => typed(item, isArray ? shape?.items() : shape));
    for (const { fits } of values) if (!fits) this.#observer.uncoercible();
    const json = values.map((value) => value.json).join(",");
    this.#literal(key, isArray ? `[${json}]` : json);
  }

  #literal(key: string, json: string) {
    this.#key(key);
    this.#write(json);
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

/** Keys in which models wrap all arguments once more (sieve.md T4). */
const WRAPPING: ReadonlySet<string> = new Set(["arguments", "input", "parameters", "kwargs"]);

/** The JSON of an object that has nothing but declared parameters in it. */
function objectOfDeclared({ text, origin }: Collection, shape: Shape | undefined): string | undefined {
  const object = origin === "json" || jsonTypeOf(text) === "object" ? text : pythonToJson(text);
  const value = object === undefined ? undefined : parseJson(object);
  if (object === undefined || !isObject(value)) return undefined;
  return Object.keys(value).every((key) => shape?.declares(key)) ? jsonSource(object) : undefined;
}

function addItem(repeats: { items: Collection[]; size: number }, item: Collection) {
  repeats.items.push(item);
  repeats.size += Math.max(item.text.length, item.written.length);
}

function typed({ text, origin, written }: Collection, shape: Shape | undefined): TypedValue {
  return typedJson(text, origin, shape, written);
}
