import { tag } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { NAMED_CALL, PAIR_MARKS, TOOL_CALL } from "./named-call.ts";
import { pairWriter } from "./pair-writer.ts";

/** Hunyuan 3: GLM's pairs, with a mark behind the name, in one more wrapper. */
export const hyV3: Dialect = {
  id: "hy_v3",
  models: "Hunyuan 3",
  source: "xml",
  wrappers: [{ open: tag("<tool_calls"), closes: [tag("</tool_calls")], nests: true }, TOOL_CALL],
  bodies: [NAMED_CALL],
  suspendsReasoning: "pinned",
  write: pairWriter({
    block: (calls) => `<tool_calls>\n${calls}\n</tool_calls>`,
    call: (name, pairs) => `<tool_call>${name}<tool_sep>\n${pairs}</tool_call>`,
    pair: (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`,
    separator: "\n",
    marks: PAIR_MARKS,
  }),
};
