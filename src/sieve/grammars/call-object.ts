import { SIEVE_LIMITS } from "../../limits.ts";
import type { Block } from "../block.ts";
import { Held } from "../feed.ts";
import { JsonSource } from "../json-scan/source.ts";
import type { JsonToken, Quote } from "../json-scan/token.ts";
import { WholeValue } from "../json-scan/whole-value.ts";
import type { Part } from "../scan.ts";
import type { TentativeCall } from "../tentative-call.ts";
import { ignored, Text } from "../values/sinks.ts";
import {
  argumentMembers,
  encodedArguments,
  isNull,
  type JsonKey,
  jsonMembers,
  jsonString,
  type ObjectEnd,
  wholeArguments,
} from "./json-members.ts";

/** Where an object that is a call has its name and its arguments. */
export interface CallKeys {
  readonly names: ReadonlySet<string>;
  readonly arguments: ReadonlySet<string>;
  /** An object under one of these holds both. */
  readonly nested: ReadonlySet<string>;
}

/** What may still be wrong behind a member that was read. */
type MemberEnd = Exclude<ObjectEnd, "closed"> | undefined;

/** Objects around name and arguments, as in `{"tool_call": {"function": {"name": …}}}`. */
const DEEPEST = 2;

/**
 * One call as a JSON object, its members in any order; what is neither name nor arguments is passed over. Arguments
 * stream if the name stands before them, else they are held until it comes.
 */
export class CallObject {
  /** A name was seen, even if it cannot be one: a call is meant. */
  named = false;
  readonly #block: Block;
  readonly #keys: CallKeys;
  #call: TentativeCall | undefined;
  #given = false;
  /** Arguments that came before the name. */
  #held: string | undefined;
  #depth = 0;

  constructor(block: Block, keys: CallKeys) {
    this.#block = block;
    this.#keys = keys;
  }

  /** Reads from behind the `{` on. */
  *read(): Part<ObjectEnd> {
    return yield* jsonMembers(this.#block, (key) => this.#member(key));
  }

  /** The object is complete: a call that is none is dropped (sieve.md G3). */
  end() {
    if (this.#call) this.#block.end(this.#call);
    else {
      this.#block.drop();
      this.#block.endPart();
    }
  }

  *#member({ name, value }: JsonKey): Part<MemberEnd> {
    const { names, arguments: holders, nested } = this.#keys;
    if (value.quote !== undefined && names.has(name)) return yield* this.#name(value.quote);
    if (value.text === "{" && nested.has(name) && this.#depth < DEEPEST) return yield* this.#inner();
    if (holders.has(name) && !this.#given) return yield* this.#arguments(value);
    return yield* passOver(value);
  }

  *#inner(): Part<MemberEnd> {
    this.#depth += 1;
    const end = yield* this.read();
    this.#depth -= 1;
    return unlessClosed(end);
  }

  *#name(quote: Quote): Part<MemberEnd> {
    const text = new Text(SIEVE_LIMITS.tag);
    if ((yield* jsonString(this.#block, quote, text)) === "cut") return "cut";
    // Of two names the first one counts, as with attributes (sieve.md G1).
    if (this.named) return undefined;
    this.named = true;
    this.#call = text.full ? undefined : this.#block.begin(text.value);
    if (!this.#call || this.#held === undefined) return undefined;
    const scan = new Held(this.#held, wholeArguments(this.#block, this.#call));
    this.#held = undefined;
    yield scan;
    return unlessClosed(scan.result ?? "bad");
  }

  *#arguments(value: JsonToken): Part<MemberEnd> {
    this.#given = true;
    if (isNull(value)) return yield* passOver(value);
    if (value.text !== "{" && value.quote === undefined) return "bad";
    if (this.#call === undefined) return yield* this.named ? passOver(value) : this.#hold(value);
    const reading =
      value.quote === undefined
        ? argumentMembers(this.#block, this.#call)
        : encodedArguments(this.#block, this.#call, value.quote);
    return unlessClosed(yield* reading);
  }

  *#hold(value: JsonToken): Part<MemberEnd> {
    if (value.quote !== undefined) {
      const text = new Text(SIEVE_LIMITS.value);
      if ((yield* jsonString(this.#block, value.quote, text)) === "cut") return "cut";
      return this.#keep(text);
    }
    const scan = new WholeValue(value);
    yield scan;
    if (scan.ending !== "closed") return scan.ending === "cut" ? "cut" : "bad";
    return this.#keep(scan.text);
  }

  #keep(text: Text): "bad" | undefined {
    if (text.full) return "bad";
    this.#held = text.value;
    return undefined;
  }
}

/** Reads a value that nobody asks for. @param first its first token, which is read already */
export function* passOver(first: JsonToken): Part<MemberEnd> {
  const scan = new JsonSource(ignored, first);
  yield scan;
  if (scan.ending === "closed") return undefined;
  if (scan.ending === "cut") return "cut";
  return scan.kind === undefined ? "bad" : "open";
}

function unlessClosed(end: ObjectEnd): MemberEnd {
  return end === "closed" ? undefined : end;
}
