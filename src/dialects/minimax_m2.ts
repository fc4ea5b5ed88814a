import { tag } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { INVOKE_BODY, INVOKE_CLOSERS, invokeWriter } from "./invoke-tags.ts";

/** MiniMax: a wrapper of its own around invokes. */
export const minimaxM2: Dialect = {
  id: "minimax_m2",
  models: "MiniMax M2 to M2.7",
  source: "xml",
  wrappers: [{ open: tag("<minimax:tool_call"), closes: [tag("</minimax:tool_call")] }],
  bodies: [INVOKE_BODY],
  suspendsReasoning: "pinned",
  closers: INVOKE_CLOSERS,
  results: ["]~b]tool"],
  channels: { strips: ["[e~[", "]~b]ai", "]~!b["] },
  write: invokeWriter("minimax:tool_call"),
  reserved: ["<parameter"],
};
