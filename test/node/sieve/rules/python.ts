import type { ExpectedCall } from "../case-files.ts";
import type { RuleCase } from "./rule-case.ts";
import { a, EARLY, PING, ping } from "./rule-case.ts";

type Options = Partial<Omit<RuleCase, "rule" | "input" | "expect">>;

const modes = ["feature_match"] as const;

const calls = (rule: string, input: string, expected: readonly ExpectedCall[], text = "", options: Options = {}) =>
  ({ rule, input, modes, ...options, expect: { calls: expected, text, finish: "tool" } }) satisfies RuleCase;

const none = (rule: string, input: string, options: Options = {}) =>
  ({ rule, input, modes, ...options, expect: { calls: [], text: input, finish: "stop" } }) satisfies RuleCase;

const pinned = (...dialects: string[]) => ({ options: { dialects } });

const bareList = pinned("pythonic");
const marked = (calls: string) => `<|tool_call_start|>${calls}<|tool_call_end|>`;
const set = (input: ExpectedCall["arguments"]): ExpectedCall => ({ name: "set", arguments: input ?? {} });

/** Between marks: LFM2, Llama 4, OLMo 3, the built-in tools of Llama 3.1. */
const inMarks: readonly RuleCase[] = [
  calls("Y: blanks and line breaks", marked("[\n  a(\n    b = 'x',\n  ),\n  ping( )\n]"), [a("x"), ping]),
  calls("Y: no arguments", marked("[ping()]"), [ping]),
  calls("Y: several lists", marked("[ping()]\n[a(b='x')]"), [ping, a("x")]),
  calls("Y: calls in lines", marked("a(b='x')\nping()\n"), [a("x"), ping]),
  calls("Y: text around", `One ${marked("[ping()]")} two`, [ping], "One  two"),
  calls("N2: another case", marked("[PING()]"), [ping]),
  calls(
    "Y: literals of Python and of JSON",
    marked("[set(count=1, on=True, tags=['x', \"y\"], options={'k': [None, 1.5]}), set(on=false, any=null)]"),
    [set({ count: 1, on: true, tags: ["x", "y"], options: { k: [null, 1.5] } }), set({ on: false, any: null })],
  ),
  calls("V10: digits", marked("[set(any=12345678901234567890)]"), [
    { name: "set", arguments_text: '{"any":12345678901234567890}' },
  ]),
  calls("V8: a keyword given twice", marked("[a(b='x', b='y')]"), [a("x")]),
  calls("A6: closers in a string are data", marked("[a(b='<|tool_call_end|>)]')]"), [a("<|tool_call_end|>)]")]),
  {
    ...calls("T4: the list's bracket is missing", marked("[ping(), a(b='x')"), [ping, a("x")]),
    expect: { calls: [ping, a("x")], text: "", repairs: ["missing-brace"] },
  },
  {
    ...calls("M2: the closer is missing", "<|tool_call_start|>[ping()]", [ping]),
    expect: { calls: [ping], text: "", repairs: ["wrapper-close-missing"], finish: "tool" },
  },
  {
    ...calls("R22: quotes without a backslash", marked("[a(b='it's')]"), [a("it's")]),
    expect: { calls: [a("it's")], repairs: ["lenient-quotes"] },
  },
  calls("R8: a JSON object", marked('{"name": "a", "arguments": {"b": "x"}}'), [a("x")]),
  calls("R8: a JSON list", marked('[{"name": "a", "arguments": {"b": "x"}}, {"name": "ping", "arguments": {}}]'), [
    a("x"),
    ping,
  ]),
  none("N1: an undeclared name", marked("[other(b='x')]")),
  {
    rule: "G3: an undeclared name beside a call",
    input: `${marked("[ping(), other(b='x')]")}!`,
    modes,
    expect: { calls: [ping], text: "!", finish: "tool" },
  },
  ...["other(b='x')", "a('x')"].map(
    (bad): RuleCase => ({
      rule: `G3: ${bad} behind a call, in lines`,
      input: `${marked(`ping()\n${bad}\nping()`)}!`,
      modes,
      expect: { calls: [ping], text: "!", finish: "tool" },
    }),
  ),
  none("Y: an argument without a keyword", marked("[a('x')]")),
  none("Y: a comparison", marked("[a(b=='x')]")),
  none("Y: nothing in the list", marked("[]")),
  none("A6: a mention", "The mark <|tool_call_start|> opens a list of calls."),
  none("A1: in a fence", `\`\`\`\n${marked("[ping()]")}\n\`\`\``),
  none("A2: in a code span", `\`${marked("[ping()]")}\``),
  {
    rule: "G3: an argument without a keyword behind one",
    input: marked("[set(count=1, 'x')]"),
    modes,
    expect: { calls: [], text: marked("[set(count=1, 'x')]"), outcomes: ["malformed"] },
    but: [{ levels: EARLY, expect: { calls: [], open: { name: "set", prefix_of: '{"count":1}' } } }],
  },
  {
    rule: "T1: cut in a string",
    input: "<|tool_call_start|>[ping(), a(b='x",
    upstreamFinish: "length",
    modes,
    expect: { calls: [], text: "<|tool_call_start|>[ping(), a(b='x", finish: "length" },
    but: [{ levels: EARLY, expect: { calls: [ping], open: { name: "a", prefix_of: '{"b":"x' } } }],
  },
  {
    rule: "A4: the opener suspends reasoning",
    input: `<think>I will ${marked("[ping()]")} and wait</think>Done.`,
    modes,
    expect: { calls: [ping], reasoning: "I will  and wait", text: "Done." },
  },
  {
    rule: "W2: an invented result",
    input: `${marked("[ping()]")}<|tool_response_start|>[1]<|tool_response_end|> So`,
    modes,
    expect: { calls: [ping], text: "", finish: "tool" },
  },
  calls("W4: a stop token", `${marked("[ping()]")}<|im_end|>`, [ping]),
  calls("Y: Llama 4's marks", "<|python_start|>[ping(), a(b='x')]<|python_end|><|eot|>", [ping, a("x")]),
  calls("Y: OLMo's wrapper", "<function_calls>\nping()\nset(on=true, note=null)\n</function_calls>", [
    ping,
    set({ on: true, note: null }),
  ]),
  none("Y: prose in OLMo's wrapper", "<function_calls> hold calls, such as ping(). </function_calls>"),
  calls("R8: JSON in OLMo's wrapper", '<function_calls>[{"name": "ping", "arguments": {}}]</function_calls>', [ping]),
  calls("N2: a built-in tool's method", '<|python_tag|>a.call(b="x")<|eom_id|>', [a("x")]),
  calls("N2: its name alone", '<|python_tag|>a(b="x")', [a("x")]),
  calls(
    "E1: an undeclared name behind a token that nothing closes",
    '<|python_tag|>a.call(b="x")\nother.call(n=1)\nok',
    [a("x")],
    "other.call(n=1)\nok",
  ),
  calls("E1: prose", "<|python_tag|>ping.call()\nping(x) is not one.", [ping], "ping(x) is not one."),
  calls("E1: a further call of the same token", '<|python_tag|>ping.call()\na.call(b="x")', [ping, a("x")]),
  ...["<|tool_call_start|>", "<|python_start|>["].map((mention) =>
    calls(
      `A6: a mention does not cost the call behind it: ${mention}`,
      `It is ${mention} [TOOL_CALLS]a[ARGS]{"b": "x"}`,
      [a("x")],
      `It is ${mention}`,
    ),
  ),
  {
    ...calls("E1: a value without quotes behind a call", "<|python_tag|>ping.call()\na.call(b=x)", [ping, a("x")]),
    expect: { calls: [ping, a("x")], text: "", repairs: ["string-delimiters"] },
  },
  {
    ...calls("A6: a call in the data of a further one", `<|python_tag|>ping.call()\na.call(b=f'${PING}')`, []),
    expect: { calls: [ping, a(`f'${PING}'`)], text: "", repairs: ["string-delimiters"] },
  },
  {
    ...none("A6: a call in an argument without a keyword", `<|python_tag|>a('${PING}') x`),
    expect: { calls: [], text: `<|python_tag|>a('${PING}') x`, outcomes: ["malformed"] },
  },
  none("A6: the same where a wrapper closes", marked(`[a('${PING}')]`)),
  calls("A6: the same behind a call", `<|python_tag|>ping()\na('${PING}')\na(b='x')`, [ping, a("x")]),
  calls("A6: a call behind such a block", `${marked("[a('x')]")}${PING}`, [ping], marked("[a('x')]")),
  ...["a", "a.ca", "a.call(", "a.call(b"].map(
    (cut): RuleCase => ({
      rule: `T5: a further call cut in its head: ${cut}`,
      input: `<|python_tag|>ping.call()\n${cut}`,
      modes,
      upstreamFinish: "length",
      expect: { calls: [], text: `<|python_tag|>ping.call()\n${cut}`, finish: "length" },
      but: [{ levels: EARLY, expect: { calls: [ping], text: "", finish: "length" } }],
    }),
  ),
  calls("T5: a last word is no name", "<|python_tag|>ping.call()\nDone", [ping], "Done"),
  none("Y: another method", '<|python_tag|>a.run(b="x")'),
  none("Y: code behind the token", "<|python_tag|>import os\nprint(os.name)"),
];

