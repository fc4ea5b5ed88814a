import { pairs } from "../sieve/grammars/pairs.ts";
import { wrappedCalls } from "../sieve/grammars/wrapped-calls.ts";
import { tag } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { pairWriter } from "./pair-writer.ts";

/** Each of its special tokens is read like a tag whose name ends in the bar; one of them both ends a key and begins its value. */
const form = pairs({
  call: { open: "<|tool_call:start|", close: "<|tool_call:end|" },
  key: { open: "<|tool_arg:start|", close: "<|tool_arg:value|" },
  value: { open: "<|tool_arg:value|", close: "<|tool_arg:end|" },
});

/** Solar Open 2: pairs in special tokens. */
export const solarOpen2: Dialect = {
  id: "solar_open2",
  models: "Solar Open 2",
  source: "xml",
  wrappers: [{ open: tag("<|tool_call:start|"), closes: [tag("<|tool_call:end|")] }],
  bodies: [{ source: "xml", leads: ["name"], in: (wrapper) => wrappedCalls(wrapper, form) }],
  suspendsReasoning: "always",
  closers: [tag("<|tool_arg:end|")],
  write: pairWriter({
    call: (name, pairs) => `<|tool_call:start|>${name}\n${pairs}<|tool_call:end|>`,
    pair: (key, value) => `<|tool_arg:start|>${key}<|tool_arg:value|>${value}<|tool_arg:end|>\n`,
    separator: "\n",
    marks: /<\|tool_(?:call:(?:start|end)|arg:(?:start|value|end))\|[\s/>]/i,
  }),
  reserved: ["<|tool_arg:start|", "<|tool_arg:value|"],
};
