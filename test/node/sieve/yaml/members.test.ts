import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../../src/conversation.ts";
import { VALUE_DEPTH } from "../../../../src/limits.ts";
import { yamlMembers } from "../../../../src/sieve/yaml/members.ts";
import { jsonOf } from "../../../../src/sieve/yaml/scalar.ts";

/** The members as values; undefined for what is no YAML. */
function read(source: string): unknown {
  const members = yamlMembers(source);
  return members && Object.fromEntries(members.map(({ key, ...value }) => [key, JSON.parse(jsonOf(value))]));
}

describe("what models write", () => {
  test.each<[string, string, unknown]>([
    [
      "plain scalars",
      "a: x y\nb: 5\nc: true\nd: null\ne: ~\nf:\ng: 1.50\nh: 0042",
      { a: "x y", b: 5, c: true, d: null, e: null, f: null, g: 1.5, h: "0042" },
    ],
    ["quoted ones", "a: \"x\\n\\\"y\\\"\"\nb: 'it''s'\n\"c d\": '1'", { a: 'x\n"y"', b: "it's", "c d": "1" }],
    ["what looks quoted", 'a: "x" and "y"', { a: '"x" and "y"' }],
    ["colons", "a: http://x:80/y\nb:c: 1", { a: "http://x:80/y", "b:c": 1 }],
    ["comments", "# one\na: x # two\nb: x#y\n  # three\nc: 'd'", { a: "x", b: "x#y", c: "d" }],
    ["a scalar on several lines", "a: x\n  y\n\n  z\nb: 1", { a: "x y\nz", b: 1 }],
    ["a scalar below its key", "a:\n  x\n  y", { a: "x y" }],
    ["a mapping", "a:\n  b: 1\n  c:\n    d: 2\ne: 3", { a: { b: 1, c: { d: 2 } }, e: 3 }],
    ["a sequence", "a:\n  - x\n  - 'y: z'\nb:\n- 1\n-\n- \n  2", { a: ["x", "y: z"], b: [1, null, 2] }],
    ["sequences in sequences", "a:\n- - 1\n  - 2\n- - 3", { a: [[1, 2], [3]] }],
    [
      "mappings in a sequence",
      "a:\n  - b: 1\n    c: 2\n  - d:\n      e: 3\n    f: [4]",
      {
        a: [
          { b: 1, c: 2 },
          { d: { e: 3 }, f: [4] },
        ],
      },
    ],
    [
      "flow collections",
      "a: [1, 'x, y', z w, null]\nb: {c: 1, \"d\": [2], e: f g}\nc: []\nd: {}",
      { a: [1, "x, y", "z w", null], b: { c: 1, d: [2], e: "f g" }, c: [], d: {} },
    ],
    ["on several lines", "a: [\n  1,\n  2,\n]\nb: 3", { a: [1, 2], b: 3 }],
    ["an apostrophe in a plain scalar of one", "a: [it's, b]\nc: 1", { a: ["it's", "b"], c: 1 }],
    ["an indented document", "\n  a: 1\n  b:\n    c: 2\n", { a: 1, b: { c: 2 } }],
    ["Windows' line breaks", "a: x\r\nb:\r\n  - y\r\n", { a: "x", b: ["y"] }],
    ["a key given twice in a mapping", "a:\n  b: 1\n  b: 2", { a: { b: 1 } }],
    ["nothing", "\n# only a comment\n", {}],
  ])("%s", (_what, source, expected) => expect(read(source)).toEqual(expected));
});

describe("block scalars", () => {
  test.each([
    ["literal", "a: |\n  x\n\n    y\n  z\n", "x\n\n  y\nz\n"],
    ["without the line break at its end", "a: |-\n  x\n\n", "x"],
    ["with all of them", "a: |+\n  x\n\n", "x\n\n"],
    ["of given indentation", "a: |2\n   x\n  y\n", " x\ny\n"],
    ["what looks like a comment or a key", "a: |\n  # x\n  y: 1\n", "# x\ny: 1\n"],
    ["folded", "a: >\n  x\n  y\n\n  z\n", "x y\nz\n"],
    ["folded, with lines that are indented further", "a: >-\n  x\n    y\n  z\n", "x\n  y\nz"],
    ["empty", "a: |\n", ""],
  ])("%s", (_what, source, text) => {
    expect(read(source)).toEqual({ a: text });
    expect(read(`${source.endsWith("\n\n") ? source.slice(0, -1) : source}b: 1`)).toEqual({
      a: text.replace(/\n\n$/, "\n"),
      b: 1,
    });
  });
});

test.each(["x", "- x", "a: 1\nb", "a: 1\n  b: 2", "a: [1", "a: [1] x", "a: {b}", "{a: 1}", "a: {'b: 1}"])(
  "no YAML: %s",
  (source) => {
    expect(yamlMembers(source)).toBeUndefined();
  },
);

test("too deep is none", () => {
  const nested = (levels: number) =>
    `a:\n${Array.from({ length: levels }, (_, level) => `${" ".repeat(level + 1)}b:`).join("\n")} 1`;
  expect(yamlMembers(nested(VALUE_DEPTH))).toBeDefined();
  expect(yamlMembers(nested(VALUE_DEPTH + 1))).toBeUndefined();
  expect(yamlMembers(`a: ${"[".repeat(VALUE_DEPTH + 1)}${"]".repeat(VALUE_DEPTH + 1)}`)).toBeUndefined();
});

test("JSON is YAML", () => {
  const value = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
  const law = fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), value), (object) => {
    const source = Object.entries(object).map(([key, member]) => `${key}: ${JSON.stringify(member)}\n`);
    expect(read(source.join(""))).toEqual(JSON.parse(JSON.stringify(object)));
  });
  fc.assert(law);
});

test("whatever it is, it never throws", () => {
  const piece = fc.constantFrom(
    "a: ",
    "- ",
    "b",
    "\n",
    "\n  ",
    "|",
    ">-",
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    "# ",
    ":",
    ",",
    "1",
  );
  fc.assert(fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => void yamlMembers(pieces.join(""))));
});
