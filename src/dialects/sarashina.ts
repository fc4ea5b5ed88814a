import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { mark } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { literal } from "./python-writer.ts";

/** A list of Python dictionaries behind a special token. */
export const sarashina: Dialect = {
  id: "sarashina",
  models: "Sarashina",
  source: "json",
  wrappers: [{ open: mark("<|tool_calls|>"), closes: [] }],
  bodies: [jsonBody],
  write: {
    calls: (calls) =>
      `<|tool_calls|>${literal(
        calls.map(({ name, input }) => ({ name, arguments: input })),
        "python",
      )}`,
  },
};
