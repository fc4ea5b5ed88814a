import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../src/conversation.ts";
import { parseExactJson } from "../../../src/json.ts";
import { createInliner } from "../../../src/schema/inline.ts";

const inline = (schema: JsonSchema) => createInliner(1_000_000)(schema);

describe("a reference", () => {
  const $defs = {
    node: { type: "object", title: "Node", properties: { value: { type: "integer" }, next: { $ref: "#/$defs/node" } } },
    alias: { $ref: "#/$defs/node", description: "the alias" },
    self: { $ref: "#/$defs/self" },
  };
  const node = { type: "object", properties: { value: { type: "integer" }, next: {} } };

  test.each<[string, JsonSchema, object]>([
    ["gives way to what it leads to, until that comes round again", { $ref: "#/$defs/node" }, node],
    [
      "loses against the keywords beside it, the outer ones first",
      { $ref: "#/$defs/alias", description: "mine" },
      { description: "mine", ...node },
    ],
    ["through another one counts", { $ref: "#/$defs/alias" }, { description: "the alias", ...node }],
    ["to itself says nothing", { $ref: "#/$defs/self" }, {}],
    ["that leads nowhere says nothing", { $ref: "https://x.example/#", type: "string" }, { type: "string" }],
    ["is followed in lists and unions", { anyOf: [{ $ref: "#/$defs/node" }, true] }, { anyOf: [node, true] }],
    [
      "may be followed twice side by side",
      { items: { $ref: "#/$defs/node" }, not: { $ref: "#/$defs/node" } },
      { items: node, not: node },
    ],
  ])("%s", (_what, schema, expected) => {
    expect(inline({ properties: { p: schema }, $defs })).toEqual({ properties: { p: expected } });
  });
});

test("what only serves generators is left out, but not where it is a name or a value", () => {
  const named = { title: { type: "string" }, $ref: { type: "string" }, definitions: {} };
  const values = { default: { title: "x", $ref: "#" }, enum: [{ $id: 1 }], const: { $defs: 1 } };
  const schema = { $schema: "s", $id: "i", $comment: "c", title: "t", definitions: {}, properties: named, ...values };
  expect(inline(schema)).toEqual({ properties: named, ...values });
});

test("keys and members keep their order, __proto__ is a key, numbers keep their digits", () => {
  const text =
    '{"type":"object","properties":{"b":{"maximum":1.0},"__proto__":{"type":"string"},"a":{"const":12345678901234567890}}}';
  expect(JSON.stringify(inline(parseExactJson(text) as JsonSchema))).toBe(text);
});

test.each<[string, JsonSchema]>([
  ["no schema at all", undefined as unknown as JsonSchema],
  ["true", true],
])("%s says nothing", (_what, schema) => {
  expect(inline(schema)).toEqual({});
});

test("references that fan out end, and so does what is too deep", () => {
  const level = (index: number) => {
    const next = { $ref: `#/$defs/level${index + 1}` };
    return [`level${index}`, { properties: { a: next, b: next } }];
  };
  const $defs = Object.fromEntries(Array.from({ length: 60 }, (_, index) => level(index)));
  const bomb = createInliner(10_000);
  expect(JSON.stringify(bomb({ $ref: "#/$defs/level0", $defs })).length).toBeLessThan(100_000);
  expect(bomb({ type: "string" })).toEqual({});
});

/** Each of them may be any of them: the ways through are without number, and each comes to nothing. */
test("unions that lead to each other end", () => {
  const anyOf = Array.from({ length: 24 }, (_, index) => ({ $ref: `#/$defs/u${index}` }));
  const $defs = Object.fromEntries(anyOf.map((_, index) => [`u${index}`, { anyOf }]));
  expect(JSON.stringify(createInliner(100_000)({ anyOf, $defs })).length).toBeLessThan(200_000);
});
