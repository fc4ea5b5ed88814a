import { describe, expect, test } from "vitest";
import { createSieve } from "../../../src/sieve/index.ts";
import type { Level, Mode } from "./case-files.ts";
import { LEVELS } from "./case-files.ts";

/**
 * When a call is announced (rule E). The input goes in one character at a time; `H`, `L` and `O` in circles mark where
 * its calls come out with early emission high, low and off: behind the character before the mark.
 */
const MARKS: Record<Level, string> = { high: "Ⓗ", low: "Ⓛ", off: "Ⓞ" };

const tools = [{ name: "a", parameters: { type: "object", properties: { b: { type: "string" } } } }];

const MOMENTS: readonly [rule: string, input: string, mode?: Mode][] = [
  [
    "at the first named parameter",
    '<tool_calls><invoke name="a"><parameter name="b">ⒽⓁx</parameter></invoke></tool_calls>Ⓞ',
  ],
  ["at its own closer when it has no parameter", '<tool_calls><invoke name="a"></invoke>ⒽⓁ\n</tool_calls>Ⓞ'],
  ["at its own end when it closes itself", '<tool_calls><invoke name="a"/>ⒽⓁ</tool_calls>Ⓞ'],
  [
    "in order",
    '<tool_calls><invoke name="a"/>ⒽⓁ<invoke name="a"><parameter name="b">ⒽⓁ</parameter></invoke></tool_calls>ⓄⓄ',
  ],
  [
    "an undeclared name only at low",
    '<tool_calls><invoke name="zz"><parameter name="b">Ⓛx</parameter></invoke></tool_calls>ⒽⓄ',
  ],
  [
    "a call waits for those before it",
    '<tool_calls><invoke name="zz"/>Ⓛ<invoke name="a"><parameter name="b">Ⓛx</parameter></invoke></tool_calls>ⒽⒽⓄⓄ',
  ],
  [
    "a bare invoke at the wrapper's closer",
    '<invoke name="a"><parameter name="b">x</parameter></invoke></tool_calls>ⒽⓁⓄ',
    "canonical",
  ],
  [
    "a bare invoke early only at low",
    '<invoke name="a"><parameter name="b">Ⓛx</parameter></invoke></tool_calls>ⒽⓄ',
    "feature_match",
  ],
  [
    "behind an open backtick run at the end of the line",
    'A ` and <tool_calls><invoke name="a"><parameter name="b">x</parameter></invoke></tool_calls> x\nⒽⓁⓄ',
  ],
  ["a name with JSON behind it at the first member", '[TOOL_CALLS]a[ARGS]{"b": "ⒽⓁx"}Ⓞ', "feature_match"],
  ["one that has no member at its brace", "[TOOL_CALLS]a[ARGS]{}ⒽⓁⓄ", "feature_match"],
  ["an undeclared one only at low", '[TOOL_CALLS]zz[ARGS]{"b": "Ⓛx"}ⒽⓄ', "feature_match"],
  [
    "JSON: at the beginning of the first argument",
    '<tool_call>{"name": "a", "arguments": {"b": "ⒽⓁx"}}</tool_call>Ⓞ',
    "feature_match",
  ],
  ["JSON: at its end when it has no argument", '<tool_call>{"name": "a"}ⒽⓁ</tool_call>Ⓞ', "feature_match"],
  [
    "JSON: at the name when the arguments stand before it",
    '<tool_call>{"arguments": {"b": "x"}, "name": "a"ⒽⓁ}</tool_call>Ⓞ',
    "feature_match",
  ],
  [
    "JSON: at the beginning of the first argument in a text",
    '{"tool_calls": [{"function": {"name": "a", "arguments": "{\\"b\\": \\"ⒽⓁx\\"}"}}]}Ⓞ',
    "feature_match",
  ],
  ["JSON: the whole reply at its end", '{"name": "a", "arguments": {"b": "x"}}ⒽⓁⓄ', "feature_match"],
  ["JSON: not where a definition may come", '{"name": "a", "parameters": {"type": "object"}}', "feature_match"],
  ["at a keyword, once it is no comparison", "<|tool_call_start|>[a(b='ⒽⓁx')]<|tool_call_end|>Ⓞ", "feature_match"],
  ["at a bare key", '<|tool_call>call:a{b:ⒽⓁ<|"|>x<|"|>}<tool_call|>Ⓞ', "feature_match"],
  ["in reasoning at the end of the reply", '<think><tool_calls><invoke name="a"/></tool_calls></think>\nⒽⓁⓄ'],
];

describe.each(LEVELS)("early emission %s", (level) => {
  test.each(MOMENTS)("%s", (_rule, marked, only) => {
    for (const mode of only ? [only] : (["canonical", "feature_match"] as const)) {
      expect(announcements(marked.replace(/[ⒽⓁⓄ]/g, ""), { mode, level })).toEqual(marksOf(marked, level));
    }
  });
});

function announcements(input: string, { mode, level }: { mode: Mode; level: Level }): number[] {
  const sieve = createSieve({ tools, mode, earlyEmit: level });
  const starts = (events: ReturnType<typeof sieve.push>) => events.filter((event) => event.type === "call-start");
  const at = [...input].flatMap((character, index) => starts(sieve.push(character)).map(() => index + 1));
  return [...at, ...starts(sieve.end("stop")).map(() => input.length)];
}

/** Positions in the unmarked input. */
function marksOf(marked: string, level: Level): number[] {
  const positions: number[] = [];
  let at = 0;
  for (const character of marked) {
    if (character === MARKS[level]) positions.push(at);
    if (!/[ⒽⓁⓄ]/.test(character)) at += 1;
  }
  return positions;
}
