import type { Json } from "../../../../src/conversation.ts";
import type { RuleCase } from "./rule-case.ts";
import { a, block, EARLY } from "./rule-case.ts";

/** One bare or CDATA value of a string parameter. */
const string = (rule: string, written: string, meant: string): RuleCase => ({
  rule,
  input: block(written),
  expect: { calls: [a(meant)], text: "", finish: "tool" },
});

/** Parameters of the tool `set`, and the arguments as JSON text. */
const typed = (rule: string, parameters: [name: string, written: string][], json: string): RuleCase => ({
  rule,
  input: `<tool_calls><invoke name="set">${parameters
    .map(([name, written]) => `<parameter name="${name}">${written}</parameter>`)
    .join("\n")}</invoke></tool_calls>`,
  expect: { calls: [{ name: "set", arguments_json: json }], text: "", finish: "tool" },
});

const value = (rule: string, name: string, written: string, meant: Json): RuleCase => ({
  rule,
  input: `<tool_calls><invoke name="set"><parameter name="${name}">${written}</parameter></invoke></tool_calls>`,
  expect: { calls: [{ name: "set", arguments: { [name]: meant } }], text: "" },
});

const untyped = (rule: string, written: string, meant: Json): RuleCase => ({
  rule,
  input: `<tool_calls><invoke name="zz"><parameter name="q">${written}</parameter></invoke></tool_calls>`,
  expect: { calls: [{ name: "zz", arguments: { q: meant } }], text: "" },
});

const write = (path: string, content: string) => ({ name: "write", arguments: { path, content } });

