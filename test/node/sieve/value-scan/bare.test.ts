import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SIEVE_LIMITS } from "../../../../src/limits.ts";
import { decide, decideAtEnd, holdsLaws, readMark } from "../scan-law.ts";
import { soupOf } from "../values/damage.ts";
import { type Rules, valueTrial } from "./value-trial.ts";

/** In a marked value `|` stands where scanning goes on. */
type Row = [rule: string, marked: string, text: string];

const END = "</parameter>|</invoke>";

describe("a bare value ends at its closing tag with structure behind it (sieve.md V3)", () => {
  test.each<Row>([
    ["the call's closer", `x${END}`, "x"],
    ["the next parameter", 'x</parameter>|<parameter name="b">', "x"],
    ["the next call", 'x</parameter>|<invoke name="b">', "x"],
    ["the wrapper's closer", "x</parameter>|</tool_calls>", "x"],
    ["a comment", "x</parameter>|<!-- c -->", "x"],
    ["blanks between", "x</parameter>\r\n\t |</invoke>", "x"],
    ["blanks in the tag", "x</parameter \n>|</invoke>", "x"],
    ["case", "x</PARAMETER>|</INVOKE>", "x"],
    ["a head that needs its own end", "x</parameter>|</invoke\n>", "x"],
    ["nothing at all", `${END}`, ""],
    ["blanks alone", ` \t${END}`, " \t"],
    ["no blank is trimmed", `  x y \n${END}`, "  x y \n"],
    ["other text behind it", `x</parameter> y${END}`, "x</parameter> y"],
    ["another tag behind it", `x</parameter><p>${END}`, "x</parameter><p>"],
    ["a longer name behind it", `x</parameter></invoked>${END}`, "x</parameter></invoked>"],
    ["a CDATA section behind it", `x</parameter><![CDATA[${END}`, "x</parameter><![CDATA["],
    ["an attribute in the closer", `x</parameter y>${END}`, "x</parameter y>"],
    ["a slash in the closer", `x</parameter/>${END}`, "x</parameter/>"],
    ["a closer of its own behind a look-alike", `x</parameter></parameter>|</invoke>`, "x</parameter>"],
    ["a longer name", `x</parameters>${END}`, "x</parameters>"],
    ["half a closer", `x</para ${END}`, "x</para "],
    ["raw angles", `a < b <<> c${END}`, "a < b <<> c"],
    ["other markup", `<p a="</p>">${END}`, '<p a="</p>">'],
    ["a comment is data", `<!-- </parameter> -->${END}`, "<!-- </parameter> -->"],
  ])("%s", (_rule, marked, text) => expectValue(marked, text));
});

describe("look-alikes of a head balance (V3)", () => {
  const head = '<parameter name="q">';

  test.each<Row>([
    ["one", `${head}y</parameter></invoke>${END}`, `${head}y</parameter></invoke>`],
    ["its closer needs no structure", `${head}y</parameter> so${END}`, `${head}y</parameter> so`],
    ["two", `${head}${head}y</parameter></parameter>${END}`, `${head}${head}y</parameter></parameter>`],
    ["a self-closing one raises nothing", `<parameter name="q"/>${END}`, '<parameter name="q"/>'],
    ["one without a name", `<parameter>y</parameter>${END}`, "<parameter>y</parameter>"],
    ["one that breaks off", `<parameter x <y${END}`, "<parameter x <y"],
    ["one that breaks off at another", `<parameter ${head}y</parameter>${END}`, `<parameter ${head}y</parameter>`],
    ["one that breaks off at the closer", `<parameter ${END}`, "<parameter "],
    [
      "a whole call",
      `<invoke name="a">${head}y</parameter></invoke>${END}`,
      `<invoke name="a">${head}y</parameter></invoke>`,
    ],
  ])("%s", (_rule, marked, text) => expectValue(marked, text));

  test("a head is as long as a tag may be, then it is data and raises nothing", () => {
    const long = `<parameter x="${"y".repeat(SIEVE_LIMITS.tag)}">`;
    expectValue(`${long}${END}`, long);
  });
});

