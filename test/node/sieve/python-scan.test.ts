import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SIEVE_LIMITS } from "../../../src/limits.ts";
import type { ArgumentRepair } from "../../../src/sieve/argument-scan/argument-value.ts";
import { CALLS_IN_LINES, CALLS_IN_LIST, PassedArguments, pythonValue } from "../../../src/sieve/python-scan.ts";
import type { Origin } from "../../../src/sieve/values/value.ts";
import {
  argumentTrial,
  expectArgument,
  expectArgumentAtEnd,
  expectCut,
  expectStray,
  type Notation,
} from "./argument-scan/argument-trial.ts";
import { expectLinear } from "./argument-scan/linear.ts";
import { decide, holdsLaws } from "./scan-law.ts";
import { soupOf } from "./values/damage.ts";
import { pythonStrings, pythonTexts } from "./values/python-literals.ts";

const inList: Notation = (member) => pythonValue(CALLS_IN_LIST, member);
const inLines: Notation = (member) => pythonValue(CALLS_IN_LINES, member);

const LENIENT: readonly ArgumentRepair[] = ["lenient-quotes"];

/** In a marked text `|` stands where scanning goes on. */
type Row = [rule: string, marked: string, text: string];

describe("a string", () => {
  test.each<Row>([
    ["before another argument", "'x'|, b=1", "x"],
    ["before another argument with blanks", `"x"| ,\n  b = 1`, "x"],
    ["before the end of the arguments in a list", "'x'|)]", "x"],
    ["before another call", "'x'|), get_time(", "x"],
    ["before a call with a dotted name", "'x'|),\na.b-c(", "x"],
    ["before a comma and the end", "'x'|,)]", "x"],
    ["before a list with a comma at its end", "'x'|),]", "x"],
    ["before a mark", "'x'|)<", "x"],
    ["an empty one", "''|)]", ""],
    ["an empty one in three quotes", `""""""|)]`, ""],
    ["blanks in front of it", " \n'x'|)]", "x"],
    ["quotes of the other kind", `'say "x", b="y")]'|)]`, 'say "x", b="y")]'],
    ["three quotes", `'''it's "so"'''|)]`, `it's "so"`],
    ["a quote of its own at its beginning", `""""x" is"""|)]`, '"x" is'],
    ["escapes", String.raw`'\n\t\\\'\"\x41\101\u00e9\U0001F600\0'|)]`, "\n\t\\'\"AAé😀\0"],
    ["a pair of escapes", String.raw`'\ud83d\ude00'|)]`, "😀"],
    ["an octal escape with less than three digits", String.raw`'\7x\78'|)]`, "\x07x\x078"],
    ["an escaped quote before what could be an argument", String.raw`'f(\'a\', b=1)'|)]`, "f('a', b=1)"],
    ["a raw string", String.raw`r'\d\''|)]`, String.raw`\d\'`],
    ["a backslash that escapes nothing", String.raw`'\d+\.'|)]`, String.raw`\d+\.`],
    ["a prefix that says nothing", "u'x'|)]", "x"],
    ["a line that goes on", `"""\\\na"""|)]`, "a"],
    ["another character than ASCII", "'日本 😀'|)]", "日本 😀"],
  ])("%s", (_rule, marked, text) => expectArgument(inList, marked, "string", text));
});

describe("a string without escapes (R22)", () => {
  test.each<Row>([
    ["an apostrophe", "'It's fine'|)]", "It's fine"],
    ["a line break", "'It's fine\nnext line'|)]", "It's fine\nnext line"],
    ["a quotation", `"say "hi" to"|, b=1`, 'say "hi" to'],
    ["a quotation at its beginning", `""hi" he said"|)]`, '"hi" he said'],
    ["a quotation at its end", `'he said 'hi''|)]`, "he said 'hi'"],
    ["a list of words", "'a', 'b', 'c'|)]", "a', 'b', 'c"],
    ["a call in code", "'print('hi')\nprint('x')'|)]", "print('hi')\nprint('x')"],
    ["a call as an argument", "'f(g('x'), h)'|)]", "f(g('x'), h)"],
    ["a comparison", "'f('a', b == 1)'|)]", "f('a', b == 1)"],
    ["text in three quotes", `"""a """b""" c"""|)]`, 'a """b""" c'],
    ["a path", String.raw`'C:\users\x'|)]`, String.raw`C:\users\x`],
    ["an escape that breaks off at a quote", String.raw`'\x4'|)]`, String.raw`\x4`],
    ["a named escape", String.raw`'\N{BULLET}'|)]`, String.raw`\N{BULLET}`],
    ["a command that goes on behind a line break", "'run \\\n  -p'|)]", "run \\\n  -p"],
    ["a pair before its end", "'😀', 😀=1'|)]", "😀', 😀=1"],
  ])("%s", (_rule, marked, text) => expectArgument(inList, marked, "string", text, LENIENT));
});

