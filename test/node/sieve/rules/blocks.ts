import type { RuleCase } from "./rule-case.ts";
import { a, block, EARLY, PING, ping } from "./rule-case.ts";

const textOnly = (rule: string, input: string, more: Partial<RuleCase> = {}): RuleCase => ({
  rule,
  input,
  expect: { calls: [], text: input, finish: "stop", outcomes: ["malformed"] },
  ...more,
});

const wrapped = (invokes: string) => `<tool_calls>${invokes}</tool_calls>`;
const RUN = '<invoke name="a"><parameter name="b">no</parameter></invoke>';
const MENTION = 'see <invoke name="ping"> in docs';
const HEADS_CUT = ["", "\n<!-- x", "\n<inv", '<invoke name="a', '<invoke name="a">', '<invoke name="a"><par'];

/** Blocks that are bad, cut or full: where rules G, M, N and T meet. */
export const blocks: readonly RuleCase[] = [
  // In `feature_match` the call's own closer ends such a value (V3): there the second call is no data.
  textOnly(
    "G3: an example in the value of a nameless parameter",
    wrapped(`<invoke name="a"><parameter>see </invoke>${RUN}</parameter></invoke>`),
    { modes: ["canonical"] },
  ),
  textOnly(
    "G3: an example in the value of a bad call that gives the same parameter again",
    wrapped(
      `<invoke name="a">stray<parameter name="b">x <parameter name="b">y</parameter></invoke>${RUN}</parameter></invoke>`,
    ),
    { modes: ["canonical"] },
  ),
  textOnly(
    "G3: an example in CDATA of a nameless parameter",
    wrapped(`<invoke name="a"><parameter><![CDATA[</parameter></invoke>${RUN}]]></parameter></invoke>`),
  ),
  {
    rule: "G3: a nameless parameter that closes itself",
    input: wrapped('<invoke name="a"><parameter/></invoke><invoke name="ping"/>'),
    expect: { calls: [ping], text: "", finish: "tool" },
  },
  {
    rule: "G1: a slash in an unquoted attribute closes nothing",
    input: wrapped('<invoke name="a" path=/usr/ ><parameter name="b">1</parameter></invoke>'),
    expect: { calls: [a("1")], text: "", finish: "tool", repairs: [] },
  },

  {
    rule: "M2: a bare nameless invoke is a mention, and reading goes on behind it",
    input: '<invoke></invoke><invoke name="ping"/></tool_calls>',
    expect: { calls: [ping], text: "<invoke></invoke>", outcomes: ["call"], finish: "tool" },
  },
  {
    rule: "M2: a bare invoke of no name is a mention",
    input: '<invoke name="$X"><invoke name="ping"/></tool_calls>',
    expect: { calls: [ping], text: '<invoke name="$X">', outcomes: ["call"], finish: "tool" },
  },
  {
    rule: "G6: a mention of a bare nameless invoke is no syntax",
    input: "The tag <invoke> opens.",
    expect: { calls: [], text: "The tag <invoke> opens.", outcomes: [], finish: "stop", sawToolCallSyntax: false },
  },

  textOnly("T2: a bare block that the end cuts, in a reply that stopped, was a mention", MENTION),
  textOnly("T2: such a mention is not hidden", MENTION, { options: { malformed: "drop" } }),
  {
    rule: "T2: such a mention behind a call is no cut",
    input: `${PING} ${MENTION}`,
    expect: { calls: [ping], text: MENTION, outcomes: ["call", "malformed"], finish: "tool" },
  },
  {
    rule: "T2: a bare block that a limit cuts",
    upstreamFinish: "length",
    input: MENTION,
    expect: { calls: [], text: MENTION, outcomes: ["truncated"], finish: "length" },
  },
  {
    rule: "T2: a bare block that a limit cuts can be hidden",
    upstreamFinish: "length",
    options: { malformed: "drop" },
    input: MENTION,
    expect: { calls: [], text: "see ", outcomes: ["truncated"], finish: "length" },
  },
  ...HEADS_CUT.flatMap((rest): RuleCase[] => [
    {
      rule: `T2: cut behind the wrapper's head: ${JSON.stringify(rest)}`,
      input: `<tool_calls>${rest}`,
      expect: { calls: [], text: `<tool_calls>${rest}`, outcomes: ["truncated"], finish: "stop" },
    },
    {
      rule: `T5: behind a call, cut behind the wrapper's head, although the upstream stopped: ${JSON.stringify(rest)}`,
      input: `${PING}\n<tool_calls>${rest}`,
      expect: { calls: [ping], outcomes: ["call", "truncated"], finish: "length" },
    },
    {
      rule: `T5: the same, hidden: ${JSON.stringify(rest)}`,
      options: { malformed: "drop" },
      input: `${PING}\n<tool_calls>${rest}`,
      expect: { calls: [ping], text: "", outcomes: ["call", "truncated"], finish: "length" },
    },
  ]),
  {
    rule: "T5: a cut inside the wrapper's head is trailing text",
    upstreamFinish: "length",
    input: `${PING}\n<tool_calls x`,
    expect: { calls: [ping], text: "<tool_calls x", outcomes: ["call"], finish: "tool" },
  },
  {
    rule: "T5: a block of which nothing stands is not cut",
    input: `${PING} see <invoke name="zz"></invoke>`,
    expect: { calls: [ping], text: 'see <invoke name="zz"></invoke>', finish: "tool" },
    but: [{ mode: "canonical", expect: { calls: [ping], outcomes: ["call", "malformed"], finish: "tool" } }],
  },
  {
    rule: "T5: a rejected block is not cut",
    options: { undeclared: "text" },
    input: `${PING}${wrapped('<invoke name="zz"/>')}`,
    expect: { calls: [ping], text: wrapped('<invoke name="zz"/>'), outcomes: ["call", "rejected"], finish: "tool" },
  },
  {
    rule: "N1, T2: nor is it hidden",
    options: { undeclared: "text", malformed: "drop" },
    input: `a ${wrapped('<invoke name="zz"/>')} b`,
    expect: { calls: [], text: `a ${wrapped('<invoke name="zz"/>')} b`, outcomes: ["rejected"], finish: "stop" },
  },
  {
    rule: "T2, A4: a reasoning opener behind a hidden block counts",
    options: { malformed: "drop" },
    input: `${wrapped("<invoke></invoke>")}<think>b</think>c`,
    expect: { calls: [], text: "c", reasoning: "b", outcomes: ["malformed"], finish: "stop" },
  },
  {
    rule: "T2, A4: a reasoning opener behind a block that is shown is text",
    input: `${wrapped("<invoke></invoke>")}<think>b</think>c`,
    expect: { calls: [], text: `${wrapped("<invoke></invoke>")}<think>b</think>c`, reasoning: "" },
  },
  {
    rule: "T1: our own stop string fits behind blanks",
    options: { gatewayStop: ["</tool_calls>"] },
    input: '<tool_calls><invoke name="ping"/>\n<!-- a -->\n',
    expect: { calls: [ping], text: "", outcomes: ["call"], repairs: [], finish: "tool" },
  },
  {
    rule: "T1: our own stop string fits nowhere in a comment",
    options: { gatewayStop: ["</tool_calls>"] },
    modes: ["canonical"],
    input: '<tool_calls><invoke name="ping"/><!-- a',
    expect: { calls: [], text: '<tool_calls><invoke name="ping"/><!-- a', outcomes: ["truncated"], finish: "stop" },
    but: [{ levels: EARLY, expect: { calls: [ping], text: "<!-- a", finish: "tool" } }],
  },

  {
    rule: "maxCalls: never more, where bare undeclared invokes stand only at the closer",
    options: { maxCalls: 1 },
    input: '<invoke name="zz"></invoke><invoke name="yy"></invoke></tool_calls>',
    expect: { calls: [{ name: "zz", arguments: {} }], text: "", finish: "tool" },
  },
  {
    rule: "maxCalls: a block that it ends is not closed for bare undeclared siblings",
    options: { maxCalls: 1 },
    modes: ["feature_match"],
    input: '<invoke name="zz"></invoke><invoke name="ping"/><invoke name="a"/></tool_calls>',
    expect: { calls: [ping], text: "", finish: "tool" },
  },
  {
    rule: "maxCalls: a bad sibling does not count",
    options: { maxCalls: 1 },
    input: wrapped('<invoke>x</invoke><invoke name="ping"/><invoke name="a"/>'),
    expect: { calls: [ping], text: "", finish: "tool" },
  },
  {
    rule: "maxCalls: a rejected sibling does not count",
    options: { maxCalls: 1, undeclared: "text" },
    input: wrapped('<invoke name="zz"/><invoke name="ping"/><invoke name="a"/>'),
    expect: { calls: [ping], text: "", finish: "tool" },
  },
  {
    rule: "maxCalls: the block counts as closed at the last call's closer",
    options: { maxCalls: 1 },
    input: '<tool_calls><invoke name="ping"/> and prose',
    expect: { calls: [ping], text: "", outcomes: ["call"], repairs: [], finish: "tool" },
  },
  {
    rule: "maxCalls: over several blocks",
    options: { maxCalls: 2 },
    input: `${PING}${wrapped('<invoke name="ping"/><invoke name="ping"/>')}${block("1")}`,
    expect: { calls: [ping, ping], text: "", finish: "tool" },
  },
  {
    rule: "maxCalls: calls in reasoning",
    options: { maxCalls: 1 },
    input: `<think>${wrapped('<invoke name="ping"/><invoke name="a"/>')}${PING}</think>`,
    expect: { calls: [ping], finish: "tool" },
  },
  {
    rule: "maxCalls: a block in a code span is still code",
    options: { maxCalls: 1 },
    input: `Say \`${PING}\` so`,
    expect: { calls: [], text: `Say \`${PING}\` so`, finish: "stop" },
  },
];
