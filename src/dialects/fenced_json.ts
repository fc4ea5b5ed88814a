import { fencedCalls } from "../sieve/grammars/bare-json.ts";
import { mark } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { callJson, callsJson } from "./json-spacing.ts";

/** JSON in a fence: the whole reply, unless the fence itself says what it holds. */
export const fencedJson: Dialect = {
  id: "fenced_json",
  models: "any that puts JSON into fences",
  source: "json",
  openers: [
    ...["```json", "```"].map((fence) => fencedCalls(mark(fence), { at: "start", evidence: "whole" })),
    ...["```tool_call", "```tool_use"].map((fence) => fencedCalls(mark(fence), { at: "line", evidence: "weak" })),
  ],
  write: {
    calls: (calls) => {
      const [only] = calls;
      return `\`\`\`json\n${calls.length === 1 && only ? callJson(only) : callsJson(calls)}\n\`\`\``;
    },
  },
};
