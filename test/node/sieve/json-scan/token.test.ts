import { describe, expect, test } from "vitest";
import { SIEVE_LIMITS } from "../../../../src/limits.ts";
import { JsonToken } from "../../../../src/sieve/json-scan/token.ts";
import { decide, decideAtEnd, holdsLaws, readMark, type Trial } from "../scan-law.ts";

interface Token {
  kind: JsonToken["kind"];
  text: string;
  quote: string | undefined;
  behindBlanks: boolean;
  ended: boolean;
}

function token(): Trial<Token> {
  const scan = new JsonToken();
  return {
    scan,
    facts: () => {
      const { kind, text, quote, behindBlanks, ended } = scan;
      return { kind, text, quote, behindBlanks, ended };
    },
  };
}

describe("JsonToken", () => {
  test.each<[marked: string, kind: JsonToken["kind"], text: string]>([
    ["{|}", "punctuation", "{"],
    ["}|x", "punctuation", "}"],
    ["[|1", "punctuation", "["],
    ["]|,", "punctuation", "]"],
    [":|", "punctuation", ":"],
    [",|", "punctuation", ","],
    ['"|a"', "quote", '"'],
    ["'|a'", "quote", "'"],
    ["true|,", "word", "true"],
    ["-1.5e+3|}", "word", "-1.5e+3"],
    ["$max_n.0|:", "word", "$max_n.0"],
    ['1|"', "word", "1"],
    ["a|\u00e9", "word", "a"],
    ["a|/", "word", "a"],
    ["a|\t", "word", "a"],
    ["|<", "other", ""],
    ["|\u00a0", "other", ""],
    ["|/", "other", ""],
    ["|\\", "other", ""],
    ["|`", "other", ""],
    ["|@", "other", ""],
    ["|\ud83d\ude00", "other", ""],
    ["|;", "other", ""],
  ])("%j", (marked, kind, text) => {
    for (const blanks of ["", " ", " \t\r\n"]) {
      const { input, taken } = readMark(blanks + marked);
      const decision = decide(input, token);
      expect(decision.taken).toBe(taken.trimStart() === "" ? blanks : taken);
      expect(decision.facts).toMatchObject({ kind, text, behindBlanks: blanks !== "", ended: false });
      expect(decision.facts.quote).toBe(kind === "quote" ? text : undefined);
      holdsLaws(input, token);
    }
  });

  test.each<[what: string, input: string, kind: JsonToken["kind"], text: string]>([
    ["nothing", "", undefined, ""],
    ["blanks", " \n", undefined, ""],
    ["a word", " 12", "word", "12"],
  ])("the reply ends behind %s", (_what, input, kind, text) => {
    expect(decideAtEnd(input, token).facts).toMatchObject({ kind, text, ended: true });
  });

  test("a word may be so long, then it goes back", () => {
    expect(decide(`${"1".repeat(512)} `, token).facts).toMatchObject({ kind: "word" });
    const decision = decide("1".repeat(600), token);
    expect(decision).toMatchObject({ taken: "", facts: { kind: "other", text: "" } });
    expect(decision.back.length).toBe(513);
  });

  test("so many blanks may stand before it, then scanning goes on behind them", () => {
    expect(decide(`${" ".repeat(SIEVE_LIMITS.between)}[`, token).facts.kind).toBe("punctuation");
    const decision = decide(`${" ".repeat(SIEVE_LIMITS.between + 1)}[`, token);
    expect(decision).toMatchObject({ back: "", facts: { kind: "other" } });
    expect(decision.taken.length).toBe(SIEVE_LIMITS.between + 1);
  });
});
