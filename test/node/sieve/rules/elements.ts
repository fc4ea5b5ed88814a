import type { RuleCase } from "./rule-case.ts";
import { a, called, EARLY, FM, ping, textOnly } from "./rule-case.ts";

const write = (path: string, content: string) => ({ name: "write", arguments: { path, content } });
const toolCall = (name: string, inside: string) => `<tool_call><tool_name>${name}</tool_name>${inside}</tool_call>`;
const parameters = (inside: string) => `<parameters>${inside}</parameters>`;
const m3 = (text: string) => text.replaceAll("<", "]<]minimax[>[<");
const m3Call = (name: string, inside: string) =>
  `]<]minimax[>[<tool_call>]<]minimax[>[<invoke name="${name}">${inside}]<]minimax[>[</invoke>]<]minimax[>[</tool_call>`;

const read = (rule: string, input: string, calls: RuleCase["expect"]["calls"], repairs: readonly string[] = []) =>
  called(rule, input, { calls: calls ?? [], text: "", repairs });

const pinned = (dialect: string, rule: string, input: string, expect: RuleCase["expect"]): RuleCase =>
  called(rule, input, { repairs: [], ...expect }, { options: { dialects: [dialect] } });
const pinnedText = (dialect: string, rule: string, input: string): RuleCase =>
  textOnly(rule, input, { options: { dialects: [dialect] } });

