import { pairs } from "../sieve/grammars/pairs.ts";
import { wrappedCalls } from "../sieve/grammars/wrapped-calls.ts";
import { type Body, tag, type Wrapper } from "../sieve/notation.ts";

/** What several notations share whose calls stand in `<tool_call>`, with the tool's name as bare text. */

export const TOOL_CALL: Wrapper = { open: tag("<tool_call"), closes: [tag("</tool_call")] };

const form = pairs({
  call: { open: "<tool_call", close: "</tool_call" },
  key: { open: "<arg_key", close: "</arg_key" },
  value: { open: "<arg_value", close: "</arg_value" },
  // Hunyuan 3 has one.
  separator: "<tool_sep",
  wrapperClose: "</tool_calls",
});

export const NAMED_CALL: Body = { source: "xml", leads: ["name"], in: (wrapper) => wrappedCalls(wrapper, form) };

/** What a value of theirs cannot hold. */
export const PAIR_MARKS = /<\/?(?:arg_key|arg_value|tool_calls?)[\s/>]/i;
