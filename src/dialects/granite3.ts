import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { mark } from "../sieve/notation.ts";
import type { TaughtDialect } from "./dialect.ts";
import { callsJson } from "./json-spacing.ts";
import { RESULTS, resultFrame } from "./result-frames.ts";
import { IN_LIST, JSON_CALLS, taught } from "./teaching.ts";

/** A list of JSON objects behind a special token; Phi closes it with one more. */
export const granite3: TaughtDialect = {
  id: "granite3",
  aliases: ["phi4_mini_tag"],
  models: "Granite 3.0 and 3.1, Phi-4-mini by its template",
  source: "json",
  wrappers: [{ open: mark("<|tool_call|>"), closes: [] }],
  bodies: [jsonBody],
  closers: [mark("<|/tool_call|>")],
  channels: { strips: ["<|end_of_text|>"] },
  results: [RESULTS],
  ...taught({ calls: (calls) => `<|tool_call|>${callsJson(calls)}` }, resultFrame, {
    values: JSON_CALLS,
    several: IN_LIST,
  }),
};
