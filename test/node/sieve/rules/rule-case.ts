import type { JsonObject } from "../../../../src/conversation.ts";
import type { FinishReason } from "../../../../src/reply.ts";
import type { Case, Expectation, ExpectedCall, Mode, Variant } from "../case-files.ts";
import { MODES, withVariants } from "../case-files.ts";

/** One sentence of a rule of the notation, as an input and what it gives. Text is compared to the character. */
export interface RuleCase {
  /** The rule's letter and number, then the sentence in short; the case's id. */
  rule: string;
  input: string;
  /** Reasoning that the upstream sends in a field of its own, before the text. */
  reasoning?: string;
  options?: Partial<Case["options"]>;
  upstreamFinish?: FinishReason;
  modes?: readonly Mode[];
  expect: Expectation;
  /** Where a mode or early emission gives something else; the first that fits counts. */
  but?: readonly Variant[];
}

export const EARLY = ["high", "low"] as const;

const text = { type: "string" };
const object = (properties: JsonObject) => ({ type: "object", properties });

const TOOLS = [
  { name: "a", parameters: object({ b: text }) },
  { name: "ping", parameters: object({}) },
  { name: "write", parameters: object({ path: text, content: text }) },
  {
    name: "set",
    parameters: object({
      count: { type: "integer" },
      ratio: { type: "number" },
      on: { type: "boolean" },
      tags: { type: "array", items: text },
      options: { type: "object" },
      any: {},
      note: { type: ["string", "null"] },
      limit: { anyOf: [{ type: "integer" }, { type: "null" }] },
      either: { anyOf: [{ type: "integer" }, text] },
      plain: text,
    }),
  },
];

export const toCases = (cases: readonly RuleCase[]): Case[] =>
  cases.map(({ rule, input, reasoning, options, upstreamFinish = "stop", modes = MODES, expect, but = [] }) => ({
    id: rule,
    modes,
    options: { tools: TOOLS, ...options },
    input,
    reasoning,
    upstreamFinish,
    cuts: {},
    blanks: "exact",
    expected: withVariants(but, () => expect),
  }));

/** Notations other than the canonical one are read in this mode alone. */
export const FM = ["feature_match"] as const;

export const textOnly = (rule: string, input: string, more: Partial<RuleCase> = {}): RuleCase => ({
  rule,
  input,
  modes: FM,
  expect: { calls: [], text: input, finish: "stop" },
  ...more,
});

export const called = (
  rule: string,
  input: string,
  expect: RuleCase["expect"],
  more: Partial<RuleCase> = {},
): RuleCase => ({
  rule,
  input,
  modes: FM,
  expect: { finish: "tool", ...expect },
  ...more,
});

/** A whole block that calls `a`. */
export const block = (b: string) =>
  `<tool_calls><invoke name="a"><parameter name="b">${b}</parameter></invoke></tool_calls>`;
export const a = (b: string): ExpectedCall => ({ name: "a", arguments: { b } });
export const ping: ExpectedCall = { name: "ping", arguments: {} };
export const PING = '<tool_calls><invoke name="ping"/></tool_calls>';

/** A call of a notation that is read in `feature_match` alone. */
export const inFeatureMatch = (
  rule: string,
  input: string,
  expect: Expectation,
  more: Partial<RuleCase> = {},
): RuleCase => ({ rule, modes: ["feature_match"], input, expect: { text: "", finish: "tool", ...expect }, ...more });

/** Text that could be taken for such a call. */
export const textInFeatureMatch = (rule: string, input: string, more: Partial<RuleCase> = {}): RuleCase =>
  inFeatureMatch(rule, input, { calls: [], text: input, finish: "stop" }, more);

export const pinned = (...dialects: string[]): Pick<RuleCase, "options"> => ({ options: { dialects } });
