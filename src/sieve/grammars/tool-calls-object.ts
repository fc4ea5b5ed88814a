import type { Block } from "../block.ts";
import { type Mark, mark, type Opener } from "../notation.ts";
import { compileHeads } from "../one-of.ts";
import type { Part } from "../scan.ts";
import { ignored } from "../values/sinks.ts";
import { type CallsEnd, JsonCalls, KEYS, withKeys } from "./call-list.ts";
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
  read: wrappedCalls({ open: OBJECT, closes: [] }, { leads: [], read: readAlone }),
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

/** From behind its `{` on, where nothing stands around it. */
function* readAlone(block: Block): Part<CallEnd> {
  if (!(yield* lookAhead(beginsEnvelope()))) return "none";
  const calls = envelopeCalls(block);
  const end = yield* readEnvelope(block, calls);
  if (block.full) return "ended";
  switch (end) {
    case "between":
      block.repaired("wrapper-close-missing");
      return "ended";
    case "closed":
    case "cut":
      return end;
    default:
      return calls.bad();
  }
}

/** The calls of such an object. */
export const envelopeCalls = (block: Block) => new JsonCalls(block, form);

/** From behind its `{` on. Behind a call of its own nothing has to close it (sieve.md M2, E1). */
export function* readEnvelope(block: Block, calls: JsonCalls): Part<CallsEnd> {
  const before = block.calls;
  const end = yield* jsonMembers(
    block,
    (key) => readMember(block, calls, key),
    // The list's brackets are missing (sieve.md T4).
    () => readFurther(block, calls, before),
  );
  const isBetween = end !== "closed" && end !== "none" && !calls.inCall && block.calls > before;
  return isBetween ? "between" : end;
}

function* readMember(block: Block, calls: JsonCalls, { name, value }: JsonKey): Part<MemberEnd> {
  if (name !== KEY) return yield* passOver(value);
  if (value.text !== "[" && value.text !== "{") return "bad";
  const end = yield* calls.read(value.text);
  return end === "between" ? "open" : goesOn(block, end);
}

/** @param before how many calls stand before the object */
function* readFurther(block: Block, calls: JsonCalls, before: number): Part<MemberEnd> {
  if (block.calls === before) return "bad";
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
