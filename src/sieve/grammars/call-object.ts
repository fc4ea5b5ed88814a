import { SIEVE_LIMITS } from "../../limits.ts";
import type { Block } from "../block.ts";
import { Held } from "../feed.ts";
import { JsonSource } from "../json-scan/source.ts";
import type { JsonToken, Quote } from "../json-scan/token.ts";
import { WholeValue } from "../json-scan/whole-value.ts";
import type { Repair } from "../repairs.ts";
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
  type MemberEnd,
  type ObjectEnd,
  type RepairLog,
  wholeArguments,
} from "./json-members.ts";
import { isDefinition, mayBeginDefinition } from "./tool-definition.ts";

/** Where an object that is a call has its name and its arguments. */
export interface CallKeys {
  readonly names: ReadonlySet<string>;
  readonly arguments: ReadonlySet<string>;
  /** An object under one of these holds both. */
  readonly nested: ReadonlySet<string>;
  /**
   * Nothing around the object tells that a call is meant: it needs arguments, may be no message of a transcript, and no
   * tool's definition (sieve.md M5).
   */
  readonly bare?: true;
  /** What may stand besides; absent: anything. Data has names and arguments, too, but seldom nothing else (M5). */
  readonly besides?: ReadonlySet<string>;
}

/** Objects around name and arguments, as in `{"tool_call": {"function": {"name": …}}}`. */
const DEEPEST = 2;

/** Keys of a message in a transcript. */
const MESSAGE_KEYS: ReadonlySet<string> = new Set(["role", "content"]);

/**
 * One call as a JSON object, its members in any order; what is neither name nor arguments is passed over. Arguments
 * stream if the name stands before them, else they are held until it comes.
 */
export class CallObject {
  /** A name was seen, even if it cannot be one: a call is meant. */
  named = false;
  readonly #block: Block;
  readonly #keys: CallKeys;
  /** Repairs of an object that may still be text: that is told when it begins a call. */
  #mended: Repair[] | undefined;
  readonly #log: RepairLog = {
    repaired: (name) => (this.#mended ? this.#mended.push(name) : this.#block.repaired(name)),
  };
  #call: TentativeCall | undefined;
  /** Its arguments are none, but where it ends is known all the same. */
  #bad = false;
  #given = false;
  /** A description came before the arguments. */
  #described = false;
  /** Arguments that came before the name. */
  #held: { readonly key: string; readonly json: string } | undefined;
  #depth = 0;

  constructor(block: Block, keys: CallKeys) {
    this.#block = block;
    this.#keys = keys;
    if (keys.bare) this.#mended = [];
  }

  /** Reads from behind the `{` on. */
  *read(): Part<ObjectEnd> {
    const end = yield* this.#members();
    if (end === "none" && this.#call) this.#drop();
    return end;
  }

  /** The object is complete. What is no call is dropped where one was meant (sieve.md G3). */
  end(): "closed" | "none" {
    if (this.#call && !this.#bad && (this.#given || !this.#keys.bare)) {
      this.#block.end(this.#call);
      return "closed";
    }
    if (this.#call || !this.#keys.bare) this.#drop();
    return this.#keys.bare ? "none" : "closed";
  }

  #keepRepairs() {
    const mended = this.#mended ?? [];
    this.#mended = undefined;
    for (const name of mended) this.#block.repaired(name);
  }

  #drop() {
    this.#block.drop();
    this.#block.endPart();
  }

  #members(): Part<ObjectEnd> {
    return jsonMembers(this.#log, (key) => this.#member(key));
  }

  /**
   * The key makes it data, or a message of a transcript. Once the call may be out it is too late to tell, and the same
   * holds at every level of early emission.
   */
  #isData(key: string): boolean {
    const { names, arguments: holders, nested, bare, besides } = this.#keys;
    const { whole, mayEndEarly } = this.#block;
    if (!whole && this.#call?.mayBeOut) return false;
    if (bare && MESSAGE_KEYS.has(key)) return true;
    // Behind a good call it is a sibling, good or bad.
    if (!besides || (!whole && mayEndEarly)) return false;
    return ![names, holders, nested, besides].some((keys) => keys.has(key));
  }

  *#member({ name: key, value }: JsonKey): Part<MemberEnd> {
    const { names, arguments: holders, nested } = this.#keys;
    if (this.#isData(key)) return "none";
    if (key === "description") this.#described = true;
    if (value.quote !== undefined && names.has(key)) return yield* this.#name(value.quote);
    if (value.text === "{" && nested.has(key) && this.#depth < DEEPEST) return yield* this.#inner();
    if (holders.has(key) && !this.#given) return yield* this.#arguments(key, value);
    return yield* passOver(value);
  }

  *#inner(): Part<MemberEnd> {
    this.#depth += 1;
    const end = yield* this.#members();
    this.#depth -= 1;
    return unlessClosed(end);
  }

  *#name(quote: Quote): Part<MemberEnd> {
    const text = new Text(SIEVE_LIMITS.tag);
    if ((yield* jsonString(this.#log, quote, text)) === "cut") return "cut";
    // Of two names the first one counts, as with attributes (sieve.md G1).
    if (this.named) return undefined;
    this.named = true;
    const call = text.full ? undefined : this.#block.begin(text.value);
    this.#call = call;
    if (call) this.#keepRepairs();
    const held = this.#held;
    this.#held = undefined;
    if (!call) return this.#keys.bare ? "none" : undefined;
    return held && (yield* this.#heldArguments(call, held.key, held.json));
  }

  *#arguments(key: string, value: JsonToken): Part<MemberEnd> {
    this.#given = true;
    if (isNull(value)) return yield* passOver(value);
    const isObject = value.text === "{";
    if (!isObject && value.quote === undefined) {
      this.#bad = true;
      return yield* passOver(value);
    }
    if (this.#keys.bare && key === "parameters" && this.#described) return "none";
    const call = this.#call;
    if (!call) return yield* this.named ? passOver(value) : this.#hold(key, value);
    if (value.quote !== undefined) return this.#encoded(call, yield* encodedArguments(this.#log, call, value.quote));
    if (this.#keys.bare && key === "parameters" && (yield* mayBeginDefinition(call)))
      return yield* this.#hold(key, value);
    return unlessClosed(yield* argumentMembers(this.#log, call));
  }

  /** Of a string the end was seen, whatever stood in it. */
  #encoded(call: TentativeCall, end: ObjectEnd): MemberEnd {
    if (end === "bad" && !call.onWire) {
      this.#bad = true;
      return undefined;
    }
    return unlessClosed(end);
  }

  /** Reads arguments whole, since what they are is not known yet. */
  *#hold(key: string, value: JsonToken): Part<MemberEnd> {
    const text = new Text(SIEVE_LIMITS.value);
    if (value.quote !== undefined) {
      if ((yield* jsonString(this.#log, value.quote, text)) === "cut") return "cut";
    } else {
      const scan = new WholeValue(value);
      yield scan;
      if (scan.ending !== "closed") return scan.ending === "cut" ? "cut" : "bad";
      text.text(scan.text.value);
    }
    if (text.full) return "bad";
    if (this.#call) return yield* this.#heldArguments(this.#call, key, text.value);
    this.#held = { key, json: text.value };
    return undefined;
  }

  *#heldArguments(call: TentativeCall, key: string, json: string): Part<MemberEnd> {
    if (this.#keys.bare && key === "parameters" && isDefinition(json, call)) return "none";
    const scan = new Held(json, wholeArguments(this.#log, call));
    yield scan;
    return this.#encoded(call, scan.result ?? "bad");
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
