import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { tag } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { callJson } from "./json-spacing.ts";

/** What dots falls back to: its tag with a JSON object in it. */
export const dotsJson: Dialect = {
  id: "dots_json",
  models: "dots",
  source: "json",
  wrappers: [{ open: tag("<dots_function_call"), closes: [tag("</dots_function_call")] }],
  bodies: [jsonBody],
  write: {
    calls: (calls) => calls.map((call) => `<dots_function_call>\n${callJson(call)}\n</dots_function_call>`).join("\n"),
  },
};
