import { pythonLines } from "../sieve/grammars/pythonic.ts";
import { mark } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { carries, pythonCall } from "./python-writer.ts";

const SUFFIX = ".call";

/** Llama 3.1 with its built-in tools: a method of the tool's name is called, behind the token that JSON may follow, too. */
export const llama3Builtin: Dialect = {
  id: "llama3_builtin",
  models: "Llama 3.1 with its built-in tools",
  source: "markup",
  wrappers: [{ open: mark("<|python_tag|>"), closes: [] }],
  bodies: [pythonLines({ suffix: SUFFIX })],
  suspendsReasoning: "always",
  channels: { strips: ["<|eom_id|>", "<|eot_id|>"] },
  write: {
    calls: (calls) =>
      calls
        .map(({ name, input }) => `<|python_tag|>${pythonCall({ name: name + SUFFIX, input }, "python-double")}`)
        .join("\n"),
    carries,
  },
};
