import { describe, expect, test } from "vitest";
import type { Json, JsonSchema } from "../../src/conversation.ts";
import { mayBeString, onlyString, onlyStringOrNull, readToolSchema, wantsArray } from "../../src/schema.ts";

/** The shape of one parameter; `root` takes what a `$ref` may point to. */
const shapeOf = (schema: unknown, root: object = {}) =>
  readToolSchema({ type: "object", properties: { p: schema as Json }, ...root }).property("p");

const typesOf = (schema: unknown, root?: object) => {
  const types = shapeOf(schema, root)?.types();
  return types && [...types].sort();
};

describe("types", () => {
  test.each<[rule: string, schema: unknown, types: string[] | undefined]>([
    ["type", { type: "string" }, ["string"]],
    ["a list of types", { type: ["string", "null"] }, ["null", "string"]],
    ["upper-case types", { type: "STRING" }, ["string"]],
    ["an upper-case type with nullable", { type: "ARRAY", nullable: true }, ["array", "null"]],
    ["an unknown type says nothing", { type: "TYPE_UNSPECIFIED" }, undefined],
    ["unknown types in a list are passed over", { type: ["string", 7, null, "text"] }, ["string"]],
    ["nullable", { type: "integer", nullable: true }, ["integer", "null"]],
    ["nullable: false", { type: "integer", nullable: false }, ["integer"]],
    ["nullable adds nothing to nothing", { nullable: true }, undefined],
    ["nullable beside allOf", { nullable: true, allOf: [{ type: "string" }] }, ["null", "string"]],
    ["no keyword", {}, undefined],
    ["true", true, undefined],
    ["false", false, undefined],
    ["no schema at all", "string", undefined],
    ["null", null, undefined],
    ["a list", [{ type: "string" }], undefined],
    ["anyOf", { anyOf: [{ type: "integer" }, { type: "null" }] }, ["integer", "null"]],
    ["oneOf", { oneOf: [{ type: "string" }, { type: "array" }] }, ["array", "string"]],
    ["a union with a member that may be anything", { anyOf: [{ type: "string" }, {}] }, undefined],
    ["a union with true", { anyOf: [{ type: "string" }, true] }, undefined],
    ["a union with false", { anyOf: [{ type: "string" }, false] }, ["string"]],
    ["an empty union", { type: "string", anyOf: [] }, ["string"]],
    [
      "a union in a union",
      { anyOf: [{ oneOf: [{ type: "string" }, { type: "null" }] }, { type: "object" }] },
      ["null", "object", "string"],
    ],
    [
      "type and union are both true",
      { type: ["string", "integer"], anyOf: [{ type: "integer" }, { type: "null" }] },
      ["integer"],
    ],
    [
      "two unions are both true",
      { anyOf: [{ type: "string" }, { type: "null" }], oneOf: [{ type: "string" }, { type: "array" }] },
      ["string"],
    ],
    ["allOf", { allOf: [{ description: "x" }, { type: "string" }] }, ["string"]],
    ["allOf narrows", { allOf: [{ type: ["string", "integer"] }, { type: ["integer", "null"] }] }, ["integer"]],
    ["an integer is a number", { allOf: [{ type: "number" }, { type: "integer" }] }, ["integer"]],
    ["a contradiction says nothing", { allOf: [{ type: "string" }, { type: "integer" }] }, undefined],
    ["enum", { enum: ["1", "2"] }, ["string"]],
    ["an enum of integers", { enum: [1, 2] }, ["integer"]],
    ["an enum of numbers", { enum: [1, 2.5] }, ["integer", "number"]],
    ["a mixed enum", { enum: ["a", null, true, [], {}] }, ["array", "boolean", "null", "object", "string"]],
    ["enum narrows type", { type: ["string", "null"], enum: ["a"] }, ["string"]],
    ["enum wins over a type that contradicts it", { type: "string", enum: [1, 2] }, ["integer"]],
    ["an empty enum says nothing", { type: "string", enum: [] }, ["string"]],
    ["an enum that is no list says nothing", { type: "string", enum: "a" }, ["string"]],
    ["const", { const: true }, ["boolean"]],
    ["const null", { const: null }, ["null"]],
    ["properties mean an object", { properties: { a: {} } }, ["object"]],
    ["items mean an array", { items: {} }, ["array"]],
    ["a type wins over what is implied", { type: "string", properties: {} }, ["string"]],
    [
      "a union wins over what is implied",
      { anyOf: [{ type: "string" }, { type: "object" }], properties: {} },
      ["object", "string"],
    ],
  ])("%s", (_rule, schema, types) => {
    expect(typesOf(schema)).toEqual(types);
  });
});

