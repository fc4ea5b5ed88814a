import { describe, expect, test } from "vitest";
import type { JsonObject, JsonSchema, Tool } from "../../../src/conversation.ts";
import { readSignatures } from "../../../src/prompt/signatures.ts";

const renderSignatures = (tools: readonly Tool[]) => readSignatures(tools).full();

/** The one line of a tool with this one parameter. */
function lineOf(schema: JsonSchema, more: JsonObject = {}): string {
  const parameters = { type: "object", properties: { p: schema }, required: ["p"], ...more };
  const lines = renderSignatures([{ name: "x", parameters }]).split("\n");
  expect(lines).toHaveLength(3);
  return (lines[1] ?? "").trim();
}

test("a tool is its description, its name and a parameter a line", () => {
  const tools = [
    {
      name: "create_event",
      description: "Create an event in the calendar of the user.",
      parameters: {
        type: "object",
        properties: {
          title: { type: "string", description: "Event title" },
          start: { type: "string", format: "date-time", description: "Start time" },
          attendees: {
            type: "array",
            items: {
              type: "object",
              properties: {
                email: { type: "string", format: "email", description: "Mail address" },
                optional: { type: "boolean", default: false },
              },
              required: ["email"],
            },
            description: "People to invite",
          },
          visibility: { type: "string", enum: ["default", "public"], description: "Who can see it" },
        },
        required: ["title", "start"],
      },
    },
    { name: "now", parameters: {} },
  ];
  expect(renderSignatures(tools)).toBe(`// Create an event in the calendar of the user.
create_event(
  title: string // Event title
  start: string // date-time; Start time
  attendees?: {email: string /* email; Mail address */, optional?: bool = false}[] // People to invite
  visibility?: "default"|"public" // Who can see it
)

now()`);
});

