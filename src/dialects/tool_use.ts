import { tag } from "../sieve/notation.ts";
import type { Dialect, WrittenCall } from "./dialect.ts";
import { ELEMENT_CALL } from "./element-names.ts";
import { spacedJson } from "./json-spacing.ts";

/** The parts of Anthropic's `tool_use` block as elements. */
export const toolUse: Dialect = {
  id: "tool_use",
  models: "models that imitate Claude",
  source: "xml",
  wrappers: [{ open: tag("<tool_use"), closes: [tag("</tool_use")] }],
  bodies: [ELEMENT_CALL],
  write: { calls: (calls) => calls.map(written).join("\n") },
};

function written({ name, input }: WrittenCall): string {
  return `<tool_use><name>${name}</name><input>${spacedJson(input)}</input></tool_use>`;
}