describe("where calls stand in lines", () => {
  test.each<Row>([
    ["a line break behind the call", `"x"|)\n`, "x"],
    ["blanks before it", `"x"|) \r\n`, "x"],
    ["a mark", `"x"|)<`, "x"],
    ["the end of a fence", '"x"|)```', "x"],
  ])("%s", (_rule, marked, text) => expectArgument(inLines, marked, "string", text));

  test("text on the same line is no structure", () => {
    expectArgument(inLines, `"f("x") and"|)\n`, "string", 'f("x") and', LENIENT);
  });

  test("the end of the reply behind the call", () => {
    expectArgumentAtEnd(inLines, `"x"|)`, "string", "x");
    expectArgumentAtEnd(inLines, `"x"|)  `, "string", "x");
  });
});

describe("what is no string", () => {
  test.each<[rule: string, marked: string, origin: Origin, text: string]>([
    ["an integer", "5|, b=1", "json", "5"],
    ["digits as they are", "12345678901234567890|)", "json", "12345678901234567890"],
    ["a number with a sign", "-1.50|)", "json", "-1.50"],
    ["a constant", "None|)", "json", "null"],
    ["one of JSON's", "true|)", "json", "true"],
    ["blanks around it", " True |)", "json", "true"],
    ["a list", "['a', \"b\"]|)", "json", '["a","b"]'],
    ["a dict", "{'k': [1, 2.5, None, True]}|, b=1", "json", '{"k":[1,2.5,null,true]}'],
    ["JSON", '{"k": ["x)", true, null]}|)', "json", '{"k":["x)",true,null]}'],
    ["a tuple", "(1, 'a')|)", "json", '[1,"a"]'],
    ["brackets and quotes inside strings", `['])}', "it's", ', b=']|)`, "json", `["])}","it's",", b="]`],
    ["a raw string in a list", String.raw`[r'\d']|)`, "json", String.raw`["\\d"]`],
    ["strings side by side in a list", `['a' "b" r'c']|)`, "json", '["abc"]'],
    ["a line break in a list's string", "['a\nb']|)", "json", '["a\\nb"]'],
    ["three quotes in a list", `["""a "b" c""", 1]|)`, "json", '["a \\"b\\" c",1]'],
    ["a string in brackets", "('a' 'b')|)", "string", "ab"],
    ["an empty string in brackets", "('')|)", "string", ""],
    ["before another bracket", "1|]", "json", "1"],
  ])("%s", (_rule, marked, origin, text) => expectArgument(inList, marked, origin, text));

  test.each<Row>([
    ["an apostrophe in a list", "['It's fine', 'x']|)", `["It's fine","x"]`],
    ["a quotation in a dict", `{"a": "say "hi" now"}|)`, '{"a":"say \\"hi\\" now"}'],
    ["a path in a list", String.raw`['C:\users']|)`, String.raw`["C:\\users"]`],
  ])("strings without escapes in it (R22): %s", (_rule, marked, text) => {
    expectArgument(inList, marked, "json", text, LENIENT);
  });

  test.each<Row>([
    ["a word", "Paris|)", "Paris"],
    ["a word that begins as a prefix", "red|)", "red"],
    ["a letter that could be a prefix", "r|)", "r"],
    ["a number of another kind", "007|)", "007"],
    ["a formatted string", "f'a, {b})'|)", "f'a, {b})'"],
  ])("what is no literal stays text: %s", (_rule, marked, text) => {
    expectArgument(inList, marked, "bare", text, ["string-delimiters"]);
  });

  test("what is no literal keeps its quotes as they are", () => {
    expectArgument(inList, "f(x, 'It's')|, b=1", "bare", "f(x, 'It's')", [...LENIENT, "string-delimiters"]);
  });
});

