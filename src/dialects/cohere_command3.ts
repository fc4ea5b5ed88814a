import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { mark } from "../sieve/notation.ts";
import type { TaughtDialect, WrittenCall } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";
import { RESULTS, resultFrame } from "./result-frames.ts";
import { IN_LIST, JSON_CALLS, taught } from "./teaching.ts";

/** A list of JSON objects as the action of a reply that is parted into channels. */
export const cohereCommand3: TaughtDialect = {
  id: "cohere_command3",
  models: "Command R7B, Command A and its reasoning version",
  source: "json",
  wrappers: [{ open: mark("<|START_ACTION|>"), closes: [mark("<|END_ACTION|>")] }],
  bodies: [jsonBody],
  results: [RESULTS, "<|START_TOOL_RESULT|>"],
  channels: {
    reasoning: [{ open: "<|START_THINKING|>", close: "<|END_THINKING|>" }],
    visible: ["<|START_RESPONSE|>", "<|START_TEXT|>"],
    strips: ["<|END_RESPONSE|>", "<|END_TEXT|>", "<|END_OF_TURN_TOKEN|>"],
  },
  ...taught(
    { calls: (calls) => `<|START_ACTION|>[\n${calls.map(written).join(",\n")}\n]<|END_ACTION|>` },
    resultFrame,
    { values: JSON_CALLS, several: IN_LIST },
  ),
};

function written({ name, input }: WrittenCall, index: number): string {
  return `    ${spacedJson({ tool_call_id: String(index), tool_name: name, parameters: input })}`;
}
