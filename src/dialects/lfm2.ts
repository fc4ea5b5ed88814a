import { pythonBody } from "../sieve/grammars/pythonic.ts";
import { mark } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { pythonListWriter } from "./python-writer.ts";

/** LFM2: a list of Python calls between special tokens, or one call alone. */
export const lfm2: Dialect = {
  id: "lfm2",
  models: "LFM2 and LFM2.5",
  source: "markup",
  wrappers: [{ open: mark("<|tool_call_start|>"), closes: [mark("<|tool_call_end|>")] }],
  bodies: [pythonBody],
  suspendsReasoning: "always",
  results: ["<|tool_response_start|>"],
  channels: { strips: ["<|im_end|>"] },
  write: pythonListWriter("python", (list) => `<|tool_call_start|>${list}<|tool_call_end|>`),
};
