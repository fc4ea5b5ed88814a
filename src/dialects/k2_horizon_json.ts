import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { tag } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { callJson } from "./json-spacing.ts";

/** K2 Horizon's tags with JSON objects in them. */
export const k2HorizonJson: Dialect = {
  id: "k2_horizon_json",
  models: "K2 Horizon",
  source: "json",
  wrappers: [
    { open: tag("<ifm|tool_calls"), closes: [tag("</ifm|tool_calls")], nests: true },
    { open: tag("<ifm|tool_call"), closes: [tag("</ifm|tool_call")] },
  ],
  bodies: [jsonBody],
  write: {
    calls: (calls) =>
      [
        "<ifm|tool_calls>",
        ...calls.map((call) => `<ifm|tool_call>${callJson(call)}</ifm|tool_call>`),
        "</ifm|tool_calls>",
      ].join("\n"),
  },
};
