import { pairs } from "../sieve/grammars/pairs.ts";
import { wrappedCalls } from "../sieve/grammars/wrapped-calls.ts";
import { tag } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { pairWriter } from "./pair-writer.ts";

const form = pairs({
  call: { open: "<ifm|tool_call", close: "</ifm|tool_call" },
  key: { open: "<ifm|arg_key", close: "</ifm|arg_key" },
  type: { open: "<ifm|arg_type", close: "</ifm|arg_type" },
  value: { open: "<ifm|arg_value", close: "</ifm|arg_value" },
  wrapperClose: "</ifm|tool_calls",
});

/** K2 Horizon: pairs whose values may tell their type. */
export const k2Horizon: Dialect = {
  id: "k2_horizon",
  models: "K2 Horizon",
  source: "xml",
  wrappers: [
    { open: tag("<ifm|tool_calls"), closes: [tag("</ifm|tool_calls")], nests: true },
    { open: tag("<ifm|tool_call"), closes: [tag("</ifm|tool_call")] },
  ],
  bodies: [{ source: "xml", leads: ["name"], in: (wrapper) => wrappedCalls(wrapper, form) }],
  suspendsReasoning: "always",
  closers: ["</ifm|arg_value", "</ifm|arg_type", "</ifm|arg_key"].map(tag),
  channels: {
    reasoning: ["think", "think_fast", "think_faster"].map((name) => ({
      open: `<ifm|${name}>`,
      close: `</ifm|${name}>`,
    })),
  },
  write: pairWriter({
    block: (calls) => `<ifm|tool_calls>\n${calls}\n</ifm|tool_calls>`,
    call: (name, pairs) => `<ifm|tool_call>${name}\n${pairs}</ifm|tool_call>`,
    pair: (key, value, type) =>
      `<ifm|arg_key>${key}</ifm|arg_key><ifm|arg_type>${type}</ifm|arg_type><ifm|arg_value>${value}</ifm|arg_value>\n`,
    separator: "\n",
    marks: /<\/?ifm\|(?:arg_key|arg_value|tool_calls?)[\s/>]/i,
  }),
  reserved: ["<ifm|arg_key", "<ifm|arg_type", "<ifm|arg_value"],
};
