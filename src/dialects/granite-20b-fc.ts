import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { tag } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { callJson } from "./json-spacing.ts";

/** A JSON object behind a tag that nothing closes. */
export const granite20bFc: Dialect = {
  id: "granite-20b-fc",
  models: "Granite 20B function calling",
  source: "json",
  wrappers: [{ open: tag("<function_call"), closes: [] }],
  bodies: [jsonBody],
  closers: [tag("</function_call")],
  write: { calls: (calls) => calls.map((call) => `<function_call> ${callJson(call)}`).join(" ") },
};
