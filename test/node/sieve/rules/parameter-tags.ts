import type { ExpectedCall } from "../case-files.ts";
import type { RuleCase } from "./rule-case.ts";
import { a, EARLY, ping } from "./rule-case.ts";

const write = (content: string, path?: string): ExpectedCall => ({
  name: "write",
  arguments: path === undefined ? { content } : { path, content },
});
const set = (input: NonNullable<ExpectedCall["arguments"]>): ExpectedCall => ({ name: "set", arguments: input });

const calls = (
  rule: string,
  input: string,
  expected: readonly ExpectedCall[],
  more: RuleCase["expect"] = {},
  options: Partial<RuleCase> = {},
): RuleCase => ({
  rule,
  input,
  modes: ["feature_match"],
  expect: { calls: expected, text: "", finish: "tool", repairs: [], ...more },
  ...options,
});
const none = (rule: string, input: string, more: Partial<RuleCase> = {}): RuleCase => ({
  rule,
  input,
  expect: { calls: [], text: input },
  ...more,
});

/** The first tag of Claude's in `text` with its prefix. */
const prefixed = (text: string) => text.replace(/<(\/?)(?=invoke|parameter|function_calls)/g, "<$1antml:");

const qwen = (inside: string) => `<tool_call>\n${inside}\n</tool_call>`;
const qwenA = (value: string) => qwen(`<function=a>\n<parameter=b>${value}</parameter>\n</function>`);
const claude = (inside: string) => `<function_calls>${inside}</function_calls>`;
const claudeA = (value: string) => claude(`<invoke name="a"><parameter name="b">${value}</parameter></invoke>`);
const dsml = (inside: string) => `<｜DSML｜tool_calls>${inside}</｜DSML｜tool_calls>`;
const invoke = (name: string, inside: string) => `<｜DSML｜invoke name="${name}">${inside}</｜DSML｜invoke>`;
const param = (name: string, string: string, value: string) =>
  `<｜DSML｜parameter name="${name}" string="${string}">${value}</｜DSML｜parameter>`;
const dsmlA = dsml(invoke("a", param("b", "true", "x")));
const kimi = (inside: string) => `<|open|>tools<|sep|>${inside}<|close|>tools<|sep|>`;
const cohere = (inside: string) => `<cofl:tool_calls>${inside}</cofl:tool_calls>`;
const cohereSet = (inside: string) => cohere(`<cofl:tool_call id="0" name="set">${inside}</cofl:tool_call>`);
const step = (inside: string) =>
  `<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="a"><steptml:parameter name="b">${inside}</steptml:parameter></steptml:invoke><｜tool_call_end｜>`;
const glimmer = (inside: string) =>
  `<atem:function_calls><atem:invoke name="a"><atem:parameter name="b">${inside}</atem:parameter></atem:invoke></atem:function_calls>`;

const PING = "<function=ping></function>";
const PINNED = { options: { dialects: ["claude_xml"] } };

