import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { tag } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { callsJson } from "./json-spacing.ts";

/** A list of JSON objects between tags. */
export const nemotronJson: Dialect = {
  id: "nemotron_json",
  models: "Llama-Nemotron Super and Ultra, Nemotron Nano v2",
  source: "json",
  wrappers: [{ open: tag("<TOOLCALL"), closes: [tag("</TOOLCALL")] }],
  bodies: [jsonBody],
  write: { calls: (calls) => `<TOOLCALL>${callsJson(calls)}</TOOLCALL>` },
};
