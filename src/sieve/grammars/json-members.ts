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
import { lookAhead } from "./tags.ts";

/**
 * How an object came to its end. `open`: something that cannot stand in it came first, and goes back; the object is
 * complete only if what stands there closes the call (sieve.md T4, `missing-brace`). `none`: whoever read its members
 * has seen that it is not what it looked like.
 */
export type ObjectEnd = "closed" | "open" | "bad" | "cut" | "none";

/** Takes note of what was mended. */
export type RepairLog = Pick<Block, "repaired">;

/** What is wrong behind a member that was read, if anything is. */
export type MemberEnd = Exclude<ObjectEnd, "closed"> | undefined;

/** A key, and how its value begins. */
export interface JsonKey {
  readonly name: string;
  readonly value: JsonToken;
}

/**
 * The members of an object from behind its `{` on: asks for each in turn what to do with its value. What is wrong in it
 * is mended as the closed list of repairs has it, and named.
 * @param member reads the value, whose first token is read already; undefined: it was read, and all is well
 * @param keyless reads an object that stands where a key should, from behind its `{` on, if there may be one
 */
export function* jsonMembers(
  log: RepairLog,
  member: (key: JsonKey) => Part<MemberEnd>,
  keyless?: () => Part<MemberEnd>,
): Part<ObjectEnd> {
  for (let before: JsonToken | undefined; ; ) {
    const first = yield* nextItem(log, "}", before, missesComma);
    if (typeof first === "string") return first;
    let wrong: MemberEnd;
    if (first.text === "{" && keyless) {
      before = first;
      wrong = yield* keyless();
    } else {
      const name = yield* key(log, first);
      if (name.wrong) return name.wrong;
      const colon = yield* token();
      if (colon.text !== ":") return colon.ended ? "cut" : "bad";
      before = yield* token();
      if (before.kind === undefined) return "cut";
      wrong = yield* member({ name: name.text, value: before });
    }
    if (wrong) return wrong;
  }
}

/**
 * The first token of the next member of an object, or of the next item of a list; or how that ends.
 * @param before the first token of the one before it
 * @param comma whether a comma may be missing between the two
 */
export function* nextItem(
  log: RepairLog,
  close: "}" | "]",
  before: JsonToken | undefined,
  comma: (before: JsonToken, next: JsonToken) => boolean,
): Part<JsonToken | "closed" | "open" | "bad" | "cut"> {
  const next = yield* token();
  if (next.text === close) return "closed";
  if (!before) return next;
  if (next.text === ",") {
    const behind = yield* token();
    if (behind.text !== close) return behind;
    log.repaired("trailing-comma");
    return "closed";
  }
  if (!comma(before, next)) return notThere(next);
  log.repaired("missing-comma");
  return next;
}

/** The arguments of a call as a JSON object, from its `{` on. */
export function* jsonArguments(log: RepairLog, call: TentativeCall): Part<ObjectEnd> {
  const open = yield* token();
  return open.text === "{" ? yield* argumentMembers(log, call) : notThere(open);
}

/** The same from behind the `{`. */
export function* argumentMembers(log: RepairLog, call: TentativeCall): Part<ObjectEnd> {
  return yield* jsonMembers(log, function* ({ name, value }) {
    if (!beginsValue(value)) return "bad";
    const member = call.arguments.member(name);
    if (value.quote !== undefined) return yield* stringValue(log, call, value.quote, member.begin("string"));
    let json: string | undefined;
    const ending = yield* otherValue(log, value, (mended) => {
      json = mended;
    });
    if (json === undefined) return ending ?? "bad";
    const sink = member.begin("json");
    sink.text(json);
    sink.close();
    return call.overflowed ? "bad" : ending;
  });
}

function* stringValue(log: RepairLog, call: TentativeCall, quote: Quote, sink: Sink): Part<"bad" | "cut" | undefined> {
  const ending = yield* jsonString(log, quote, sink);
  if (ending === "cut") return "cut";
  return sink.full || call.overflowed ? "bad" : undefined;
}

/** A string from behind its opening quote on. */
export function* jsonString(log: RepairLog, quote: Quote, sink: Sink): Part<"closed" | "cut"> {
  const scan = new JsonString(quote, sink);
  yield scan;
  for (const repair of scan.repairs) log.repaired(repair);
  return scan.ending ?? "cut";
}

/**
 * Any other value, whole: its source if that is JSON, else what the closed list of repairs makes of it.
 * @param first its first token, which is read already
 */