describe("a parameter is written as", () => {
  test.each<[string, JsonSchema, string]>([
    ["a number", { type: "number", minimum: 0.5, exclusiveMaximum: 2 }, "p: number // >=0.5; <2"],
    [
      "bounds of draft 4, which has flags",
      { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false },
      "p: number // >0; <=5",
    ],
    ["an integer", { type: "integer", default: 80 }, "p: int = 80"],
    ["a text of some length", { type: "string", minLength: 1, maxLength: 40 }, "p: string // len>=1; len<=40"],
    ["a pattern", { type: "string", pattern: "^a/b$" }, "p: string // /^a/b$/"],
    ["a nullable type", { type: ["string", "null"] }, "p: string|null"],
    ["OpenAPI's nullable", { type: "integer", nullable: true }, "p: int|null"],
    ["Gemini's types", { type: "ARRAY", items: { type: "BOOLEAN" } }, "p: bool[]"],
    ["a constant", { const: 4 }, "p: 4"],
    ["a list of values of several types", { enum: ["a", 1, null, true] }, 'p: "a"|1|null|true'],
    ["a union", { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }, "p: string|string[]"],
    [
      "a union with notes",
      { oneOf: [{ type: "string", description: "a name" }, { type: "null" }] },
      "p: string /* a name */|null",
    ],
    [
      "an array of a union",
      { type: "array", minItems: 1, items: { type: ["string", "integer"] } },
      "p: (string|int)[] // items>=1",
    ],
    [
      "an array with notes on its items",
      { type: "array", items: { type: "string", format: "uuid" } },
      "p: (string /* uuid */)[]",
    ],
    ["values with notes", { oneOf: [{ const: "a", description: "first" }, { const: "b" }] }, 'p: "a" /* first */|"b"'],
    [
      "a union that says no more of its type",
      { type: "string", anyOf: [{ format: "email" }, { format: "uri" }] },
      "p: string /* email */|string /* uri */",
    ],
    [
      "a tuple",
      {
        type: "array",
        prefixItems: [{ type: "number", description: "x" }, { type: ["string", "null"] }],
        items: false,
      },
      "p: [number /* x */, string|null]",
    ],
    [
      "a tuple of older drafts, and what may follow it",
      { items: [{ type: "string" }], additionalItems: { type: ["string", "integer"] } },
      "p: [string, ...(string|int)[]]",
    ],
    [
      "an object with keys that have to be given and are not declared",
      { type: "object", properties: { a: {} }, required: ["b", "a"] },
      "p: {a: any, b: any}",
    ],
    [
      "a map of which some keys have to be given",
      { type: "object", additionalProperties: { type: "string" }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      "p: {[key]: string}",
    ],
    ["an object of any keys", { type: "object" }, "p: {[key]: any}"],
    ["an object of no keys", { type: "object", additionalProperties: false }, "p: {}"],
    ["a map", { type: "object", additionalProperties: { type: "number" } }, "p: {[key]: number}"],
    [
      "an object with odd keys",
      { type: "object", properties: { "-n": {}, "a b": {}, größe: {} } },
      'p: {"-n"?: any, "a b"?: any, größe?: any}',
    ],
    ["anything", {}, "p: any"],
    ["a schema that is none", true, "p: any"],
    ["unknown keywords, left out", { type: "string", title: "P", examples: ["x"], $comment: "y" }, "p: string"],
  ])("%s", (_what, schema, line) => {
    expect(lineOf(schema)).toBe(line);
  });

  test("what it refers to, until that comes round again", () => {
    const node = { type: "object", properties: { value: { type: "integer" }, next: { $ref: "#/$defs/node" } } };
    expect(lineOf({ $ref: "#/$defs/node" }, { $defs: { node } })).toBe("p: {value?: int, next?: any}");
  });
});

test("keys of a tool that are not declared are told, too", () => {
  const parameters = {
    required: ["id"],
    additionalProperties: { type: "string", description: "a header" },
  };
  const signatures = readSignatures([{ name: "x", parameters }]);
  expect(signatures.full()).toBe("x(\n  id: string // a header\n  [key]: string // a header\n)");
  expect(signatures.brief()).toBe("x(id: string, [key]: string)");
});

describe("untrusted text", () => {
  test("keeps its lines, each behind a mark of its own, and loses control characters", () => {
    const parameters = {
      type: "object",
      properties: { p: { type: "string", description: "one\r\n\u001b[31mtwo\n\nthree" } },
    };
    expect(renderSignatures([{ name: "x", description: "a\u0000b\rc\u2028d\n", parameters }])).toBe(`// ab
// c
// d
x(
  p?: string // one
  // [31mtwo
  //
  // three
)`);
  });

  test("does not end the comment that it stands in", () => {
    const inner = { type: "string", description: "a */\nb" };
    expect(lineOf({ type: "object", properties: { k: inner } })).toBe("p: {k?: string /* a * / b */}");
  });
});

test("references that fan out without end leave every tool in place", () => {
  const level = (index: number) => [
    `level${index}`,
    {
      type: "object",
      properties: { a: { $ref: `#/$defs/level${index + 1}` }, b: { $ref: `#/$defs/level${index + 1}` } },
    },
  ];
  const $defs = Object.fromEntries(Array.from({ length: 60 }, (_, index) => level(index)));
  const bomb = { type: "object", properties: { p: { $ref: "#/$defs/level0" } }, $defs };
  const rendered = renderSignatures([
    { name: "bomb", parameters: bomb },
    { name: "next", parameters: { type: "object", properties: { q: { type: "string" } } } },
  ]);
  expect(rendered.length).toBeLessThan(1_000_000);
  expect(rendered).toContain("next(\n  q?: ");
});

/** Each of them may be any of them: the ways through are without number, and each comes to nothing. */
test("unions that lead to each other end", () => {
  const names = Array.from({ length: 24 }, (_, index) => `#/$defs/u${index}`);
  const anyOf = names.map(($ref) => ({ $ref, description: "d" }));
  const $defs = Object.fromEntries(
    names.map((name, index) => [name.slice("#/$defs/".length), { anyOf, title: index }]),
  );
  const parameters = { properties: { p: { anyOf } }, $defs } as JsonSchema;
  expect(renderSignatures([{ name: "x", parameters }]).length).toBeLessThan(2_000_000);
});
