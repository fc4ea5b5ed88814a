import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureStructure } from "../../src/json-structure.ts";

const CAPS = { depth: 4, structure: 12 };

describe("C19b: structural characters outside strings are counted", () => {
  test.each([
    ["", 0],
    ["1", 0],
    ['"[]{}:,"', 0],
    ["[1, 2]", 3],
    ['{"a":[1]}', 5],
    [String.raw`"\"[[["`, 0],
    [String.raw`["\\",[]]`, 5],
    [String.raw`["\\\"[",1]`, 3],
    ['"never closed [[[', 0],
    ['"\\', 0],
  ])("%s: %i", (json, count) => {
    expect(measureStructure(json, CAPS)).toEqual({ count });
  });

  test("as JSON.stringify writes them", () => {
    const plain = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.string({ unit: "binary" }),
        fc.integer(),
        fc.array(tie("value")),
        fc.dictionary(fc.string(), tie("value")),
      ),
    }));
    const structural = (value: unknown): number => {
      if (typeof value !== "object" || value === null) return 0;
      const members = Object.values(value);
      const commas = Math.max(0, members.length - 1);
      const colons = Array.isArray(value) ? 0 : members.length;
      return members.reduce((sum, member) => sum + structural(member), 2 + commas + colons);
    };
    fc.assert(
      fc.property(plain.value, (value) => {
        const caps = { depth: 100, structure: 1_000_000 };
        expect(measureStructure(JSON.stringify(value), caps)).toEqual({ count: structural(value) });
      }),
    );
  });
});

describe("C19b: an excess names the top-level member", () => {
  test.each([
    ["[[[[[", "depth", undefined],
    ['{"a":1,"b":[[[[', "depth", "b"],
    ['{"a":{"b":{"c":{"d":{', "depth", "a"],
    ['{"a":[0,0,0,0,0,0,0,0,0,0,0,0]}', "structure", "a"],
    [`[${"0,".repeat(12)}`, "structure", undefined],
  ])("%s", (json, exceeded, member) => {
    expect(measureStructure(json, CAPS)).toEqual({ exceeded, member });
  });

  test("whose name is cut when it is long", () => {
    const json = `{"${"x".repeat(1_000)}":[[[[`;
    expect(measureStructure(json, CAPS)).toEqual({ exceeded: "depth", member: "x".repeat(63) });
  });
});

test("C19b: text that is not JSON is measured too", () => {
  expect(measureStructure("]]]}}}[[[", CAPS)).toEqual({ count: 9 });
});