function* otherValue(log: RepairLog, first: JsonToken, take: (json: string) => void): Part<MemberEnd> {
  const scan = new WholeValue(first);
  yield scan;
  if (scan.ending === "cut") return "cut";
  const open = scan.ending === "stray";
  const mended = scan.text.full ? undefined : mendJson(scan.text.value, { closesAtEnd: open });
  if (!mended) return "bad";
  for (const repair of mended.repairs) log.repaired(repair);
  take(mended.json);
  return open ? "open" : undefined;
}

/** Reads arguments that are encoded once more as a string, from behind its quote on: they stream all the same. */
export function* encodedArguments(log: RepairLog, call: TentativeCall, quote: Quote): Part<ObjectEnd> {
  const scan = new Encoded(quote, wholeArguments(log, call));
  yield scan;
  return scan.ended ? (scan.result ?? "bad") : "cut";
}

/** Arguments as JSON and nothing else, up to the end of the text; empty or null where there are none. */
export function* wholeArguments(log: RepairLog, call: TentativeCall): Part<"closed" | "bad"> {
  const open = yield* token();
  if (open.kind === undefined) return "closed";
  if (open.text !== "{") return isNull(open) ? yield* nothing() : "bad";
  const end = yield* argumentMembers(log, call);
  return end === "closed" ? yield* nothing(log) : "bad";
}

/** The end of a text. @param log there may be one surplus bracket before it */
function* nothing(log?: RepairLog): Part<"closed" | "bad"> {
  const next = yield* token();
  if (next.kind === undefined) return "closed";
  if (!log || next.text !== "}") return "bad";
  log.repaired("surplus-brace");
  return yield* nothing();
}

export function isNull({ text }: JsonToken): boolean {
  return text === "null" || text === "None";
}

/**
 * Whether an object begins, or only a brace stands there: a placeholder such as `{arguments}` is no head of a call yet,
 * and must not cost the call behind it (sieve.md A6).
 */
export function* objectBegins(): Part<"yes" | "no" | "cut"> {
  return (yield* lookAhead(beginningOfObject())) ?? "no";
}

function* beginningOfObject(): Part<"yes" | "no" | "cut"> {
  yield* token();
  return yield* beginningBehindBrace();
}

/**
 * The same for an object or a list of objects. A bracket that begins none may be text, or the opener of another notation
 * (sieve.md A6, E1).
 */
export function* beginningOfCalls(): Part<"yes" | "no" | "cut"> {
  const bracket = yield* token();
  const { text, ended } = bracket.text === "[" ? yield* token() : bracket;
  if (text === "{") return yield* beginningBehindBrace();
  return ended ? "cut" : "no";
}

/** From behind its `{` on. */
export function* beginningBehindBrace(): Part<"yes" | "no" | "cut"> {
  const first = yield* token();
  if (first.text === "}" || first.quote !== undefined) return "yes";
  if (first.ended || first.kind !== "word") return first.ended ? "cut" : "no";
  const colon = yield* token();
  if (colon.ended) return "cut";
  return colon.text === ":" ? "yes" : "no";
}

type Key = { text: string; wrong?: never } | { text?: never; wrong: "open" | "bad" | "cut" };

function* key(log: RepairLog, first: JsonToken): Part<Key> {
  if (first.kind === "word") {
    log.repaired("unquoted-key");
    return { text: first.text };
  }
  if (first.quote === undefined) return { wrong: notThere(first) };
  const text = new Text(SIEVE_LIMITS.tag);
  if ((yield* jsonString(log, first.quote, text)) === "cut") return { wrong: "cut" };
  return text.full ? { wrong: "bad" } : { text: text.value };
}

/**
 * Between two members that blanks or a bracket set apart. Without either a quote is more likely to belong to the text
 * before it, as in `"say "hi""`.
 */
function missesComma(before: JsonToken, next: JsonToken): boolean {
  const apart = next.behindBlanks || before.text === "{" || before.text === "[";
  return apart && (next.kind === "quote" || next.kind === "word");
}

function beginsValue({ kind, text }: JsonToken): boolean {
  return kind === "quote" || kind === "word" || text === "{" || text === "[";
}

/** What a token means that cannot stand where it does. */
export function notThere({ kind, ended }: JsonToken): "open" | "bad" | "cut" {
  if (ended) return "cut";
  return kind === "other" ? "open" : "bad";
}

export function* token(): Part<JsonToken> {
  const scan = new JsonToken();
  yield scan;
  return scan;
}
