import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { mark } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { callsJson } from "./json-spacing.ts";

/** A list of JSON objects behind a special token. */
export const mistralOld: Dialect = {
  id: "mistral_old",
  models: "Mistral 7B v0.3, Nemo, Mixtral 8x22B, Large 2407, Small up to 3.1",
  source: "json",
  wrappers: [{ open: mark("[TOOL_CALLS]"), closes: [] }],
  bodies: [jsonBody],
  closers: [mark("[/TOOL_CALLS]")],
  results: ["[TOOL_RESULTS]"],
  channels: { strips: ["</s>"] },
  write: { calls: (calls) => `[TOOL_CALLS] ${callsJson(calls)}` },
};
