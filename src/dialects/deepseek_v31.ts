import { namedCall, unmarkedCalls } from "../sieve/grammars/named-json.ts";
import {
  CALL,
  CALL_BEGIN,
  CALL_END,
  CALLS_BEGIN,
  CALLS_END,
  CHANNELS,
  FORM,
  RESULTS,
  SECTION,
  SEPARATOR,
} from "./deepseek-tokens.ts";
import type { TaughtDialect } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";
import { envelope } from "./result-frames.ts";
import { inBlock, JSON_CALLS, taught } from "./teaching.ts";

/** DeepSeek V3.1: the name, a separator, and the arguments. */
export const deepseekV31: TaughtDialect = {
  id: "deepseek_v31",
  models: "DeepSeek V3.1, V3.1-Terminus and V3.2-Exp",
  source: "json",
  wrappers: [SECTION, CALL],
  bodies: [{ source: "json", leads: ["name"], in: namedCall(FORM) }],
  unmarked: unmarkedCalls(FORM),
  suspendsReasoning: "always",
  results: RESULTS,
  channels: CHANNELS,
  ...taught(
    {
      calls: (calls) => {
        const written = calls.map(
          ({ name, input }) => `${CALL_BEGIN}${name}${SEPARATOR}${spacedJson(input)}${CALL_END}`,
        );
        return `${CALLS_BEGIN}${written.join("")}${CALLS_END}`;
      },
      // Behind the opener this word is the type of DeepSeek V3.
      carries: ({ name }) => name !== "function",
    },
    envelope((text) => `<｜tool▁output▁begin｜>${text}<｜tool▁output▁end｜>`, ""),
    { values: JSON_CALLS, several: inBlock(CALL_BEGIN) },
  ),
};
