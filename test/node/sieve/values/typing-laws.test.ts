import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../../src/conversation.ts";
import { readToolSchema, type Shape } from "../../../../src/schema.ts";
import { typedJson } from "../../../../src/sieve/values/typing.ts";
import type { Origin } from "../../../../src/sieve/values/value.ts";
import { damaged, soupOf } from "./damage.ts";
import { nearlyPython } from "./python-literals.ts";

const shapeOf = (schema: unknown): Shape | undefined =>
  readToolSchema({ properties: { p: schema as Json } }).property("p");

const origins = fc.constantFrom<Origin>("bare", "string");

const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"];

/** One of every kind that a place in a schema can be. */
const schemas = fc.oneof(
  fc.constantFrom<unknown>(undefined, {}, { type: "array", items: { type: "integer" } }),
  fc.subarray(TYPES, { minLength: 1 }).map((type) => ({ type })),
  fc.subarray(TYPES, { minLength: 1 }).map((types) => ({ anyOf: types.map((type) => ({ type })) })),
  fc.constantFrom<unknown>(
    { enum: ["1", 1, "null", null, "true", [1]] },
    { const: 1 },
    { type: "array", items: { type: ["string", "null"] } },
    { type: "array", items: { properties: { a: { type: "boolean" }, item: { type: "array" } } } },
    { properties: { a: { type: "array", items: { type: "boolean" } }, item: { type: "string" } } },
    { type: ["array", "object"], items: { type: ["array", "integer"] }, additionalProperties: { type: "number" } },
  ),
);

const MARKS = [
  ...["<item>", "</item>", "<a>", "</a>", "<a/>", "<", "<![CDATA[", "]]>", "<![CDATA[<a>]]>", "&lt;", "&", "\n"],
  ...["1", " true", "null", "x", "[1]", "['1]", "{'a': 1}", '"', "\ud83d"],
];

const { elements } = fc.letrec<{ content: string; elements: string }>((tie) => ({
  content: fc.oneof({ depthSize: "small" }, soupOf(MARKS.slice(6), 3), tie("elements")),
  elements: fc
    .array(fc.tuple(fc.constantFrom("item", "item", "a"), tie("content")), { minLength: 1, maxLength: 3 })
    .map((members) => members.map(([name, content]) => `<${name}>${content}</${name}>`).join("\n")),
}));

const JSON_PIECES = [...'[]{},:"\\1-.e \n\x01', "null", "\ud83d", '"a":'];

/** What a model might write where some type is asked for, most of it with a fault. */
const texts = fc.oneof(
  nearlyPython,
  soupOf(MARKS, 7),
  elements,
  damaged(elements, MARKS),
  soupOf(JSON_PIECES, 6),
  damaged(fc.json({ maxDepth: 3 }), JSON_PIECES),
  fc.constantFrom(..."1 1.0 -0 1e5 1e999 007 True null None".split(" ")).map((text) => ` ${text}\n`),
);

/** As a value scan gives it: with its sections unwrapped, and as it was written. */
const given = fc
  .tuple(texts, fc.boolean())
  .map(([marked, unwraps]) => ({ marked, text: unwraps ? marked.replace(/<!\[CDATA\[(.*?)\]\]>/gs, "$1") : marked }));

function typeOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

