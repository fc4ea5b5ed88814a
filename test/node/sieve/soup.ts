import fc from "fast-check";
import type { SieveOptions } from "./run.ts";

/** Texts for the laws: near the notation, so that every state is reached, and mostly a little wrong. */

const tag = (name: string) =>
  fc.constantFrom(
    ...[
      `<${name}>`,
      `</${name}>`,
      `<${name} >`,
      `</${name}\n>`,
      `<${name}/>`,
      `<${name} x="a>b">`,
      `<${name.toUpperCase()}>`,
    ],
  );

const head = (name: string, names: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom('"', "'"), fc.constantFrom(">", ">", ">", " >", "/>", ""))
    .map(([value, quote, end]) => `<${name} name=${quote}${value}${quote}${end}`);

const invokeHead = head("invoke", ["a", "a", "set", "ping", "PING", "zz", "$X", "", "&#97;"]);
const parameterHead = head("parameter", ["b", "b", "count", "tags", "note", "options", "any", "zz", ""]);

const blank = fc.constantFrom(" ", "\n", "\r\n", "\t", "  \n", "");
const word = fc.constantFrom(
  "x",
  "the plan",
  "null",
  "nul",
  "true",
  "5",
  "1.50",
  "[1,2]",
  '{"k":1}',
  "日本",
  "👩‍👩‍👧",
  "é",
  "\ud83d",
  "\udc69",
);
const mark = fc.constantFrom(
  ...[
    "<![CDATA[",
    "]]>",
    "]]",
    "]",
    "<!--",
    "-->",
    "<",
    ">",
    "/",
    "&",
    "&amp;",
    "&lt",
    "&#128640;",
    "&#xD800;",
    '"',
    "=",
    "<item>",
    "</item>",
  ],
);
const markdown = fc.constantFrom(
  "`",
  "``",
  "```",
  "\n```\n",
  "\n```xml\n",
  "\n~~~\n",
  "\n> ",
  "\n- ",
  "\n    ",
  "\n1. ",
);
const channel = fc.constantFrom("<think>", "</think>", "<tool_results>", "<tool_response>", "<tool_call", "</tool_c");

const token = fc.oneof(
  { weight: 4, arbitrary: tag("tool_calls") },
  { weight: 3, arbitrary: tag("invoke") },
  { weight: 3, arbitrary: tag("parameter") },
  { weight: 6, arbitrary: invokeHead },
  { weight: 6, arbitrary: parameterHead },
  { weight: 5, arbitrary: word },
  { weight: 5, arbitrary: mark },
  { weight: 4, arbitrary: blank },
  { weight: 3, arbitrary: markdown },
  { weight: 2, arbitrary: channel },
);

const joined = (arbitrary: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(arbitrary, { maxLength }).map((pieces) => pieces.join(""));

const soup = joined(token, 40);

const value = fc.oneof(
  joined(fc.oneof(word, blank, mark), 6),
  joined(fc.oneof(word, blank, mark, markdown, tag("parameter"), parameterHead), 8).map(
    (text) => `<![CDATA[${text}]]>`,
  ),
  fc.constantFrom("null", " 5.0 ", "[1]", "{'k': None}", "<item>x</item><item>2</item>", "&lt;b&gt;"),
);

const parameter = fc
  .tuple(parameterHead, value, blank)
  .map(([open, inner, after]) => `${open}${inner}</parameter>${after}`);
const invoke = fc
  .tuple(invokeHead, joined(parameter, 3), blank)
  .map(([open, inner, after]) => `${open}${inner}</invoke>${after}`);

/** A whole block, right or nearly so. */
const block = fc.tuple(blank, joined(invoke, 3)).map(([before, inner]) => `<tool_calls>${before}${inner}</tool_calls>`);

/** One token put in, or one piece cut out, anywhere. */
const mutated = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.nat(), fc.nat(12), fc.oneof(token, fc.constant(""))).map(([whole, at, length, piece]) => {
    const start = at % (whole.length + 1);
    return whole.slice(0, start) + piece + whole.slice(start + length);
  });

const section = fc.oneof(
  { weight: 3, arbitrary: block },
  { weight: 4, arbitrary: mutated(block) },
  { weight: 2, arbitrary: joined(fc.oneof(word, blank, markdown), 6) },
  { weight: 1, arbitrary: invoke },
  { weight: 1, arbitrary: block.map((text) => `\n\`\`\`xml\n${text}\n\`\`\`\n`) },
  { weight: 1, arbitrary: block.map((text) => `\`${text}\``) },
  { weight: 1, arbitrary: fc.oneof(block, soup).map((text) => `<think>${text}</think>`) },
  // An example in the data of a call.
  {
    weight: 1,
    arbitrary: block.map(
      (text) =>
        `<tool_calls><invoke name="a"><parameter name="b"><![CDATA[${text}]]></parameter></invoke></tool_calls>`,
    ),
  },
);

export const modelText = fc.oneof(soup, joined(section, 4), mutated(joined(section, 4)));

const text = { type: "string" };

const tools: SieveOptions["tools"] = [
  { name: "a", parameters: { type: "object", properties: { b: text } } },
  { name: "ping" },
  {
    name: "set",
    parameters: {
      type: "object",
      properties: {
        count: { type: "integer" },
        tags: { type: "array", items: text },
        note: { type: ["string", "null"] },
        options: { type: "object" },
        any: {},
      },
    },
  },
];

/** A setting is often left out, since most meet no rule that they change. */
const rarely = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { freq: 4, nil: undefined });

export const options: fc.Arbitrary<Omit<SieveOptions, "earlyEmit">> = fc
  .record({
    mode: fc.constantFrom("canonical" as const, "feature_match" as const),
    startsInReasoning: rarely(true),
    undeclared: rarely("text" as const),
    malformed: rarely("drop" as const),
    reasoningCalls: rarely("never" as const),
    afterCalls: rarely("end" as const),
    gatewayStop: rarely(["</tool_calls>"], ["</invoke>"]),
    maxCalls: rarely(1, 2),
  })
  .map((all) => ({ tools, ...(JSON.parse(JSON.stringify(all)) as Omit<SieveOptions, "tools" | "earlyEmit">) }));
