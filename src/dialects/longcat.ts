import { pairs } from "../sieve/grammars/pairs.ts";
import { wrappedCalls } from "../sieve/grammars/wrapped-calls.ts";
import { tag } from "../sieve/notation.ts";
import type { TaughtDialect } from "./dialect.ts";
import { pairWriter } from "./pair-writer.ts";
import { RESULTS, resultFrame } from "./result-frames.ts";
import { IN_OWN_TAGS, TEXT, taught } from "./teaching.ts";

const form = pairs({
  call: { open: "<longcat_tool_call", close: "</longcat_tool_call" },
  key: { open: "<longcat_arg_key", close: "</longcat_arg_key" },
  value: { open: "<longcat_arg_value", close: "</longcat_arg_value" },
});

/** LongCat: GLM's pairs in tags of its own. */
export const longcat: TaughtDialect = {
  id: "longcat",
  models: "LongCat-Flash",
  source: "xml",
  wrappers: [{ open: tag("<longcat_tool_call"), closes: [tag("</longcat_tool_call")] }],
  bodies: [{ source: "xml", leads: ["name"], in: (wrapper) => wrappedCalls(wrapper, form) }],
  suspendsReasoning: "always",
  closers: ["</longcat_arg_value", "</longcat_arg_key"].map(tag),
  channels: { reasoning: [{ open: "<longcat_think>", close: "</longcat_think>" }] },
  results: [RESULTS],
  ...taught(
    pairWriter({
      call: (name, pairs) => `<longcat_tool_call>${name}\n${pairs}</longcat_tool_call>`,
      pair: (key, value) =>
        `<longcat_arg_key>${key}</longcat_arg_key>\n<longcat_arg_value>${value}</longcat_arg_value>\n`,
      separator: "\n",
      marks: /<\/?longcat_(?:arg_key|arg_value|tool_call)[\s/>]/i,
    }),
    resultFrame,
    { values: TEXT, several: IN_OWN_TAGS, typed: true },
  ),
  reserved: ["<longcat_arg_key", "<longcat_arg_value"],
};
