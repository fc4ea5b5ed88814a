import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { tag } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { callJson } from "./json-spacing.ts";

/** LongCat's tag with a JSON object in it. */
export const longcatJson: Dialect = {
  id: "longcat_json",
  models: "LongCat-Flash",
  source: "json",
  wrappers: [{ open: tag("<longcat_tool_call"), closes: [tag("</longcat_tool_call")] }],
  bodies: [jsonBody],
  write: {
    calls: (calls) => calls.map((call) => `<longcat_tool_call>${callJson(call)}</longcat_tool_call>`).join("\n"),
  },
};
