import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeJson, jsonSource, jsonTypeOf } from "../../../../src/sieve/values/json.ts";

/** Any code unit, halves of pairs and control characters included. */
const units = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

describe("escapeJson", () => {
  test.each([
    ["plain text is the very same", "plain <text> & 'so on' – ü 日本", "plain <text> & 'so on' – ü 日本"],
    ["nothing", "", ""],
    ["quotes and backslashes", 'say "hi" \\ \\n', 'say \\"hi\\" \\\\ \\\\n'],
    ["control characters", "a\tb\r\n\u0000\u001f", "a\\tb\\r\\n\\u0000\\u001f"],
    ["a pair stays", "a😀b", "a😀b"],
    ["half a pair becomes an escape", "a\ud83d", "a\\ud83d"],
    ["the other half, too", "\ude00b", "\\ude00b"],
    ["line separators stay", "\u2028\u2029\u007f", "\u2028\u2029\u007f"],
  ])("%s", (_rule, text, json) => {
    expect(escapeJson(text)).toBe(json);
  });

  test("pieces join to the text, wherever it is cut but inside a pair", () => {
    fc.assert(
      fc.property(fc.array(units), (texts) => {
        const pieces = texts.map((text) => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, ""));
        expect(JSON.parse(`"${pieces.map(escapeJson).join("")}"`)).toBe(pieces.join(""));
      }),
    );
  });
});

describe("jsonTypeOf", () => {
  test.each([
    ["null", "null"],
    ["true", "boolean"],
    ["-1.5e3", "number"],
    ['"a"', "string"],
    ["[1]", "array"],
    ['{"a":1}', "object"],
    [" \t\r\n[1] \n", "array"],
    ['{"__proto__":1,"__proto__":2}', "object"],
    ["", undefined],
    ["nul", undefined],
    ["True", undefined],
    ["01", undefined],
    ["1 2", undefined],
    ["[1,]", undefined],
    ["['a']", undefined],
    ['"a\nb"', undefined],
    ["\u00a0[1]", undefined],
    ["{", undefined],
    ["NaN", undefined],
  ])("%j: %s", (text, type) => {
    expect(jsonTypeOf(text)).toBe(type);
  });

  test("nesting beyond the cap is none, brackets in strings apart", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(jsonTypeOf(nested(64))).toBe("array");
    expect(jsonTypeOf(nested(65))).toBeUndefined();
    expect(jsonTypeOf(`["${"[".repeat(100)}"]`)).toBe("array");
  });

  test("says the type of everything that JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
        expect(jsonTypeOf(JSON.stringify(value))).toBe(type);
      }),
    );
  });
});

describe("jsonSource", () => {
  test.each([
    ["is the text as it was written", '{ "a" : 1.0e2 }', '{ "a" : 1.0e2 }'],
    ["keeps pairs", '["😀"]', '["😀"]'],
    ["escapes what UTF-8 cannot carry", '["a\ud83d","\ude00"]', '["a\\ud83d","\\ude00"]'],
  ])("%s", (_rule, json, source) => {
    expect(jsonSource(json)).toBe(source);
  });
});
