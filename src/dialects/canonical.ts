import { parameterTags } from "../sieve/grammars/parameter-tags.ts";
import { canonicalReserved, canonicalTeaching, canonicalWriter } from "./canonical-text.ts";
import type { Dialect } from "./dialect.ts";

const read = parameterTags({
  wrapper: { open: "<tool_calls", close: "</tool_calls" },
  call: { open: "<invoke", close: "</invoke" },
  parameter: { open: "<parameter", close: "</parameter" },
});

/** The notation that Toolsieve teaches by itself: seed A's canonical XML (sieve.md G). */
export const canonical: Dialect = {
  id: "canonical",
  aliases: [],
  source: "canonical",
  openers: [
    { spelling: "<tool_calls", tag: true, evidence: "complete", read },
    // The wrapper's opener is missing (sieve.md M2).
    { spelling: "<invoke", tag: true, evidence: "wrapper-missing", read },
  ],
  results: ["<tool_results>"],
  closers: ["</tool_calls", "</invoke", "</parameter"],
  write: canonicalWriter,
  teach: canonicalTeaching,
  reserved: canonicalReserved,
};
