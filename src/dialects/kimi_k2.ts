import { type NamedJson, namedCall, unmarkedCalls } from "../sieve/grammars/named-json.ts";
import { type BareNames, mark, markOf } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";

/** Kimi's ids are what stands for a name: `functions.NAME:3`, counted over the whole conversation. */
const bareNames: BareNames = (written) => {
  const uncounted = written.replace(/:\d+$/, "");
  return [uncounted.replace(/^functions\./, ""), uncounted, written.replace(/^functions\./, "")];
};

const form: NamedJson = {
  // Inside the notation an underscore may stand for the colon; elsewhere it makes the name of another tool.
  bareNames: (written) => {
    const cut = bareNames(written);
    return [...cut, ...cut.slice(0, 1).map((name) => name.replace(/_\d+$/, ""))];
  },
  // DeepSeek's notation in plain letters begins with the very same opener, and has the other separator.
  separators: [mark("<|tool_call_argument_begin|>"), mark("<|tool_sep|>")],
};

export const kimiK2: Dialect = {
  id: "kimi_k2",
  models: "Kimi K2, K2-Thinking, K2.5 and K2.6",
  source: "json",
  wrappers: [
    {
      open: markOf(["<|tool_calls_section_begin|>", "<|tool_call_section_begin|>"]),
      closes: [markOf(["<|tool_calls_section_end|>", "<|tool_call_section_end|>"])],
      nests: true,
    },
    { open: mark("<|tool_call_begin|>"), closes: [mark("<|tool_call_end|>")] },
  ],
  bodies: [{ source: "json", leads: ["name"], in: namedCall(form) }],
  unmarked: unmarkedCalls(form),
  suspendsReasoning: "always",
  bareNames,
  channels: { reasoning: [{ open: "◁think▷", close: "◁/think▷" }], strips: ["<|im_end|>"] },
  write: {
    calls: (calls) => {
      const written = calls.map(
        ({ name, input }, index) =>
          `<|tool_call_begin|>functions.${name}:${index}<|tool_call_argument_begin|>${spacedJson(input)}<|tool_call_end|>`,
      );
      return `<|tool_calls_section_begin|>${written.join("")}<|tool_calls_section_end|>`;
    },
  },
};