/** With nothing around them, where the route asks for it. */
const bare: readonly RuleCase[] = [
  calls("Y, bare: a list", "[ping(), a(b='x')]", [ping, a("x")], "", pinned("pythonic")),
  calls("Y, bare: one call", ' a(b="x")\n', [a("x")], "", pinned("pythonic")),
  calls("Y, bare: text behind a list", "[ping()] Done.", [ping], "Done.", pinned("pythonic")),
  {
    ...calls("E1, bare: an undeclared name behind a call", "[ping(), other(b='x'), ping()] So.", [ping]),
    ...pinned("pythonic"),
    expect: { calls: [ping], text: ", other(b='x'), ping()] So.", finish: "tool" },
  },
  {
    ...calls("E1, bare: no call behind a call", "[ping(), 5] So.", [ping]),
    ...pinned("pythonic"),
    expect: { calls: [ping], text: ", 5] So.", finish: "tool" },
  },
  calls("G3, bare: an argument without a keyword", `[ping(), a('${PING}'), ping()] So.`, [ping, ping], "So.", bareList),
  ...["x", "“x”"].map((value) => ({
    ...calls(`T4, bare: ${value} as a value behind a call`, `[ping(), a(b=${value})]`, [], "", bareList),
    expect: { calls: [ping, a(value)], text: "", repairs: ["string-delimiters" as const] },
  })),
  ...["'{}'", "b=f'{}'", "b=x+'{}'", "f'{}'", "b=='{}'"].map((data) =>
    none(`A6, bare: a call in code: ${data}`, `[a(${data.replace("{}", PING)})]`, bareList),
  ),
  calls("A6, bare: a call behind code", `[a('x')] ${PING}`, [ping], "[a('x')]", bareList),
  ...["a", "a(", "a(b"].map(
    (cut): RuleCase => ({
      rule: `T5, bare: a further call cut in its head: ${cut}`,
      input: `[ping(), ${cut}`,
      modes,
      ...bareList,
      upstreamFinish: "length",
      expect: { calls: [], text: `[ping(), ${cut}`, finish: "length" },
      but: [{ levels: EARLY, expect: { calls: [ping], text: "", finish: "length" } }],
    }),
  ),
  calls("Y, bare: behind reasoning", "<think>x</think>\n[ping()]", [ping], "", pinned("pythonic")),
  calls("Y, bare: lines", 'ping()\na(b="x")\nDone.', [ping, a("x")], "Done.", pinned("granite_pythonic")),
  calls("Y, bare: a stop token", "ping()<|end_of_text|>", [ping], "", pinned("granite_pythonic")),
  calls(
    "Y, bare: one pin besides another",
    "[ping()]",
    [ping],
    "",
    pinned("llama4_pythonic", "pythonic", "llama3_json"),
  ),
  ...["[ping()]", "[a(b='x')]", "a(b='x')", "print(a(b='x'))", "```tool_code\nping()\n```"].map((input) =>
    none(`M5: not pinned: ${input}`, input),
  ),
  ...[
    "[a](https://example.org/b)",
    "[ping()](https://example.org/b)",
    "[a for a in b]",
    "[a(b) for b in c]",
    "[a, ping]",
    "[1] a",
    "a is a tool.",
    "a(b) is a call.",
    "a(b == 1)",
    "a(b=c)",
    "[a(b=c) for c in d]",
    "ping() returns nothing.",
    "ping().a(b='x')",
    "print(a(b='x'))",
    "x = a(b='x')",
    "other(b='x')",
    ">>> a(b='x')",
    "So: a(b='x')",
    "Text first.\n[ping()]",
    "a(",
    "[",
    "[a",
  ].map((input) => none(`M5, pinned: ${input}`, input, pinned("pythonic", "granite_pythonic"))),
];

