import type { Block } from "../block.ts";
import { mark, type Opener } from "../notation.ts";
import type { Part } from "../scan.ts";
import { passOver } from "./call-object.ts";
import { JsonCalls, KEYS, withKeys } from "./json-calls.ts";
import { type JsonKey, jsonMembers, type MemberEnd } from "./json-members.ts";
import { type CallEnd, wrappedCalls } from "./wrapped-calls.ts";

const KEY = "tool_calls";
const OBJECT = mark("{");
const form = withKeys(KEYS);

/** `{"tool_calls": […]}`, as the vendor's own messages have it; what stands in it besides is passed over. */
export const toolCallsObject: Opener = {
  ...OBJECT,
  evidence: "complete",
  leads: [mark(`"${KEY}"`), mark(`'${KEY}'`)],
  read: wrappedCalls({ open: OBJECT, closes: [] }, { leads: [], read: readObject }),
};

/**
 * A message of a transcript, which is none of the model's own: calls in it, however deep, and in the messages that follow
 * are quoted (sieve.md M5). It is text at once; nothing waits for its end.
 */
export const transcriptMessage: Opener = {
  ...OBJECT,
  evidence: "weak",
  leads: ["role", "content"].flatMap((key) => [mark(`"${key}"`), mark(`'${key}'`)]),
  *read(block) {
    yield* [];
    block.quotesMessage();
    return "misfit";
  },
};

function* readObject(block: Block): Part<CallEnd> {
  if (block.behindQuotedMessage) return "none";
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
  if (end === "closed") return block.full ? "none" : undefined;
  return end === "between" ? "open" : end;
}

function* readFurther(block: Block, calls: JsonCalls): Part<MemberEnd> {
  if (block.calls === 0) return "bad";
  block.repaired("missing-bracket");
  const end = yield* calls.object();
  if (end === "closed") return block.full ? "none" : undefined;
  return end;
}
