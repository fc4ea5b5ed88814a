import { unclosedCall } from "../sieve/grammars/named-json.ts";
import { type Mark, markOf } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";

/** A word between flowers, with or without a colon behind it. */
const flowered = (word: string): Mark => markOf([`✿${word}✿:`, `✿${word}✿：`, `✿${word}✿`]);

/** Qwen 1.5 and 2 with Qwen-Agent. */
export const qwenFncall: Dialect = {
  id: "qwen_fncall",
  models: "Qwen 1.5 and 2 with Qwen-Agent",
  source: "textkv",
  openers: [
    {
      ...flowered("FUNCTION"),
      evidence: "complete",
      leads: ["name"],
      read: unclosedCall({ separators: [flowered("ARGS")], separated: true }),
    },
  ],
  results: ["✿RESULT✿"],
  channels: { visible: ["✿RETURN✿:", "✿RETURN✿：", "✿RETURN✿"] },
  write: {
    calls: (calls) => calls.map(({ name, input }) => `✿FUNCTION✿: ${name}\n✿ARGS✿: ${spacedJson(input)}`).join("\n"),
  },
};
