import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/conversation.ts";
import { SIEVE_LIMITS } from "../../../src/limits.ts";
import type { ArgumentRepair } from "../../../src/sieve/argument-scan/argument-value.ts";
import { compileDelimitedObjects, delimitedObjectValue } from "../../../src/sieve/gemma-scan.ts";
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

const D = '<|"|>';
const END = "<tool_call|>";
const objects = compileDelimitedObjects(D, END);
const gemma: Notation = (member) => delimitedObjectValue(objects, member);
const escapes = compileDelimitedObjects("<escape>", "<end_function_call>");
const withEscapes: Notation = (member) => delimitedObjectValue(escapes, member);

const DELIMITERS: readonly ArgumentRepair[] = ["string-delimiters"];

/** In a marked text `|` stands where scanning goes on. */
type Row = [rule: string, marked: string, text: string];

describe("a string between delimiters", () => {
  const between = (text: string, behind: string) => {
    const { facts, taken, back } = decide(D + text + D + behind, argumentTrial(gemma));
    expect(facts).toEqual({ ending: "closed", origin: "string", text, closed: true, held: 0, repairs: [] });
    expect({ taken, back }).toEqual({ taken: D + text + D, back: "" });
    holdsLaws(D + text + D + behind, argumentTrial(gemma));
  };

  test.each([
    ["words", "São Paulo", ",days:3}"],
    ["nothing", "", "}"],
    ["what is structure elsewhere", 'f({a:1}, "}"); // ,x:{', "}"],
    ["quotes and a backslash", `a "b" it's C:\\tmp\\`, ","],
    ["half a delimiter", '<|"|<|"<|<', "}"],
    ["blanks and line breaks", " a\n\tb ", " }"],
    ["a pair of surrogates", "😀", "}"],
    ["the mark behind a call", END, "}"],
  ])("%s", (_rule, text, behind) => between(text, behind));

  test("of another notation", () => {
    expectArgument(withEscapes, '<escape>a < <esc "b"<escape>|,', "string", 'a < <esc "b"');
  });
});

describe("a list or an object", () => {
  test.each<Row>([
    ["strings", "[<escape>x<y<escape>,<escape>q\"uote it's<escape>]|,", `["x<y","q\\"uote it's"]`],
    [
      "a nested one",
      "{depth:{k:[1,2.5,null,true]},path:<escape>C:\\tmp\\<escape>}|}",
      '{"depth":{"k":[1,2.5,null,true]},"path":"C:\\\\tmp\\\\"}',
    ],
    ["nothing", "[]|}", "[]"],
    ["blanks", "{ a : 1 ,\n b : [ 2 , <escape>x<escape> ] }| }", '{"a":1,"b":[2,"x"]}'],
    ["digits as they are", "[12345678901234567890,-1.50]|}", "[12345678901234567890,-1.50]"],
    ["keys with other signs", "{x-a.b:1,2:3}|}", '{"x-a.b":1,"2":3}'],
    ["keys that are constants", "{null:null}|}", '{"null":null}'],
    ["a comma at its end", "[1,]|}", "[1]"],
    ["a line break in a string", "[<escape>a\\\nb<escape>]|}", '["a\\\\\\nb"]'],
  ])("%s", (_rule, marked, text) => expectArgument(withEscapes, marked, "json", text));

  test.each<Row>([
    ["brackets inside strings", "{a:<escape>}]<escape>,b:'}',c:\"]\"}|,", '{"a":"}]","b":"}","c":"]"}'],
    ["empty strings", "[<escape><escape>,'']|}", '["",""]'],
    ["escapes in quotes", String.raw`["a\nb","c\"d"]|}`, String.raw`["a\nb","c\"d"]`],
    ["words", "[red, dark blue ,don't,None]|}", `["red","dark blue","don't",null]`],
    ["keys in quotes", `{"a":1,<escape>b<escape>:2}|}`, '{"a":1,"b":2}'],
  ])("strings in quotes or in nothing (R23): %s", (_rule, marked, text) => {
    expectArgument(withEscapes, marked, "json", text, DELIMITERS);
  });

  test("quotes inside quotes (R22)", () => {
    const marked = `["say "hi" now",'It's']|}`;
    expectArgument(withEscapes, marked, "json", `["say \\"hi\\" now","It's"]`, [...DELIMITERS, "lenient-quotes"]);
  });

  test.each<Row>([
    ["one without a colon", "{a 1}|}", "{a 1}"],
    ["brackets of two kinds", "[1}|}", "[1}"],
    ["two colons", "[http://<escape>x<escape>]|}", "[http://<escape>x<escape>]"],
  ])("what is none stays the text that was written: %s", (_rule, marked, text) => {
    expectArgument(withEscapes, marked, "bare", text, DELIMITERS);
  });
});

describe("a number or constant", () => {
  test.each<Row>([
    ["a number", "3|,unit:x", "3"],
    ["a constant", "null|}<", "null"],
    ["blanks around it", " true| }<", "true"],
    ["before a key in Python's way", "3|, unit = x", "3"],
    ["a call whose brace is missing", "3|<end_function_call>", "3"],
  ])("%s", (_rule, marked, text) => expectArgument(withEscapes, marked, "json", text));
});