describe("a missed closer (V3, `param-close-missing`)", () => {
  const next = '<parameter name="b">';
  const mends: Rules = { missed: ["b"], callCloses: true };

  test.each<[rule: string, rules: Rules, marked: string, text: string, ending: string]>([
    ["the head of a parameter that is still to come", mends, `x|${next}`, "x", "at-head"],
    ["with a line break before it", mends, `\nx\n|${next}`, "x", "at-head"],
    ["at once", mends, `|${next}`, "", "at-head"],
    ["in another case", mends, `x|<PARAMETER NAME='b'>`, "x", "at-head"],
    [
      "of another parameter",
      mends,
      `<parameter name="c">x</parameter>${END}`,
      '<parameter name="c">x</parameter>',
      "closed",
    ],
    ["self-closing", mends, `x<parameter name="b"/>${END}`, 'x<parameter name="b"/>', "closed"],
    [
      "inside a look-alike",
      mends,
      `<parameter name="c">${next}</parameter></parameter>${END}`,
      `<parameter name="c">${next}</parameter></parameter>`,
      "closed",
    ],
    [
      "behind a call in the value",
      mends,
      `<invoke x>${next}</parameter>${END}`,
      `<invoke x>${next}</parameter>`,
      "closed",
    ],
    ["the call's closer", mends, "x|</invoke></tool_calls>", "x", "at-call-close"],
    ["the call's closer with blanks", mends, "x|</invoke \n> \n</tool_calls>", "x", "at-call-close"],
    ["the call's closer without structure", mends, `x</invoke> y${END}`, "x</invoke> y", "closed"],
    [
      "the call's closer before the value's own",
      mends,
      `x</invoke></parameter>${END}`,
      "x</invoke></parameter>",
      "closed",
    ],
    [
      "the call's closer in a look-alike",
      mends,
      `<parameter name="c"></invoke></invoke></parameter>${END}`,
      '<parameter name="c"></invoke></invoke></parameter>',
      "closed",
    ],
    [
      "the call's closer behind a call in the value",
      mends,
      `<invoke x></invoke></invoke>${END}`,
      "<invoke x></invoke></invoke>",
      "closed",
    ],
    ["the call's closer where nothing is mended", {}, `x</invoke></invoke>${END}`, "x</invoke></invoke>", "closed"],
  ])("%s", (_rule, rules, marked, text, ending) => expectValue(marked, text, { rules, ending }));

  test("the tag that ends the value goes back whole", () => {
    expect(decide(`x${next}`, valueTrial(mends)).back).toBe(next);
    expect(decide("x</invoke> </tool_calls>", valueTrial(mends)).back).toBe("</invoke> </tool_calls>");
  });
});

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
  ])("%s", (_rule, marked, text) => expectValue(marked, text));
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
  ])("%s", (_rule, marked, text) => expectValue(marked, text));

  test("so much is held for them, then nothing is decoded", () => {
    const value = (length: number) => `&lt;${"x".repeat(length - "&lt;".length)}`;
    const { entities: cap } = SIEVE_LIMITS;
    expectValue(`${value(cap)}${END}`, `<${value(cap).slice(4)}`);
    expectValue(`${value(cap + 1)}${END}`, value(cap + 1));
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
    expectValue(marked, text);
    expect(decide(readMark(marked).input, valueTrial()).facts.written).toBe(written);
  });

  test("so much is held for one, then its marker is data", () => {
    const { section: cap } = SIEVE_LIMITS;
    const content = (held: number) => "x".repeat(held - "]]>".length);
    expectValue(`a<![CDATA[${content(cap)}]]>${END}`, `a${content(cap)}`);
    expectValue(`a<![CDATA[${content(cap + 2)}]]>${END}`, `a<![CDATA[${content(cap + 2)}]]>`);
  });
});

