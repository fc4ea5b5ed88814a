import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonIdentity } from "../../src/json-identity.ts";

describe("texts of one value", () => {
  test.each([
    ["blanks", '{"a":[1,"x"]}', ' { "a" : [ 1 ,\n"x" ] } '],
    ["the order of keys", '{"a":1,"b":{"c":2,"d":3}}', '{"b":{"d":3,"c":2},"a":1}'],
    ["escapes", '{"a":"/é\\n"}', '{"\\u0061":"\\/\\u00e9\\u000a"}'],
    ["a fraction of zeros", '{"a":1}', '{"a":1.00}'],
    ["an exponent", '{"a":[1000,-0.05]}', '{"a":[1E+3,-5e-2]}'],
    ["zero", "[0,0,0]", "[-0,0.0,0e9]"],
    ["a long number", "[12345678901234567890]", "[1234567890123456789e1]"],
    ["a key that comes twice: the last one counts", '{"a":2}', '{"a":1,"a":2}'],
    ["a key that means something to JavaScript", '{"__proto__":1,"a":2}', '{"a":2,"__proto__":1}'],
  ])("are the same: %s", (_rule, one, other) => {
    expect(jsonIdentity(one)).toBe(jsonIdentity(other));
  });

  test.each([
    ["a number and its text", '{"a":1}', '{"a":"1"}'],
    ["null and no member", '{"a":null}', "{}"],
    ["null and its text", "[null]", '["null"]'],
    ["numbers that only their last digit tells apart", "[12345678901234567890]", "[12345678901234567891]"],
    ["numbers of other sizes", "[1e400]", "[1e401]"],
    ["signs", "[1]", "[-1]"],
    ["the order of items", "[1,2]", "[2,1]"],
    ["an object and a list", "{}", "[]"],
    ["the case of a key", '{"a":1}', '{"A":1}'],
    ["where a number ends", "[1,11]", "[11,1]"],
    ["a text that looks like members", '{"a":"1,\\"b\\":2"}', '{"a":"1","b":"2"}'],
  ])("are not: %s", (_rule, one, other) => {
    expect(jsonIdentity(one)).not.toBe(jsonIdentity(other));
  });

  test("are told apart like the values", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
        expect(jsonIdentity(a)).toBe(jsonIdentity(JSON.stringify(JSON.parse(a), null, 2)));
        expect(jsonIdentity(a) === jsonIdentity(b)).toBe(sorted(a) === sorted(b));
      }),
    );
  });
});

test.each(["", "{", '{"a":1} x', `${"[".repeat(200)}${"]".repeat(200)}`, "[".repeat(1_000_000)])(
  "what is no JSON, or too deep, has none",
  (text) => {
    expect(jsonIdentity(text)).toBeUndefined();
  },
);

/** By the engine's own words, keys in order. */
function sorted(json: string): string {
  return JSON.stringify(JSON.parse(json), (_key, value) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
