import { tag } from "../sieve/notation.ts";
import type { Dialect, WrittenCall } from "./dialect.ts";
import { ELEMENT_CALL } from "./element-names.ts";
import { spacedJson } from "./json-spacing.ts";

/** A call as an element that holds its name and its arguments in further ones. */
export const seedbToolCall: Dialect = {
  id: "seedb_tool_call",
  models: "any: models that are taught it in a prompt",
  source: "xml",
  wrappers: [
    { open: tag("<tool_calls"), closes: [tag("</tool_calls")], nests: true },
    { open: tag("<tool_call"), closes: [tag("</tool_call")] },
  ],
  bodies: [ELEMENT_CALL],
  closers: ["</parameters", "</arguments", "</input"].map(tag),
  write: { calls: (calls) => ["<tool_calls>", ...calls.map(written), "</tool_calls>"].join("\n") },
  reserved: ["<tool_name", "<function_name", "<parameters", "<arguments"],
};

function written({ name, input }: WrittenCall): string {
  return `<tool_call><tool_name>${name}</tool_name><parameters>${spacedJson(input)}</parameters></tool_call>`;
}
