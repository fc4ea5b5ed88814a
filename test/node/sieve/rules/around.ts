import type { RuleCase } from "./rule-case.ts";
import { a, block, PING, ping } from "./rule-case.ts";

const IN_REASONING = '<think>`<invoke name="ping"/>x<invoke name="ping"/>y';

/** What stands right beside a block that is taken out: Markdown (A1, A2), channels (A4) and rules W2 to W4. */
export const around: readonly RuleCase[] = [
  {
    rule: "A1: a block inside a run of backticks parts it",
    input: `\`\`${PING}\`\n${block("1")}`,
    expect: { calls: [ping, a("1")], text: "```" },
  },
  {
    rule: "A1: a block inside a run of tildes parts it",
    input: `~~${PING}~\n${block("1")}`,
    expect: { calls: [ping, a("1")], text: "~~~" },
  },
  {
    rule: "A1: a run before a block does not end its line",
    input: `x \`\`\` ${PING}\n${block("1")}`,
    expect: { calls: [ping, a("1")], text: "x ```" },
  },
  {
    rule: "A1: a block behind a number makes no list item of it",
    input: `1.${PING}\t\n    ~~~${block("1")}`,
    expect: { calls: [ping, a("1")], text: "1.\t\n    ~~~" },
  },
  {
    rule: "A1: a surplus closer inside a run parts it",
    input: `${PING}\`\`</tool_calls>\`\n${block("1")}`,
    expect: { calls: [ping, a("1")], text: "``</tool_calls>`" },
  },
  {
    rule: "A1: a fence behind a block at a line start is one",
    input: `${PING}\`\`\`\n${block("1")}\n\`\`\``,
    expect: { calls: [ping], text: `\`\`\`\n${block("1")}\n\`\`\`` },
  },
  {
    rule: "A1: a fence in a list item that begins with an empty line",
    input: `- \n    \`\`\`\n    ${block("1")}\n    \`\`\``,
    expect: { calls: [], text: `- \n    \`\`\`\n    ${block("1")}\n    \`\`\`` },
  },
  {
    rule: "A1: a list marker right behind a quote mark: indented code is no fence",
    input: `>-     ~~~\n> ${block("1")}`,
    expect: { calls: [a("1")], text: ">-     ~~~\n>" },
  },
  {
    rule: "A1: a nested list right behind a quote mark: a fence three blanks in",
    input: `>- - x\n>        ~~~\n>        ${block("1")}`,
    expect: { calls: [], text: `>- - x\n>        ~~~\n>        ${block("1")}` },
  },
  {
    rule: "A2, G6: a block of which nothing stands, behind an open run",
    input: `a \` b <tool_calls><invoke></invoke></tool_calls> c`,
    expect: {
      calls: [],
      text: `a \` b <tool_calls><invoke></invoke></tool_calls> c`,
      outcomes: ["malformed"],
      sawToolCallSyntax: false,
    },
  },

  ...["</think>", "</think>\n</think>", "<think>a</think></think>"].map(
    (marks): RuleCase => ({
      rule: `A4: closers of reasoning before anything visible are consumed: ${JSON.stringify(marks)}`,
      input: `${marks}Hi </think>`,
      expect: { calls: [], finish: "stop", reasoning: marks.includes("a") ? "a" : "" },
    }),
  ),
  {
    rule: "A4: a closer of reasoning behind a call and before anything visible is consumed",
    input: `${PING}</think>Hi </think>`,
    expect: { calls: [ping], text: "Hi </think>", reasoning: "" },
  },
  {
    rule: "A4: a closer of reasoning behind something visible and a call is text",
    input: `Hi ${PING}</think>`,
    expect: { calls: [ping], text: "Hi </think>", reasoning: "" },
  },
  {
    rule: "A4: the closer ends two waits for a code span",
    modes: ["feature_match"],
    input: `${IN_REASONING}</think>`,
    expect: { calls: [ping, ping], text: "", reasoning: "`xy", finish: "tool" },
  },
  {
    rule: "A4: the closer ends two waits for a code span, and an answer follows",
    modes: ["feature_match"],
    input: `${IN_REASONING}</think>Four.`,
    expect: { calls: [], text: "Four.", reasoning: IN_REASONING.replace("<think>", ""), finish: "stop" },
  },
  {
    rule: "A4: a block that the closer cuts is reasoning",
    input: `<think><tool_calls><invoke name="a"></think><tool_calls>`,
    expect: { calls: [], text: "<tool_calls>", reasoning: '<tool_calls><invoke name="a">', outcomes: ["truncated"] },
  },

  {
    rule: "W2: behind a call and reasoning",
    input: `${PING}<think>r</think>\n<tool_results>42</tool_results>`,
    expect: { calls: [ping], text: "", reasoning: "r", finish: "tool" },
  },
  {
    rule: "W2: behind a call and surplus closers",
    input: `${PING}</invoke>\n</tool_calls ><tool_results>42`,
    expect: { calls: [ping], text: "", finish: "tool" },
  },
  {
    rule: "W3: behind a call and reasoning",
    options: { afterCalls: "end" },
    input: `${PING}<think>r</think>visible <think>s</think>`,
    expect: { calls: [ping], text: "", reasoning: "r", finish: "tool" },
  },
  {
    rule: "W3: what may be the beginning of a mark is visible at the end",
    options: { afterCalls: "end" },
    input: `${PING}\n<`,
    expect: { calls: [ping], text: "", finish: "tool" },
  },
  {
    rule: "W3: a block that is no call is visible",
    options: { afterCalls: "end" },
    input: `${PING}<tool_calls>no ${block("1")}`,
    expect: { calls: [ping], text: "", finish: "tool" },
  },
  {
    rule: "W3: a hidden block is not visible",
    options: { afterCalls: "end", malformed: "drop" },
    input: `${PING}<tool_calls><invoke></invoke></tool_calls>${block("1")}.`,
    expect: { calls: [ping, a("1")], text: "", finish: "tool" },
  },
  ...["</tool_calls >", "</TOOL_CALLS>", "</invoke\n>", "</parameter></invoke\t></tool_calls>\n</tool_calls>"].map(
    (closers): RuleCase => ({
      rule: `W4: ${JSON.stringify(closers)} right behind a block`,
      input: `${PING}${closers}So`,
      expect: { calls: [ping], text: "So" },
    }),
  ),
  {
    rule: "W4: behind a call and reasoning",
    input: `${PING}<think>r</think></tool_calls>So`,
    expect: { calls: [ping], text: "So", reasoning: "r" },
  },
  {
    rule: "W4: in reasoning",
    input: `<think>${PING}</tool_calls >\n</invoke>so</think>`,
    expect: { calls: [ping], text: "", reasoning: "\nso", finish: "tool" },
  },
  {
    rule: "W4: a closer that the end cuts is text",
    input: `${PING}</tool_calls `,
    expect: { calls: [ping], text: "</tool_calls" },
  },
  {
    rule: "W4: a closer with a raw angle bracket in it is text",
    input: `${PING}</tool_calls ${block("1")}`,
    expect: { calls: [ping, a("1")], text: "</tool_calls" },
  },
];
