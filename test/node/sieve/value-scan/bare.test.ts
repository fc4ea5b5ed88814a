import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SIEVE_LIMITS } from "../../../../src/limits.ts";
import { decide, decideAtEnd, holdsLaws, readMark } from "../scan-law.ts";
import { soupOf } from "../values/damage.ts";
import { expectBare, type ReadValue, type Rules, valueTrial } from "./value-trial.ts";

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
  ])("%s", (_rule, marked, text) => expectBare(marked, text));
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
  ])("%s", (_rule, marked, text) => expectBare(marked, text));

  test("a head is as long as a tag may be, then it is data and raises nothing", () => {
    const long = `<parameter x="${"y".repeat(SIEVE_LIMITS.tag)}">`;
    expectBare(`${long}${END}`, long);
  });
});

describe("a missed closer (V3, `param-close-missing`)", () => {
  const next = '<parameter name="b">';
  const mends: Rules = { missed: ["b"], callCloses: true };

  test.each<[rule: string, rules: Rules, marked: string, text: string, ending: ReadValue["ending"]]>([
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
  ])("%s", (_rule, rules, marked, text, ending) => expectBare(marked, text, rules, ending));

  test("the tag that ends the value goes back whole", () => {
    expect(decide(`x${next}`, valueTrial(mends)).back).toBe(next);
    expect(decide("x</invoke> </tool_calls>", valueTrial(mends)).back).toBe("</invoke> </tool_calls>");
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
    expectBare(`x</parameter>${blanks(cap)}|</invoke>`, "x");
    expectBare(`x</parameter>${blanks(cap + 1)}</invoke>${END}`, `x</parameter>${blanks(cap + 1)}</invoke>`);
  });

  test("in front of a section; with more of them the value does not begin with one", () => {
    const section = `<![CDATA[x]]>${END}`;
    expect(decide(readMark(blanks(cap) + section).input, valueTrial()).facts).toMatchObject({
      origin: "string",
      text: "x",
    });
    expectBare(blanks(cap + 1) + section, `${blanks(cap + 1)}x`);
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
