import { tag } from "../sieve/notation.ts";
import type { TaughtDialect } from "./dialect.ts";
import { FUNCTION, FUNCTION_BODY, FUNCTION_CLOSERS, FUNCTION_EQUALS, functionWriter } from "./function-tags.ts";
import { toolResponses } from "./result-frames.ts";
import { IN_OWN_TAGS, TEXT, taught } from "./teaching.ts";

/** Qwen's coders: names behind equals signs, every value on lines of its own. */
export const qwen3Coder: TaughtDialect = {
  id: "qwen3_coder",
  aliases: ["qwen3_xml", "llama3_custom"],
  models: "Qwen3-Coder, Qwen 3.5 and 3.6, Nemotron 3 Nano, Step 3.5 and 3.7, MiMo, K-EXAONE 2, Llama 3.1 custom tools",
  source: "xml",
  // The wrapper is missing; what is left of it is a surplus closer.
  openers: [{ ...FUNCTION_EQUALS, evidence: "wrapper-missing", read: FUNCTION.behind(FUNCTION_EQUALS) }],
  wrappers: [{ open: tag("<tool_call"), closes: [tag("</tool_call")] }],
  bodies: [FUNCTION_BODY],
  suspendsReasoning: "pinned",
  closers: FUNCTION_CLOSERS,
  results: ["<tool_response>"],
  channels: { strips: ["<|im_end|>", "<|endoftext|>"] },
  ...taught({ ...functionWriter("tool_call"), joint: "\n" }, toolResponses, {
    values: TEXT,
    several: IN_OWN_TAGS,
    typed: true,
  }),
  reserved: ["<parameter="],
};
