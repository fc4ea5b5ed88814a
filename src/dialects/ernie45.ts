import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { tag } from "../sieve/notation.ts";
import type { TaughtDialect, WrittenCall } from "./dialect.ts";
import { callJson } from "./json-spacing.ts";
import { RESULTS, resultFrame } from "./result-frames.ts";
import { IN_OWN_TAGS, JSON_CALLS, taught } from "./teaching.ts";

/** Hermes with a frame around what is said; to other models its tags are text like any other. */
export const ernie45: TaughtDialect = {
  id: "ernie45",
  models: "ERNIE 4.5 thinking",
  source: "json",
  wrappers: [{ open: tag("<tool_call"), closes: [tag("</tool_call")], pinned: true }],
  bodies: [jsonBody],
  channels: { pinned: true, visible: ["<response>"], strips: ["</response>", "</s>"] },
  results: [RESULTS],
  ...taught({ calls: (calls) => calls.map(written).join("\n") }, resultFrame, {
    values: JSON_CALLS,
    several: IN_OWN_TAGS,
  }),
};

const written = (call: WrittenCall) => `<tool_call>\n${callJson(call)}\n</tool_call>`;