const fence = (calls: string) => `\`\`\`tool_code\n${calls}\n\`\`\``;

/** In the fence that is a part of the notation. */
const inFence: readonly RuleCase[] = [
  calls("Y, fence: a call", fence('a(b="x")'), [a("x")], "", pinned("gemma3_tool_code")),
  calls("Y, fence: printed", fence('print(a(b="x"))'), [a("x")], "", pinned("gemma3_tool_code")),
  calls(
    "Y, fence: lines",
    fence('print(a(b="x"))\nping()\nprint( ping( ) )'),
    [a("x"), ping, ping],
    "",
    pinned("gemma3_tool_code"),
  ),
  calls("Y, fence: text around", `One\n${fence("ping()")}\ntwo`, [ping], "One\n\ntwo", pinned("gemma3_tool_code")),
  {
    rule: "W2, fence: an invented result",
    input: `${fence("ping()")}\n\`\`\`tool_output\n1\n\`\`\`\nSo`,
    modes,
    ...pinned("gemma3_tool_code"),
    expect: { calls: [ping], text: "", finish: "tool" },
  },
  none("A1, fence: another one", "```python\nping()\n```", pinned("gemma3_tool_code")),
  none("Y, fence: code", fence("import a\nping()"), pinned("gemma3_tool_code")),
  none("A1, fence: in mid-line", "In ```tool_code ping()```", pinned("gemma3_tool_code")),
];

/** Calls as Python writes them (dialects of family Y). */
export const python: readonly RuleCase[] = [...inMarks, ...bare, ...inFence];
