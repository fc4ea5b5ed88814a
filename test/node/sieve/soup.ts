import fc from "fast-check";
import type { SieveOptions } from "./run.ts";

/** Texts for the laws: near the notation, so that every state is reached, and often a little wrong. */

type Text = fc.Arbitrary<string>;

/** One of the words of a line; a word that holds blanks is given on its own. */
const words = (line: string, ...more: string[]): Text => fc.constantFrom(...line.split(" "), ...more);
const joined = (pieces: Text, maxLength: number): Text => fc.array(pieces, { maxLength }).map((all) => all.join(""));
const inside = (before: string, text: Text, after: string): Text => text.map((inner) => before + inner + after);
const mostly = (usual: Text, rare: Text): Text =>
  fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: rare });
const mixed = (...weighted: [weight: number, text: Text][]): Text =>
  fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })));

const tag = (name: string) =>
  fc.constantFrom(
    `<${name}>`,
    `</${name}>`,
    `</${name}\n>`,
    `<${name}/>`,
    `<${name} x="a>b">`,
    `<${name.toUpperCase()}>`,
  );

const head = (name: string, value: Text) =>
  fc
    .tuple(value, words('" " \''), mostly(fc.constant(">"), words("/> ", " >")))
    .map(([text, quote, end]) => `<${name} name=${quote}${text}${quote}${end}`);

const invokeHead = head("invoke", mostly(words("a a set ping"), words("PING zz $X &#97; ", " a ")));
const parameterHead = head("parameter", mostly(words("b b count tags note options any"), words("zz B ")));

const blank = fc.constantFrom("", "", " ", "\n", "\r\n", "\t", "  \n");
const word = words('x null nul true 5 1.50 [1,2] {"k":1} 日本 é 👩‍👩‍👧 \ud83d \udc69', "the plan");
const mark = words('<![CDATA[ ]]> ]] ] <!-- --> < > / & &amp; &lt &#128640; &#xD800; " = <item> </item>');
const markdown = fc.constantFrom(
  "`",
  "``",
  "```",
  "\n```\n",
  "\n```xml\n",
  "\n~~~\n",
  "\n> ",
  "\n- ",
  "\n1. ",
  "\n    ",
);
const channel = words("<think> </think> <tool_results> <tool_response> <tool_call </tool_c");

const token = mixed(
  [4, tag("tool_calls")],
  [3, tag("invoke")],
  [3, tag("parameter")],
  [6, invokeHead],
  [6, parameterHead],
  [5, word],
  [5, mark],
  [4, blank],
  [3, markdown],
  [1, channel],
);
const soup = joined(token, 40);

const value = fc.oneof(
  joined(fc.oneof(word, blank, mark), 6),
  inside("<![CDATA[", joined(fc.oneof(word, blank, mark, markdown, tag("parameter"), parameterHead), 8), "]]>"),
  words("null [1] &lt;b&gt; <item>x</item><item>2</item>", " 5.0 ", "{'k': None}", ""),
);
const element = (open: Text, inner: Text, close: string) =>
  fc.tuple(open, inner, blank).map(([before, text, after]) => before + text + close + after);
const parameter = element(parameterHead, value, "</parameter>");
const invoke = element(invokeHead, joined(parameter, 3), "</invoke>");

/** A whole block, right or nearly so. */
const block = element(inside("<tool_calls>", blank, ""), joined(invoke, 3), "</tool_calls>");

/** One token put in, or a few characters cut out, anywhere. */
const mutated = (text: Text): Text =>
  fc.tuple(text, fc.nat(), fc.nat(12), fc.oneof(token, fc.constant(""))).map(([whole, at, length, piece]) => {
    const start = at % (whole.length + 1);
    return whole.slice(0, start) + piece + whole.slice(start + length);
  });

const section = mixed(
  [5, block],
  [4, mutated(block)],
  [2, joined(fc.oneof(word, blank, markdown), 6)],
  [1, invoke],
  [1, inside("", invoke, "</tool_calls>")],
  [1, inside("\n```xml\n", block, "\n```\n")],
  [1, inside("`", block, "`")],
  [1, inside("<think>", fc.oneof(block, soup), "</think>")],
  // An example in the data of a call.
  [
    1,
    inside(
      '<tool_calls><invoke name="a"><parameter name="b"><![CDATA[',
      block,
      "]]></parameter></invoke></tool_calls>",
    ),
  ],
);

export const modelText = mixed([1, soup], [2, joined(section, 4)], [1, mutated(joined(section, 4))]);

const text = { type: "string" };
const properties = {
  count: { type: "integer" },
  tags: { type: "array", items: text },
  note: { type: ["string", "null"] },
  options: { type: "object" },
  any: {},
};
const tools: SieveOptions["tools"] = [
  { name: "a", parameters: { type: "object", properties: { b: text } } },
  { name: "ping" },
  { name: "set", parameters: { type: "object", properties } },
];

/** Most settings are left out most of the time. */
const rarely = <T>(...values: T[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...values) });

export const options: fc.Arbitrary<Omit<SieveOptions, "earlyEmit">> = fc
  .record({
    mode: mostly(fc.constantFrom("canonical", "feature_match"), fc.constant("off")),
    startsInReasoning: rarely(true),
    undeclared: rarely("text"),
    malformed: rarely("drop"),
    reasoningCalls: rarely("never"),
    afterCalls: rarely("end"),
    gatewayStop: rarely(["</tool_calls>"], ["</invoke>"]),
    maxCalls: rarely(1, 2),
  })
  .map((chosen) => ({ tools, ...withoutUndefined(chosen) }) as Omit<SieveOptions, "earlyEmit">);

const withoutUndefined = (record: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
