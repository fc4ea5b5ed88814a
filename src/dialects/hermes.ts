import { fencedJsonBody } from "../sieve/grammars/fenced-body.ts";
import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { tag } from "../sieve/notation.ts";
import type { TaughtDialect, WrittenCall } from "./dialect.ts";
import { callJson } from "./json-spacing.ts";
import { toolResponses } from "./result-frames.ts";
import { IN_OWN_TAGS, JSON_CALLS, taught } from "./teaching.ts";

/** @param gap between the tags and what they hold */
function taughtWith(gap: string) {
  const calls = (calls: readonly WrittenCall[]) =>
    calls.map((call) => `<tool_call>${gap}${callJson(call)}${gap}</tool_call>`).join("\n");
  return taught({ calls, joint: "\n" }, toolResponses, { values: JSON_CALLS, several: IN_OWN_TAGS });
}

/** A JSON object between tags: the notation that most open models were trained on. */
export const hermes: TaughtDialect = {
  id: "hermes",
  aliases: ["exaone4", "granite4"],
  models:
    "Hermes 2 Pro to 4, Qwen 2.5 and 3 (but for its coders), QwQ, EXAONE 4, Granite 4, Falcon 3, and many fine-tunes",
  source: "json",
  wrappers: [{ open: tag("<tool_call"), closes: [tag("</tool_call")] }],
  bodies: [jsonBody, fencedJsonBody],
  suspendsReasoning: "pinned",
  results: ["<tool_response>"],
  channels: { strips: ["<|im_end|>"] },
  ...taughtWith("\n"),
  variants: { exaone4: taughtWith("") },
};
