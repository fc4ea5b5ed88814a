import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseToolCallsDetailed } from "../../../../src/sieve/index.ts";
import { readElements } from "../../../../src/sieve/values/elements.ts";
import { decodeEntities, decodeEscapedText } from "../../../../src/sieve/values/entities.ts";
import { soupOf } from "./damage.ts";

/** What each reference stands for; undefined where it is none. */
const REFERENCES: [reference: string, value: string | undefined][] = [
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&apos;", "'"],
  ["&#65;", "A"],
  ["&#x41;", "A"],
  ["&#X4a;", "J"],
  ["&#x10FFFF;", "\u{10ffff}"],
  ["&#1114111;", "\u{10ffff}"],
  ["&#x000000000041;", "A"],
  ["&#x0000000000041;", undefined],
  ["&#000000000000065;", undefined],
  ["&#0;", undefined],
  ["&#x0;", undefined],
  ["&#xD800;", undefined],
  ["&#57343;", undefined],
  ["&#x110000;", undefined],
  ["&#99999999999;", undefined],
  ["&AMP;", undefined],
  ["&nbsp;", undefined],
  ["&constructor;", undefined],
  ["&#;", undefined],
  ["&#x;", undefined],
  ["&;", undefined],
  ["&", undefined],
  ["&amp", undefined],
  ["&amp ;", undefined],
];

describe("one definition of a reference (sieve.md V5, G1)", () => {
  const tools = [{ name: "f", parameters: { properties: { p: { type: "string" } } } }];
  const call = (name: string, value: string) =>
    parseToolCallsDetailed(
      `<tool_calls><invoke name="${name}"><parameter name="p">${value}</parameter></invoke></tool_calls>`,
      {
        tools,
        mode: "canonical",
      },
    ).calls[0];

  test.each(REFERENCES)("%s", (reference, value) => {
    const written = `a${reference}b`;
    const read = value === undefined ? written : `a${value}b`;
    expect(decodeEntities(written)).toBe(read);
    expect(decodeEscapedText(written)).toBe(read);
    expect(readElements(`<e>${written}</e>`)?.[0]?.value.text).toBe(read);
    expect(call("f", written)?.input).toEqual({ p: read });
  });

  test("a value reads the same in an element as in a parameter", () => {
    const pieces = [
      "&amp;",
      "&#x41;",
      "&#x0000000000041;",
      "&",
      ";",
      "< ",
      "\n",
      "\r\n",
      "\r",
      " ",
      "x",
      "<![CDATA[&amp;]]>",
    ];
    const texts = soupOf(pieces, 8).filter((text) => !/^\s*<!/.test(text));
    const law = fc.property(texts, (text) => {
      expect(readElements(`<e>${text}</e>`)?.[0]?.value.text).toBe(call("f", text)?.input.p);
    });
    fc.assert(law, { numRuns: 2_000 });
  });
});

describe("decodeEntities: each good one", () => {
  test.each([
    ["beside bad ones", "&lt; & &nbsp; &gt;", "< & &nbsp; >"],
    ["once", "&amp;lt;", "&lt;"],
    ["behind an & that begins none", "&&lt;&a&gt;", "&<&a>"],
  ])("%s", (_rule, text, decoded) => {
    expect(decodeEntities(text)).toBe(decoded);
  });
});

describe("decodeEscapedText: all of them or none", () => {
  test.each([
    ["once", "&amp;lt;", "&lt;"],
    ["a raw > is no fault", "a > b &amp;", "a > b &"],
    ["a raw <", "a < b &amp;", "a < b &amp;"],
    ["an & that begins none", "a & b &lt;", "a & b &lt;"],
    ["a bad one", "&lt;&nbsp;", "&lt;&nbsp;"],
    [
      "as much as a stream holds",
      `${"x".repeat(100)}${"&#65;".padEnd(65_536, "x")}`,
      `${"x".repeat(100)}A${"x".repeat(65_531)}`,
    ],
    ["more than that", "&#65;".padEnd(65_537, "x"), "&#65;".padEnd(65_537, "x")],
  ])("%s", (_rule, text, decoded) => {
    expect(decodeEscapedText(text)).toBe(decoded);
  });
});
