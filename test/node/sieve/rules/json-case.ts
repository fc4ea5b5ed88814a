import type { ExpectedCall } from "../case-files.ts";
import type { RuleCase } from "./rule-case.ts";
import { EARLY } from "./rule-case.ts";

/** Calls as JSON objects. */
export const A1 = '{"name": "a", "arguments": {"b": "1"}}';
export const A2 = '{"name": "a", "arguments": {"b": "2"}}';
export const PING_JSON = '{"name": "ping", "arguments": {}}';
export const tagged = (...json: string[]) => `<tool_call>${json.join("")}</tool_call>`;

export type Given = Omit<RuleCase, "rule" | "modes">;

export const read = (input: string, calls: readonly ExpectedCall[], repairs: readonly string[] = []): Given => ({
  input,
  expect: { calls, text: "", repairs },
});
export const text = (input: string): Given => ({ input, expect: { calls: [], text: input, sawToolCallSyntax: false } });
/** A call was meant. */
export const malformed = (input: string): Given => ({
  input,
  expect: { calls: [], text: input, outcomes: ["malformed"] },
});
/** It breaks, or is cut, behind the place where a call is announced (T3). */
export const broken = (input: string, outcome: "malformed" | "truncated", open: string): Given => ({
  input,
  expect: { calls: [], text: input, outcomes: [outcome] },
  but: [{ levels: EARLY, expect: { calls: [], open: { name: "a", prefix_of: open }, text: "", finish: "length" } }],
});

/** The cases of one form. */
export const inForm = (cases: Record<string, Given>, form: string, options?: RuleCase["options"]): RuleCase[] =>
  Object.entries(cases).map(([rule, given]) => ({
    rule: `${rule}, ${form}`,
    modes: ["feature_match"],
    ...given,
    ...(options && { options: { ...options, ...given.options } }),
  }));