/** Calls whose parts are elements: V2 to V8, T2 to T4, N1 and M5 in notations such as Cline's. */
export const elements: readonly RuleCase[] = [
  // ── parts of a call in elements of their own ──
  read("E: arguments as elements", toolCall("write", parameters("<path>p</path>\n<content>c</content>")), [
    write("p", "c"),
  ]),
  read("E: blanks around the name", "<tool_use>\n<name>\n a \n</name>\n<input>\n{}\n</input>\n</tool_use>", [
    { name: "a", arguments: {} },
  ]),
  read("E: no arguments", toolCall("ping", parameters("")), [ping]),
  read("E: no element of arguments", toolCall("ping", ""), [ping]),
  read("E: an empty element of arguments", toolCall("ping", "<arguments/>"), [ping]),
  read(
    "E: elements without one around them",
    `<tool_use><function_name>write</function_name><path>p</path><content>c</content></tool_use>`,
    [write("p", "c")],
  ),
  read("E: the name in the tag", '<tool_use><tool name="a"><b>1</b></tool></tool_use>', [a("1")]),
  read("E: JSON in it", '<tool_use><tool name="a">{"b": "1"}</tool></tool_use>', [a("1")]),
  read(
    "E: in an element of its own",
    '<tool_use><tool name="a"><parameters>{"b": "1"}</parameters></tool></tool_use>',
    [a("1")],
  ),
  read("E: an empty tag", '<tool_use><tool name="ping"/></tool_use>', [ping]),
  read("E: several in one wrapper", '<tool_use><tool name="ping"/><tool name="a"><b>1</b></tool></tool_use>', [
    ping,
    a("1"),
  ]),
  read(
    "E: the wrapper names the tool",
    '<function_call name="a"><argument name="b"> 1 &lt; </argument></function_call>',
    [a(" 1 &lt; ")],
  ),
  read("E: without arguments", '<function_call name="ping"></function_call>', [ping]),
  called(
    "E: parameters behind the name",
    '<function_call>a</function_call>\n<function parameter name="b">x </function parameter> y',
    {
      calls: [a("x ")],
      text: "y",
      repairs: [],
    },
  ),
  called(
    "A2: a backtick in a parameter behind the name is data",
    'Say `x <function_call>a</function_call><function parameter name="b">q ` r</function parameter> end',
    { calls: [a("q ` r")], text: "Say `x end", repairs: [] },
  ),
  read(
    "E: an argument that is named like what holds them",
    toolCall("zz", parameters("<input>i</input><name>n</name>")),
    [{ name: "zz", arguments: { input: "i", name: "n" } }],
  ),
  read("V1: an empty element", toolCall("a", parameters("<b/>")), [a("")]),
  read("V2: CDATA", toolCall("a", parameters("<b><![CDATA[</b>&lt;]]></b>")), [a("</b>&lt;")]),
  read("V3: a closer before anything else is data", toolCall("a", parameters("<b>x</b> y</b>")), [a("x</b> y")]),
  read("V3: a nested look-alike balances", toolCall("a", parameters("<b>x<b>y</b><c/>z</b>")), [a("x<b>y</b><c/>z")]),
  read("V5: references are decoded", toolCall("a", parameters("<b>&lt;b&gt; &amp;amp;</b>")), [a("<b> &amp;")]),
  read(
    "V6: nested elements",
    toolCall("set", parameters("<options><k>1</k><l><item>x</item></l></options><count>2</count>")),
    [{ name: "set", arguments: { options: { k: 1, l: ["x"] }, count: 2 } }],
  ),
  read("V8: repeated elements are the items of a list", toolCall("set", parameters("<tags>x</tags><tags>y</tags>")), [
    { name: "set", arguments: { tags: ["x", "y"] } },
  ]),
  read(
    "T4: JSON that is balanced at the end of the reply",
    '<tool_use><name>a</name><input>{"b": "1"}',
    [a("1")],
    ["call-close-missing", "wrapper-close-missing"],
  ),
  read(
    "T4: a final brace is missing",
    '<tool_use><name>a</name><input>{"b": "1"</input></tool_use>',
    [a("1")],
    ["missing-brace"],
  ),
  textOnly("N3: a placeholder is no name", toolCall("$TOOL", parameters("{}"))),
  textOnly("A6: an element in prose", "Put it in <tool_use> with a <name> in it."),
  textOnly("T2: elements that are cut", "<tool_use><name>a</name><b>1</b>", {
    upstreamFinish: "length",
    expect: { calls: [], text: "<tool_use><name>a</name><b>1</b>", finish: "length" },
    but: [{ levels: EARLY, expect: { calls: [], open: { name: "a", prefix_of: '{"b":"1"' }, finish: "length" } }],
  }),

  // ── a special token before each tag ──
  read("M3: a tag without the token is text", m3Call("a", m3("<b>").concat("x</b></invoke>", m3("</b>"))), [
    a("x</b></invoke>"),
  ]),
  read(
    "M3: so is the token without a tag",
    m3Call("a", m3("<b>").concat("x]<]minimax[>[ y]<]minimax[>[", m3("</b>"))),
    [a("x]<]minimax[>[ y]<]minimax[>[")],
  ),
  read("M3: nothing is decoded or trimmed", m3Call("a", m3("<b>").concat("\n&lt; \n", m3("</b>"))), [a("\n&lt; \n")]),
  read(
    "M3: text in nested elements that looks like a tag",
    m3Call("set", m3("<tags><item>").concat("<b>&amp;", m3("</item></tags>"))),
    [{ name: "set", arguments: { tags: ["<b>&amp;"] } }],
  ),
  read("M3: line breaks between nested elements", m3Call("set", m3("<tags>\n<item>x</item>\n</tags>")), [
    { name: "set", arguments: { tags: ["x"] } },
  ]),
  read("M3: the end of an element is missing", m3Call("a", m3("<b>x")), [a("x")], ["param-close-missing"]),
  read("M3: the wrapper is missing", m3('<invoke name="ping"></invoke>'), [ping], ["wrapper-open-missing"]),
  called("A6: M3's opener in prose", `See ${m3("<tool_call>")}\n\n${m3Call("ping", "")}`, {
    calls: [ping],
    text: `See ${m3("<tool_call>")}`,
    repairs: [],
  }),
  read("R8: JSON in M3's wrapper", m3('<tool_call>{"name":"a","arguments":{"b":"1"}}</tool_call>'), [a("1")]),
  read(
    "R8: a canonical call in M3's wrapper",
    m3("<tool_call>").concat('<invoke name="a"><parameter name="b">1</parameter></invoke>', m3("</tool_call>")),
    [a("1")],
  ),
  ...["cline", "morph_xml", "yaml_xml"].map((dialect) =>
    pinned(dialect, `M3: where ${dialect} is pinned`, m3Call("a", m3("<b>").concat("1", m3("</b>"))), {
      calls: [a("1")],
      text: "",
    }),
  ),
  pinned("cline", "M5: a mark of M3's that does not come", "]<ping/>\n<ping/>", { calls: [ping], text: "]<ping/>" }),
  textOnly("M3: the token in prose", "Each tag follows ]<]minimax[>[ here."),

  // ── elements named like tools ──
  pinned(
    "cline",
    "Cline: content that holds markup",
    "So:\n<write>\n<path>p</path>\n<content>\n<path>q</path>\n</content>\n<b/>\n</content>\n</write>\nThen",
    {
      calls: [write("p", "<path>q</path>\n</content>\n<b/>")],
      text: "So:\n\nThen",
    },
  ),
  pinned("cline", "Cline: nothing is decoded", "<a>\n<b>&lt;</b>\n</a>", { calls: [a("&lt;")], text: "" }),
  pinned("cline", "Cline: no arguments", "<ping>\n</ping>", { calls: [ping], text: "" }),
  pinned("cline", "Cline: an empty tag", "<ping />", { calls: [ping], text: "" }),
  pinned("cline", "Cline: a JSON object", '<a>{"b": "1"}</a>', { calls: [a("1")], text: "" }),
  pinnedText("cline", "M5: not in the middle of a line", "Use <ping/> now"),
  pinnedText("cline", "N1: a tool that is not declared", "<zz><b>1</b></zz>"),
  pinnedText("cline", "M5: an element that is no parameter", "<a>\n<p>1</p>\n</a>"),
  pinnedText("cline", "M5: text in it", "<a>\nb\n</a>"),
  pinnedText("cline", "A1: in a fence", "```xml\n<ping/>\n```"),
  textOnly("M5: nothing of it is armed without a pin", "<ping/>\n<a>\n<b>1</b>\n</a>"),
  pinned("morph_xml", "morph: references are decoded", "<a><b>&lt;b&gt;</b></a>", { calls: [a("<b>")], text: "" }),
  pinned(
    "morph_xml",
    "morph: lists of both kinds",
    "<set><tags><item>x</item></tags></set>\n<set><tags>x</tags><tags>y</tags></set>",
    {
      calls: [
        { name: "set", arguments: { tags: ["x"] } },
        { name: "set", arguments: { tags: ["x", "y"] } },
      ],
      text: "",
    },
  ),
  pinned(
    "yaml_xml",
    "YAML: scalars by the schema",
    "<set>\n  count: 5\n  note: null\n  plain: 0042 # note\n  either: x\n</set>",
    {
      calls: [{ name: "set", arguments: { count: 5, note: null, plain: "0042", either: "x" } }],
      text: "",
    },
  ),
  pinned(
    "yaml_xml",
    "YAML: collections of all kinds",
    "<set>\ntags: [x, 'y z']\noptions:\n  k:\n  - 1\n  - l: true\n    m: {n: ~}\n</set>",
    {
      calls: [{ name: "set", arguments: { tags: ["x", "y z"], options: { k: [1, { l: true, m: { n: null } }] } } }],
      text: "",
    },
  ),
  pinned("yaml_xml", "YAML: a block of text", "<write>\npath: p\ncontent: |-\n  <b>\n    c: 1\n\n  # d\n</write>", {
    calls: [write("p", "<b>\n  c: 1\n\n# d")],
    text: "",
  }),
  pinned(
    "yaml_xml",
    "V3: the closing tag in YAML stands on a line of its own",
    '<write>\n  path: "p </write> q"\n  content: |\n    </write>\n    see </write> so\n  </write>\nThen',
    { calls: [write("p </write> q", "</write>\nsee </write> so\n")], text: "Then" },
  ),
  pinned("yaml_xml", "YAML: CR LF", "<write>\r\npath: p\r\ncontent: c\r\n</write>", {
    calls: [write("p", "c")],
    text: "",
  }),
  {
    ...pinnedText("yaml_xml", "V3: an unclosed quote in YAML", '<write>\npath: p\ncontent: "x\n</write>'),
    expect: { calls: [], text: '<write>\npath: p\ncontent: "x\n</write>', outcomes: ["malformed"] },
  },
  ...["cline", "morph_xml"].map((dialect) =>
    called(
      `R8: YAML where ${dialect} is pinned, too`,
      "<a>\nb: x\n</a>",
      { calls: [a("x")], text: "" },
      { options: { dialects: [dialect, "yaml_xml"] } },
    ),
  ),
  pinnedText("yaml_xml", "YAML: a key that is none of the tool's", "<a>\nkey: 1\n</a>"),
  {
    ...pinnedText("yaml_xml", "YAML: what is none", "<a>\nb: 1\n c\nno yaml\n</a>"),
    expect: { calls: [], text: "<a>\nb: 1\n c\nno yaml\n</a>", outcomes: ["malformed"] },
  },
  {
    rule: "T2: an element of a tool that is cut",
    input: "<a>\n<b>1</b>\n</",
    modes: FM,
    options: { dialects: ["cline"] },
    upstreamFinish: "length",
    expect: { calls: [], text: "<a>\n<b>1</b>\n</", finish: "length" },
    but: [{ levels: EARLY, expect: { calls: [], text: "", open: { name: "a", prefix_of: '{"b":"1"' } } }],
  },
];
