import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { tag } from "../sieve/notation.ts";
import type { TaughtDialect } from "./dialect.ts";
import { callsJson } from "./json-spacing.ts";
import { RESULTS, resultFrame } from "./result-frames.ts";
import { IN_LIST, JSON_CALLS, taught } from "./teaching.ts";

/** A list of JSON objects between tags. */
export const nemotronJson: TaughtDialect = {
  id: "nemotron_json",
  models: "Llama-Nemotron Super and Ultra, Nemotron Nano v2",
  source: "json",
  wrappers: [{ open: tag("<TOOLCALL"), closes: [tag("</TOOLCALL")] }],
  bodies: [jsonBody],
  results: [RESULTS],
  ...taught({ calls: (calls) => `<TOOLCALL>${callsJson(calls)}</TOOLCALL>` }, resultFrame, {
    values: JSON_CALLS,
    several: IN_LIST,
  }),
};
