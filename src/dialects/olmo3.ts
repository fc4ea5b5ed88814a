import { pythonLines } from "../sieve/grammars/pythonic.ts";
import { tag } from "../sieve/notation.ts";
import type { TaughtDialect } from "./dialect.ts";
import { pythonLinesWriter } from "./python-writer.ts";
import { RESULTS, resultFrame } from "./result-frames.ts";
import { KEYWORDS, taught } from "./teaching.ts";

/** OLMo 3: Python calls, one a line, in a wrapper that others have, too. */
export const olmo3: TaughtDialect = {
  id: "olmo3",
  models: "OLMo 3",
  source: "markup",
  wrappers: [{ open: tag("<function_calls"), closes: [tag("</function_calls")] }],
  bodies: [pythonLines()],
  channels: { strips: ["<|im_end|>"] },
  results: [RESULTS],
  ...taught(
    pythonLinesWriter("json", (lines) => `<function_calls>\n${lines}\n</function_calls>`),
    resultFrame,
    { values: KEYWORDS, several: "go in the same block, one a line" },
  ),
};