describe("no value", () => {
  test.each([
    ["the end", "|)"],
    ["a comma", " |, b=1"],
    ["another bracket", "|]"],
    ["another brace", "|}"],
  ])("%s", (_rule, marked) => expectStray(inList, marked));

  test.each([
    ["nothing", ""],
    ["blanks", " "],
    ["a prefix", "r"],
    ["an open string", "'x"],
    ["a string and nothing behind it", "'x'"],
    ["a string and half of what may stand behind it", "'x', b"],
    ["an empty string and nothing behind it", "''"],
    ["an open list", "['a'"],
    ["a number", "1"],
  ])("the end of the reply behind %s", (_rule, input) => expectCut(inList, input));

  test("the end of the reply behind the arguments' end is as good as structure", () => {
    expectArgumentAtEnd(inList, "'x'|)", "string", "x");
    expectArgumentAtEnd(inList, "'x'|), get_", "string", "x");
  });
});

describe("caps", () => {
  const { blanks, value } = SIEVE_LIMITS;

  test("so many blanks may stand behind a string, with more of them its quote is data", () => {
    const wide = " ".repeat(blanks);
    expect(decide(`'x'${wide})]`, argumentTrial(inList)).facts.text).toBe("x");
    expect(decide(`'x'${wide} )]'y')]`, argumentTrial(inList)).facts.text.length).toBe(`x'${wide} )]'y`.length);
  });

  test("a string streams, whatever its length; anything else is held up to a cap and then told", () => {
    const run = (text: string) => {
      let closed = false;
      const scan = inList({
        begin: () => ({
          full: false,
          text() {},
          close: () => {
            closed = true;
          },
        }),
      });
      scan.eat(text, 0);
      return { closed, ending: scan.ending, overflowed: scan.overflowed, held: scan.held };
    };
    const long = "x".repeat(value);
    expect(run(`'${long}x')]`)).toEqual({ closed: true, ending: "closed", overflowed: false, held: 0 });
    expect(run(`${long})]`)).toEqual({ closed: true, ending: "closed", overflowed: false, held: 0 });
    expect(run(`${long}x)]`)).toMatchObject({ closed: false, ending: "closed", overflowed: true });
  });
});

describe("laws", () => {
  const followers = fc.constantFrom(", b=1", ")]", "), g(", ",)]", " \n)<", ", b_2 = 'x'");

  test("a string that is written properly reads back, whatever stands in it", () => {
    const law = fc.property(pythonStrings, followers, ({ value, text }, behind) => {
      const { decided, taken, facts } = decide(text + behind, argumentTrial(inList));
      expect({ decided, taken, origin: facts.origin, text: facts.text }).toEqual({
        decided: true,
        taken: text,
        origin: "string",
        text: value,
      });
    });
    fc.assert(law, { numRuns: 500 });
  });

  test("lists, dicts and tuples read back, whatever way they are written", () => {
    const law = fc.property(pythonTexts, followers, ({ value, text }, behind) => {
      const { facts } = decide(text + behind, argumentTrial(inList));
      expect(facts).toMatchObject({ ending: "closed", origin: "json" });
      expect(JSON.parse(facts.text)).toEqual(value);
    });
    fc.assert(law, { numRuns: 500 });
  });

  test("every chunking and every end", () => {
    const texts = soupOf(
      ["'", '"', "'''", "\\", "x", "4", ",", " b=", "(", ")", "[", "]", " ", "\n", "r", "😀", "f("],
      12,
    );
    fc.assert(
      fc.property(texts, fc.constantFrom(inList, inLines), (text, notation) =>
        holdsLaws(text, argumentTrial(notation)),
      ),
      { numRuns: 400 },
    );
  });

  expectLinear(inList, [
    "'",
    '"',
    "\\",
    "\\x",
    "[",
    "]",
    "['",
    "','",
    "', b",
    "')",
    "'), g",
    "'  ",
    '"""',
    "''' ",
    "(r'",
  ]);
});

describe("arguments that nobody asks for", () => {
  test.each([
    ["up to their bracket", "'x', y)| z"],
    ["brackets inside", "f(x), [')']])| z"],
    ["brackets that are not closed here", "x], y})| z"],
    ["a quote in a string", "'it's <x>)', 1)| z"],
    ["the reply ends", "'x), y"],
  ])("%s", (_rule, marked) => {
    const [source = "", behind] = marked.split("|");
    for (const size of [1, 3, 100]) {
      const scan = new PassedArguments();
      let at = 0;
      const text = marked.replace("|", "");
      while (at < text.length && !scan.done) at += scan.eat(text.slice(at, at + size), 0);
      if (!scan.done) scan.finish();
      expect([scan.ending, at]).toEqual([behind === undefined ? "cut" : "closed", source.length]);
    }
  });
});
