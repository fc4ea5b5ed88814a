import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SIEVE_LIMITS } from "../../../../src/limits.ts";
import { decide, decideAtEnd, holdsLaws, readMark } from "../scan-law.ts";
import { soupOf } from "../values/damage.ts";
import { expectCdata, valueTrial } from "./value-trial.ts";

const CDATA = "<![CDATA[";
const CLOSER = "</parameter>|</invoke>";
const END = `]]>${CLOSER}`;
/** A nested opener. */
const NESTED = '<parameter name="q"><![CDATA[';

/** Values behind their first marker; `|` stands where scanning goes on. */
const VALUES: Record<string, [rule: string, marked: string, text: string][]> = {
  "the end (sieve.md V2)": [
    ["`]]>`, the closer and structure", `x${END}`, "x"],
    ["blanks between all of them", "x]]> \n</parameter >\t|</invoke>", "x"],
    ["case", "x]]></PARAMETER>|</INVOKE>", "x"],
    ["any structure", "x]]></parameter>|<!-- c -->", "x"],
    ["the next parameter", 'x]]></parameter>|<parameter name="b">', "x"],
    ["an empty value", END, ""],
    ["nothing is trimmed", `\n x \n${END}`, "\n x \n"],
    ["nothing is decoded", `&lt;${END}`, "&lt;"],
    ["brackets before it", `x]]]${END}`, "x]]]"],
    ["a bracket that is none", `x] ]> ]]${END}`, "x] ]> ]]"],
    ["without the closer it is data", `x]]> y${END}`, "x]]> y"],
    ["without structure it is data", `x]]></parameter> y${END}`, "x]]></parameter> y"],
    ["before another tag it is data", `x]]></parameter><p>${END}`, "x]]></parameter><p>"],
    ["before half of a closer it is data", `x]]></para${END}`, "x]]></para"],
    ["before an odd closer it is data", `x]]></parameter y>${END}`, "x]]></parameter y>"],
    ["an end behind one that was none", `x]]></parameter>${END}`, "x]]></parameter>"],
    ["an end behind an end", `x]]>${END}`, "x]]>"],
    ["a closer without `]]>` is data", `x</parameter></invoke>${END}`, "x</parameter></invoke>"],
    [
      "a whole block is data",
      `<tool_calls><invoke name="a"/></tool_calls>${END}`,
      '<tool_calls><invoke name="a"/></tool_calls>',
    ],
  ],
  "sections joined (V2)": [
    ["two", `a]]>${CDATA}b${END}`, "ab"],
    ["with blanks between", `a]]> \n${CDATA}b${END}`, "ab"],
    ["the marker in any case", `a]]><![cdata[b${END}`, "ab"],
    ["an end written in two", `a]]]]>${CDATA}>b${END}`, "a]]>b"],
    ["a marker written in two", `a<![]]>${CDATA}CDATA[b${END}`, "a<![CDATA[b"],
    ["a joined end never ends the value", `a]]]]>${CDATA}></parameter></invoke>${END}`, "a]]></parameter></invoke>"],
    ["three", `a]]>${CDATA}]]>${CDATA}b${END}`, "ab"],
    ["other text between is data", `a]]>x${CDATA}b${END}`, "a]]>x<![CDATA[b"],
    ["an end right behind the joint", `a]]>${CDATA}${END}`, "a"],
    ["brackets on both sides", `a]]]>${CDATA}]>b${END}`, "a]]>b"],
  ],
  "nested sections (V2)": [
    ["of another notation", `${NESTED}y]]></parameter></call>${END}`, `${NESTED}y]]></parameter></call>`],
    ["split, of another notation", `${NESTED}y]]]]>${CDATA}></parameter><p>${END}`, `${NESTED}y]]></parameter><p>`],
    ["one balances", `${NESTED}y]]></parameter></invoke>${END}`, `${NESTED}y]]></parameter></invoke>`],
    [
      "blanks before its marker",
      `<parameter name="q"> \n${CDATA}y]]></parameter></invoke>${END}`,
      `<parameter name="q"> \n${CDATA}y]]></parameter></invoke>`,
    ],
    [
      "two",
      `${NESTED}${NESTED}y]]></parameter></invoke>]]></parameter></invoke>${END}`,
      `${NESTED}${NESTED}y]]></parameter></invoke>]]></parameter></invoke>`,
    ],
    [
      "written with joined ends",
      `${NESTED}y]]]]>${CDATA}></parameter></invoke>${END}`,
      `${NESTED}y]]></parameter></invoke>`,
    ],
    ["a marker alone is only mentioned", `say ${CDATA} so${END}`, `say ${CDATA} so`],
    ["text between the head and the marker", `<parameter name="q">x${CDATA}y${END}`, `<parameter name="q">x${CDATA}y`],
    ["a self-closing head", `<parameter name="q"/>${CDATA}y${END}`, `<parameter name="q"/>${CDATA}y`],
    ["a head that breaks off", `<parameter x<${CDATA}y${END}`, `<parameter x<${CDATA}y`],
    [
      "a head that breaks off at another",
      `<parameter ${NESTED}y]]></parameter></invoke>${END}`,
      `<parameter ${NESTED}y]]></parameter></invoke>`,
    ],
    ["another tag's head", `<parameters>${CDATA}y${END}`, `<parameters>${CDATA}y`],
    [
      "an end without structure lowers nothing",
      `${NESTED}y]]></parameter> so]]></parameter></invoke>${END}`,
      `${NESTED}y]]></parameter> so]]></parameter></invoke>`,
    ],
    [
      "a joined end without structure lowers nothing",
      `${NESTED}y]]]]>${CDATA}></parameter> so]]></parameter></invoke>${END}`,
      `${NESTED}y]]></parameter> so]]></parameter></invoke>`,
    ],
  ],
};

