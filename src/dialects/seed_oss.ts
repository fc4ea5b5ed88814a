import { tag } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { FUNCTION_BODY, FUNCTION_CLOSERS, functionWriter } from "./function-tags.ts";

/** Seed-OSS: the calls of Qwen's coders in a wrapper of its own. */
export const seedOss: Dialect = {
  id: "seed_oss",
  models: "Seed-OSS",
  source: "xml",
  wrappers: [{ open: tag("<seed:tool_call"), closes: [tag("</seed:tool_call")] }],
  bodies: [FUNCTION_BODY],
  suspendsReasoning: "pinned",
  closers: FUNCTION_CLOSERS,
  channels: { reasoning: [{ open: "<seed:think>", close: "</seed:think>" }], strips: ["<seed:eos>"] },
  write: functionWriter("seed:tool_call"),
  reserved: ["<function=", "<parameter=", "<seed:cot_budget_reflect>"],
};