/** Notations whose parameters stand in tags of their own. */
export const parameterTags: readonly RuleCase[] = [
  // ── V: values ──
  calls("V4: one line break at both ends belongs to Qwen's notation", qwenA("\n\n  x\n\n"), [a("\n  x\n")]),
  calls("V4: CR LF is one line break", qwenA("\r\n  x\r\n"), [a("  x")]),
  calls("V4: without one at the beginning none at the end is cut", qwenA("x\n"), [a("x\n")]),
  calls("V4: Claude's values are text as it stands", claudeA("\n x \n"), [a("\n x \n")]),
  calls("V5: nothing is decoded in text that stands as it is", qwenA("a &amp;&lt;b"), [a("a &amp;&lt;b")]),
  calls("V5: nor in Claude's", claudeA("&quot;x&quot;"), [a("&quot;x&quot;")]),
  calls("V5: nor in DSML", dsml(invoke("a", param("b", "true", "&amp;"))), [a("&amp;")]),
  calls("V1: CDATA is verbatim in tags that need none", claudeA("\n<![CDATA[\n x </parameter> ]]>"), [
    a("\n x </parameter> "),
  ]),
  calls("V1: CDATA where the tag says that a string comes", dsml(invoke("a", param("b", "true", "<![CDATA[0]]>"))), [
    a("0"),
  ]),
  calls("V2: a section inside text that stands as it is belongs to it", qwenA("<a><![CDATA[x]]></a>"), [
    a("<a><![CDATA[x]]></a>"),
  ]),
  calls("V3: a closer before anything but structure is data", qwenA("\nx </parameter> y </function> z\n"), [
    a("x </parameter> y </function> z"),
  ]),
  calls("V3: an example in a value balances", qwenA(`\nsee ${qwenA("1")} so\n`), [a(`see ${qwenA("1")} so`)]),
  calls("V3: an example with other names in it balances, too", qwenA("<parameter=q>1</parameter>"), [
    a("<parameter=q>1</parameter>"),
  ]),
  calls("V3: in DSML", dsml(invoke("a", param("b", "true", `x</｜DSML｜parameter> y${param("q", "true", "1")}`))), [
    a(`x</｜DSML｜parameter> y${param("q", "true", "1")}`),
  ]),
  calls(
    "V3: in Kimi's",
    kimi(
      `<|open|>call tool="a"<|sep|><|open|>argument key="b" type="string"<|sep|>x<|close|>argument<|sep|> z<|open|>argument key="q"<|sep|>1<|close|>argument<|sep|>y<|close|>argument<|sep|><|close|>call<|sep|>`,
    ),
    [a('x<|close|>argument<|sep|> z<|open|>argument key="q"<|sep|>1<|close|>argument<|sep|>y')],
  ),
  calls(
    "V3: the head of a declared parameter ends a value",
    qwen("<function=write>\n<parameter=path>\np\n<parameter=content>\nc\n</parameter>\n</function>"),
    [write("c", "p")],
    { repairs: ["param-close-missing"] },
  ),
  calls("V3: and so does the call's own closer", qwen("<function=a>\n<parameter=b>\nx\n</function>"), [a("x")], {
    repairs: ["param-close-missing"],
  }),
  calls(
    "V6: types come from the schema",
    qwen(
      "<function=set><parameter=count>\n 5.0\n</parameter><parameter=on>True</parameter><parameter=tags>['x']</parameter><parameter=plain>0042</parameter></function>",
    ),
    [set({ count: 5, on: true, tags: ["x"], plain: "0042" })],
  ),
  calls("G1: a parameter that closes itself", qwen("<function=a><parameter=b/></function>"), [a("")]),
  calls("G1: a call that closes itself", qwen("<function=ping/>"), [ping]),

  // ── V: types that the tag tells ──
  calls(
    "V6: what the tag calls a string is one where the schema allows it",
    dsml(invoke("set", param("any", "true", "1") + param("either", "true", "2") + param("count", "true", "3"))),
    [set({ any: "1", either: "2", count: 3 })],
  ),
  calls(
    "V9: what it calls none is JSON as it stands",
    dsml(
      invoke(
        "set",
        param("ratio", "false", " 1.50 ") + param("either", "false", "2") + param("any", "false", "[1, 2]"),
      ),
    ),
    [{ name: "set", arguments_json: '{"ratio":1.50,"either":2,"any":[1, 2]}' }],
  ),
  calls(
    "V6: a JSON string where the tag promises JSON",
    dsml(invoke("set", param("any", "false", '"a\\n"') + param("plain", "false", '"0"'))),
    [set({ any: "a\n", plain: "0" })],
  ),
  calls(
    "V6: no JSON where the tag promises it is typed by the schema",
    dsml(invoke("set", param("tags", "false", "['x']") + param("any", "false", "{x") + param("on", "false", "TRUE"))),
    [set({ tags: ["x"], any: "{x", on: true })],
  ),
  calls(
    "V6: without the attribute the schema tells",
    dsml(
      invoke(
        "set",
        '<｜DSML｜parameter name="count">3</｜DSML｜parameter><｜DSML｜parameter name="plain">3</｜DSML｜parameter>',
      ),
    ),
    [set({ count: 3, plain: "3" })],
  ),
  calls(
    "V6: types of Kimi's arguments",
    kimi(
      '<|open|>call tool="set" index="1"<|sep|><|open|>argument key="either" type="string"<|sep|>1<|close|>argument<|sep|><|open|>argument key="any" type="number"<|sep|>1<|close|>argument<|sep|><|close|>call<|sep|>',
    ),
    [set({ either: "1", any: 1 })],
  ),
  calls(
    "V10: objects and arrays as parameters in parameters",
    cohereSet(
      '<cofl:value name="any" type="dict"><cofl:value name="a" type="list"></cofl:value><cofl:value name="b &quot;c&quot;" type="dict"/><cofl:value name="d" type="list"><cofl:value type="raw">1</cofl:value> <cofl:value type="json">1.0</cofl:value><cofl:value type="json">x</cofl:value><cofl:value type="raw"/></cofl:value></cofl:value>',
    ),
    [{ name: "set", arguments_json: '{"any":{"a":[],"b \\"c\\"":{},"d":["1",1.0,"x",""]}}' }],
  ),
  calls(
    "V10: an item that holds tags",
    cohereSet(
      '<cofl:value name="tags" type="list"><cofl:value type="raw"><b></cofl:value> x</cofl:value></cofl:value>',
    ),
    [set({ tags: ["<b></cofl:value> x"] })],
  ),
  calls(
    "V6: an older spelling of Cohere's values",
    cohereSet(
      '<cofl:tool_param name="plain" string="true">1</cofl:tool_param><cofl:tool_param name="any" string="false">1</cofl:tool_param>',
    ),
    [set({ plain: "1", any: 1 })],
  ),
  none(
    "G3: a member without a name, or given twice",
    cohereSet('<cofl:value name="any" type="dict"><cofl:value type="raw">x</cofl:value></cofl:value>') +
      cohereSet(
        '<cofl:value name="any" type="dict"><cofl:value name="k" type="raw">x</cofl:value><cofl:value name="k" type="raw">y</cofl:value></cofl:value>',
      ),
    { but: [{ mode: "feature_match", levels: EARLY, expect: null }] },
  ),

  // ── T4: arguments as one object ──
  calls("T4: one JSON object in place of parameters", `${qwen('<function=a>\n{"b": "x"}\n</function>')}`, [a("x")]),
  calls("T4: in an invoke", claude('<invoke name="a">{"b":"x"}</invoke>'), [a("x")]),
  calls("T4: in a canonical one", '<tool_calls><invoke name="a">{"b":"x"}</invoke></tool_calls>', [a("x")]),
  none("G2: in mode canonical that is text", '<tool_calls><invoke name="a">{"b":"x"}</invoke></tool_calls>', {
    modes: ["canonical"],
  }),
  calls(
    "T4: several calls without a wrapper",
    '<function=a>{"b":"x"}</function><function=ping>{}</function>',
    [a("x"), ping],
    { repairs: ["wrapper-open-missing"] },
  ),
  calls("T4: an object that is whole needs no closer", '<tool_call><function=a>{"b":"x"}</tool_call>', [a("x")], {
    repairs: ["call-close-missing"],
  }),
  calls("T4: nor does it at the end of the reply", '<tool_call><function=a>{"b":"x"}', [a("x")], {
    repairs: ["call-close-missing", "wrapper-close-missing"],
  }),
  calls(
    "T4: a brace is missing where the call's own closer is not",
    qwen('<function=a>{"b":"x"</function>'),
    [a("x")],
    {
      repairs: ["missing-brace"],
    },
  ),
  none("T1: an object that is cut is no call", '<tool_call><function=a>{"b":"x"', {
    but: [
      {
        mode: "feature_match",
        levels: EARLY,
        expect: { calls: [], text: "", open: { name: "a", prefix_of: '{"b":"x"' }, finish: "length" },
      },
    ],
  }),
  calls(
    "T4: all arguments of Kimi's call in one block of JSON",
    kimi(
      '<|open|>call tool="a"<|sep|><|open|>json type="object"<|sep|>{"b":"x"}<|close|>json<|sep|><|close|>call<|sep|>',
    ),
    [a("x")],
  ),
  calls(
    "T4: behind a parameter the wrapper's closer ends Qwen's call",
    "<tool_call><function=a><parameter=b>x</parameter></tool_call>y",
    [a("x")],
    {
      repairs: ["call-close-missing"],
      text: "y",
    },
  ),
  none("T1: without a parameter it does not", "<tool_call><function=ping></tool_call>y"),
  calls(
    "T4: the first character of a call is lost",
    "<tool_call>function=a>\n<parameter=b>x</parameter></function></tool_call>",
    [a("x")],
    {
      repairs: ["opener-cut"],
    },
  ),
  none("M5: without a wrapper that is text", "function=a>\n<parameter=b>x</parameter></function>"),
  calls("T4: arguments wrapped once more", dsml(invoke("a", param("arguments", "false", '{"b": "x"}'))), [a("x")], {
    repairs: ["arguments-unwrapped"],
  }),

  calls(
    "T4: elements that are called like parameters",
    qwen("<function=write>\n<path>\np\n</path>\n<content>a </content> b</content>\n</function>"),
    [write("a </content> b", "p")],
    { repairs: ["property-tags"] },
  ),
  calls("T4: in an invoke", claude('<invoke name="a"><b>x</b></invoke>'), [a("x")], { repairs: ["property-tags"] }),
  none("G3: but not like others", qwen("<function=a>\n<q>x</q>\n</function>")),
  calls("T4: an object, then the next call", qwen(`<function=a>{"b":"x"}${PING}`), [a("x"), ping], {
    repairs: ["call-close-missing"],
  }),

  // ── T4: bodies in wrappers of others ──
  calls("T4: an invoke in Qwen's wrapper", qwen('<invoke name="a"><parameter name="b">\nx</parameter></invoke>'), [
    a("\nx"),
  ]),
  calls("T4: Qwen's call in Claude's wrapper", claude("<function=a><parameter=b>\nx\n</parameter></function>"), [
    a("x"),
  ]),
  calls("T4: an invoke in DSML's wrapper", dsml('<invoke name="ping"></invoke>'), [ping]),
  calls("T4: attributes in Qwen's tags", qwen('<function name="a"><parameter name="b">x</parameter></function>'), [
    a("x"),
  ]),
  calls(
    "T4: prefixes left off some of the tags",
    claude(`${prefixed('<invoke name="a"><parameter name="b">x</parameter>')}</invoke>`),
    [a("x")],
  ),

  // ── M2: wrappers that are missing ──
  calls(
    "M2: a bare call with a surplus closer behind it",
    "x <function=a>\n<parameter=b>\nx\n</parameter>\n</function>\n</tool_call> y",
    [a("x")],
    { text: "x \n y", repairs: ["wrapper-open-missing"] },
  ),
  calls("M2: bare calls of which one is undeclared", `${PING}<function=zz></function>${PING}`, [ping, ping], {
    repairs: ["wrapper-open-missing"],
  }),
  calls("M2: a mention of a bare call does not cost the one behind it", `Use <function=NAME> so. ${PING}`, [ping], {
    text: "Use <function=NAME> so.",
    repairs: ["wrapper-open-missing"],
  }),
  none("M2: bare calls of undeclared names", "<function=zz></function><function name='zz'></function>"),
  calls("M2: DSML without its wrapper", invoke("a", param("b", "true", "x")), [a("x")], {
    repairs: ["wrapper-close-missing"],
  }),
  calls(
    "M2: DSML without its wrapper's opener",
    `${invoke("zz", "")}</｜DSML｜tool_calls>`,
    [{ name: "zz", arguments: {} }],
    {
      repairs: ["wrapper-open-missing"],
    },
  ),
  calls("M2: DSML without its wrapper's closer", dsmlA.replace("</｜DSML｜tool_calls>", "x"), [a("x")], {
    text: "x",
    repairs: ["wrapper-close-missing"],
  }),
  calls("M2: the closer is cut at the end of the reply", dsmlA.slice(0, -8), [a("x")], {
    repairs: ["closer-cut", "wrapper-close-missing"],
  }),
  calls(
    "M2: Claude's tags with their prefix and nothing around them",
    prefixed('<invoke name="ping"></invoke>'),
    [ping],
    {
      repairs: ["wrapper-close-missing"],
    },
  ),
  calls(
    "M2: Claude's tags without a prefix before the wrapper's closer",
    '<invoke name="ping"></invoke></function_calls>',
    [ping],
    {
      repairs: ["wrapper-close-missing"],
    },
  ),
  calls(
    "V2: an example in another notation balances",
    '<function name="a"><param name="b"><![CDATA[<invoke name="ping">\n<parameter name="b"><![CDATA[1]]></parameter>\n</invoke>]]></param></function>',
    [a('<invoke name="ping">\n<parameter name="b"><![CDATA[1]]></parameter>\n</invoke>')],
  ),
  none(
    "V3: a value does not begin behind an angle of its own",
    claude('<invoke name="a"><parameter name="b"if [ x ]; then echo "y" > z; fi</parameter></invoke>'),
  ),
  calls("N1: MiniCPM has no wrapper", 'so <function name="a"><param name="b">\nx\n</param></function>.', [a("x")], {
    text: "so .",
  }),
  calls("N1: what only looks like its calls is text", `<function name="main"></function>${PING}`, [ping], {
    text: '<function name="main"></function>',
    repairs: ["wrapper-open-missing"],
  }),
  calls("M2: Step 3 without what stands around all calls", step("x"), [a("x")]),
  calls("M2: Step 3 without any special token", '<steptml:invoke name="ping"></steptml:invoke>', [ping], {
    repairs: ["wrapper-close-missing"],
  }),
  calls("G4: several calls of Step 3", `<｜tool_calls_begin｜>${step("1")}\n${step("2")}<｜tool_calls_end｜>`, [
    a("1"),
    a("2"),
  ]),

  // ── T4: spellings ──
  ...["|DSML|", "｜DSML｜"].map((marker) =>
    calls(`T4: DSML spelled ${marker}`, dsmlA.replaceAll("｜DSML｜", marker), [a("x")]),
  ),
  ...["｜｜DSML｜｜", "||DSML||"].map((marker) =>
    calls(`T4: DSML spelled ${marker}`, dsmlA.replaceAll("｜DSML｜", marker), [a("x")], { repairs: ["doubled-bars"] }),
  ),
  ...["DSML|", "|DSML ", "DSML"].map((marker) =>
    calls(`T4: DSML spelled ${marker}`, dsmlA.replaceAll("｜DSML｜", marker), [a("x")], { repairs: ["lost-bars"] }),
  ),
  calls(
    "T4: DSML spelled with dashes",
    '<dsml-tool-calls><dsml-invoke name="a"><dsml-parameter name="b"><![CDATA[x]]></dsml-parameter></dsml-invoke></dsml-tool-calls>',
    [a("x")],
    { repairs: ["lost-bars"] },
  ),
  calls("T4: DSML with a second bracket", `<${dsmlA.replaceAll("｜", "|")}`, [a("x")], {
    repairs: ["doubled-bracket"],
  }),
  calls(
    "T4: DSML with a bar behind each name",
    '<|DSML|tool_calls|><|DSML|invoke| name="ping"></|DSML|invoke|></|DSML|tool_calls|>',
    [ping],
    { repairs: ["stray-bar"] },
  ),
  ...["tool calls", "toolcalls"].map((name) =>
    calls(`T4: DSML spelled ${name}`, dsmlA.replaceAll("tool_calls", name), [a("x")], { repairs: ["lost-underscore"] }),
  ),
  calls("T4: DSML with all of that", dsmlA.replaceAll("｜", "｜｜").replaceAll("tool_calls", "toolcalls"), [a("x")], {
    repairs: ["doubled-bars", "lost-underscore"],
  }),
  calls("M2: DSML spelled wrong and without its wrapper", invoke("ping", "").replaceAll("｜", "||"), [ping], {
    repairs: ["doubled-bars", "wrapper-close-missing"],
  }),
  none("A7: near-miss names", "<｜DSML｜tool_callsx><｜DSML｜invokes name='ping'></｜DSML｜tool_callsx>"),
  calls(
    "G1: names without quotes in dots",
    "<dots_function_call><invoke name=a><parameter name = b>x</parameter></invoke></dots_function_call>",
    [a("x")],
  ),
  none("G1: but not in Claude's", "<function_calls><invoke name=ping></invoke></function_calls>"),
  calls(
    "G1: what Kimi's attributes escape, and names that are no name",
    kimi('<|open|>call index="1" tool="ping"<|sep|><|close|>call<|sep|>'),
    [ping],
  ),
  none("A6: a tag of Kimi's that does not end", '<|open|>tools<|sep|><|open|>call tool="ping"<|se'),
  calls(
    "A6: nor what its end only looks like",
    `${kimi('<|open|>call tool="x"<|s')}${kimi('<|open|>call tool="ping"<|sep|><|close|>call<|sep|>')}`,
    [ping],
    { text: kimi('<|open|>call tool="x"<|s') },
  ),

  // ── T4: the stray word ──
  calls(
    "T4: a stray word for the wrapper's opener",
    'so\ncourt\n<invoke name="ping"></invoke>',
    [ping],
    {
      text: "so",
      repairs: ["stray-word", "wrapper-close-missing"],
    },
    PINNED,
  ),
  calls(
    "T4: which is a word elsewhere",
    'the court\n<invoke name="ping"></invoke>',
    [ping],
    {
      text: "the court",
      repairs: ["wrapper-close-missing"],
    },
    PINNED,
  ),
  calls("T4: and where Claude's notation is not pinned", 'court\n<invoke name="ping"></invoke>', [ping], {
    text: "court",
    repairs: ["wrapper-close-missing"],
  }),

  // ── G3: bad siblings ──
  calls("G3: a bad sibling is dropped", dsml(invoke("a", "stray") + invoke("ping", "")), [ping]),
  calls(
    "G3: an example in a bad sibling is not run",
    dsml(invoke("ping", "") + invoke("a", `stray ${param("b", "true", dsmlA)}`)),
    [ping],
  ),
  calls("G3: prose behind a good call ends the block", qwen(`${PING} so`), [ping], {
    text: "so\n</tool_call>",
    repairs: ["wrapper-close-missing"],
  }),

  // ── A, W: reasoning, channels, what stands around ──
  calls("A4: DSML cannot be meant as a thought", `<think>r${dsmlA}s</think>`, [a("x")], { reasoning: "rs" }),
  calls("A4: Qwen's calls can, unless its notation is pinned", `<think>r${qwen(PING)}s</think>t`, [], {
    reasoning: `r${qwen(PING)}s`,
    text: "t",
    finish: "stop",
  }),
  calls(
    "A4: and then cannot",
    `<think>r${qwen(PING)}s</think>t`,
    [ping],
    { reasoning: "rs", text: "t" },
    {
      options: { dialects: ["qwen3_coder"] },
    },
  ),
  calls("A4: Seed has marks of its own", `<seed:think>r</seed:think><seed:tool_call>${PING}</seed:tool_call>`, [ping], {
    reasoning: "r",
  }),
  calls(
    "A4: channels of Kimi's",
    `<|open|>think<|sep|>r<|close|>think<|sep|><|open|>response<|sep|>t<|close|>response<|sep|>${kimi('<|open|>call tool="ping"<|sep|><|close|>call<|sep|>')}<|close|>message<|sep|>`,
    [ping],
    { reasoning: "r", text: "t" },
  ),
  calls(
    "A4: messages of Glimmer's",
    `<|start|>assistant to=self<|message|>r<|eom|><|start|>assistant to=user<|message|>t<|eom|><|start|>assistant to=a<|message|>${glimmer("x")}<|eom|><|eot|>`,
    [a("x")],
    { reasoning: "r", text: "t" },
  ),
  calls("A4: a message to a tool behind text", `t <|start|>assistant to=a<|message|>${glimmer("x")}<|eom|>`, [a("x")], {
    text: "t",
  }),
  none("A4: but not in prose", "see <|start|>assistant to=a<|message|> there", { modes: ["feature_match"] }),
  calls("W4: stop tokens behind a block", `${qwen(PING)}<|im_end|>`, [ping]),
  calls("W4: and MiniMax's", `<minimax:tool_call><invoke name="ping"></invoke></minimax:tool_call>[e~[`, [ping]),
  calls("W2: the model invents the answer", `${claude('<invoke name="ping"></invoke>')}\n<function_results>42`, [ping]),
  calls(
    "A6: a mention does not cost the call behind it",
    `In <function_calls> and <｜DSML｜tool_calls> ${qwen(PING)}`,
    [ping],
    {
      text: "In <function_calls> and <｜DSML｜tool_calls>",
    },
  ),
  none("A1: nothing is run in a fence", `\`\`\`xml\n${qwen(PING)}\n${dsmlA}\n\`\`\``),
  none("A2: nor in a code span", `\`${qwen(PING).replaceAll("\n", "")}\` and \`${dsmlA}\``),
];
