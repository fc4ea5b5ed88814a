import { toolCallsObject, transcript } from "../sieve/grammars/tool-calls-object.ts";
import type { Dialect, WrittenCall } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";

/** The message of OpenAI's API, written as text. */
export const openaiJson: Dialect = {
  id: "openai_json",
  models: "any that was told to answer in JSON, DeepSeek R1 and its distills",
  source: "json",
  openers: [toolCallsObject, transcript],
  write: { calls: (calls) => spacedJson({ tool_calls: calls.map(written) }) },
};

const written = ({ name, input }: WrittenCall, index: number) => ({
  id: `call_${index}`,
  type: "function",
  function: { name, arguments: spacedJson(input) },
});
