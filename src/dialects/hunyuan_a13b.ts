import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { tag } from "../sieve/notation.ts";
import type { TaughtDialect } from "./dialect.ts";
import { callJson } from "./json-spacing.ts";
import { RESULTS, resultFrame } from "./result-frames.ts";
import { IN_LIST, JSON_CALLS, taught } from "./teaching.ts";

/** Jamba's list with a frame around what is said; to other models its tags are text like any other. */
export const hunyuanA13b: TaughtDialect = {
  id: "hunyuan_a13b",
  models: "Hunyuan-A13B",
  source: "json",
  wrappers: [{ open: tag("<tool_calls"), closes: [tag("</tool_calls")], pinned: true }],
  bodies: [jsonBody],
  channels: { pinned: true, visible: ["<answer>"], strips: ["</answer>"] },
  results: [RESULTS],
  ...taught(
    { calls: (calls) => `<tool_calls>[${calls.map((call) => callJson(call)).join(", ")}]</tool_calls>` },
    resultFrame,
    { values: JSON_CALLS, several: IN_LIST },
  ),
};
