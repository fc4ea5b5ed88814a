import { tag } from "../sieve/notation.ts";
import type { TaughtDialect } from "./dialect.ts";
import { FUNCTION_BODY, FUNCTION_CLOSERS, functionWriter } from "./function-tags.ts";
import { RESULTS, resultFrame } from "./result-frames.ts";
import { IN_OWN_TAGS, TEXT, taught } from "./teaching.ts";

/** Seed-OSS: the calls of Qwen's coders in a wrapper of its own. */
export const seedOss: TaughtDialect = {
  id: "seed_oss",
  models: "Seed-OSS",
  source: "xml",
  wrappers: [{ open: tag("<seed:tool_call"), closes: [tag("</seed:tool_call")] }],
  bodies: [FUNCTION_BODY],
  suspendsReasoning: "pinned",
  closers: FUNCTION_CLOSERS,
  channels: { reasoning: [{ open: "<seed:think>", close: "</seed:think>" }], strips: ["<seed:eos>"] },
  results: [RESULTS],
  ...taught(functionWriter("seed:tool_call"), resultFrame, { values: TEXT, several: IN_OWN_TAGS, typed: true }),
  reserved: ["<function=", "<parameter=", "<seed:cot_budget_reflect>"],
};
