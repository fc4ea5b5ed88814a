import { tag } from "../sieve/notation.ts";
import type { TaughtDialect } from "./dialect.ts";
import { INVOKE_BODY, INVOKE_CLOSERS, invokeWriter } from "./invoke-tags.ts";
import { envelope } from "./result-frames.ts";
import { inBlock, TEXT, taught } from "./teaching.ts";

/** MiniMax: a wrapper of its own around invokes. */
export const minimaxM2: TaughtDialect = {
  id: "minimax_m2",
  models: "MiniMax M2 to M2.7",
  source: "xml",
  wrappers: [{ open: tag("<minimax:tool_call"), closes: [tag("</minimax:tool_call")] }],
  bodies: [INVOKE_BODY],
  suspendsReasoning: "pinned",
  closers: INVOKE_CLOSERS,
  results: ["]~b]tool"],
  channels: { strips: ["[e~[", "]~b]ai", "]~!b["] },
  ...taught(
    invokeWriter("minimax:tool_call"),
    envelope((text) => `<response>${text}</response>`),
    { values: TEXT, several: inBlock("<invoke>"), typed: true },
  ),
  reserved: ["<parameter", "<response"],
};
