import { jsonCalls } from "../sieve/grammars/json-calls.ts";
import { wrappedCalls } from "../sieve/grammars/wrapped-calls.ts";
import { mark } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { callsJson } from "./json-spacing.ts";

const FUNCTOOLS = mark("functools[");
const wrapper = { open: FUNCTOOLS, closes: [] };

/** A list of JSON objects behind a word. */
export const phi4Mini: Dialect = {
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
  write: { calls: (calls) => `functools${callsJson(calls)}` },
};