describe("$ref", () => {
  const $defs = {
    Text: { type: "string" },
    "a/b": { type: "integer" },
    "m~n": { type: "boolean" },
    "ä b": { type: "null" },
    Far: { $ref: "#/$defs/Further" },
    Further: { $ref: "#/$defs/Text" },
    Described: { type: "string", description: "inner", default: "d" },
    Self: { $ref: "#/$defs/Self" },
    Ping: { $ref: "#/$defs/Pong" },
    Pong: { allOf: [{ $ref: "#/$defs/Ping" }, { type: "string" }] },
    Loop: { anyOf: [{ $ref: "#/$defs/Loop" }, { type: "string" }] },
  };

  test.each<[rule: string, ref: unknown, types: string[] | undefined]>([
    ["a definition", "#/$defs/Text", ["string"]],
    ["~1 is a slash", "#/$defs/a~1b", ["integer"]],
    ["~0 is a tilde", "#/$defs/m~0n", ["boolean"]],
    ["percent escapes", "#/%24defs/%C3%A4%20b", ["null"]],
    ["a broken percent escape", "#/$defs/%E0%A4%A", undefined],
    ["an index", "#/definitions/list/1", ["array"]],
    ["a chain", "#/$defs/Far", ["string"]],
    ["the root", "#", ["object"]],
    ["nowhere", "#/$defs/Missing", undefined],
    ["through a value", "#/type/x", undefined],
    ["a prototype's own things", "#/constructor", undefined],
    ["__proto__", "#/__proto__", undefined],
    ["a length", "#/definitions/list/length", undefined],
    ["another document", "https://example.com/schema.json", undefined],
    ["an anchor", "#Text", undefined],
    ["no text", 7, undefined],
    ["itself", "#/$defs/Self", undefined],
    ["a circle of two, of which one says something", "#/$defs/Ping", ["string"]],
    ["a union with itself", "#/$defs/Loop", undefined],
  ])("%s", (_rule, $ref, types) => {
    expect(typesOf({ $ref }, { $defs, definitions: { list: [{}, { type: "array" }] } })).toEqual(types);
  });

  test("keywords beside it hold too, and win", () => {
    const shape = shapeOf({ $ref: "#/$defs/Described", description: "outer" }, { $defs });
    expect(shape?.keyword("description")).toBe("outer");
    expect(shape?.keyword("default")).toBe("d");
    expect(shape?.keyword("constructor")).toBeUndefined();
  });

  test("shapes of one origin have one identity, however they are reached", () => {
    const tree = {
      properties: { left: { $ref: "#/$defs/Node" }, right: { $ref: "#/$defs/Node", description: "other" } },
      $defs: { Node: { properties: { next: { $ref: "#/$defs/Node" } } } },
    };
    const shape = readToolSchema(tree);
    const identities = [
      shape.property("left"),
      shape.property("right"),
      shape.property("left")?.property("next"),
      shape.property("right")?.property("next")?.property("next"),
    ].map((each) => each?.identity());
    expect(new Set(identities)).toEqual(new Set([tree.$defs.Node]));
    expect(shape.identity()).toBe(tree);
  });

  test("a circle of references has an identity", () => {
    expect(shapeOf({ $ref: "#/$defs/Self" }, { $defs })?.identity()).toBe($defs.Self);
  });
});

describe("literals", () => {
  test.each<[rule: string, schema: unknown, literals: Json[] | undefined]>([
    ["enum", { type: "string", enum: ["b", "a"] }, ["b", "a"]],
    ["const", { const: 5 }, [5]],
    ["const before enum", { const: "a", enum: ["a", "b"] }, ["a"]],
    ["open", { type: "string" }, undefined],
    ["a union of consts", { oneOf: [{ const: "a" }, { const: "b" }] }, ["a", "b"]],
    ["a union of a list and null", { anyOf: [{ enum: ["a", "b"] }, { type: "null" }] }, ["a", "b", null]],
    ["a union with an open member", { anyOf: [{ const: "a" }, { type: "integer" }] }, undefined],
    ["nullable", { enum: ["a"], nullable: true }, ["a", null]],
    ["behind allOf", { allOf: [{ enum: ["a"] }] }, ["a"]],
  ])("%s", (_rule, schema, literals) => {
    const read = shapeOf(schema)?.literals();
    expect(read && [...read]).toEqual(literals);
  });
});

