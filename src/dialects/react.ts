import { parseJson } from "../json.ts";
import { SIEVE_LIMITS } from "../limits.ts";
import { once } from "../once.ts";
import { soleString } from "../schema.ts";
import type { Block } from "../sieve/block.ts";
import { unclosedCall } from "../sieve/grammars/named-json.ts";
import { readOneOf } from "../sieve/grammars/tags.ts";
import type { CallEnd } from "../sieve/grammars/wrapped-calls.ts";
import { mark } from "../sieve/notation.ts";
import { compileHeads } from "../sieve/one-of.ts";
import type { Part } from "../sieve/scan.ts";
import type { TentativeCall } from "../sieve/tentative-call.ts";
import { TextUntil } from "../sieve/text-until.ts";
import { Triggers } from "../sieve/triggers.ts";
import { Text } from "../sieve/values/sinks.ts";
import { trimBlanks } from "../sieve/values/value.ts";
import type { Dialect } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";

const RESULT = "Observation:";
/** What a line behind an input begins with. */
const LABELS = [RESULT, "Thought:", "Action:", "Final Answer:"].map(mark);
const labels = compileHeads([], { peeks: LABELS });
const nextLines = once(
  () => new Triggers(LABELS.map(({ spelling }) => ({ ...mark(`\n${spelling}`), meaning: true as const }))),
);

/** Thoughts, actions and what comes of them as labelled lines: what stands behind an action is JSON or plain text. */
export const react: Dialect = {
  id: "react",
  models: "any that is prompted so, as LangChain does; Qwen 1",
  source: "textkv",
  openers: [
    {
      ...mark("Action:"),
      pinned: true,
      at: "line",
      evidence: "weak",
      leads: ["name"],
      read: unclosedCall({ separators: [mark("Action Input:")], separated: true, fenced: true, otherwise: plainText }),
    },
  ],
  results: [RESULT],
  write: {
    calls: (calls) => calls.map(({ name, input }) => `Action: ${name}\nAction Input: ${spacedJson(input)}`).join("\n"),
  },
};

/** No object: the text for a tool that has but one string to be given, or nothing for one that takes nothing. */
function* plainText(block: Block, name: string): Part<CallEnd> {
  const call = block.begin(name);
  if (!call) return "none";
  const isEmpty = (yield* readOneOf(labels)).found !== undefined;
  const key = soleString(call.tool.shape);
  if (isEmpty && call.tool.shape?.keys().length === 0) block.repaired("arguments-missing");
  else {
    const end = isEmpty || key === undefined ? "bad" : yield* oneString(block, call, key);
    if (end !== "closed") return end;
  }
  block.end(call);
  return "closed";
}

function* oneString(block: Block, call: TentativeCall, key: string): Part<"closed" | "bad" | "cut"> {
  const input = new Text(SIEVE_LIMITS.value);
  const scan = new TextUntil(nextLines(), input);
  yield scan;
  // The reply's own end is that of its last line; another one may have cut it (sieve.md T1).
  if (scan.ended && !block.endedByStop) return "cut";
  if (input.full) return "bad";
  // Not before: with its first member a call is announced, and this one was not sure to be whole.
  const sink = call.arguments.member(key).begin("string");
  sink.text(unquoted(trimBlanks(input.value)));
  sink.close();
  return "closed";
}

/** Some models write the string as JSON does. */
function unquoted(text: string): string {
  const value = text.startsWith('"') ? parseJson(text) : undefined;
  return typeof value === "string" ? value : text;
}
