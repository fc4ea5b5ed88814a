import type { Block } from "../sieve/block.ts";
import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { readOneOf } from "../sieve/grammars/tags.ts";
import { NameScan } from "../sieve/name-scan.ts";
import { mark } from "../sieve/notation.ts";
import { compileHeads, NAME } from "../sieve/one-of.ts";
import type { Grammar } from "../sieve/scan.ts";
import type { Dialect, WrittenCall } from "./dialect.ts";

const INVOKE = mark("<|content_invoke_tool_json|>");
const MESSAGE = "<|message_model|>";
const END = "<|end_message|>";

const wrapper = { open: INVOKE, closes: [mark(END)] };
const invoke = compileHeads([INVOKE]);
const call = jsonBody.in(wrapper);

/** A message to a tool; the name in its head stands in the object once more. */
function* message(block: Block): Grammar {
  const name = new NameScan("tool", { skipsBlanks: true });
  yield name;
  const next = yield* readOneOf(invoke);
  if (next.found === undefined) return next.ended && block.maybeCut ? "cut" : "misfit";
  return yield* call(block, undefined);
}

/** Messages in channels, a JSON object in each that calls. */
export const inkling: Dialect = {
  id: "inkling",
  models: "Inkling",
  source: "json",
  openers: [{ ...mark(MESSAGE), evidence: "complete", leads: [NAME], read: message }],
  wrappers: [wrapper],
  bodies: [jsonBody],
  channels: {
    reasoning: [MESSAGE, ""].map((head) => ({ open: `${head}<|content_thinking|>`, close: END })),
    visible: [MESSAGE, ""].map((head) => `${head}<|content_text|>`),
    strips: [END, "<|content_model_end_sampling|>"],
  },
  write: { calls: (calls) => calls.map(written).join("") },
};

function written({ name, input }: WrittenCall): string {
  return `${MESSAGE}${name}${INVOKE.spelling}${JSON.stringify({ name, args: input })}${END}`;
}