describe("properties", () => {
  const keysAndTypes = (schema: unknown) => {
    const shape = shapeOf(schema);
    return shape?.keys().map((key) => [key, ...(shape.property(key)?.types() ?? ["any"])]);
  };

  test.each<[rule: string, schema: unknown, read: string[][]]>([
    [
      "in the schema's order",
      { properties: { b: { type: "string" }, a: {} } },
      [
        ["b", "string"],
        ["a", "any"],
      ],
    ],
    [
      "of all parts",
      { properties: { a: { type: "string" } }, allOf: [{ properties: { b: { type: "null" } } }] },
      [
        ["a", "string"],
        ["b", "null"],
      ],
    ],
    [
      "of parts that speak of the same one",
      { properties: { a: {} }, allOf: [{ properties: { a: { type: "string" } } }] },
      [["a", "string"]],
    ],
    [
      "of alternatives",
      { oneOf: [{ properties: { k: { const: "x" }, n: { type: "integer" } } }, { properties: { k: { const: 1 } } }] },
      [
        ["k", "string", "integer"],
        ["n", "integer"],
      ],
    ],
    ["that are no object", { properties: ["a"] }, []],
    [
      "that are no schemas",
      { properties: { a: "string", b: null, c: true } },
      [
        ["a", "any"],
        ["b", "any"],
        ["c", "any"],
      ],
    ],
  ])("%s", (_rule, schema, read) => {
    expect(keysAndTypes(schema)).toEqual(read);
  });

  test("names of the prototype are keys only where they are written", () => {
    const written = readToolSchema(
      JSON.parse('{"properties":{"__proto__":{"type":"integer"},"constructor":{"type":"null"}}}'),
    );
    expect(written.keys()).toEqual(["__proto__", "constructor"]);
    expect(written.property("__proto__")?.types()).toEqual(new Set(["integer"]));
    expect(written.property("constructor")?.types()).toEqual(new Set(["null"]));
    const plain = readToolSchema({ properties: { a: {} } });
    for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      expect(plain.declares(key)).toBe(false);
      expect(plain.property(key)).toBeUndefined();
    }
  });

  test("a key that is not declared has the shape of additional ones", () => {
    const shape = readToolSchema({ properties: { a: { type: "null" } }, additionalProperties: { type: "integer" } });
    expect(shape.declares("b")).toBe(false);
    expect(shape.property("b")?.types()).toEqual(new Set(["integer"]));
    expect(shape.property("b")).toBe(shape.additional());
    expect(shape.property("a")?.types()).toEqual(new Set(["null"]));
    for (const additionalProperties of [true, false])
      expect(readToolSchema({ additionalProperties }).property("b")).toBeUndefined();
  });

  test("a key may match any pattern: none is run", () => {
    const patternProperties = { "^(a+)+$": { type: "integer" }, "(": { type: "null" } };
    expect(
      readToolSchema({ patternProperties })
        .property(`${"a".repeat(99)}!`)
        ?.types(),
    ).toEqual(new Set(["integer", "null"]));
  });

  test("required", () => {
    const shape = readToolSchema({
      required: ["a", 7, "b"],
      allOf: [{ required: ["c"] }],
      anyOf: [{ required: ["d"] }],
    });
    expect([...shape.required()]).toEqual(["a", "b", "c"]);
    expect([...readToolSchema({ required: true }).required()]).toEqual([]);
  });
});

describe("items", () => {
  test.each<[rule: string, schema: unknown, types: string[] | undefined]>([
    ["one schema for all", { items: { type: "string" } }, ["string"]],
    ["a tuple", { prefixItems: [{ type: "string" }, { type: "null" }], items: false }, ["null", "string"]],
    ["a tuple of older drafts", { items: [{ type: "string" }], additionalItems: { type: "null" } }, ["null", "string"]],
    [
      "of a union's member",
      { anyOf: [{ type: "string" }, { type: "array", items: { type: "integer" } }] },
      ["integer"],
    ],
    ["none", { type: "array" }, undefined],
  ])("%s", (_rule, schema, types) => {
    const read = shapeOf(schema)?.items()?.types();
    expect(read && [...read].sort()).toEqual(types);
  });
});