for (const [title, rows] of Object.entries(VALUES)) {
  describe(title, () => {
    test.each(rows)("%s", (_rule, marked, text) => expectCdata(CDATA + marked, text));
  });
}

describe("how a value begins", () => {
  test.each(["", " ", "\r\n\t ", "\n\n"])("blanks before the first marker are no data: %j", (blanks) => {
    const { input, taken } = readMark(`${blanks}${CDATA} x ${END}`);
    expect(decide(input, valueTrial())).toMatchObject({ taken, facts: { origin: "string", text: " x " } });
  });

  test("the marker in lower case", () => {
    expect(decide(`<![cdata[x${END}`, valueTrial()).facts).toMatchObject({ origin: "string" });
  });

  test.each(["<![CDATA", "<!CDATA[", "<![ CDATA[", "x<![CDATA[", "<<![CDATA["])("%j begins none", (start) => {
    expect(decide(`${start}x </parameter></invoke>`, valueTrial()).facts).toMatchObject({ origin: "bare" });
  });
});

describe("the end of the reply", () => {
  test.each<[rule: string, input: string, ending: string, text: string]>([
    ["behind the closer is as good as structure", "x]]></parameter>", "closed", "x"],
    ["with blanks", "x]]></parameter> \n", "closed", "x"],
    ["with half of what follows", "x]]></parameter></tool_", "closed", "x"],
    ["behind the section alone", "x]]>", "cut", "x"],
    ["in the closer", "x]]></parameter", "cut", "x"],
    ["in the value", "x", "cut", "x"],
    ["in a nested one", `${NESTED}x]]></parameter>`, "cut", `${NESTED}x`],
  ])("%s", (_rule, input, ending, text) => {
    const { facts } = decideAtEnd(CDATA + input, valueTrial());
    expect(facts).toMatchObject({ ending, text, closed: ending === "closed" });
  });

  test("in the first marker", () => {
    expect(decideAtEnd(" <![CDA", valueTrial()).facts).toMatchObject({ ending: "cut", origin: undefined, text: "" });
  });
});

test("blanks behind an end are judged up to a cap", () => {
  const { blanks: cap } = SIEVE_LIMITS;
  const blanks = (length: number) => " ".repeat(length);
  expectCdata(`${CDATA}x]]>${blanks(cap)}</parameter>${blanks(cap)}|</invoke>`, "x");
  const data = `x]]>${blanks(cap + 1)}</parameter></invoke>`;
  expectCdata(CDATA + data + END, data);
});

describe("laws", () => {
  const pieces = [
    "x",
    " ",
    "]",
    "]]",
    ">",
    "]]>",
    "<",
    CDATA,
    NESTED,
    '<parameter name="q">',
    "</parameter>",
    "</invoke>",
    "</parameter ",
    "<![]]>",
  ];

  test("every chunking and every end", () => {
    fc.assert(
      fc.property(soupOf(pieces, 12), (text) => holdsLaws(CDATA + text, valueTrial())),
      { numRuns: 200 },
    );
  });

  test("a value is what stands before its end, less the joints", () => {
    const law = fc.property(soupOf(pieces, 14), (text) => {
      const { decided, taken, facts } = decide(`${CDATA}${text}]]></parameter></invoke>`, valueTrial());
      if (!decided) return;
      const value = /^<!\[CDATA\[(.*)\]\]>[ \t\r\n]*<\/parameter[ \t\r\n]*>[ \t\r\n]*$/is.exec(taken)?.[1];
      expect(facts.text).toBe(value?.replace(/\]\]>[ \t\r\n]*<!\[CDATA\[/gi, ""));
    });
    fc.assert(law, { numRuns: 1_000 });
  });

  test("our own way of writing reads back, whatever the value holds", () => {
    const law = fc.property(soupOf([...pieces, "</tool_calls>", "\n", "&lt;"], 14), (value) => {
      const joint = `]]>${CDATA}`;
      const written = value.replace(/\]\]>|<!\[CDATA\[/g, (mark) => {
        const half = mark === CDATA ? "<![".length : "]]".length;
        return mark.slice(0, half) + joint + mark.slice(half);
      });
      const input = `${CDATA}${written}]]></parameter></invoke>`;
      expect(decide(input, valueTrial()).facts).toMatchObject({ ending: "closed", text: value });
    });
    fc.assert(law, { numRuns: 500 });
  });

  test("as long as it is undecided, what is out and what is held are all that came, joints apart", () => {
    const law = fc.property(soupOf(["x", "]", "]]>", "<", "</parameter>", " ", ">"], 14), (text) => {
      const { decided, facts } = decide(CDATA + text, valueTrial());
      if (!decided) expect(facts.text.length + facts.held).toBe(text.length);
    });
    fc.assert(law, { numRuns: 500 });
  });
});
