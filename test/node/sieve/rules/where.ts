import type { RuleCase } from "./rule-case.ts";
import { a, block, EARLY, PING, ping } from "./rule-case.ts";

const textOnly = (rule: string, input: string, more: Partial<RuleCase> = {}): RuleCase => ({
  rule,
  input,
  expect: { calls: [], text: input, finish: "stop" },
  ...more,
});

/** Modes, and where a call may stand: rules M and A. */
export const where: readonly RuleCase[] = [
  textOnly("M off: markup is text", `x ${block("1")} y`, { modes: ["off"] }),
  {
    rule: "M off: the reasoning channel works",
    modes: ["off"],
    input: `<think>r</think>${PING}`,
    expect: { calls: [], text: PING, reasoning: "r", finish: "stop" },
  },
  textOnly("M1: no tools, no calls", `x ${block("1")} y`, { options: { tools: [] } }),
  {
    rule: "M1: without tools the reasoning channel works",
    options: { tools: [] },
    input: `<think>r</think>${PING}`,
    expect: { calls: [], text: PING, reasoning: "r" },
  },
  {
    rule: "M2: two invokes without the opener",
    input: 'Hi <invoke name="ping"/>\n<invoke name="a"><parameter name="b">1</parameter></invoke>\n</tool_calls>',
    expect: {
      calls: [ping, a("1")],
      text: "Hi",
      finish: "tool",
      repairs: ["wrapper-open-missing"],
      sawToolCallSyntax: true,
    },
  },
  {
    rule: "M2: an undeclared bare invoke with the closer",
    input: '<invoke name="zz"></invoke></tool_calls>',
    expect: { calls: [{ name: "zz", arguments: {} }], text: "", finish: "tool" },
  },
  textOnly("M2: an undeclared bare invoke without the closer", '<invoke name="zz"></invoke> so'),
  textOnly("M2: a bare invoke without the closer", '<invoke name="ping"/>', {
    but: [{ mode: "feature_match", expect: { calls: [ping], text: "", finish: "tool" } }],
  }),
  textOnly("M2: the closer is missing at the end of the reply", '<tool_calls><invoke name="ping"/>\n', {
    but: [
      {
        mode: "feature_match",
        expect: { calls: [ping], text: "", finish: "tool", repairs: ["wrapper-close-missing"] },
      },
      { levels: EARLY, expect: { calls: [ping], text: "", finish: "tool" } },
    ],
  }),
  textOnly("M2: half a closer at the end of the reply", PING.slice(0, -7), {
    but: [
      { mode: "feature_match", expect: { calls: [ping], text: "", finish: "tool" } },
      { levels: EARLY, expect: { calls: [ping], text: "</tool", finish: "tool" } },
    ],
  }),
  textOnly("M2: one character of a closer at the end of the reply", '<tool_calls><invoke name="ping"/><', {
    but: [
      { mode: "feature_match", expect: { calls: [ping], text: "", finish: "tool" } },
      { levels: EARLY, expect: { calls: [ping], text: "<", finish: "tool" } },
    ],
  }),

  textOnly("A1: an unclosed fence runs to the end", `\`\`\`\ncode\n${block("1")}`),
  textOnly("A1: a closer has no info string", `\`\`\`\n\`\`\` xml\n${block("1")}\n\`\`\``),
  textOnly("A1: a closer is at least as long", `\`\`\`\`\n\`\`\`\n${block("1")}`),
  textOnly("A1: up to three blanks before a fence", `   ~~~\n${block("1")}\n   ~~~`),
  textOnly("A1: a tilde fence may have backticks behind it", `~~~ a\`b\n${block("1")}\n~~~`),
  textOnly("A1: a fence in a list item outlives the item", `- \`\`\`\n  x\n${block("1")}`),
  textOnly("A1: a fence in a nested block quote", `> > \`\`\`\n> > ${block("1")}\n> > \`\`\``),
  textOnly("A1: a run that ends its line opens a fence in mid-line", `Example: \`\`\`xml\n${block("1")}\n\`\`\`\nDone`),
  textOnly("A1: blanks behind the info word change nothing", `Example: \`\`\`xml \t\n${block("1")}\n\`\`\``),
  {
    rule: "A1: a run with more than an info word behind it ends no line",
    input: `Say \`\`\`xml for it\n${block("1")}`,
    expect: { calls: [a("1")], text: "Say ```xml for it" },
  },
  textOnly("A1: no trigger is live on a line that begins like a fence", `\`\`\`${block("1")}\`\`\`\n`),
  {
    rule: "A1: the end of a block quote closes its fence",
    input: `> \`\`\`\n> x\n\n${block("1")}`,
    expect: { calls: [a("1")], text: "> ```\n> x" },
  },
  {
    rule: "A1: CRLF ends a line",
    input: `\`\`\`\r\n${block("no")}\r\n\`\`\`\r\n${block("yes")}`,
    expect: { calls: [a("yes")], text: `\`\`\`\r\n${block("no")}\r\n\`\`\`` },
  },
  {
    rule: "A1: a closer may be longer than its opener",
    input: `\`\`\`\nx\n\`\`\`\`\`  \n${block("1")}`,
    expect: { calls: [a("1")], text: "```\nx\n`````" },
  },
  {
    rule: "A1: a backtick fence has no backtick in its info string",
    input: `\`\`\` a\`b\n${block("1")}`,
    expect: { calls: [a("1")], text: "``` a`b" },
  },
  {
    rule: "A1: indented code is no fence",
    input: `Code:\n\n    ${block("1")}`,
    expect: { calls: [a("1")], text: "Code:" },
  },

  textOnly("A2: a span of two backticks", `Say \`\`${block("1")}\`\` so`, {
    expect: { calls: [], text: `Say \`\`${block("1")}\`\` so`, finish: "stop", sawToolCallSyntax: false },
  }),
  textOnly("A2: the span closes on the line where the block ends", `Say \`${block("1\n2")} and\` so`),
  textOnly("A2: a bare invoke in a span", 'Say `<invoke name="ping"/></tool_calls>` so'),
  {
    rule: "A2: no closing run on the line",
    input: `A tick \` and ${block("1")} x\nnext \` line`,
    expect: { calls: [a("1")], text: "A tick ` and  x\nnext ` line", sawToolCallSyntax: true },
  },
  {
    rule: "A2: a run of another length closes nothing",
    input: `A tick \`\` and ${block("1")} \` x`,
    expect: { calls: [a("1")], text: "A tick `` and  ` x" },
  },
  {
    rule: "A2: a closing run is waited for over 256 characters",
    input: `A tick \` and ${block("1")}${"x".repeat(300)}\``,
    expect: { calls: [a("1")], text: `A tick \` and ${"x".repeat(300)}\`` },
  },
  {
    rule: "A2: the reply ends before the span does",
    input: `A tick \` and ${block("1")}`,
    expect: { calls: [a("1")], text: "A tick ` and" },
  },
  {
    rule: "A3: a fence in a block is data",
    input: `${block("```\ncode")}\n${block("2")}`,
    expect: { calls: [a("```\ncode"), a("2")], text: "" },
  },

  {
    rule: "A4: several channels in a row",
    input: "<think>one</think><think>two</think>Hi",
    expect: { calls: [], text: "Hi", reasoning: "onetwo" },
  },
  textOnly("A4: an opener behind text is text", "Hi <think>no</think> there"),
  textOnly("A4: an orphan closer behind text is text", "Hi </think> there"),
  {
    rule: "A4: an opener behind a call counts",
    input: `${PING}<think>two</think>Hi`,
    expect: { calls: [ping], text: "Hi", reasoning: "two" },
  },
  {
    rule: "A4: the reply starts in reasoning",
    options: { startsInReasoning: true },
    input: `plan</think>${PING}`,
    expect: { calls: [ping], text: "", reasoning: "plan" },
  },
  {
    rule: "A4: unless the upstream separates it",
    options: { startsInReasoning: true },
    reasoning: "plan",
    input: `Hi${PING}`,
    expect: { calls: [ping], text: "Hi", reasoning: "plan" },
  },
  {
    rule: "A4: a call in reasoning that the prompt has opened",
    options: { startsInReasoning: true },
    input: `I could ${PING}, no</think>Hi`,
    expect: { calls: [], text: "Hi", reasoning: `I could ${PING}, no`, finish: "stop" },
  },
  {
    rule: "A4: the channel never closes",
    input: "<think>plan",
    expect: { calls: [], text: "", reasoning: "plan", finish: "stop" },
  },
  {
    rule: "A4: a call in reasoning and no answer",
    input: `<think>plan${block("1")}tail</think>`,
    expect: { calls: [a("1")], text: "", reasoning: "plantail", finish: "tool", sawToolCallSyntax: true },
  },
  {
    rule: "A4: a call in reasoning and an answer",
    input: `<think>plan ${block("1")} tail</think>Four.`,
    expect: {
      calls: [],
      text: "Four.",
      reasoning: `plan ${block("1")} tail`,
      finish: "stop",
      sawToolCallSyntax: false,
    },
  },
  {
    rule: "A4: a call in reasoning and one outside",
    input: `<think>plan ${block("1")}</think>\n${block("2")}`,
    expect: { calls: [a("2")], text: "", reasoning: `plan ${block("1")}`, finish: "tool" },
  },
  {
    rule: "A4: a bare call that is the last thing in reasoning",
    modes: ["feature_match"],
    input: '<think>x<invoke name="ping"></invoke></think>',
    expect: { calls: [ping], text: "", reasoning: "x" },
  },
  {
    rule: "A4: a call in reasoning of an undeclared tool",
    input: '<think><tool_calls><invoke name="zz"/></tool_calls></think>',
    expect: { calls: [], text: "", reasoning: '<tool_calls><invoke name="zz"/></tool_calls>' },
  },
  {
    rule: "A4: reasoning_calls never",
    options: { reasoningCalls: "never" },
    input: `<think>${PING}</think>`,
    expect: { calls: [], text: "", reasoning: PING, finish: "stop" },
  },
  {
    rule: "A4: a fence in reasoning",
    input: `<think>\`\`\`\n${PING}\n\`\`\`</think>`,
    expect: { calls: [], text: "", reasoning: `\`\`\`\n${PING}\n\`\`\`` },
  },
  {
    rule: "A4: a code span in reasoning",
    input: `<think>I write \`${PING}\` now</think>`,
    expect: { calls: [], text: "", reasoning: `I write \`${PING}\` now` },
  },
  {
    rule: "A4: the channel's closer ends a value",
    input: `<think>${block("<![CDATA[x</think>y]]>")}`,
    expect: {
      calls: [],
      text: `y]]></parameter></invoke></tool_calls>`,
      reasoning: '<tool_calls><invoke name="a"><parameter name="b"><![CDATA[x',
    },
  },
  {
    rule: "A4: reasoning marks in a value are data",
    input: block("<![CDATA[<think>x</think>]]>"),
    expect: { calls: [a("<think>x</think>")], text: "", reasoning: "" },
  },
  {
    rule: "A4: a call in the upstream's own reasoning field and no answer",
    reasoning: `plan${PING}`,
    input: "",
    expect: { calls: [ping], text: "", reasoning: "plan", finish: "tool" },
  },
  {
    rule: "A4: a call in the upstream's own reasoning field and an answer",
    reasoning: `plan${PING}`,
    input: "Four.",
    expect: { calls: [], text: "Four.", reasoning: `plan${PING}`, finish: "stop" },
  },

  {
    rule: "A6: an opener, then prose, then a call",
    input: `<tool_calls> is the tag. ${block("1")}`,
    expect: { calls: [a("1")], text: "<tool_calls> is the tag.", sawToolCallSyntax: true },
  },
  {
    rule: "A6: an opener twice",
    input: `<tool_calls>${PING}`,
    expect: { calls: [ping], text: "<tool_calls>" },
  },
  {
    rule: "A6: an opener cut off by an opener",
    input: `<tool_calls ${PING}`,
    expect: { calls: [ping], text: "<tool_calls" },
  },
  {
    rule: "A6: an invoke cut off by a block",
    input: `<tool_calls><invoke name="a" ${PING}`,
    expect: { calls: [ping], text: '<tool_calls><invoke name="a"' },
  },
  {
    rule: "A6: a broken block is not searched again",
    input: `<tool_calls><invoke name="a">see ${PING}</invoke></tool_calls> ${block("2")}`,
    expect: { calls: [a("2")], text: `<tool_calls><invoke name="a">see ${PING}</invoke></tool_calls>` },
  },
  textOnly("A7: an orphan closer", "so </invoke></tool_calls> it ends"),
  textOnly("A7: another name", '<tool_calls_log><invoke name="ping"/></tool_calls_log>', { modes: ["canonical"] }),
  textOnly("A7: a namespace", '<x:tool_calls><x:invoke name="ping"/></x:tool_calls>', { modes: ["canonical"] }),
  textOnly(
    "A7: letters that only look alike",
    '<t\u043e\u043el_calls><\u0456nvoke name="ping"/></t\u043e\u043el_calls>',
  ),
  textOnly("A7: only ASCII case is folded", '<tool_call\u017f><invo\u212ae name="ping"/></tool_call\u017f>'),
];
