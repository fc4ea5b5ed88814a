import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pythonToJson, pythonValueToJson } from "../../../../src/sieve/values/python.ts";
import { plainest } from "./picking.ts";
import { nearlyPython, pythonTexts, pythonTokens } from "./python-literals.ts";

describe("a Python literal as JSON", () => {
  test.each<[rule: string, literal: string, json: string]>([
    ["a list", "['a', \"b\"]", '["a","b"]'],
    ["constants", "[True, False, None]", "[true,false,null]"],
    ["JSON's constants", "[true, false, null]", "[true,false,null]"],
    ["a dict", "{'a': {'b': 1}, \"c\": []}", '{"a":{"b":1},"c":[]}'],
    ["blanks", " \n[ 1 ,\t2 ]\r\n", "[1,2]"],
    ["empty ones", "[[], {}, ()]", "[[],{},[]]"],
    ["a tuple is an array", "(1, 'a')", '[1,"a"]'],
    ["a tuple of one", "(1,)", "[1]"],
    ["brackets around a value", "[(1), ('a'), ((2))]", '[1,"a",2]'],
    ["a long tuple with a comma at its end", "(1, 2, 3,)", "[1,2,3]"],
    ["commas at ends", "[1, {'a': 1,},]", '[1,{"a":1}]'],
    ["JSON with a comma at its end", '{"a": [1, 2,],}', '{"a":[1,2]}'],
    ["digits as they are", "[12345678901234567890, 1.50, -0.0, 1E5]", "[12345678901234567890,1.50,-0.0,1E5]"],
    ["keys that are numbers", "{1: 'a', -2.5: 'b'}", '{"1":"a","-2.5":"b"}'],
    ["keys of the prototype", "{'__proto__': 1, 'constructor': 2}", '{"__proto__":1,"constructor":2}'],
    ["quotes inside", `['say "hi"', "it's"]`, '["say \\"hi\\"","it\'s"]'],
    ["three quotes", `['''it's "so"''', """a\nb"""]`, '["it\'s \\"so\\"","a\\nb"]'],
    ["empty strings", `['', "", '''''', """"""]`, '["","","",""]'],
    ["neighbouring strings", "['a' 'b'\n\"c\"]", '["abc"]'],
    ["simple escapes", String.raw`['\n\t\r\\\'\"\a\b\f\v']`, '["\\n\\t\\r\\\\\'\\"\\u0007\\b\\f\\u000b"]'],
    ["escapes by number", String.raw`['\x41\101\u00e9\U0001F600\0']`, '["AAé😀\\u0000"]'],
    ["a pair of escapes", String.raw`['\ud83d\ude00']`, '["😀"]'],
    ["half a pair", String.raw`['\ud83d']`, '["\\ud83d"]'],
    ["an unknown escape is its own text", String.raw`['\d\.']`, String.raw`["\\d\\."]`],
    ["a line that goes on", "['a\\\nb']", '["ab"]'],
    ["raw strings", String.raw`[r'\d\'', R"\n", u'\n']`, String.raw`["\\d\\'","\\n","\n"]`],
    ["line breaks in a string", '{"a": "b\nc"}', '{"a":"b\\nc"}'],
  ])("%s", (_rule, literal, json) => {
    expect(pythonToJson(literal)).toBe(json);
    expect(() => JSON.parse(json)).not.toThrow();
  });

  test.each<[rule: string, text: string]>([
    ["nothing", ""],
    ["a scalar", "'a'"],
    ["a number", "1"],
    ["text behind it", "[1] and so on"],
    ["text in front", "x = [1]"],
    ["a name", "[a]"],
    ["a subscript", "foo[1]"],
    ["a constant and more", "[Nonesense, True1]"],
    ["a call", "[dict(a=1)]"],
    ["a set", "{1, 2}"],
    ["no colon", "{'a' 1}"],
    ["no value", "{'a':}"],
    ["a key that is no text", "{None: 1}"],
    ["a comma alone", "[,]"],
    ["two commas", "[1,,2]"],
    ["no comma", "[1 2]"],
    ["no comma before a dict", "[1 {'a': 2}"],
    ["no comma before a list", "[1 []]"],
    ["a quote too many", "['1]"],
    ["three quotes too many", "[''' None]"],
    ["a quote too many before a key", "{'1: 2}"],
    ["a prefix without a string", "[r1]"],
    ["a minus before a constant", "[-True]"],
    ["a string in brackets", "('a')"],
    ["an open list", "[1, 2"],
    ["an open string", "['a]"],
    ["an open escape", "['\\"],
    ["a number of another kind", "[007]"],
    ["bytes", "[b'a']"],
    ["a formatted string", "[f'a']"],
    ["a short escape", String.raw`['\x4']`],
    ["a named escape", String.raw`['\N{BULLET}']`],
    ["an escape beyond Unicode", String.raw`['\U00110000']`],
    ["brackets of two kinds", "[1)"],
    ["a tuple without its first member", "(,)"],
  ])("%s is none", (_rule, text) => {
    expect(pythonToJson(text)).toBeUndefined();
  });

  test.each<[rule: string, text: string, json: string | undefined]>([
    ["a string", "'a' \"b\"", '"ab"'],
    ["a string in brackets", "('a')", '"a"'],
    ["a number", " -1.50 ", "-1.50"],
    ["a constant", "None", "null"],
    ["one of JSON's", "true", "true"],
    ["a container", "(1, {'a': []})", '[1,{"a":[]}]'],
    ["a word", "Paris", undefined],
    ["a number of another kind", "1_000", undefined],
    ["two values", "1, 2", undefined],
    ["nothing", " ", undefined],
  ])("any value: %s", (_rule, text, json) => {
    expect(pythonValueToJson(text)).toBe(json);
  });

  test("deep nesting is none", () => {
    expect(pythonToJson("[".repeat(64) + "]".repeat(64))).toBeDefined();
    expect(pythonToJson("[".repeat(65) + "]".repeat(65))).toBeUndefined();
  });

  test("reads back whatever way a value is written", () => {
    const law = fc.property(pythonTexts, ({ value, text }) => {
      expect(JSON.parse(pythonToJson(text) ?? "")).toEqual(value);
    });
    fc.assert(law, { numRuns: 2_000 });
  });

  test("whatever the text, what is read is JSON", () => {
    const law = fc.property(nearlyPython, (text) => {
      const json = pythonToJson(text);
      if (json !== undefined) expect(() => JSON.parse(json)).not.toThrow();
    });
    fc.assert(law, { numRuns: 10_000 });
  });

  test("a literal that lost a bracket, a colon or a quote is none", () => {
    const texts = fc.string({ unit: fc.constantFrom(..."1,:[]{}() anN-"), maxLength: 4 });
    const values = fc.oneof(fc.array(fc.oneof(texts, fc.nat(), fc.array(texts))), fc.dictionary(texts, texts));
    const law = fc.property(values, fc.nat(), fc.boolean(), (value, at, atEnd) => {
      const tokens = pythonTokens(value, plainest);
      const losing = tokens.flatMap((token, i) => (/^[[\]{}:']/.test(token) ? [i] : []));
      const i = losing[at % losing.length] ?? 0;
      const rest = atEnd ? tokens[i]?.slice(0, -1) : tokens[i]?.slice(1);
      const text = [...tokens.slice(0, i), rest, ...tokens.slice(i + 1)].join("");
      expect(pythonToJson(text)).toBeUndefined();
    });
    fc.assert(law, { numRuns: 2_000 });
  });
});