/** Values: rule V. */
export const values: readonly RuleCase[] = [
  string("V1: CDATA is verbatim", "<![CDATA[\n  &amp; \t]]>", "\n  &amp; \t"),
  string("V1: empty CDATA", "<![CDATA[]]>", ""),
  string("V1: an empty parameter", "", ""),

  string("V2: blanks around CDATA", "\n  <![CDATA[x]]>\r\n", "x"),
  string("V2: an end in mid-value", "<![CDATA[m[i[0]]>1 ]]] ]]> ]]>]]>", "m[i[0]]>1 ]]] ]]> ]]>"),
  string("V2: a split end", "<![CDATA[a]]]]><![CDATA[>b]]>", "a]]>b"),
  string("V2: two sections with blanks between", "<![CDATA[one]]>\n <![CDATA[ two]]>", "one two"),
  string("V2: an end and a closer without structure", "<![CDATA[a]]></parameter> b]]>", "a]]></parameter> b"),
  string(
    "V2: a closer and structure without an end",
    "<![CDATA[a</parameter></invoke></tool_calls>]]>",
    "a</parameter></invoke></tool_calls>",
  ),
  string("V2: a mention of the marker", "<![CDATA[a <![CDATA[ b]]>", "a <![CDATA[ b"),
  ...["<![CDATA[", "<![CDATA[ y", "<![CDATA[y]]", '<![CDATA[ <![CDATA[ <invoke name="q"> z'].map((rest) =>
    string(
      `V2: a section that does not close in a bare value is data: ${JSON.stringify(rest)}`,
      `x ${rest}`,
      `x ${rest}`,
    ),
  ),
  string(
    "V2, V3: what a section that is data holds means what it would have meant",
    'x <![CDATA[ y <invoke name="q"> <parameter name="b">z</parameter></invoke> ',
    'x <![CDATA[ y <invoke name="q"> <parameter name="b">z</parameter></invoke> ',
  ),
  {
    rule: "V2, V3: the call's closer behind a section that is data",
    modes: ["feature_match"],
    input: `<tool_calls><invoke name="a"><parameter name="b">x <![CDATA[ y </invoke></tool_calls> and ${block("k")}`,
    expect: { calls: [a("x <![CDATA[ y "), a("k")], text: "and", repairs: ["param-close-missing"], finish: "tool" },
  },
  {
    rule: "V2, V3: the call's closer behind a section that the end of the reply makes data",
    modes: ["feature_match"],
    input: '<invoke name="a"><parameter name="b">x<![CDATA[</invoke>',
    expect: {
      calls: [a("x<![CDATA[")],
      text: "",
      repairs: ["param-close-missing", "wrapper-close-missing"],
      finish: "tool",
    },
  },
  {
    rule: "V2, T3: a section in a bare value that the end cuts",
    upstreamFinish: "length",
    input: '<tool_calls><invoke name="a"><parameter name="b">x<![CDATA[y',
    expect: { calls: [], text: '<tool_calls><invoke name="a"><parameter name="b">x<![CDATA[y', finish: "length" },
    but: [{ levels: EARLY, expect: { calls: [], open: { name: "a", prefix_of: '{"b":"xy' }, text: "" } }],
  },
  string("V4: a line break that closes a section stays", "\nx<![CDATA[y\n]]>", "xy\n"),
  string(
    "V2: a marker behind a parameter's head and a character is a mention",
    "<![CDATA[<parameter>x<![CDATA[y]]>",
    "<parameter>x<![CDATA[y",
  ),
  string(
    "V2: a nested example",
    `<![CDATA[Like: ${block("<![CDATA[z]]>")} so]]>`,
    `Like: ${block("<![CDATA[z]]>")} so`,
  ),
  string(
    "V2: a nested example of two values",
    '<![CDATA[<parameter name="x"> <![CDATA[1]]></parameter><parameter name="y"><![CDATA[2]]></parameter></invoke>]]>',
    '<parameter name="x"> <![CDATA[1]]></parameter><parameter name="y"><![CDATA[2]]></parameter></invoke>',
  ),
  string(
    "V2: a nested example, written with splits",
    `<![CDATA[${block("<![]]><![CDATA[CDATA[z]]]]><![CDATA[>")}]]>`,
    block("<![CDATA[z]]>"),
  ),
  {
    rule: "V2: a comment is structure",
    input: '<tool_calls><invoke name="a"><parameter name="b"><![CDATA[x]]></parameter><!-- y --></invoke></tool_calls>',
    expect: { calls: [a("x")], text: "" },
  },
  {
    rule: "V2: text behind the only end makes it data",
    input: block("<![CDATA[x]]> y"),
    expect: { calls: [], text: block("<![CDATA[x]]> y"), finish: "stop" },
    but: [
      {
        levels: EARLY,
        expect: {
          calls: [],
          open: { name: "a", prefix_of: '{"b":"x]]> y</parameter></invoke></tool_calls>' },
          text: "",
          finish: "length",
        },
      },
    ],
  },
  string("V2: a section in a bare value", "x &lt; <![CDATA[a<b]]> y", "x &lt; a<b y"),
  string("V2: an open section in a bare value", "see <![CDATA[ here", "see <![CDATA[ here"),

  string("V3: a closer without structure", "a </parameter> b", "a </parameter> b"),
  string(
    "V3: a nested example",
    'like <invoke name="x"><parameter name="q">1</parameter><parameter name="r">2</parameter></invoke> so',
    'like <invoke name="x"><parameter name="q">1</parameter><parameter name="r">2</parameter></invoke> so',
  ),
  {
    rule: "V3: behind an invoke a declared name is a look-alike",
    input:
      '<tool_calls><invoke name="write"><parameter name="content">as <invoke name="x"><parameter name="path">y</parameter></invoke> so</parameter><parameter name="path">p</parameter></invoke></tool_calls>',
    expect: {
      calls: [
        {
          name: "write",
          arguments: { content: 'as <invoke name="x"><parameter name="path">y</parameter></invoke> so', path: "p" },
        },
      ],
      text: "",
    },
  },
  {
    rule: "V3: the end tag was missed before another parameter",
    input:
      '<tool_calls><invoke name="write"><parameter name="path">p<parameter name="content">c</parameter></invoke></tool_calls>',
    expect: {
      calls: [],
      text: '<tool_calls><invoke name="write"><parameter name="path">p<parameter name="content">c</parameter></invoke></tool_calls>',
      finish: "stop",
    },
    but: [
      {
        mode: "feature_match",
        expect: { calls: [write("p", "c")], text: "", finish: "tool", repairs: ["param-close-missing"] },
      },
      {
        levels: EARLY,
        expect: { calls: [], open: { name: "write", prefix_of: '{"path":"p' }, text: "", finish: "length" },
      },
    ],
  },

  string("V4: a line break on both sides", "\n  x\n", "  x"),
  string("V4: CR LF is one", "\r\nx\r\n", "x"),
  string("V4: one line break, not two", "\n\nx\n\n", "\nx\n"),
  string("V4: none at the beginning, none taken at the end", "x\n", "x\n"),
  string("V4: blanks before a line break stay", " \nx\n", " \nx\n"),
  string("V4: nothing but a line break", "\n", ""),

  string("V5: escaped text", "a &lt; b &amp;&amp; c &gt; &quot;d&apos;", "a < b && c > \"d'"),
  string("V5: decoded once", "&amp;lt;", "&lt;"),
  string("V5: numeric references", "&#65;&#x1F600;", "A😀"),
  string("V5: a line break before a reference", "\na\n&lt;\n", "a\n<"),
  string("V5: a line break before a section", "\na\n<![CDATA[b\n]]>\n", "a\nb\n"),
  string("V5: a raw angle bracket", "a &lt; b < c", "a &lt; b < c"),
  string("V5: a raw ampersand", "AT&T &lt; b", "AT&T &lt; b"),
  string("V5: an ampersand at the very end", "&lt;&", "&lt;&"),
  string("V5: an unknown name", "&lt;&nbsp;", "&lt;&nbsp;"),
  string("V5: no semicolon", "a &lt b", "a &lt b"),
  ...["&#0;", "&#xD83D;", "&#x110000;", "&#;", "&#x;"].map((bad) =>
    string(`V5: ${bad} begins none`, `&lt;${bad}`, `&lt;${bad}`),
  ),
  string("V5: a reference of 16 characters", "&#x000000000041;", "A"),
  string("V5: one of 17 begins none", "&#x0000000000041;&lt;", "&#x0000000000041;&lt;"),
  string("V5: one of 17 behind a good one", "&lt;&#x0000000000041;", "&lt;&#x0000000000041;"),
  {
    rule: "V5, G1: a reference of 17 characters in an attribute is text, and the name none",
    input: '<tool_calls><invoke name="p&#x0000000000069;ng"/></tool_calls>',
    expect: { calls: [], text: '<tool_calls><invoke name="p&#x0000000000069;ng"/></tool_calls>', finish: "stop" },
  },

  typed("V6: an integer written with a fraction of zero", [["count", "5.0"]], '{"count":5}'),
  typed("V6: a fraction is no integer", [["count", "1.5"]], '{"count":"1.5"}'),
  typed(
    "V6: digits are kept as written",
    [
      ["count", "12345678901234567890"],
      ["ratio", "0.10"],
      ["options", '{"id": 9007199254740993}'],
    ],
    '{"count":12345678901234567890,"ratio":0.10,"options":{"id": 9007199254740993}}',
  ),
  typed("V6: a number with blanks around it", [["count", "\n 7 \n"]], '{"count":7}'),
  typed("V6: no JSON number", [["count", "007"]], '{"count":"007"}'),
  typed("V6: a boolean in any case", [["on", "FALSE"]], '{"on":false}'),
  typed("V6: no boolean", [["on", "yes"]], '{"on":"yes"}'),
  typed("V6: null where it is not allowed", [["count", "null"]], '{"count":"null"}'),
  typed(
    "V6: null where it is allowed",
    [
      ["note", "null"],
      ["limit", " null\n"],
    ],
    '{"note":null,"limit":null}',
  ),
  typed("V6: no null but a beginning of it", [["note", "nullify"]], '{"note":"nullify"}'),
  typed("V6: CDATA is a string where one is allowed", [["note", "<![CDATA[null]]>"]], '{"note":"null"}'),
  typed("V6: CDATA is parsed where no string is allowed", [["count", "<![CDATA[3]]>"]], '{"count":3}'),
  ...["0042", "true", "null", '{"a":1}', " x "].map((plain) =>
    typed(`V6: a string stays ${JSON.stringify(plain)}`, [["plain", plain]], JSON.stringify({ plain })),
  ),
  typed("V6: a union with string takes the other member for a whole text", [["either", "4"]], '{"either":4}'),
  typed("V6: a union with string takes string for the rest", [["either", "4 or 5"]], '{"either":"4 or 5"}'),
  typed("V6: a union with string takes CDATA as a string", [["either", "<![CDATA[4]]>"]], '{"either":"4"}'),
  typed("V6: a JSON array", [["tags", '["a","b"]']], '{"tags":["a","b"]}'),
  value("V6: a Python list", "tags", `['a', "it's"]`, ["a", "it's"]),
  value("V6: a Python dict", "options", "{'k': None, 'ok': True}", { k: null, ok: true }),
  value("V6: nested elements", "options", "<k>1</k><l><item>x</item><item>2</item></l>", { k: 1, l: ["x", 2] }),

  untyped("V7: a JSON literal", "5", 5),
  untyped("V7: a JSON string", '"q"', "q"),
  untyped("V7: a JSON object", '{"a":[1]}', { a: [1] }),
  untyped("V7: anything else", "[1,", "[1,"),
  untyped("V7: CDATA is a string", "<![CDATA[5]]>", "5"),
  untyped("V7: elements", "<x>1</x><y>two</y>", { x: 1, y: "two" }),

  typed(
    "V8: adjacent repeats of an array's parameter are its items",
    [
      ["tags", "a"],
      ["tags", "<![CDATA[b]]>"],
      ["plain", "p"],
      ["tags", "c"],
    ],
    '{"tags":["a","b"],"plain":"p"}',
  ),
  typed(
    "V8: the first of two numbers stands",
    [
      ["count", "1"],
      ["count", "2"],
    ],
    '{"count":1}',
  ),
  typed(
    "V8: the first of two arrays stands",
    [
      ["tags", '["a"]'],
      ["tags", '["b"]'],
    ],
    '{"tags":["a"]}',
  ),
  {
    rule: "V10: a key that would reach a prototype",
    input: '<tool_calls><invoke name="a"><parameter name="__proto__">x</parameter></invoke></tool_calls>',
    expect: {
      calls: [{ name: "a", arguments_json: '{"__proto__":"x"}' }],
      calls_alt: [[{ name: "a", arguments_json: "{}" }]],
      text: "",
    },
  },
];
