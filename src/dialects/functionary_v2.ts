import { type NamedJson, unclosedCall, unmarkedCalls } from "../sieve/grammars/named-json.ts";
import { mark, markOf } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";

const form: NamedJson = { separators: [mark("<|content|>")], separated: true };

/** Functionary 2: every message says for whom it is; the first header may be in the prompt. */
export const functionaryV2: Dialect = {
  id: "functionary_v2",
  models: "Functionary v2",
  source: "json",
  openers: [
    {
      ...markOf(["<|from|>assistant\n<|recipient|>", "<|recipient|>"]),
      pinned: true,
      evidence: "complete",
      leads: ["name"],
      read: unclosedCall(form),
    },
  ],
  unmarked: unmarkedCalls(form),
  channels: {
    visible: ["<|from|>assistant\n<|recipient|>all\n<|content|>", "<|recipient|>all\n<|content|>", "all\n<|content|>"],
    strips: ["<|stop|>"],
  },
  write: {
    calls: (calls) => {
      const messages = calls.map(
        ({ name, input }) => `<|from|>assistant\n<|recipient|>${name}\n<|content|>${spacedJson(input)}`,
      );
      return `${messages.join("\n")}\n<|stop|>`;
    },
  },
};
