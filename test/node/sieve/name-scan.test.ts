import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SIEVE_LIMITS } from "../../../src/limits.ts";
import { LONGEST_NAME, type NameKind, NameScan } from "../../../src/sieve/name-scan.ts";
import { decide, decideAtEnd, holdsLaws, readMark } from "./scan-law.ts";
import { soupOf } from "./values/damage.ts";

/** In a marked text `|` stands where scanning goes on. */
type Row = [rule: string, marked: string, name: string];

describe("the name of a tool (sieve.md N3)", () => {
  test.each<Row>([
    ["letters before a bracket", "get_weather|(", "get_weather"],
    ["before a brace", "f|{", "f"],
    ["before a blank", "f| (", "f"],
    ["every sign that a name may have", "functions.a-b_c:0/d|<", "functions.a-b_c:0/d"],
    ["a digit at its beginning", "2d|(", "2d"],
    ["letters of any script", "天气.été|(", "天气.été"],
    ["a mark that joins a letter", "e\u0301|(", "e\u0301"],
    ["a letter of two halves", "𝑥𝑦|(", "𝑥𝑦"],
    ["another character of two halves", "a|😀(", "a"],
    ["half a pair before a letter", "a|\ud83db", "a"],
    ["half a pair before another one", "a|\ud83d\ud83d", "a"],
    ["the second half alone", "a|\ude00", "a"],
    ["nothing", "|(", ""],
    ["a dollar sign", "|$TOOL", ""],
    ["a pair where the name should begin", "|😀", ""],
    ["blanks", "|  f(", ""],
  ])("%s", (_rule, marked, name) => expectName("tool", false, marked, name));

  test.each<Row>([
    ["none", "f|(", "f"],
    ["all kinds", " \t\r\nf|(", "f"],
    ["and then no name", " \n|(", ""],
    ["and no other ones", "|\u00a0f", ""],
  ])("blanks in front of it: %s", (_rule, marked, name) => expectName("tool", true, marked, name));
});

describe("a key", () => {
  test.each<Row>([
    ["before an equals sign", "city|=", "city"],
    ["before a colon", "city|:3", "city"],
    ["what schemas have in their keys", "$x-api.key_2|=", "$x-api.key_2"],
    ["in quotes it is none", "|'city'", ""],
  ])("%s", (_rule, marked, name) => expectName("key", false, marked, name));
});

describe("caps", () => {
  const name = "x".repeat(LONGEST_NAME);

  test("a longer name is none, and does not go back", () => {
    expectName("tool", false, `${name}|(`, name);
    expectName("tool", false, `${name}x|(`, "");
  });

  test("so many blanks may stand in front, then scanning goes on behind them", () => {
    const blanks = " ".repeat(SIEVE_LIMITS.between);
    expectName("tool", true, `${blanks}f|(`, "f");
    expectName("tool", true, `${blanks} |f(`, "");
  });
});

test.each<Row>([
  ["in a name", "get_wea|", "get_wea"],
  ["in a pair", "a|\ud835", "a"],
  ["before it", "  |", ""],
])("the end of the reply %s", (_rule, marked, name) => {
  const { input, taken } = readMark(marked);
  expect(decideAtEnd(input, nameTrial("tool", true))).toMatchObject({ taken, facts: { name, ended: true } });
});

test("every chunking and every end", () => {
  const texts = soupOf(["a", "_", ":", " ", "(", "é", "\ud835", "\udc65", "😀", "𝑥"], 8);
  const law = fc.property(texts, fc.boolean(), (text, skipsBlanks) => holdsLaws(text, nameTrial("tool", skipsBlanks)));
  fc.assert(law, { numRuns: 150 });
});

function expectName(kind: NameKind, skipsBlanks: boolean, marked: string, name: string) {
  const { input, taken } = readMark(marked);
  const decision = decide(input, nameTrial(kind, skipsBlanks));
  expect(decision.taken.length).toBe(taken.length);
  expect(decision).toMatchObject({ decided: true, facts: { name, ended: false } });
}

function nameTrial(kind: NameKind, skipsBlanks: boolean) {
  return () => {
    const scan = new NameScan(kind, { skipsBlanks });
    return { scan, facts: () => ({ name: scan.name, ended: scan.ended }) };
  };
}
