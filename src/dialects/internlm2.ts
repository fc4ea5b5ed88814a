import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { mark } from "../sieve/notation.ts";
import type { Dialect, WrittenCall } from "./dialect.ts";
import { callJson } from "./json-spacing.ts";

/** A JSON object as the action of a plugin. */
export const internlm2: Dialect = {
  id: "internlm2",
  models: "InternLM 2 and 2.5, Intern-S1",
  source: "json",
  wrappers: [{ open: mark("<|action_start|><|plugin|>"), closes: [mark("<|action_end|>")] }],
  bodies: [jsonBody],
  channels: { strips: ["<|im_end|>"] },
  write: { calls: (calls) => calls.map(written).join("\n") },
};

const KEYS = { name: "name", arguments: "parameters" };
const written = (call: WrittenCall) => `<|action_start|><|plugin|>\n${callJson(call, KEYS)}<|action_end|>`;