describe("the end of the reply", () => {
  test.each<[rule: string, input: string, ending: string, text: string]>([
    ["a closer that stands last is one", "x</parameter>", "closed", "x"],
    ["with blanks behind it", "x</parameter > \n", "closed", "x"],
    ["with half of what follows", "x</parameter> </inv", "closed", "x"],
    ["a closer without its end is none", "x</parameter", "cut", "x"],
    ["no closer", "x", "cut", "x"],
    ["nothing", "", "cut", ""],
    ["a closer that a section hid", "a<![CDATA[b</parameter>", "closed", "a<![CDATA[b"],
  ])("%s", (_rule, input, ending, text) => {
    const { facts } = decideAtEnd(input, valueTrial());
    expect(facts).toMatchObject({ ending, text, closed: ending === "closed" });
  });

  test("half of what follows goes back", () => {
    expect(decideAtEnd("x</parameter> </inv", valueTrial())).toMatchObject({ taken: "x</parameter> ", back: "</inv" });
  });

  test("the call's closer counts where the mode allows it", () => {
    expect(decideAtEnd("x</invoke>", valueTrial({ callCloses: true })).facts.ending).toBe("at-call-close");
    expect(decideAtEnd("x</invoke>", valueTrial()).facts.ending).toBe("cut");
  });
});

describe("blanks are judged up to a cap", () => {
  const blanks = (length: number) => " ".repeat(length);
  const { blanks: cap } = SIEVE_LIMITS;

  test("behind a possible closer", () => {
    expectValue(`x</parameter>${blanks(cap)}|</invoke>`, "x");
    expectValue(`x</parameter>${blanks(cap + 1)}</invoke>${END}`, `x</parameter>${blanks(cap + 1)}</invoke>`);
  });

  test("in front of a section; with more of them the value does not begin with one", () => {
    const section = `<![CDATA[x]]>${END}`;
    expect(decide(readMark(blanks(cap) + section).input, valueTrial()).facts).toMatchObject({
      origin: "cdata",
      text: "x",
    });
    expectValue(blanks(cap + 1) + section, `${blanks(cap + 1)}x`);
  });
});

describe("laws", () => {
  const pieces = [
    "x",
    " ",
    "\n",
    "<",
    ">",
    "</parameter>",
    "</parameter ",
    '<parameter name="b">',
    "<parameter ",
    "<invoke ",
    "</invoke>",
    "</tool_calls>",
    "<!--",
  ];
  const everything = soupOf([...pieces, "&lt;", "&", "<![CDATA[", "]]>", "]"], 12);
  const mends: Rules = { missed: ["b"], callCloses: true };

  test.each([
    ["nothing mended", {}],
    ["missed closers mended", mends],
  ])("every chunking and every end, %s", (_mode, rules) => {
    fc.assert(
      fc.property(everything, (text) => holdsLaws(text, valueTrial(rules))),
      { numRuns: 150 },
    );
  });

  test("without entities, sections and a first line break a value is what stands before its closer", () => {
    const law = fc.property(soupOf(pieces, 14), (text) => {
      const input = `x${text}</parameter></invoke>`;
      const { taken, facts } = decide(input, valueTrial());
      if (facts.ending === undefined) return;
      expect(taken.startsWith(facts.text)).toBe(true);
      expect(taken.slice(facts.text.length)).toMatch(/^<\/parameter[ \t\r\n]*>[ \t\r\n]*$/i);
    });
    fc.assert(law, { numRuns: 500 });
  });

  test("as long as it is undecided, what is out and what is held are all that came", () => {
    const law = fc.property(soupOf(pieces, 14), (text) => {
      const input = `x${text}`;
      const { decided, facts } = decide(input, valueTrial());
      if (!decided) expect(facts.text.length + facts.held).toBe(input.length);
    });
    fc.assert(law, { numRuns: 500 });
  });
});

function expectValue(
  marked: string,
  text: string,
  { rules = {}, ending = "closed" }: { rules?: Rules; ending?: string } = {},
) {
  const { input, taken } = readMark(marked);
  const decision = decide(input, valueTrial(rules));
  expect(decision.facts.ending).toBe(ending);
  expect(decision.taken === taken, `goes on behind ${decision.taken.slice(-60)}`).toBe(true);
  expect(decision.facts.text === text, decision.facts.text.slice(0, 200)).toBe(true);
  expect(decision.facts).toMatchObject({ origin: "bare", closed: true });
  if (input.length < 200) holdsLaws(input, valueTrial(rules));
}
