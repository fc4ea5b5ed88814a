import { type NamedJson, namedCall, unmarkedCalls } from "../sieve/grammars/named-json.ts";
import { mark } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";

const form: NamedJson = { separators: [mark("[ARGS]")], id: mark("[CALL_ID]") };

/** Mistral since its tokenizer v11: an opener for each call, which ends with its arguments. */
export const mistralV11: Dialect = {
  id: "mistral_v11",
  aliases: ["mistral_v11_call_id"],
  models: "Mistral Small 3.2, Medium 3 and Large 3, Magistral, Devstral, Ministral 3",
  source: "json",
  wrappers: [{ open: mark("[TOOL_CALLS]"), closes: [] }],
  bodies: [{ source: "json", leads: ["name"], in: namedCall(form) }],
  unmarked: unmarkedCalls(form),
  suspendsReasoning: "always",
  closers: [mark("[/TOOL_CALLS]")],
  channels: { reasoning: [{ open: "[THINK]", close: "[/THINK]" }], strips: ["</s>"] },
  write: {
    calls: (calls) => calls.map(({ name, input }) => `[TOOL_CALLS]${name}[ARGS]${spacedJson(input)}`).join(""),
  },
};
