import type { RuleCase } from "./rule-case.ts";
import { a, block, EARLY, PING, ping } from "./rule-case.ts";

const calls = (rule: string, input: string, expected: RuleCase["expect"]["calls"] = [ping]): RuleCase => ({
  rule,
  input,
  expect: { calls: expected ?? [], text: "", finish: "tool" },
});

const wrapped = (invokes: string) => `<tool_calls>${invokes}</tool_calls>`;

/** The canonical grammar, names, truncation and what stands around calls: rules G, N, T and W. */
export const grammar: readonly RuleCase[] = [
  calls("G1: single quotes", block("1").replaceAll('"', "'"), [a("1")]),
  calls("G1: a reference in an attribute", wrapped('<invoke name="p&#105;ng"/>')),
  calls("G1: the first name counts", wrapped('<invoke name="ping" name="a"/>')),
  calls("G1: blanks around a name", wrapped('<invoke name=" ping\n"/>')),
  calls("G1: a quoted angle bracket", wrapped('<invoke id="a>b" name="ping"></invoke>')),
  calls("G1: attribute names without regard to case", wrapped('<invoke NAME="ping"/>')),
  calls("G1: a self-closing parameter", wrapped('<invoke name="a"><parameter name="b" /></invoke>'), [a("")]),
  calls("G1: blanks in end tags", wrapped('<invoke name="a"><parameter name="b">1</parameter\n></invoke >'), [a("1")]),
  {
    rule: "G1: no raw angle bracket inside a tag",
    input: '<tool_calls a="<"><invoke name="ping"/></tool_calls>',
    expect: { calls: [ping], text: '<tool_calls a="<">', repairs: ["wrapper-open-missing"] },
  },
  ...["name=ping", 'name=""', 'name="  "', "", 'nam="ping"', 'data-name="ping"'].map(
    (attribute): RuleCase => ({
      rule: `G1: no name in <invoke ${attribute}>`,
      input: wrapped(`<invoke ${attribute}></invoke>`),
      expect: { calls: [], text: wrapped(`<invoke ${attribute}></invoke>`), outcomes: ["malformed"], finish: "stop" },
    }),
  ),
  calls(
    "G2: comments and blanks between tags",
    '<tool_calls>\r\n<!-- <invoke name="a"> --><!----> <invoke name="a"><!-- > -->\t<parameter name="b">1</parameter><!-- x --></invoke>\n<!-- </tool_calls> --></tool_calls>',
    [a("1")],
  ),
  calls("G2: two dashes end no comment", wrapped('<!-- a --b> <invoke name="zz"/> ---><invoke name="ping"/>')),
  {
    rule: "G2: CDATA between tags",
    input: '<tool_calls><![CDATA[x]]><invoke name="ping"/></tool_calls>',
    expect: { calls: [ping], text: "<tool_calls><![CDATA[x]]>", repairs: ["wrapper-open-missing"] },
  },
  {
    rule: "G2: prose behind the opener",
    input: `<tool_calls>first ${PING}`,
    expect: { calls: [ping], text: "<tool_calls>first" },
  },
  {
    rule: "G3: a bad last sibling is dropped",
    input: `${wrapped('<invoke name="ping"/><invoke name="a"><param>x</param></invoke>')}!`,
    expect: { calls: [ping], text: "!", finish: "tool" },
  },
  calls(
    "G3: closers in the value of a bad sibling are data",
    wrapped(
      '<invoke name="a"><x/><parameter name="b"><![CDATA[</invoke></tool_calls>]]></parameter></invoke><invoke name="ping"/>',
    ),
  ),
  calls(
    "G3: closers in stray CDATA of a bad sibling",
    wrapped('<invoke name="a">x <![CDATA[ </invoke></tool_calls> ]]></invoke><invoke name="ping"/>'),
  ),
  calls(
    "G3: a missed end tag in a bad sibling",
    wrapped(
      '<invoke name="write">x<parameter name="path">p<parameter name="content">c</parameter></invoke><invoke name="ping"/>',
    ),
  ),
  calls(
    "G3: closers in a comment of a bad sibling",
    wrapped('<invoke><!-- </invoke> --></invoke><invoke name="ping"/>'),
  ),
  {
    rule: "G3: prose behind a good invoke",
    input: '<tool_calls><invoke name="ping"/> and more</tool_calls> tail',
    expect: { calls: [], text: '<tool_calls><invoke name="ping"/> and more</tool_calls> tail', finish: "stop" },
    but: [
      { mode: "feature_match", expect: { calls: [ping], text: "and more</tool_calls> tail", finish: "tool" } },
      { levels: EARLY, expect: { calls: [ping], text: "and more</tool_calls> tail", finish: "tool" } },
    ],
  },
  {
    rule: "G3: prose behind a good invoke, then a block of its own",
    modes: ["canonical"],
    input: `<tool_calls><invoke name="ping"/> and more</tool_calls> tail ${block("2")}`,
    expect: { calls: [a("2")], text: '<tool_calls><invoke name="ping"/> and more</tool_calls> tail' },
    but: [{ levels: EARLY, expect: { calls: [ping, a("2")], text: "and more</tool_calls> tail" } }],
  },
  {
    rule: "G3: a bad sibling that is cut",
    input: '<tool_calls><invoke name="ping"/><invoke name="a"><param',
    expect: { calls: [], text: '<tool_calls><invoke name="ping"/><invoke name="a"><param', finish: "stop" },
    but: [
      { levels: EARLY, expect: { calls: [ping], text: "", finish: "length" } },
      { mode: "feature_match", expect: null },
    ],
  },
  calls("G5: identical calls are all delivered", `${PING}${wrapped('<invoke name="ping"/><invoke name="ping"/>')}`, [
    ping,
    ping,
    ping,
  ]),
  {
    rule: "G6: an example in a fence is no syntax",
    input: `\`\`\`\n${PING}\n\`\`\``,
    expect: { calls: [], sawToolCallSyntax: false },
  },
  {
    rule: "G6: a mention of the opener is",
    input: "The tag <tool_calls> opens.",
    expect: { calls: [], sawToolCallSyntax: true },
  },

  calls("N1: an undeclared name is passed on", wrapped('<invoke name="zz"/>'), [{ name: "zz", arguments: {} }]),
  {
    rule: "N1: undeclared as text",
    options: { undeclared: "text" },
    input: wrapped('<invoke name="zz"><parameter name="q">1</parameter></invoke>'),
    expect: {
      calls: [],
      text: wrapped('<invoke name="zz"><parameter name="q">1</parameter></invoke>'),
      outcomes: ["rejected"],
      finish: "stop",
    },
  },
  {
    rule: "N1: undeclared as text, beside a declared call",
    options: { undeclared: "text" },
    input: wrapped('<invoke name="zz"/><invoke name="ping"/>'),
    expect: { calls: [ping], text: "", finish: "tool" },
  },
  calls("N2: another case of a declared name", wrapped('<invoke name="Ping"/>')),
  {
    rule: "N2: two declared names differ only by case",
    options: { tools: [{ name: "ping" }, { name: "PING" }] },
    input: wrapped('<invoke name="Ping"/><invoke name="PING"/>'),
    expect: {
      calls: [
        { name: "Ping", arguments: {} },
        { name: "PING", arguments: {} },
      ],
      text: "",
    },
  },
  calls("N3: punctuation and letters of any script", wrapped('<invoke name="ns.a-b_c:d/é日٣"/>'), [
    { name: "ns.a-b_c:d/é日٣", arguments: {} },
  ]),
  ...["$TOOL", "{tool}", "my tool", "a|b", "…"].map(
    (name): RuleCase => ({
      rule: `N3: ${name} is no name`,
      input: wrapped(`<invoke name="${name}"><parameter name="b">1</parameter></invoke>`),
      expect: { calls: [], text: wrapped(`<invoke name="${name}"><parameter name="b">1</parameter></invoke>`) },
    }),
  ),
  {
    rule: "N3: a declared name may hold anything",
    options: { tools: [{ name: "my $tool" }] },
    input: wrapped('<invoke name="my $tool"/>'),
    expect: { calls: [{ name: "my $tool", arguments: {} }], text: "" },
  },

  {
    rule: "T1: our own stop string counts only where the upstream stopped",
    options: { gatewayStop: ["</tool_calls>"] },
    upstreamFinish: "length",
    modes: ["canonical"],
    input: '<tool_calls><invoke name="ping"/>',
    expect: { calls: [], text: '<tool_calls><invoke name="ping"/>', finish: "length" },
    but: [{ levels: EARLY, expect: { calls: [ping], text: "" } }],
  },
  {
    rule: "T1: our own stop string fits nowhere",
    options: { gatewayStop: ["</tool_calls>"] },
    input: "Hello.",
    expect: { calls: [], text: "Hello.", finish: "stop" },
  },
  {
    rule: "T2: a cut block can be hidden",
    options: { malformed: "drop" },
    input: 'Hi. <tool_calls><invoke name="a"><parameter name="b">x',
    expect: { calls: [], text: "Hi. ", outcomes: ["truncated"] },
    but: [{ levels: EARLY, expect: { calls: [], open: { name: "a", prefix_of: '{"b":"x' }, text: "Hi." } }],
  },
  {
    rule: "T5: a limit behind complete calls",
    upstreamFinish: "length",
    input: `${PING}The rest is`,
    expect: { calls: [ping], text: "The rest is", finish: "tool" },
  },
  {
    rule: "T5: a cut block behind a complete call",
    upstreamFinish: "length",
    input: `${PING}<tool_calls><invoke name="a"><par`,
    expect: { calls: [ping], text: '<tool_calls><invoke name="a"><par', finish: "length" },
  },

  {
    rule: "W1: blanks before, between and after calls",
    input: `  ${PING} \n ${PING}\n`,
    expect: { calls: [ping, ping], text: "" },
  },
  {
    rule: "W1: blanks between text and calls are kept where text follows",
    input: `One. ${PING} \nTwo. ${PING}\n`,
    expect: { calls: [ping, ping], text: "One.  \nTwo." },
  },
  {
    rule: "W1: blanks behind a call and before the first text are dropped",
    input: `\n${PING}\n\nDone.\n`,
    expect: { calls: [ping], text: "Done." },
  },
  { rule: "W1: blanks of a plain reply stay", input: "\n Hi \n", expect: { calls: [], text: "\n Hi \n" } },
  ...["<tool_results>", "<tool_response>", "<function_results>", "<｜tool▁outputs▁begin｜>"].map(
    (opener): RuleCase => ({
      rule: `W2: ${opener} behind a call ends the reply`,
      input: `${block("1")}\n\n${opener}\n42\n</x> So it is 42. ${PING}`,
      expect: { calls: [a("1")], text: "", finish: "tool" },
    }),
  ),
  {
    rule: "W2: results behind text are text",
    input: `${PING}So <tool_results>42`,
    expect: { calls: [ping], text: "So <tool_results>42" },
  },
  {
    rule: "W2: results without a call are text",
    input: "<tool_results>\n42\n</tool_results>",
    expect: { calls: [], text: "<tool_results>\n42\n</tool_results>" },
  },
  {
    rule: "W3: after_calls end",
    options: { afterCalls: "end" },
    input: `Hi ${PING}\n${block("1")}\nDone. ${PING}`,
    expect: { calls: [ping, a("1")], text: "Hi", finish: "tool" },
  },
  {
    rule: "W4: surplus closers",
    input: `${PING}</invoke></tool_calls>So`,
    expect: { calls: [ping], text: "So" },
  },
  {
    rule: "maxCalls ends the reply at the closer of the last call",
    options: { maxCalls: 1 },
    input: `Hi ${wrapped('<invoke name="ping"/><invoke name="a"/>')} more`,
    expect: { calls: [ping], text: "Hi", finish: "tool" },
  },
];
