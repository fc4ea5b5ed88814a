import { describe, expect, test } from "vitest";
import { SIEVE_LIMITS } from "../../../../src/limits.ts";
import { decide, readMark } from "../scan-law.ts";
import { expectBare, valueTrial } from "./value-trial.ts";

/** What becomes of a bare value's text: in a marked value `|` stands where scanning goes on. */
type Row = [rule: string, marked: string, text: string];

const END = "</parameter>|</invoke>";

describe("line breaks (V4)", () => {
  test.each<Row>([
    ["one at the beginning and one at the end", `\nx\n${END}`, "x"],
    ["CRLF is one", `\r\nx\r\n${END}`, "x"],
    ["only one of several", `\n\nx\n\n${END}`, "\nx\n"],
    ["none at the beginning, none is cut at the end", `x\n${END}`, "x\n"],
    ["blanks before the first", ` \nx\n${END}`, " \nx\n"],
    ["blanks behind the last", `\nx\n ${END}`, "x\n "],
    ["a lone CR is none", `\rx\r${END}`, "\rx\r"],
    ["a lone CR at the end", `\nx\r${END}`, "x\r"],
    ["nothing between", `\n${END}`, ""],
    ["nothing between two", `\n\n${END}`, ""],
    ["before a look-alike it stays", `\nx\n</parameter>\ny${END}`, "x\n</parameter>\ny"],
  ])("%s", (_rule, marked, text) => expectBare(marked, text));
});

describe("entities (V5)", () => {
  test.each<Row>([
    ["the five names", `&lt;&gt;&amp;&quot;&apos;${END}`, `<>&"'`],
    ["numbers", `&#65;&#x1F600;${END}`, "A😀"],
    ["decoded once", `&amp;lt;${END}`, "&lt;"],
    ["a raw angle before them", `< &lt;${END}`, "< &lt;"],
    ["a raw angle behind them", `&lt; <${END}`, "&lt; <"],
    ["a look-alike behind them", `&lt;</parameter> y${END}`, "&lt;</parameter> y"],
    ["a bad ampersand before them", `& &lt;${END}`, "& &lt;"],
    ["a bad ampersand behind them", `&lt; &nbsp;${END}`, "&lt; &nbsp;"],
    ["an ampersand behind an ampersand", `&&lt;${END}`, "&&lt;"],
    ["a reference that the value's end cuts", `&lt;&am${END}`, "&lt;&am"],
    ["a line break at the end of escaped text", `\n&lt;\n${END}`, "<"],
    ["a line break in escaped text", `\n&lt;\n\n${END}`, "<\n"],
    ["a line break before a reference", `\nx\n&lt;${END}`, "x\n<"],
    ["a raw closing angle is none", `> &lt;${END}`, "> <"],
  ])("%s", (_rule, marked, text) => expectBare(marked, text));

  test("so much is held for them, then nothing is decoded", () => {
    const value = (length: number) => `&lt;${"x".repeat(length - "&lt;".length)}`;
    const { entities: cap } = SIEVE_LIMITS;
    expectBare(`${value(cap)}${END}`, `<${value(cap).slice(4)}`);
    expectBare(`${value(cap + 1)}${END}`, value(cap + 1));
  });
});

describe("sections in a value that begins with none (V2)", () => {
  test.each<[rule: string, marked: string, text: string, written?: string]>([
    ["one is unwrapped", `a<![CDATA[<b>]]>c${END}`, "a<b>c", "a<![CDATA[<b>]]>c"],
    ["an empty one", `a<![CDATA[]]>${END}`, "a", "a<![CDATA[]]>"],
    ["two", `a<![CDATA[b]]><![CDATA[c]]>${END}`, "abc", "a<![CDATA[b]]><![CDATA[c]]>"],
    ["brackets at its end", `a<![CDATA[b]]]]>${END}`, "ab]]", "a<![CDATA[b]]]]>"],
    ["the marker in any case", `a<![cdata[b]]>${END}`, "ab", "a<![cdata[b]]>"],
    ["nothing is decoded around one", `&lt;<![CDATA[b]]>&gt;${END}`, "&lt;b&gt;", "&lt;<![CDATA[b]]>&gt;"],
    ["nothing is decoded in one", `a<![CDATA[&lt;]]>${END}`, "a&lt;", "a<![CDATA[&lt;]]>"],
    ["its line breaks stay", `\na<![CDATA[\nb\n]]>\n${END}`, "a\nb\n", "a<![CDATA[\nb\n]]>"],
    ["one that a closer cuts is data", `a<![CDATA[b${END}`, "a<![CDATA[b"],
    [
      "what stands in one that is data means what it means",
      `a<![CDATA[b</parameter> ]]>${END}`,
      "a<![CDATA[b</parameter> ]]>",
    ],
    [
      "a head cuts one, too",
      `a<![CDATA[<parameter name="q">]]></parameter>${END}`,
      'a<![CDATA[<parameter name="q">]]></parameter>',
    ],
    [
      "a section behind one that is data",
      `a<![CDATA[b</parameter> <![CDATA[c]]>${END}`,
      "a<![CDATA[b</parameter> c",
      "a<![CDATA[b</parameter> <![CDATA[c]]>",
    ],
  ])("%s", (_rule, marked, text, written = text) => {
    expectBare(marked, text);
    expect(decide(readMark(marked).input, valueTrial()).facts.written).toBe(written);
  });

  test("so much is held for one, then its marker is data", () => {
    const { section: cap } = SIEVE_LIMITS;
    const content = (held: number) => "x".repeat(held - "]]>".length);
    expectBare(`a<![CDATA[${content(cap)}]]>${END}`, `a${content(cap)}`);
    expectBare(`a<![CDATA[${content(cap + 2)}]]>${END}`, `a<![CDATA[${content(cap + 2)}]]>`);
  });
});
