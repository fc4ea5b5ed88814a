import { describe, expect, test } from "vitest";
import { forEveryChunking } from "../../chunking.ts";
import type { Level, Mode } from "./case-files.ts";
import { LEVELS, MODES } from "./case-files.ts";
import type { SieveOptions } from "./run.ts";
import { outcomeOf } from "./run.ts";

/** What is counted of each block: its outcome, its calls, its siblings that are none. */
type Counted = [outcome: "call" | "malformed" | "truncated" | "rejected", calls: number, dropped: number];

interface Given {
  rule: string;
  input: string;
  blocks: Counted[];
  modes?: readonly Mode[];
  levels?: readonly Level[];
  options?: Partial<SieveOptions>;
  rejected?: string[];
}

const tools = [
  { name: "a", parameters: { type: "object", properties: { b: { type: "string" } } } },
  { name: "ping", parameters: { type: "object", properties: {} } },
];

const PING = '<invoke name="ping"/>';
const BAD = "<invoke>x</invoke>";
const OTHER = '<invoke name="zz"/>';
const EARLY = ["high", "low"] as const;
const wrapped = (invokes: string) => `<tool_calls>${invokes}</tool_calls>`;

const GIVEN: readonly Given[] = [
  { rule: "all calls of a block", input: wrapped(PING + PING), blocks: [["call", 2, 0]] },
  { rule: "bad siblings", input: wrapped(BAD + PING + BAD), blocks: [["call", 1, 2]] },
  { rule: "nothing but bad ones", input: wrapped(BAD + BAD), blocks: [["malformed", 0, 2]] },
  {
    rule: "each block by itself",
    input: `${wrapped(PING)} and ${wrapped(BAD)}`,
    blocks: [
      ["call", 1, 0],
      ["malformed", 0, 1],
    ],
  },
  { rule: "a mention is no block", input: "<tool_calls> is a tag, <invoke> too", blocks: [] },
  { rule: "a block in a code span is none", input: `Say \`${wrapped(PING)}\` so`, blocks: [] },
  {
    rule: "a block in reasoning that was only thought of is none",
    input: `<think>${wrapped(PING)}</think>Hi`,
    blocks: [],
  },
  {
    rule: "a block in reasoning that is meant",
    input: `<think>${wrapped(BAD + PING)}</think>`,
    blocks: [["call", 1, 1]],
  },
  {
    rule: "undeclared siblings that the policy turns away",
    options: { undeclared: "text" },
    input: wrapped(OTHER + PING + OTHER),
    blocks: [["call", 1, 2]],
    rejected: ["zz", "zz"],
  },
  {
    rule: "nothing but undeclared ones",
    options: { undeclared: "text" },
    input: wrapped(OTHER),
    blocks: [["rejected", 0, 1]],
    rejected: ["zz"],
  },
  {
    rule: "in a code span they are code, and nothing is turned away",
    options: { undeclared: "text" },
    input: `Say \`${wrapped(OTHER)}\` so`,
    blocks: [],
  },
  {
    rule: "undeclared bare siblings without the wrapper's closer",
    modes: ["feature_match"],
    input: `${OTHER}${PING} so`,
    blocks: [["call", 1, 1]],
  },
  {
    rule: "undeclared bare invokes alone, without the wrapper's closer",
    modes: ["feature_match"],
    input: `${OTHER} so`,
    blocks: [["malformed", 0, 1]],
  },
  { rule: "a cut head", input: "<tool_calls>\n<inv", blocks: [["truncated", 0, 0]] },
  {
    rule: "a cut sibling",
    levels: ["off"],
    modes: ["canonical"],
    input: `<tool_calls>${PING}<invoke name="a"><par`,
    blocks: [["truncated", 0, 1]],
  },
  {
    rule: "a cut sibling of a call that is out",
    levels: EARLY,
    input: `<tool_calls>${PING}<invoke name="a"><par`,
    blocks: [["call", 1, 1]],
  },
  {
    rule: "a cut head of a sibling of a call that is out",
    levels: EARLY,
    input: `<tool_calls>${PING}<invoke name="a`,
    blocks: [["call", 1, 1]],
  },
  {
    rule: "an announced call that is cut is none of the block's calls",
    levels: EARLY,
    input: `<tool_calls>${PING}<invoke name="a"><parameter name="b">x`,
    blocks: [["truncated", 1, 0]],
  },
  {
    rule: "an announced call that breaks is none of the block's calls",
    levels: EARLY,
    input: `<tool_calls>${BAD}${PING}<invoke name="a"><parameter name="b">x</parameter></tool_calls> so`,
    blocks: [["malformed", 1, 1]],
  },
  {
    rule: "calls beyond maxCalls are not read",
    options: { maxCalls: 1 },
    input: wrapped(BAD + PING + PING),
    blocks: [["call", 1, 1]],
  },
];

describe.each(GIVEN)("$rule", ({ input, blocks, modes = MODES, levels = LEVELS, options, rejected = [] }) => {
  for (const mode of modes) {
    test.each(levels)(`${mode}, early emission %s`, (earlyEmit) => {
      const { report } = forEveryChunking(input, input, (text) =>
        outcomeOf({ text }, { tools, ...options, mode, earlyEmit }),
      );
      expect(report.blocks.map(({ outcome, calls, dropped }) => [outcome, calls, dropped])).toEqual(blocks);
      expect(report.rejectedToolNames).toEqual(rejected);
    });
  }
});