describe("laws", () => {
  test("whatever the text and the schema, the result is JSON", () => {
    const law = fc.property(given, schemas, origins, ({ text, marked }, schema, origin) => {
      const { json } = typedJson(text, origin, shapeOf(schema), marked);
      expect(() => JSON.parse(json)).not.toThrow();
      expect(json.isWellFormed()).toBe(true);
    });
    fc.assert(law, { numRuns: 10_000 });
  });

  test("it is of a type that the schema asks for, or the text itself", () => {
    const law = fc.property(given, schemas, origins, ({ text, marked }, schema, origin) => {
      const types = shapeOf(schema)?.types();
      const value = JSON.parse(typedJson(text, origin, shapeOf(schema), marked).json);
      const type = typeOf(value);
      if (type === "string" && types) expect(value).toBe(text);
      else if (type === "number" && types && !types.has("number")) expect(value).toSatisfy(Number.isInteger);
      else if (types) expect(types).toContain(type);
    });
    fc.assert(law, { numRuns: 5_000 });
  });

  test("CDATA is the very same characters wherever a string may stand", () => {
    const law = fc.property(given, schemas, ({ text, marked }, schema) => {
      const types = shapeOf(schema)?.types();
      if (types && !types.has("string")) return;
      expect(typedJson(text, "string", shapeOf(schema), marked)).toEqual({ json: JSON.stringify(text), fits: true });
    });
    fc.assert(law, { numRuns: 2_000 });
  });

  test("valid JSON of a type that fits is passed on as it is", () => {
    const containers = fc.oneof(
      fc.array(fc.jsonValue({ maxDepth: 3 })),
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
    );
    const law = fc.property(containers, fc.constantFrom(0, 1, 2), origins, (value, indent, origin) => {
      const text = JSON.stringify(value, null, indent);
      const shape = shapeOf({ type: ["array", "object"] });
      expect(typedJson(`\n${text} `, origin, shape)).toEqual({ json: text, fits: true });
    });
    fc.assert(law);
  });

  test("P3: of listed values each reads back, strings in CDATA and all others bare", () => {
    const other = fc.oneof(
      fc.constantFrom(null, true, false, 4, 1.5, 1e21),
      fc.array(fc.nat({ max: 2 }), { maxLength: 2 }),
      fc.integer(),
    );
    const twins = fc
      .tuple(other, fc.boolean())
      .map(([value, twin]) => (twin ? [JSON.stringify(value), value] : [value]));
    const listed = fc.array(twins, { minLength: 1, maxLength: 4 }).map((each) => each.flat());
    const law = fc.property(listed, (literals) => {
      for (const literal of literals) {
        const isString = typeof literal === "string";
        const text = isString ? literal : JSON.stringify(literal);
        const { json } = typedJson(text, isString ? "string" : "bare", shapeOf({ enum: literals }));
        expect(JSON.parse(json)).toEqual(literal);
      }
    });
    fc.assert(law, { numRuns: 500 });
  });
});

describe("long and deep texts: read to their end, the stack holds", () => {
  const LENGTH = 400_000;
  const filled = (unit: string) => unit.repeat(Math.ceil(LENGTH / unit.length));
  test.each<[what: string, text: string]>([
    ["brackets", filled("[")],
    ["brackets that close", filled("[") + filled("]")],
    ["objects", filled('{"a":')],
    ["parentheses", filled("(")],
    ["single quotes", filled("'")],
    ["double quotes", filled('"')],
    ["single quotes in a list", `[${filled("'")}`],
    ["three quotes in a list", `['''${filled('"""')}`],
    ["neighbouring strings", `[${filled("'' ")}`],
    ["backslashes", `['${filled("\\")}`],
    ["blanks", filled(" ")],
    ["blanks inside", `a${filled(" ")}a`],
    ["blanks in a list", `[${filled(" ")}`],
    ["openers", filled("<item>")],
    ["openers and closers", filled("<item>") + filled("</item>")],
    ["items", filled("<item>x</item>")],
    ["members", filled("<a>x</a>")],
    ["sections", filled("<item><![CDATA[x]]></item>")],
    ["sections that do not end", filled("<![CDATA[")],
    ["sections that do not end in an item", `<item>${filled("<![CDATA[")}`],
    ["marks", `<item>${filled("<")}</item>`],
    ["a name without end", `<item><${filled("a")}`],
    ["a tag without end", `<item><a${filled(" ")}`],
    ["ampersands", `<item>${filled("&")}</item>`],
    ["entities", `<item>${filled("&lt;")}</item>`],
    ["digits", filled("1")],
    ["digits and a letter", `${filled("1")}x`],
    ["zeros", `1.${filled("0")}`],
    ["an exponent", `1e${filled("9")}`],
    ["commas", `[${filled(",")}`],
    ["numbers", `[${filled("1,")}1]`],
    ["numbers without commas", `[${filled("1 ")}`],
    ["items in items", `${"<item>".repeat(64)}${filled("&lt;")}${"</item>".repeat(64)}`],
    ["sections in items", `<item>x${filled("<![CDATA[x]]>")}</item>`],
    ["escapes", `['${filled("\\x41")}']`],
    ["keys", `{${filled("'a':1,")}}`],
  ])("%s", (_what, text) => {
    for (const schema of [
      {},
      { type: ["array", "object", "number", "boolean", "null"] },
      { type: "integer" },
      { type: ["string", "array"] },
    ]) {
      for (const origin of ["bare", "string"] as const)
        expect(typedJson(text, origin, shapeOf(schema)).json).not.toBe("");
    }
  });
});
