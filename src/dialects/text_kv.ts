import { unclosedCall } from "../sieve/grammars/named-json.ts";
import { mark, markOf } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";

/** Two lines of plain text, in the words of an API's answer. */
export const textKv: Dialect = {
  id: "text_kv",
  models: "DeepSeek's web models and others that imitate an API",
  source: "textkv",
  openers: [
    {
      ...mark("function.name:"),
      at: "line",
      evidence: "weak",
      leads: ["name"],
      read: unclosedCall({
        separators: [mark("function.arguments:")],
        separated: true,
        id: markOf(["id:", "function.id:"]),
      }),
    },
  ],
  write: {
    calls: (calls) =>
      calls.map(({ name, input }) => `function.name: ${name}\nfunction.arguments: ${spacedJson(input)}`).join("\n"),
  },
};
