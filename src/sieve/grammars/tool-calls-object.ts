import type { Block } from "../block.ts";
import { type Mark, mark, type Opener } from "../notation.ts";
import { compileHeads } from "../one-of.ts";
import type { Part } from "../scan.ts";
import { ignored } from "../values/sinks.ts";
import { JsonCalls, KEYS, withKeys } from "./call-list.ts";
import { passOver } from "./call-object.ts";
import {
  beginningOfCalls,
  type JsonKey,
  jsonMembers,
  jsonString,
  type MemberEnd,
  type ObjectEnd,
  token,
} from "./json-members.ts";
import { lookAhead, readOneOf } from "./tags.ts";
import { type CallEnd, wrappedCalls } from "./wrapped-calls.ts";

const KEY = "tool_calls";
const OBJECT = mark("{");
const form = withKeys(KEYS);
const FIRST_KEY = compileHeads(inQuotes(KEY));

/** `{"tool_calls": […]}`, as the vendor's own messages have it; what stands in it besides is passed over. */
export const toolCallsObject: Opener = {
  ...OBJECT,
  evidence: "complete",
  leads: inQuotes(KEY),
  read: wrappedCalls({ open: OBJECT, closes: [] }, { leads: [], read: readEnvelope }),
};

/** A message of a transcript shows what was called, by whomever: nothing in it is a call (sieve.md M5). */
export const transcript: Opener = {
  ...OBJECT,
  evidence: "complete",
  leads: ["role", "content"].flatMap(inQuotes),
  *read(block) {
    const { quote } = yield* token();
    if (quote === undefined || (yield* jsonString(block, quote, ignored)) === "cut") return "misfit";
    return (yield* token()).text === ":" ? "data" : "misfit";
  },
};

/** Looks behind its `{`: the key, and one call or a list of them; false: it is surely no such object. */
export function* beginsEnvelope(): Part<boolean> {
  const first = yield* readOneOf(FIRST_KEY);
  if (first.found === undefined) return first.ended;
  const colon = yield* token();
  if (colon.text !== ":") return colon.ended;
  return (yield* beginningOfCalls()) !== "no";
}

/** From behind its `{` on; `closed`: its own brace was read. */
export function* readEnvelope(block: Block): Part<CallEnd> {
  if (!(yield* lookAhead(beginsEnvelope()))) return "none";
  const calls = new JsonCalls(block, form);
  const end = yield* jsonMembers(
    block,
    (key) => readMember(block, calls, key),
    // The list's brackets are missing (sieve.md T4).
    () => readFurther(block, calls),
  );
  if (end === "closed") return "closed";
  if (block.full) return "ended";
  if (!calls.inCall && block.calls > 0) {
    block.repaired("wrapper-close-missing");
    return "ended";
  }
  return end === "cut" ? "cut" : calls.bad();
}

function* readMember(block: Block, calls: JsonCalls, { name, value }: JsonKey): Part<MemberEnd> {
  if (name !== KEY) return yield* passOver(value);
  if (value.text !== "[" && value.text !== "{") return "bad";
  const end = yield* calls.read(value.text);
  return end === "between" ? "open" : goesOn(block, end);
}

function* readFurther(block: Block, calls: JsonCalls): Part<MemberEnd> {
  if (block.calls === 0) return "bad";
  block.repaired("missing-bracket");
  return goesOn(block, yield* calls.object());
}

/** Where no further call is allowed the object counts as closed (decisions.md, parallel calls). */
function goesOn(block: Block, end: ObjectEnd): MemberEnd {
  if (end !== "closed") return end;
  block.endPart();
  return block.full ? "none" : undefined;
}

function inQuotes(key: string): Mark[] {
  return [mark(`"${key}"`), mark(`'${key}'`)];
}
