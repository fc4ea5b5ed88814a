import type { Variant } from "../case-files.ts";
import type { RuleCase } from "./rule-case.ts";
import { a, block, called, EARLY, ping, textOnly } from "./rule-case.ts";

const HERMES = '<tool_call>{"name": "a", "arguments": {"b": "1"}}</tool_call>';
const KIMI = '<|tool_call_begin|>functions.a:0<|tool_call_argument_begin|>{"b":"1"}<|tool_call_end|>';
const TOOL_CALLS = '{"tool_calls": [{"name": "a", "arguments": {"b": "1"}}]}';
const BARE = '{"name": "a", "arguments": {"b": "1"}}';
const fence = (inside: string) => `\`\`\`json\n${inside}\n\`\`\``;

/** A bare call goes out early at this level, and then it is cut. */
const out = (value: string): Variant => {
  const open = { name: "a", prefix_of: JSON.stringify({ b: value }) };
  return { levels: ["low"], expect: { calls: [], open, text: "", reasoning: "x ", finish: "length" } };
};

/** What is armed, channels and stop tokens of other notations, calls in a sole fence: M5, A4, A5, W4, R8. */
export const notations: readonly RuleCase[] = [
  // ── M5 ──
  called("M5: an object with tool_calls, anywhere", `So: ${TOOL_CALLS} done`, { calls: [a("1")], text: "So:  done" }),
  textOnly("M5: a message of a transcript is none", `{"role": "assistant", "tool_calls": [${BARE}]}`),
  textOnly("M5: nor is what stands in it", `{"content": null, "message": ${TOOL_CALLS}}`),
  called("M5: other notations are live behind it", `{"role": "user"} ${HERMES}`, {
    calls: [a("1")],
    text: '{"role": "user"}',
  }),
  called("M5: a declared call that is the whole reply", ` ${BARE}\n`, { calls: [a("1")], text: "" }),
  called("M5: with stop tokens behind it", `${BARE}<|eot_id|>\n<|im_end|>`, { calls: [a("1")], text: "" }),
  textOnly("M5: with anything behind it", `${BARE} is what I would send`),
  textOnly("M5: with anything before it", `I would send ${BARE}`),
  textOnly("M5: of a tool that is not declared", '{"name": "zz", "arguments": {}}'),
  textOnly("M5: without arguments", '{"name": "a"}'),
  textOnly("M5: the definition of a tool", '{"name": "a", "parameters": {"type": "object", "properties": {}}}'),
  called("M5: behind reasoning it is the whole reply", `<think>r</think>${BARE}`, {
    calls: [a("1")],
    text: "",
    reasoning: "r",
  }),
  called("M5: functools with its list", `functools[${BARE}]`, { calls: [a("1")], text: "" }),
  textOnly("M5: functools in a sentence", `Use functools[${BARE}]`),

  // ── R8: wrapper and body are independent ──
  called("R8: JSON in a wrapper made for tags", `<tool_calls>${BARE}</tool_calls>`, { calls: [a("1")], text: "" }),
  called("R8: a wrapper in a wrapper", `<tool_calls>${HERMES}\n${HERMES}</tool_calls>`, {
    calls: [a("1"), a("1")],
    text: "",
  }),
  called(
    "R8: keys and values in a wrapper made for JSON",
    "<tool_call>a<arg_key>b</arg_key><arg_value>1</arg_value></tool_call>",
    {
      calls: [a("1")],
      text: "",
    },
  ),
  textOnly("R8: prose in a wrapper", "Use <tool_call> for it, and <tool_calls>, too."),
  textOnly("N1: a bare name that is not declared", "<tool_call>zz</tool_call>"),
  called("N1: a bare name that is declared", "<tool_call>ping</tool_call>", { calls: [ping], text: "" }),
  called("T5: a mention at the end does not cut the call before it", `${HERMES}\nI used <tool_calls> here.`, {
    calls: [a("1")],
    text: "I used <tool_calls> here.",
    outcomes: ["call"],
  }),
  called("A6: a mention does not cost the call behind it", `The <tool_call> tag: ${HERMES}`, {
    calls: [a("1")],
    text: "The <tool_call> tag:",
  }),

  // ── W4 ──
  called("W4: stop tokens behind a block", `${HERMES}<|im_end|>\n</s>`, { calls: [a("1")], text: "" }),
  textOnly("W4: a stop token at the very end", "Hi<|im_end|>", { expect: { calls: [], text: "Hi", finish: "stop" } }),
  textOnly("W4: a stop token in the middle", "The token <|im_end|> ends a turn."),
  textOnly("W4: in canonical mode", "Hi<|im_end|>", { modes: ["canonical"] }),
  called("W4: a surplus closer of another notation", `${block("1")}</tool_call>`, { calls: [a("1")], text: "" }),

  // ── A4 ──
  called("A4: reasoning with marks of its notation", `<|START_THINKING|>r<|END_THINKING|>${HERMES}`, {
    calls: [a("1")],
    text: "",
    reasoning: "r",
  }),
  textOnly("A4: they are text in canonical mode", "<|START_THINKING|>r<|END_THINKING|>", { modes: ["canonical"] }),
  textOnly("A4: unless the notation is pinned", "<|START_THINKING|>r<|END_THINKING|>x", {
    modes: ["canonical"],
    options: { dialects: ["cohere_command3"] },
    expect: { calls: [], text: "x", reasoning: "r", finish: "stop" },
  }),
  textOnly("A4: marks of what is said are no text", "<|START_RESPONSE|>Hi<|END_RESPONSE|>", {
    expect: { calls: [], text: "Hi", finish: "stop" },
  }),
  textOnly("A4: elsewhere they are", "The <|START_RESPONSE|> and <|END_RESPONSE|> tokens."),
  called("A4: a special token suspends reasoning", `<think>I need a ${KIMI} now</think>So`, {
    calls: [a("1")],
    text: "So",
    reasoning: "I need a  now",
  }),
  called("A4: the channel's closer is data in it", `<think>x${KIMI.replace('"1"', '"</think>"')}y</think>So`, {
    calls: [a("</think>")],
    text: "So",
    reasoning: "xy",
  }),
  called(
    "A4: in the upstream's own reasoning",
    "So",
    { calls: [a("1")], text: "So", reasoning: "x y" },
    { reasoning: `x${KIMI} y` },
  ),
  textOnly("A4: a mention of it does not", "<think>I could write <|tool_call_begin|> here</think>So", {
    expect: { calls: [], text: "So", reasoning: "I could write <|tool_call_begin|> here", finish: "stop" },
  }),
  textOnly("A4, A1: in a fence it is reasoning", `<think>x\n\`\`\`\n${KIMI}\n\`\`\`\n</think>So`, {
    expect: { calls: [], text: "So", reasoning: `x\n\`\`\`\n${KIMI}\n\`\`\`\n`, finish: "stop" },
  }),
  textOnly("A4: a tag that may be meant as a thought does not suspend", `<think>x${HERMES}</think>So`, {
    expect: { calls: [], text: "So", reasoning: `x${HERMES}`, finish: "stop" },
  }),
  called(
    "A4: where its notation is pinned it does",
    `<think>x${HERMES}</think>So`,
    { calls: [a("1")], text: "So", reasoning: "x" },
    { options: { dialects: ["hermes"] } },
  ),
  textOnly("A4: never, if calls in reasoning never count", `<think>${KIMI}</think>So`, {
    options: { reasoningCalls: "never" },
    expect: { calls: [], text: "So", reasoning: KIMI, finish: "stop" },
  }),
  textOnly(
    "T3: a call that suspends reasoning and is cut",
    '<think>x<|tool_call_begin|>a<|tool_call_argument_begin|>{"b":"1',
    {
      upstreamFinish: "length",
      expect: {
        calls: [],
        text: "",
        reasoning: 'x<|tool_call_begin|>a<|tool_call_argument_begin|>{"b":"1',
        finish: "length",
      },
      but: [
        { levels: EARLY, expect: { calls: [], open: { name: "a", prefix_of: '{"b":"1' }, text: "", reasoning: "x" } },
      ],
    },
  ),

  textOnly("A4: a mention that has begun to call like a token", "<think>The `[TOOL_CALLS]a[ARGS]{` leaks.</think>So", {
    expect: { calls: [], text: "So", reasoning: "The `[TOOL_CALLS]a[ARGS]{` leaks.", finish: "stop" },
  }),
  called(
    "A4: a mention of a pinned opener does not cost the call behind it",
    `<think>I use <function=a>. Ok.</think>So ${HERMES}`,
    { calls: [a("1")], text: "So", reasoning: "I use <function=a>. Ok." },
    { options: { dialects: ["qwen3_coder", "hermes"] } },
  ),
  called(
    "A4: the channel's closer behind a call whose block is not closed",
    `<think>x${HERMES.replace("</tool_call>", "\n")}</think>So`,
    { calls: [a("1")], text: "So", reasoning: "x\n" },
    { options: { dialects: ["hermes"] } },
  ),
  called("A4: the same, between calls of a section", `<think>x<|tool_calls_section_begin|>${KIMI}</think>So`, {
    calls: [a("1")],
    text: "So",
    reasoning: "x",
  }),
  called(
    "A4: what has begun behind such a call is reasoning, and cuts nothing",
    '<think>x<tool_calls><invoke name="ping"></invoke><invoke name="se</think>So',
    { calls: [], text: "So", reasoning: 'x<tool_calls><invoke name="ping"></invoke><invoke name="se', finish: "stop" },
  ),
  called("A4: the same, and no answer", '<think>x<tool_calls><invoke name="ping"></invoke><invoke name="se</think>', {
    calls: [ping],
    text: "",
    reasoning: 'x<invoke name="se',
  }),
  called(
    "A4: a call that has begun is dropped where one before it is out",
    `<think>x<|tool_calls_section_begin|>${KIMI}<|tool_call_begin|>functions.a</think>So ${HERMES}`,
    { calls: [a("1"), a("1")], text: "So", reasoning: "x<|tool_call_begin|>functions.a" },
    { but: [{ levels: EARLY, expect: { calls: [a("1"), a("1")], text: "So", reasoning: "x", finish: "tool" } }] },
  ),
  ...['{"name": "a" ... hm', '{"name": "a"', '{"name": "a", ', '{"name": "zz", so'].map((begun) =>
    textOnly(
      "A4: a call that is begun in the thinking does not cost the answer",
      `<think>x <tool_call>${begun}</think>So`,
      {
        options: { dialects: ["hermes"] },
        expect: { calls: [], text: "So", reasoning: `x <tool_call>${begun}`, finish: "stop" },
      },
    ),
  ),
  ...["", "<think>y <function=a>\n<parameter=b>\n1</think>"].map((again) =>
    textOnly(
      "A4: nor does one whose value never ends",
      `<think>x <function=a>\n<parameter=b>\n1</think>${again}So </think> on`,
      {
        options: { dialects: ["qwen3_coder"] },
        but: [out(`1</think>${again}So </think> on`)],
        expect: {
          calls: [],
          text: "So </think> on",
          reasoning: `x <function=a>\n<parameter=b>\n1${again.replace(/<.?think>/g, "")}`,
          finish: "stop",
        },
      },
    ),
  ),
  called(
    "A4: a call behind it is live",
    `<think>x <function=a>\n<parameter=b>\n1</think>So ${HERMES}`,
    { calls: [a("1")], text: "So", reasoning: "x <function=a>\n<parameter=b>\n1" },
    { options: { dialects: ["qwen3_coder"] }, but: [out(`1</think>So ${HERMES}`)] },
  ),

  // ── A2 ──
  ...[
    "<function=a>",
    '<invoke name="a">',
    '<tool_calls><invoke name="a">',
    '<tool_call>{"name": "a"',
    "<tool_call>a<arg_key>",
    "[TOOL_CALLS]a[ARGS]{",
    "[TOOL_CALLS]a",
    "<tool_use><name>",
  ].map((mention) =>
    called(`A2: a span that closes ends what began in it, ${mention}`, `Use \`${mention}\` for it.\n${HERMES}`, {
      calls: [a("1")],
      text: `Use \`${mention}\` for it.`,
    }),
  ),
  textOnly("A2: a span that closes with the reply", "Use `<tool_calls>`", { modes: ["canonical", "feature_match"] }),
  textOnly(
    "M5: data with a name and arguments beside other things",
    '{"name": "a", "arguments": {"b": "1"}, "score": 3}',
  ),
  called("A6: a name in quotes behind a token", `It prints "[TOOL_CALLS]a". ${HERMES}`, {
    calls: [a("1")],
    text: 'It prints "[TOOL_CALLS]a".',
  }),

  called(
    "W4: the frame of Hunyuan's answer",
    '<think>r</think><answer>Hi\n<tool_calls>[{"name": "a", "arguments": {"b": "1"}}]</tool_calls>\n</answer>',
    { calls: [a("1")], text: "Hi", reasoning: "r" },
    { options: { dialects: ["hunyuan_a13b"] } },
  ),
  textOnly("W4: and that of nobody else", "<answer>\nHi\n</answer>"),

  // ── A5 ──
  textOnly("A5: a fence is no call", fence(BARE)),
  called(
    "A5: unless it is the whole reply, and asked for",
    fence(BARE),
    { calls: [a("1")], text: "" },
    { options: { fenced: "sole" } },
  ),
  called(
    "A5: with calls of any notation",
    fence(`${HERMES}\n${HERMES}`),
    { calls: [a("1"), a("1")], text: "" },
    { options: { fenced: "sole" } },
  ),
  called(
    "A5: with the canonical one",
    fence(block("1")),
    { calls: [a("1")], text: "" },
    { options: { fenced: "sole" } },
  ),
  called(
    "A5: beside a notation that opens with a fence",
    fence(HERMES),
    { calls: [a("1")], text: "" },
    { options: { fenced: "sole", dialects: ["fenced_json"] } },
  ),
  textOnly("A5: with text behind it", `${fence(BARE)}\nThat is it.`, { options: { fenced: "sole" } }),
  textOnly("A5: with text before it", `So:\n${fence(BARE)}`, { options: { fenced: "sole" } }),
  textOnly("A5: with anything else in it", fence(`${BARE}\nx`), { options: { fenced: "sole" } }),
  textOnly("A5: of a tool that is not declared", fence(HERMES.replace('"a"', '"zz"')), { options: { fenced: "sole" } }),
  textOnly("A5: never closed", fence(BARE).slice(0, -3), { options: { fenced: "sole" } }),
  textOnly("A5: of code", "```sh\nls <dir>\n```\n", { options: { fenced: "sole" } }),
];
