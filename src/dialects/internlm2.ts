import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { mark } from "../sieve/notation.ts";
import type { TaughtDialect, WrittenCall } from "./dialect.ts";
import { callJson } from "./json-spacing.ts";
import { RESULTS, resultFrame } from "./result-frames.ts";
import { IN_OWN_TAGS, JSON_CALLS, taught } from "./teaching.ts";

/** A JSON object as the action of a plugin. */
export const internlm2: TaughtDialect = {
  id: "internlm2",
  models: "InternLM 2 and 2.5, Intern-S1",
  source: "json",
  wrappers: [{ open: mark("<|action_start|><|plugin|>"), closes: [mark("<|action_end|>")] }],
  bodies: [jsonBody],
  channels: { strips: ["<|im_end|>"] },
  results: [RESULTS],
  ...taught({ calls: (calls) => calls.map(written).join("\n") }, resultFrame, {
    values: JSON_CALLS,
    several: IN_OWN_TAGS,
  }),
};

const KEYS = { name: "name", arguments: "parameters" };
const written = (call: WrittenCall) => `<|action_start|><|plugin|>\n${callJson(call, KEYS)}<|action_end|>`;
