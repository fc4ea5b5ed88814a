import { tag } from "../sieve/notation.ts";
import type { TaughtDialect } from "./dialect.ts";
import { NAMED_CALL, PAIR_MARKS, TOOL_CALL } from "./named-call.ts";
import { pairWriter } from "./pair-writer.ts";
import { toolResponses } from "./result-frames.ts";
import { IN_OWN_TAGS, TEXT, taught } from "./teaching.ts";

/** @param gap between any two of its parts: a line break, up to GLM 4.6 */
function taughtWith(gap: string) {
  const writer = pairWriter({
    call: (name, pairs) => `<tool_call>${name}${gap}${pairs}</tool_call>`,
    pair: (key, value) => `<arg_key>${key}</arg_key>${gap}<arg_value>${value}</arg_value>${gap}`,
    separator: gap,
    marks: PAIR_MARKS,
  });
  return taught({ ...writer, joint: "\n" }, toolResponses, { values: TEXT, several: IN_OWN_TAGS, typed: true });
}

/** GLM: the name as bare text, then tags for keys and values in turn. */
export const glm45: TaughtDialect = {
  id: "glm45",
  aliases: ["glm47", "ling3", "spark25", "hyperclovax", "laguna", "poolside_v1"],
  models: "GLM 4.5 and newer, Ling 3, Spark 2.5, HyperCLOVA X SEED Think, Poolside Laguna",
  source: "xml",
  wrappers: [TOOL_CALL],
  bodies: [NAMED_CALL],
  suspendsReasoning: "pinned",
  closers: ["</arg_value", "</arg_key"].map(tag),
  results: ["<tool_response>"],
  channels: { strips: ["<|observation|>", "<|user|>", "<|endoftext|>"] },
  ...taughtWith("\n"),
  variants: { glm47: taughtWith("") },
  reserved: ["<arg_key", "<arg_value", "<tool_sep"],
};
