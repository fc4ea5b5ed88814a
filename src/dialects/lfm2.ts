import { pythonBody } from "../sieve/grammars/pythonic.ts";
import { mark } from "../sieve/notation.ts";
import type { TaughtDialect } from "./dialect.ts";
import { pythonListWriter } from "./python-writer.ts";
import { RESULTS, resultFrame } from "./result-frames.ts";
import { IN_LIST, PYTHON, taught } from "./teaching.ts";

/** LFM2: a list of Python calls between special tokens, or one call alone. */
export const lfm2: TaughtDialect = {
  id: "lfm2",
  models: "LFM2 and LFM2.5",
  source: "markup",
  wrappers: [{ open: mark("<|tool_call_start|>"), closes: [mark("<|tool_call_end|>")] }],
  bodies: [pythonBody],
  suspendsReasoning: "always",
  results: [RESULTS, "<|tool_response_start|>"],
  channels: { strips: ["<|im_end|>"] },
  ...taught(
    pythonListWriter("python", (list) => `<|tool_call_start|>${list}<|tool_call_end|>`),
    resultFrame,
    { values: PYTHON, several: IN_LIST },
  ),
};
