import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { tag } from "../sieve/notation.ts";
import type { TaughtDialect, WrittenCall } from "./dialect.ts";
import { callJson } from "./json-spacing.ts";
import { RESULTS, resultFrame } from "./result-frames.ts";
import { IN_LIST, JSON_CALLS, taught } from "./teaching.ts";

/** A list of JSON objects, or one a line, in the very tags that frame canonical calls. */
export const jamba: TaughtDialect = {
  id: "jamba",
  aliases: ["apriel", "minimax_m1"],
  models: "Jamba 1.5 and 1.6, Apriel 1.5 and 1.6, MiniMax-M1",
  source: "json",
  wrappers: [{ open: tag("<tool_calls"), closes: [tag("</tool_calls")] }],
  bodies: [jsonBody],
  // Apriel's prompt opens its reasoning.
  channels: { reasoning: [{ close: "[BEGIN FINAL RESPONSE]" }], strips: ["[END FINAL RESPONSE]", "<|end|>"] },
  results: [RESULTS],
  ...taught({ calls: (calls) => `<tool_calls>[\n${lines(calls, "    ", ",\n")}\n]</tool_calls>` }, resultFrame, {
    values: JSON_CALLS,
    several: IN_LIST,
  }),
  variants: {
    minimax_m1: taught({ calls: (calls) => `<tool_calls>\n${lines(calls, "", "\n")}\n</tool_calls>` }, resultFrame, {
      values: JSON_CALLS,
      several: "go in the same block, one a line",
    }),
  },
};

function lines(calls: readonly WrittenCall[], indent: string, separator: string): string {
  return calls.map((call) => indent + callJson(call)).join(separator);
}