describe("members", () => {
  const described = (schema: unknown) =>
    shapeOf(schema)
      ?.members()
      .map((member) => member.keyword("description"));

  test("are the alternatives of a union", () => {
    expect(described({ anyOf: [{ description: "a" }, { description: "b" }], description: "c" })).toEqual(["a", "b"]);
  });
  test("are none without a union", () => {
    expect(described({ type: "string" })).toEqual([]);
  });
  test("are none where they only refine the shape's properties", () => {
    expect(described({ properties: { a: {}, b: {} }, anyOf: [{ required: ["a"] }, { required: ["b"] }] })).toEqual([]);
  });
});

describe("what a value may be", () => {
  const questions = { onlyString, mayBeString, onlyStringOrNull, wantsArray };

  test.each<[schema: unknown, yes: (keyof typeof questions)[]]>([
    [{ type: "string" }, ["onlyString", "mayBeString"]],
    [{ enum: ["a", "b"] }, ["onlyString", "mayBeString"]],
    [{ type: ["string", "null"] }, ["mayBeString", "onlyStringOrNull"]],
    [{ type: "string", nullable: true }, ["mayBeString", "onlyStringOrNull"]],
    [{ type: ["string", "integer"] }, ["mayBeString"]],
    [{ type: ["string", "null", "integer"] }, ["mayBeString"]],
    [{}, ["mayBeString"]],
    [{ type: "null" }, []],
    [{ type: ["integer", "null"] }, []],
    [{ type: "array" }, ["wantsArray"]],
    [{ type: ["array", "null"] }, ["wantsArray"]],
    [{ type: ["array", "string"] }, ["mayBeString"]],
  ])("%j", (schema, yes) => {
    const asked = Object.entries(questions).filter(([, question]) => question(shapeOf(schema)));
    expect(asked.map(([name]) => name)).toEqual(yes);
  });

  test("of a parameter that is not declared: anything", () => {
    expect(Object.values(questions).map((question) => question(undefined))).toEqual([false, true, false, false]);
  });
});

describe("hostile schemas", () => {
  const chain = (length: number, link: (next: string) => object) =>
    Object.fromEntries(Array.from({ length }, (_, n) => [`a${n}`, link(`#/$defs/a${n + 1}`)]));

  test.each<[what: string, schema: unknown]>([
    ["none", undefined],
    ["true", true],
    ["a number", 7],
    ["a list", []],
    [
      "keywords of wrong types",
      { type: {}, properties: 1, items: "x", anyOf: {}, allOf: 3, required: {}, enum: null, $ref: [] },
    ],
    ["unions of junk", { anyOf: [1, null, "x", [], false] }],
    ["a long chain of references", { $ref: "#/$defs/a0", $defs: chain(9_000, ($ref) => ({ $ref })) }],
    ["a long chain of allOf", { $ref: "#/$defs/a0", $defs: chain(9_000, ($ref) => ({ allOf: [{ $ref }] })) }],
    [
      "a long chain of unions",
      { $ref: "#/$defs/a0", $defs: chain(9_000, ($ref) => ({ anyOf: [{ $ref }, { type: "null" }] })) },
    ],
    [
      "unions that double",
      { $ref: "#/$defs/a0", $defs: chain(60, ($ref) => ({ anyOf: [{ $ref, title: "1" }, { $ref }] })) },
    ],
    [
      "parts that double",
      { $ref: "#/$defs/a0", $defs: chain(60, ($ref) => ({ allOf: [{ $ref, title: "1" }, { $ref }] })) },
    ],
    ["very many members", { anyOf: Array.from({ length: 10_000 }, () => ({ type: "string" })) }],
    ["everything is itself", { $ref: "#", allOf: [{ $ref: "#" }], anyOf: [{ $ref: "#" }], items: { $ref: "#" } }],
  ])("%s: read, and nothing thrown", (_what, schema) => {
    const shape = readToolSchema(schema as JsonSchema | undefined);
    const read = () => [
      shape.types(),
      shape.literals(),
      shape.members(),
      shape.keys(),
      shape.required(),
      shape.identity(),
      shape.property("x")?.property("y"),
      shape.items()?.items()?.types(),
    ];
    expect(read).not.toThrow();
  });
});