describe("repairs (R23)", () => {
  test.each<[rule: string, marked: string, origin: Origin, text: string]>([
    ["a string in quotes", '"Rio"|,days:2}', "string", "Rio"],
    ["in single ones", "'Rio, BR'|,days:2}", "string", "Rio, BR"],
    ["before the end", "'Rio'|}<", "string", "Rio"],
    ["before another call", "'Rio'|}call:get_time{", "string", "Rio"],
    ["escapes in quotes", String.raw`"a\n\"b\""|}<`, "string", 'a\n"b"'],
    ["a Python call's shell", "'Rio'|, days=2)<", "string", "Rio"],
    ["a delimiter that has lost its other half", "Rio<escape>|,days:2}", "bare", "Rio"],
    ["a string without quotes", "São Paulo|,days:3}", "bare", "São Paulo"],
    ["with commas, blanks and brackets", "a, b (c) {d} e|}<", "bare", "a, b (c) {d} e"],
    ["with the beginnings of marks", "a <b> <end_f <|}<", "bare", "a <b> <end_f <"],
    ["digits that are no number", "007|}<", "bare", "007"],
    ["a call whose brace is missing", "'x'|<end_function_call>", "string", "x"],
  ])("%s", (_rule, marked, origin, text) => {
    expectArgument(withEscapes, marked, origin, text, DELIMITERS);
  });

  test.each<Row>([
    ["quotes inside quotes", `"say "hi", he said"|}<`, 'say "hi", he said'],
    ["JSON in quotes", `"{"a": "b"}"|}<`, '{"a": "b"}'],
  ])("%s (R22)", (_rule, marked, text) => {
    expectArgument(withEscapes, marked, "string", text, [...DELIMITERS, "lenient-quotes"]);
  });

  test("the end of the reply behind the object is as good as structure", () => {
    expectArgumentAtEnd(gemma, "'x'|}", "string", "x");
    expectArgumentAtEnd(gemma, "3|}\n", "json", "3");
    expectArgumentAtEnd(gemma, "x|} and", "bare", "x");
  });
});

describe("no value", () => {
  test.each([
    ["the end", "|}"],
    ["a comma", " |,b:1"],
    ["another bracket", "|]"],
    ["a bracket of Python's", "|)"],
  ])("%s", (_rule, marked) => expectStray(gemma, marked));

  test.each([
    ["nothing", ""],
    ["half a delimiter", "<|"],
    ["an open string", `${D}x`],
    ["an open string that holds the end of the call", `${D}x}${END}`],
    ["an open quote", "'x'"],
    ["an open list", "[1"],
    ["words", "x"],
  ])("the end of the reply behind %s", (_rule, input) => expectCut(gemma, input));
});

test("a word inside a list is held up to a cap and then told", () => {
  const scan = gemma({ begin: () => ({ full: false, text() {}, close() {} }) });
  scan.eat(`[${"x".repeat(SIEVE_LIMITS.value + 1)}`, 0);
  scan.eat("y]", 0);
  expect(scan.overflowed).toBe(true);
  expect(scan.ending).toBe("closed");
});

describe("laws", () => {
  const pieces = [...`'"\\,:={}[]()<|>x1 \nesca`, "😀", "\ud83d", "null", ",b:", "}<", '<|"|', "<escape"];
  /** What holds the delimiter cannot be written. */
  const texts = soupOf(pieces, 8).filter((text) => !text.includes(D) && !text.includes("<escape>"));
  const json = fc.letrec<{ value: Json; container: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      texts,
      fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })).map((number) => number + 0),
      fc.constantFrom(true, false, null),
      tie("container"),
    ),
    container: fc.oneof(
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.stringMatching(/^[a-z_0-9]{1,4}$/), tie("value"), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value;

  test.each<[delimiter: string, mark: string, notation: Notation]>([
    [D, END, gemma],
    ["<escape>", "<end_function_call>", withEscapes],
  ])("any value that is written between %s comes back", (delimiter, mark, notation) => {
    const law = fc.property(json, fc.constantFrom(",b:1", `}${mark}`, "}call:f{", ", b=1"), (value, behind) => {
      const written = write(value, delimiter);
      const { taken, facts } = decide(written + behind, argumentTrial(notation));
      expect(facts.ending).toBe("closed");
      expect(taken).toBe(written);
      expect(facts.origin === "json" ? JSON.parse(facts.text) : facts.text).toEqual(value);
    });
    fc.assert(law, { numRuns: 500 });
  });

  test("every chunking and every end", () => {
    const soup = soupOf(
      [D, "<|", '"', "'", "x", "3", ",", "b:", "=", "{", "}", "[", "]", ")", " ", "\\", END, "😀"],
      12,
    );
    fc.assert(
      fc.property(soup, (text) => holdsLaws(text, argumentTrial(gemma))),
      { numRuns: 400 },
    );
  });

  expectLinear(gemma, [
    D,
    '<|"|',
    "<",
    "<tool_call|",
    "[",
    "]",
    "}",
    "'",
    "','",
    "\\",
    ",",
    ", b",
    "} ",
    "}f ",
    "'x' ",
    "x ",
  ]);
});

function write(value: Json, delimiter: string): string {
  if (typeof value === "string") return delimiter + value + delimiter;
  if (Array.isArray(value)) return `[${value.map((item) => write(item, delimiter)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${key}:${write(item, delimiter)}`)
    .join(",")}}`;
}
