import { expect, test } from "vitest";
import { isExactNumber, isObject, parseExactJson } from "../../src/json.ts";

test.each([
  '{"id":12345678901234567890,"f":1.10,"e":1e400,"n":[-0.0]}',
  '{"id":12345678901234567,"text":"12345678901234567890","b":true,"z":null}',
])("%s keeps its digits", (json) => {
  expect(JSON.stringify(parseExactJson(json))).toBe(json);
});

test("a number that JavaScript writes the same is a number", () => {
  expect(parseExactJson('{"a":1.5,"b":[2]}')).toEqual({ a: 1.5, b: [2] });
  expect(isExactNumber(parseExactJson("1.10") ?? null)).toBe(true);
  expect(isExactNumber({})).toBe(false);
});

test("a number whose digits are kept is no object", () => {
  expect(isObject(parseExactJson("1.10"))).toBe(false);
  expect(isObject({ rawJSON: "1.10" })).toBe(true);
});

test("what is no JSON is none", () => {
  expect(parseExactJson("{1234567890123456")).toBeUndefined();
});
