import { startOfReply, wholeReply } from "../sieve/grammars/bare-json.ts";
import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { mark } from "../sieve/notation.ts";
import type { TaughtDialect } from "./dialect.ts";
import { callJson, callsJson } from "./json-spacing.ts";
import { RESULTS, resultFrame } from "./result-frames.ts";
import { IN_LIST, JSON_CALLS, taught } from "./teaching.ts";

/** JSON and nothing around it, in the shapes of all vendors: for models that were shown calls as JSON. */
export const bareJson: TaughtDialect = {
  id: "bare_json",
  aliases: ["llama3_json", "xlam", "anthropic_json", "gemini_json"],
  models: "Llama 3 and 4, xLAM 2, Watt, and any that copies the messages of an API",
  source: "json",
  openers: [...wholeReply, ...startOfReply],
  wrappers: [{ open: mark("<|python_tag|>"), closes: [] }],
  bodies: [jsonBody],
  suspendsReasoning: "always",
  channels: { strips: ["<|eom_id|>", "<|eot_id|>"] },
  results: [RESULTS],
  ...taught({ calls: (calls) => calls.map((call) => callJson(call, KEYS)).join("; "), first: true }, resultFrame, {
    values: JSON_CALLS,
    several: "follow each other, parted by `; `",
  }),
  variants: {
    xlam: taught({ calls: (calls) => callsJson(calls), first: true }, resultFrame, {
      values: JSON_CALLS,
      several: IN_LIST,
    }),
  },
};

const KEYS = { name: "name", arguments: "parameters" };
