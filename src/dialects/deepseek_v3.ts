import { namedCall, unmarkedCalls } from "../sieve/grammars/named-json.ts";
import { markOf } from "../sieve/notation.ts";
import {
  CALL,
  CALL_BEGIN,
  CALL_END,
  CALLS_BEGIN,
  CALLS_END,
  CHANNELS,
  FORM,
  KIMI_CALL,
  RESULTS,
  SECTION,
  SEPARATOR,
} from "./deepseek-tokens.ts";
import type { Dialect } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";
import { spellingsOfToken } from "./special-tokens.ts";

/** The one type of tool that there is. */
const TYPE = markOf(spellingsOfToken(`function${SEPARATOR}`));

/** DeepSeek V3 and R1: the word `function`, the name, and the arguments in a fence. */
export const deepseekV3: Dialect = {
  id: "deepseek_v3",
  models: "DeepSeek V3, V3-0324 and R1-0528, Cogito v2",
  source: "json",
  wrappers: [SECTION, CALL, KIMI_CALL],
  bodies: [{ source: "json", leads: [TYPE], in: namedCall({ ...FORM, type: TYPE }) }],
  unmarked: unmarkedCalls({ ...FORM, bareNames: (written) => [written.replace(/^function/, "")] }),
  suspendsReasoning: "always",
  results: RESULTS,
  channels: CHANNELS,
  write: {
    calls: (calls) => {
      const written = calls.map(
        ({ name, input }) =>
          `${CALL_BEGIN}${TYPE.spelling}${name}\n\`\`\`json\n${spacedJson(input)}\n\`\`\`${CALL_END}`,
      );
      return `${CALLS_BEGIN}${written.join("\n")}${CALLS_END}`;
    },
  },
};
