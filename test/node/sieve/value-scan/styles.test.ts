import { describe, expect, test } from "vitest";
import { type Head, mark, tag } from "../../../../src/sieve/notation.ts";
import { compileMarks, type TextStyle } from "../../../../src/sieve/value-scan/marks.ts";
import { decide, decideAtEnd, holdsLaws, readMark } from "../scan-law.ts";
import { valueTrial } from "./value-trial.ts";

const TAGS = {
  opens: [tag("<parameter"), { ...mark("<parameter="), syntax: { equals: true } } as const],
  closes: ["</parameter", "</param"].map(tag),
  callCloses: [tag("</function")],
};
const styled = (style: TextStyle) => compileMarks({ ...TAGS, style });

/** Values whose marks are exact, and whose heads end in one; without the bars that such have, as those mark places here. */
const head: Head = { ...tag("<~open~>arg"), syntax: { name: "key", end: "<~sep~>" } };
const exact = compileMarks({
  opens: [head],
  closes: [mark("<~close~>arg<~sep~>")],
  callCloses: [mark("<~close~>call<~sep~>")],
  style: "verbatim",
});

const END = "</parameter>|</function>";

describe("what the text of a value is taken for (sieve.md V2, V4, V5)", () => {
  test.each<[style: TextStyle, marked: string, text: string]>([
    ["markup", `\n a&amp;<![CDATA[b]]>\n${END}`, " a&amp;b"],
    ["lines", `\n a&amp;<![CDATA[b]]>\n${END}`, " a&amp;<![CDATA[b]]>"],
    ["verbatim", `\n a&amp;<![CDATA[b]]>\n${END}`, "\n a&amp;<![CDATA[b]]>\n"],
    ["markup", `&lt;${END}`, "<"],
    ["lines", `&lt;${END}`, "&lt;"],
    ["lines", `x\n${END}`, "x\n"],
    ["lines", `\r\n\r\nx\r\n\r\n${END}`, "\r\nx\r\n"],
    ["verbatim", `\n${END}`, "\n"],
  ])("%s, %j", (style, marked, text) => expectText(marked, text, styled(style)));

  test.each<TextStyle>(["markup", "lines", "verbatim"])("%s: a CDATA value is one", (style) => {
    const { input } = readMark(`\n<![CDATA[\na&amp;]]>\n${END}`);
    expect(decide(input, valueTrial({}, styled(style))).facts).toMatchObject({ origin: "string", text: "\na&amp;" });
  });
});

describe("marks of several spellings (V3)", () => {
  test.each<[rule: string, marked: string, text: string]>([
    ["another closer", "x</param>|</function>", "x"],
    ["a head with an equals sign balances", `<parameter=q>y</param> z${END}`, "<parameter=q>y</param> z"],
    ["and with an attribute", `<parameter name="q">y</parameter> z${END}`, '<parameter name="q">y</parameter> z'],
    ["one that closes itself raises nothing", `<parameter=q/>${END}`, "<parameter=q/>"],
    ["one that breaks off", `<parameter=q${END}`, "<parameter=q"],
    ["one is structure", "x</parameter>|<parameter=q>", "x"],
  ])("%s", (_rule, marked, text) => expectText(marked, text, styled("verbatim")));
});

describe("exact marks", () => {
  const close = "<~close~>arg<~sep~>";
  const end = `${close}|<~close~>call<~sep~>`;

  test.each<[rule: string, marked: string, text: string]>([
    ["a closer with structure behind it", `x${end}`, "x"],
    ["blanks between", `x${close}\n |<~close~>call<~sep~>`, "x"],
    ["the next head", `x${close}|<~open~>arg key="b"<~sep~>`, "x"],
    ["other text behind it", `x${close} y${end}`, `x${close} y`],
    ["half a closer", `x<~close~>arg<~se ${end}`, "x<~close~>arg<~se "],
    ["a head balances", `<~open~>arg key="q"<~sep~>y${close}z${end}`, `<~open~>arg key="q"<~sep~>y${close}z`],
    [
      "one that breaks off at another",
      `<~open~>arg <~open~>arg <~sep~>y${close}${end}`,
      `<~open~>arg <~open~>arg <~sep~>y${close}`,
    ],
    ["one that breaks off in its end", `<~open~>arg key="q"<~s${end}`, '<~open~>arg key="q"<~s'],
  ])("%s", (_rule, marked, text) => expectText(marked, text, exact));

  test("a closer at the end of the reply", () => {
    expect(decideAtEnd(`x${close}`, valueTrial({}, exact)).facts).toMatchObject({ ending: "closed", text: "x" });
  });

  test("a closer in CDATA", () => {
    const { input, taken } = readMark(`<![CDATA[a${close}]]>b]]>${end}`);
    const decision = decide(input, valueTrial({}, exact));
    expect(decision).toMatchObject({ taken, facts: { origin: "string", text: `a${close}]]>b` } });
    holdsLaws(input, valueTrial({}, exact));
  });
});

function expectText(marked: string, text: string, marks: ReturnType<typeof compileMarks>) {
  const { input, taken } = readMark(marked);
  const decision = decide(input, valueTrial({}, marks));
  expect(decision).toMatchObject({ taken, facts: { ending: "closed", origin: "bare", text, closed: true } });
  holdsLaws(input, valueTrial({}, marks));
}
