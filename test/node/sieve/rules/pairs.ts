import type { RuleCase } from "./rule-case.ts";
import { a, called, EARLY, FM, ping, textOnly } from "./rule-case.ts";

const pair = (key: string, value: string) => `<arg_key>${key}</arg_key><arg_value>${value}</arg_value>`;
const glm = (inside: string) => `<tool_call>${inside}</tool_call>`;
const solar = (inside: string) => `<|tool_call:start|>a\n${inside}<|tool_call:end|>`;
const write = (path: string, content: string) => ({ name: "write", arguments: { path, content } });

const glmCase = (rule: string, inside: string, expect: RuleCase["expect"]) =>
  called(rule, glm(inside), { text: "", repairs: [], ...expect });

/** Keys and values in turn behind a bare name: V3, V6, T4 and N1 in notations like GLM's. */
export const pairs: readonly RuleCase[] = [
  // ── values ──
  glmCase("V3: a look-alike is data", `a${pair("b", "x</arg_value> y")}`, { calls: [a("x</arg_value> y")] }),
  glmCase("V3: the call's closer in a value is data", `a${pair("b", "x</tool_call> y")}`, {
    calls: [a("x</tool_call> y")],
  }),
  glmCase("V3: a nested example balances", `a${pair("b", `x ${pair("k", "v")} y`)}`, {
    calls: [a(`x ${pair("k", "v")} y`)],
  }),
  glmCase("V3: a closer before a comment", `a${pair("b", "x")}<!-- c -->`, { calls: [a("x")] }),
  glmCase("V5: nothing is decoded", `a${pair("b", "&lt;&amp;")}`, { calls: [a("&lt;&amp;")] }),
  glmCase("V4: nothing is trimmed", `a\n${pair("b", "\n x \n")}\n`, { calls: [a("\n x \n")] }),
  glmCase("V1: an empty value", `a${pair("b", "")}`, { calls: [a("")] }),
  glmCase("V2: CDATA is text", `a${pair("b", "<![CDATA[x]]>")}`, { calls: [a("<![CDATA[x]]>")] }),
  glmCase("V6: types come from the schema", `set${pair("count", "5.0")}${pair("on", "True")}${pair("note", "null")}`, {
    calls: [{ name: "set", arguments: { count: 5, on: true, note: null } }],
  }),
  glmCase("V6: a Python literal", `set${pair("options", "{'k': None}")}`, {
    calls: [{ name: "set", arguments: { options: { k: null } } }],
  }),
  glmCase("V7: of an undeclared tool a literal is what it says", `zz${pair("n", "5")}${pair("s", "five")}`, {
    calls: [{ name: "zz", arguments: { n: 5, s: "five" } }],
  }),
  glmCase("V8: of a repeated key the first value stands", `a${pair("b", "1")}${pair("b", "2")}`, {
    calls: [a("1")],
    repairs: ["parameter-repeated"],
  }),
  called(
    "V6: a value that says it is a string is one",
    "<ifm|tool_call>zz<ifm|arg_key>n</ifm|arg_key><ifm|arg_type>string</ifm|arg_type><ifm|arg_value>5</ifm|arg_value></ifm|tool_call>",
    { calls: [{ name: "zz", arguments: { n: "5" } }], text: "" },
  ),

  // ── repairs ──
  glmCase(
    "T4: a value's closer is missing before the next key",
    `write<arg_key>path</arg_key><arg_value>p${pair("content", "c")}`,
    {
      calls: [write("p", "c")],
      repairs: ["param-close-missing"],
    },
  ),
  glmCase(
    "T4: but not before a key that was given",
    `write${pair("path", "p")}<arg_key>content</arg_key><arg_value>${pair("path", "x")}</arg_value>`,
    {
      calls: [write("p", pair("path", "x"))],
    },
  ),
  glmCase("T4: before the call's closer", "a<arg_key>b</arg_key><arg_value>1", {
    calls: [a("1")],
    repairs: ["param-close-missing"],
  }),
  glmCase("T4: a value's opener is missing", "a<arg_key>b</arg_key>1 < 2</arg_value>", {
    calls: [a("1 < 2")],
    repairs: ["kv-open-missing"],
  }),
  glmCase(
    "T4: a key's opener is missing, the key behind the name",
    `writepath</arg_key><arg_value>p</arg_value>${pair("content", "c")}`,
    {
      calls: [write("p", "c")],
      repairs: ["kv-open-missing"],
    },
  ),
  glmCase("T4: the same with a line break between", "a\nb</arg_key>\n<arg_value>1</arg_value>", {
    calls: [a("1")],
    repairs: ["kv-open-missing"],
  }),
  textOnly("T4: a key that is none of the tool's", glm("writezz</arg_key><arg_value>p</arg_value>")),
  glmCase("T4: a JSON object behind the name", 'a {"b": "1"}', { calls: [a("1")] }),
  called("T4: its braces are balanced, the closer is missing", '<tool_call>a{"b": "1"}', {
    calls: [a("1")],
    text: "",
    repairs: ["wrapper-close-missing"],
  }),
  glmCase("T4: a final brace is missing before the closer", 'a{"b": "1"', {
    calls: [a("1")],
    repairs: ["missing-brace"],
  }),
  glmCase("T4: parameters as elements, up to the call's closer", "write\n<path>p</path>\n<content>\nc\n</content>\n", {
    calls: [write("p", "c")],
    repairs: ["property-tags"],
  }),
  called("T4: up to a tag with the tool's name", "<tool_call>write\n<path>p</path></write> done", {
    calls: [{ name: "write", arguments: { path: "p" } }],
    text: "done",
    repairs: ["property-tags", "wrapper-close-missing"],
  }),
  glmCase(
    "T4: what looks like one of them inside another is data",
    "write<path>p</path><content><b>c</b></content> <path>q</path></content>",
    {
      calls: [write("p", "<b>c</b></content> <path>q</path>")],
      repairs: ["property-tags"],
    },
  ),
  called(
    "T4: sentinels, the value's end is missing",
    "<|tool_call:start|>write\n<|tool_arg:start|>path<|tool_arg:value|>p<|tool_arg:start|>content<|tool_arg:value|>c<|tool_arg:end|><|tool_call:end|>",
    { calls: [write("p", "c")], text: "", repairs: ["param-close-missing"] },
  ),
  called(
    "V3: sentinels, a nested example balances",
    solar(
      "<|tool_arg:start|>b<|tool_arg:value|><|tool_arg:start|>k<|tool_arg:value|>v<|tool_arg:end|><|tool_arg:end|>",
    ),
    {
      calls: [a("<|tool_arg:start|>k<|tool_arg:value|>v<|tool_arg:end|>")],
      text: "",
    },
  ),

  // ── what is no call ──
  textOnly("A6: a name in prose", "Use <tool_call>ping for it, and </tool_call> behind."),
  ...[
    "<tool_call>",
    "<tool_calls>",
    "<longcat_tool_call>",
    "<|tool_call:start|>",
    "<ifm|tool_call>",
    "<tool_call:ab>",
  ].map((opener) =>
    textOnly(
      `A6: a word and an object behind ${opener} are prose`,
      `Wrap it in ${opener} tags:\n{"name": "a", "arguments": {"b": "1"}}\nand close it.`,
    ),
  ),
  ...["<tool_call>", "[TOOL_CALLS]"].map((opener) =>
    textOnly(
      `A6: an example in an object behind a word and ${opener}`,
      `${opener}foo{"b": "<tool_call>ping</tool_call>"}.`,
    ),
  ),
  called("A6: a call behind such an object", '<tool_call>foo{"b": "x"}</tool_call> <tool_call>ping</tool_call>', {
    calls: [ping],
    text: '<tool_call>foo{"b": "x"}</tool_call>',
  }),
  textOnly("A6: the same with a closer", 'As in <tool_call>name{"arg": 1}</tool_call>.'),
  called("N1: with a separator the name need not be declared", '<tool_call>zz<tool_sep>{"n": 1}</tool_call>', {
    calls: [{ name: "zz", arguments: { n: 1 } }],
    text: "",
  }),
  ...["object { is", "ping { is", 'object {"name": …} is', "ping {name, arguments} is"].map((mention) =>
    called(
      `A6: a mention does not cost the call behind it: ${mention}`,
      `Each <tool_call> ${mention} read. ${glm(`a${pair("b", "1")}`)}`,
      { calls: [a("1")], text: `Each <tool_call> ${mention} read.` },
    ),
  ),
  textOnly("N1: a name alone that is not declared", "<longcat_tool_call>zz</longcat_tool_call>"),
  called("N1: a name alone that is declared", "<longcat_tool_call> ping\n</longcat_tool_call>", {
    calls: [ping],
    text: "",
  }),
  textOnly("A7: a suffix with anything behind it makes no tag", "<tool_calls:x y>"),
  called(
    "A7: all tags have the suffix of the first",
    "<tool_calls:Ab><tool_call:ab>a<arg_key:ab>b</arg_key:ab><arg_value:ab>1</arg_value:cd></arg_value:ab></tool_call:ab></tool_calls:ab>",
    {
      calls: [a("1</arg_value:cd>")],
      text: "",
    },
  ),
  called("W4: the wrapper's closer behind a call without it", `${glm(`a${pair("b", "1")}`)}</tool_calls>`, {
    calls: [a("1")],
    text: "",
  }),

  // ── truncation ──
  {
    rule: "T2: a value that is cut",
    input: `<tool_call>set${pair("count", "1")}<arg_key>on</arg_key><arg_value>tr`,
    modes: FM,
    upstreamFinish: "length",
    expect: {
      calls: [],
      text: `<tool_call>set${pair("count", "1")}<arg_key>on</arg_key><arg_value>tr`,
      finish: "length",
    },
    but: [{ levels: EARLY, expect: { calls: [], text: "", open: { name: "set", prefix_of: '{"count":1' } } }],
  },
  {
    rule: "T3: a string that is cut",
    input: "<tool_call>a<arg_key>b</arg_key><arg_value>1</arg_val",
    modes: FM,
    upstreamFinish: "length",
    expect: { calls: [], text: "<tool_call>a<arg_key>b</arg_key><arg_value>1</arg_val", finish: "length" },
    but: [
      { levels: EARLY, expect: { calls: [], text: "", open: { name: "a", prefix_of: '{"b":"1' }, finish: "length" } },
    ],
  },
  {
    rule: "T1: a stop string that the gateway set",
    input: `<tool_call>a${pair("b", "1")}`,
    modes: FM,
    options: { gatewayStop: ["</tool_call>"] },
    expect: { calls: [a("1")], text: "", finish: "tool" },
  },
];
