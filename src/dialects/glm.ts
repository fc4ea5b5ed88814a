import { pairs } from "../sieve/grammars/pairs.ts";
import { wrappedCalls } from "../sieve/grammars/wrapped-calls.ts";
import { type Body, tag, type Wrapper } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { pairWriter } from "./pair-writer.ts";

const form = pairs({
  call: { open: "<tool_call", close: "</tool_call" },
  key: { open: "<arg_key", close: "</arg_key" },
  value: { open: "<arg_value", close: "</arg_value" },
  // Hunyuan 3 has one.
  separator: "<tool_sep",
  wrapperClose: "</tool_calls",
});

/** What stands in `<tool_call>` where that begins with a name. */
export const NAMED_CALL: Body = { source: "xml", leads: form.leads, in: (wrapper) => wrappedCalls(wrapper, form) };

export const TOOL_CALL: Wrapper = { open: tag("<tool_call"), closes: [tag("</tool_call")] };

/** What a value of these notations cannot hold. */
export const PAIR_MARKS = /<\/?(?:arg_key|arg_value|tool_calls?)[\s/>]/i;

/** GLM: the name as bare text, then tags for keys and values in turn. */
export const glm45: Dialect = {
  id: "glm45",
  aliases: ["glm47", "ling3", "spark25", "hyperclovax", "laguna", "poolside_v1"],
  models: "GLM 4.5 and newer, Ling 3, Spark 2.5, HyperCLOVA X SEED Think, Poolside Laguna",
  source: "xml",
  openers: [],
  wrappers: [TOOL_CALL],
  bodies: [NAMED_CALL],
  closers: ["</arg_value", "</arg_key"].map(tag),
  results: ["<tool_response>"],
  channels: { strips: ["<|observation|>", "<|user|>", "<|endoftext|>"] },
  write: pairWriter({
    call: (name, pairs) => `<tool_call>${name}\n${pairs}</tool_call>`,
    pair: (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`,
    separator: "\n",
    marks: PAIR_MARKS,
  }),
  reserved: ["<arg_key", "<arg_value", "<tool_sep"],
};
