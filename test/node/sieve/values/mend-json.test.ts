import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonRepair, mendJson } from "../../../../src/sieve/values/mend-json.ts";
import { jsonTexts, jsonValues, nearlyJson, textOf } from "./json-texts.ts";

const REPAIRS: readonly JsonRepair[] = [
  ...(["single-quotes", "control-character", "lone-backslash"] as const),
  ...(["python-literal", "trailing-comma", "missing-comma", "unquoted-key", "missing-brace"] as const),
];

describe("JSON that is mended", () => {
  test.each<[rule: string, source: string, json: string, repairs: JsonRepair[]]>([
    ["single quotes", `{'a': 'say "hi"'}`, `{"a":"say \\"hi\\""}`, ["single-quotes"]],
    ["apostrophes in them", String.raw`['it\'s']`, `["it's"]`, ["single-quotes"]],
    ["a string alone", "'a'", '"a"', ["single-quotes"]],
    ["Python's literals", "[True, False, None]", "[true,false,null]", ["python-literal"]],
    ["one alone", "None", "null", ["python-literal"]],
    ["a comma at the end", '{"a": [1, 2,],}', '{"a":[1,2]}', ["trailing-comma"]],
    ["no comma between members", '{"a": 1\n"b": 2}', '{"a":1,"b":2}', ["missing-comma"]],
    ["no comma between items", '[1 2 "a" []{}]', '[1,2,"a",[],{}]', ["missing-comma"]],
    ["no comma and no blank, but a bracket", '{"a":{}"b":[1{}"c"]}', '{"a":{},"b":[1,{},"c"]}', ["missing-comma"]],
    ["raw control characters", '["a\n\tb"]', '["a\\n\\tb"]', ["control-character"]],
    ["lone backslashes", String.raw`["C:\Users", "\d"]`, String.raw`["C:\\Users","\\d"]`, ["lone-backslash"]],
    [
      "bare keys",
      "{max_n: 1, $a: 2, b-c: 3, 0: 4, true: 5}",
      '{"max_n":1,"$a":2,"b-c":3,"0":4,"true":5}',
      ["unquoted-key"],
    ],
    [
      "digits as they are",
      "[12345678901234567890, 1.50, -0.0, 1E5,]",
      "[12345678901234567890,1.50,-0.0,1E5]",
      ["trailing-comma"],
    ],
    ["a key given twice", '{"a":1,"a":2,}', '{"a":1,"a":2}', ["trailing-comma"]],
    ["keys of the prototype", "{__proto__: 1}", '{"__proto__":1}', ["unquoted-key"]],
    ["half a pair", '["\ud83d",]', '["\\ud83d"]', ["trailing-comma"]],
    [
      "several, each once",
      "{'a': True 'b': None,}",
      '{"a":true,"b":null}',
      ["single-quotes", "python-literal", "missing-comma", "trailing-comma"],
    ],
  ])("%s", (_rule, source, json, repairs) => {
    expect(mendJson(source)).toEqual({ json, repairs });
    expect(() => JSON.parse(json)).not.toThrow();
  });

  test.each<[rule: string, source: string, json: string | undefined]>([
    ["a brace", '{"a":1', '{"a":1}'],
    ["several", '{"a":[{"b":1', '{"a":[{"b":1}]}'],
    ["behind a comma", "[1,", "[1]"],
    ["the only one", "{", "{}"],
    ["never a string", '{"a":"b', undefined],
    ["never a member without a value", '{"a":', undefined],
    ["never a key", '{"a"', undefined],
    ["never one of another kind", "[1}", undefined],
    ["never a word that is none", "[tru", undefined],
    ["never nothing", "", undefined],
  ])("brackets that stand open at the end, where that may be: %s", (_rule, source, json) => {
    expect(mendJson(source, { closesAtEnd: true })?.json).toBe(json);
    expect(mendJson(source)).toBeUndefined();
  });

  test.each<[rule: string, source: string]>([
    ["nothing", " "],
    ["a word", "word"],
    ["two values", "1 2"],
    ["a bracket too many", '{"a":1}}'],
    ["text behind it", "[1] and so on"],
    ["a call", "[f(1)]"],
    ["a tuple", "(1, 2)"],
    ["a comma alone", "[,]"],
    ["two commas", "[1,,2]"],
    ["a comma in front", "{,a:1}"],
    ["no colon", "{'a' 1}"],
    ["no value", "{'a':}"],
    ["a set", "{1, 2}"],
    ["brackets of two kinds", "[1,2}"],
    ["an open string", "['a]"],
    ["quotes inside a text", '["say "hi" now"]'],
    ["numbers inside a text", '["say "1" now"]'],
    ["a comment", "[1 /* one */]"],
    ["a number of another kind", "[007,]"],
    ["a number that has no end", "[1.]"],
    ["no number", "[NaN]"],
    ["undefined", "[undefined]"],
    ["a bare value", "{city: Paris}"],
    ["a string that Python has", "['''a''']"],
    ["a prefixed string", "[r'a']"],
  ])("%s is none", (_rule, source) => {
    expect(mendJson(source)).toBeUndefined();
  });

  test("deep nesting is none", () => {
    const nested = (depth: number) => `${"[".repeat(depth)}'a'${"]".repeat(depth)}`;
    expect(mendJson(nested(64))).toBeDefined();
    expect(mendJson(nested(65))).toBeUndefined();
    expect(mendJson("[".repeat(100_000))).toBeUndefined();
  });

  test("JSON stays the very same", () => {
    const law = fc.property(jsonTexts, ({ text }) => {
      expect(mendJson(text)).toEqual({ json: text, repairs: [] });
    });
    fc.assert(law, { numRuns: 1_000 });
  });

  test("whatever is mended keeps its value, and each repair is named", () => {
    const damages = fc.subarray([...REPAIRS], { minLength: 1 });
    const law = fc.property(jsonValues, damages, fc.nat(), fc.gen(), (inner, given, lost, gen) => {
      // Something of it can have each damage.
      const value = [{ key: inner, b: true }, [1, "a\n\\d"]];
      const text = textOf(value, new Set(given), gen);
      const brackets = /[\]}\s]*$/.exec(text)?.[0].length ?? 0;
      const cut = given.includes("missing-brace") ? text.slice(0, text.length - 1 - (lost % brackets)) : text;
      const mended = mendJson(cut, { closesAtEnd: true });
      expect(JSON.parse(mended?.json ?? "")).toEqual(value);
      expect(mended?.repairs.toSorted()).toEqual(given.toSorted());
    });
    fc.assert(law, { numRuns: 1_000 });
  });

  test("what lost a bracket, a colon or a quote is none", () => {
    const texts = fc.string({ unit: fc.constantFrom(..."1,:[]{} an-"), maxLength: 4 });
    const values = fc.oneof(fc.array(fc.oneof(texts, fc.nat(), fc.array(texts))), fc.dictionary(texts, texts));
    const law = fc.property(values, fc.nat(), fc.boolean(), (value, at, spaced) => {
      const text = JSON.stringify(value, undefined, spaced ? 1 : 0);
      const marks = [...text.matchAll(/"[^"]*"|[[\]{}:]/g)].flatMap(({ index, 0: token }) => {
        return token.startsWith('"') ? [index, index + token.length - 1] : [index];
      });
      const lost = marks[at % marks.length] ?? 0;
      expect(mendJson(text.slice(0, lost) + text.slice(lost + 1))).toBeUndefined();
    });
    fc.assert(law, { numRuns: 1_000 });
  });

  test("whatever the text, what comes out is JSON", () => {
    const law = fc.property(nearlyJson, fc.boolean(), (text, closesAtEnd) => {
      const mended = mendJson(text, { closesAtEnd });
      if (mended) expect(() => JSON.parse(mended.json)).not.toThrow();
    });
    fc.assert(law, { numRuns: 4_000 });
  });
});
