import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { tag } from "../sieve/notation.ts";
import type { Dialect, WrittenCall } from "./dialect.ts";
import { callJson } from "./json-spacing.ts";

/** Hermes with a frame around what is said; to other models its tags are text like any other. */
export const ernie45: Dialect = {
  id: "ernie45",
  models: "ERNIE 4.5 thinking",
  source: "json",
  wrappers: [{ open: tag("<tool_call"), closes: [tag("</tool_call")], pinned: true }],
  bodies: [jsonBody],
  channels: { pinned: true, visible: ["<response>"], strips: ["</response>", "</s>"] },
  write: { calls: (calls) => calls.map(written).join("\n") },
};

const written = (call: WrittenCall) => `<tool_call>\n${callJson(call)}\n</tool_call>`;
