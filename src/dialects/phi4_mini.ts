import { jsonCalls } from "../sieve/grammars/json-calls.ts";
import { wrappedCalls } from "../sieve/grammars/wrapped-calls.ts";
import { mark } from "../sieve/notation.ts";
import type { TaughtDialect } from "./dialect.ts";
import { callsJson } from "./json-spacing.ts";
import { RESULTS, resultFrame } from "./result-frames.ts";
import { IN_LIST, JSON_CALLS, taught } from "./teaching.ts";

const FUNCTOOLS = mark("functools[");
const wrapper = { open: FUNCTOOLS, closes: [] };

/** A list of JSON objects behind a word. */
export const phi4Mini: TaughtDialect = {
  id: "phi4_mini",
  aliases: ["firefunction_v2"],
  models: "Phi-4-mini, FireFunction v2",
  source: "json",
  openers: [
    {
      ...FUNCTOOLS,
      evidence: "complete",
      at: "line",
      leads: [mark("{")],
      read: wrappedCalls(wrapper, jsonCalls(wrapper, { begun: "[" })),
    },
  ],
  channels: { strips: ["<|end|>", "<|eot_id|>"] },
  results: [RESULTS],
  ...taught({ calls: (calls) => `functools${callsJson(calls)}` }, resultFrame, {
    values: JSON_CALLS,
    several: IN_LIST,
  }),
};
