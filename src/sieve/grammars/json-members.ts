import { SIEVE_LIMITS } from "../../limits.ts";
import type { Block } from "../block.ts";
import { Encoded } from "../json-scan/encoded.ts";
import { JsonString } from "../json-scan/string.ts";
import { JsonToken, type Quote } from "../json-scan/token.ts";
import { WholeValue } from "../json-scan/whole-value.ts";
import type { Part } from "../scan.ts";
import type { TentativeCall } from "../tentative-call.ts";
import { mendJson } from "../values/mend-json.ts";
import { type Sink, Text } from "../values/sinks.ts";

/**
 * How an object came to its end. `open`: something that cannot stand in it came first, and goes back; the object is
 * complete only if what stands there closes the call (sieve.md T4, `missing-brace`).
 */
export type ObjectEnd = "closed" | "open" | "bad" | "cut";

/** A key, and how its value begins. */
export interface JsonKey {
  readonly name: string;
  readonly value: JsonToken;
}

/**
 * The members of an object from behind its `{` on: asks for each in turn what to do with its value. What is wrong in it
 * is mended as the closed list of repairs has it, and named.
 * @param member reads the value, whose first token is read already; undefined: it was read, and all is well
 */
export function* jsonMembers(
  block: Block,
  member: (key: JsonKey) => Part<Exclude<ObjectEnd, "closed"> | undefined>,
): Part<ObjectEnd> {
  let next = yield* token();
  for (let first = true; ; first = false) {
    if (next.text === "}") return "closed";
    if (!first) {
      if (next.text === ",") {
        next = yield* token();
        if (next.text === "}") {
          block.repaired("trailing-comma");
          return "closed";
        }
      } else if (next.kind === "quote") block.repaired("missing-comma");
      else return end(next);
    }
    const name = yield* key(block, next);
    if (name === undefined) return end(next);
    const colon = yield* token();
    if (colon.text !== ":") return colon.ended ? "cut" : "bad";
    const value = yield* token();
    const wrong = yield* member({ name, value });
    if (wrong) return wrong;
    next = yield* token();
  }
}

/** The arguments of a call as a JSON object, from its `{` on. */
export function* jsonArguments(block: Block, call: TentativeCall): Part<ObjectEnd> {
  const open = yield* token();
  return open.text === "{" ? yield* argumentMembers(block, call) : end(open);
}

/** The same from behind the `{`. */
export function* argumentMembers(block: Block, call: TentativeCall): Part<ObjectEnd> {
  return yield* jsonMembers(block, function* ({ name, value }) {
    const member = call.arguments.member(name);
    if (value.quote !== undefined) return yield* stringValue(block, call, value.quote, member.begin("string"));
    let json: string | undefined;
    const ending = yield* otherValue(block, value, (mended) => {
      json = mended;
    });
    if (json === undefined) return ending ?? "bad";
    const sink = member.begin("json");
    sink.text(json);
    sink.close();
    return call.overflowed ? "bad" : ending;
  });
}

function* stringValue(block: Block, call: TentativeCall, quote: Quote, sink: Sink): Part<"bad" | "cut" | undefined> {
  const ending = yield* jsonString(block, quote, sink);
  if (ending === "cut") return "cut";
  return sink.full || call.overflowed ? "bad" : undefined;
}

/** A string from behind its opening quote on. */
export function* jsonString(block: Block, quote: Quote, sink: Sink): Part<"closed" | "cut"> {
  const scan = new JsonString(quote, sink);
  yield scan;
  for (const repair of scan.repairs) block.repaired(repair);
  return scan.ending ?? "cut";
}

/**
 * Any other value, whole: its source if that is JSON, else what the closed list of repairs makes of it.
 * @param first its first token, which is read already
 */
export function* otherValue(
  block: Block,
  first: JsonToken,
  take: (json: string) => void,
): Part<Exclude<ObjectEnd, "closed"> | undefined> {
  const scan = new WholeValue(first);
  yield scan;
  if (scan.ending === "cut") return "cut";
  const open = scan.ending === "stray";
  const mended = scan.text.full ? undefined : mendJson(scan.text.value, { closesAtEnd: open });
  if (!mended) return "bad";
  for (const repair of mended.repairs) block.repaired(repair);
  take(mended.json);
  return open ? "open" : undefined;
}

/** Reads arguments that are encoded once more as a string, from behind its quote on: they stream all the same. */
export function* encodedArguments(block: Block, call: TentativeCall, quote: Quote): Part<ObjectEnd> {
  const scan = new Encoded(quote, jsonArguments(block, call));
  yield scan;
  if (scan.result === undefined) return "cut";
  return scan.result === "closed" ? "closed" : "bad";
}

function* key(block: Block, first: JsonToken): Part<string | undefined> {
  if (first.kind === "word") {
    block.repaired("unquoted-key");
    return first.text;
  }
  if (first.quote === undefined) return undefined;
  const text = new Text(SIEVE_LIMITS.tag);
  const ending = yield* jsonString(block, first.quote, text);
  return ending === "closed" && !text.full ? text.value : undefined;
}

function end(token: JsonToken): "open" | "bad" | "cut" {
  if (token.ended) return "cut";
  return token.kind === "other" ? "open" : "bad";
}

export function* token(): Part<JsonToken> {
  const scan = new JsonToken();
  yield scan;
  return scan;
}
