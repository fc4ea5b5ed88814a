import { describe, expect, test } from "vitest";
import { read, refusal } from "./requests.ts";

const declare = (...functionDeclarations: unknown[]) => [{ functionDeclarations }];
const parametersOf = (parameters: unknown) =>
  read({ tools: declare({ name: "f", parameters }) }).conversation.tools[0]?.parameters;
const NO_PARAMETERS = { type: "object", properties: {} };

describe("function declarations", () => {
  test("are read from all entries together", () => {
    const tools = [
      { functionDeclarations: [{ name: "a", description: "First" }, { name: "b" }] },
      { function_declarations: [{ name: "c" }] },
      {},
    ];
    expect(read({ tools }).conversation.tools).toEqual([
      { name: "a", description: "First", parameters: NO_PARAMETERS },
      { name: "b", parameters: NO_PARAMETERS },
      { name: "c", parameters: NO_PARAMETERS },
    ]);
  });

  test("may come as one entry without a list", () => {
    expect(read({ tools: { functionDeclarations: { name: "a" } } }).conversation.tools).toMatchObject([{ name: "a" }]);
  });

  test("of two with one name the first wins, with a warning", () => {
    const request = read({ tools: declare({ name: "a", description: "1" }, { name: "a", description: "2" }) });
    expect(request.conversation.tools).toMatchObject([{ name: "a", description: "1" }]);
    expect(request.warnings).toEqual([expect.stringContaining("'a'")]);
  });

  test.each(["a", "ns.tool:x/y", "mcp__server__tool", "größe", "__proto__", "x".repeat(128)])(
    "may be called %s",
    (name) => {
      expect(read({ tools: declare({ name }) }).conversation.tools).toMatchObject([{ name }]);
    },
  );

  test("with parametersJsonSchema have it as it is", () => {
    const schema = { type: "OBJECT", properties: { a_b: { nullable: true } }, additional_properties: false };
    const declaration = { name: "f", parametersJsonSchema: schema, parameters: { type: "STRING" } };
    expect(read({ tools: declare(declaration) }).conversation.tools[0]?.parameters).toEqual(schema);
  });

  test.each([
    [[null], "tools[0]"],
    [["f"], "tools[0]"],
    [{}, "tools"],
    ["f", "tools"],
    [[{ functionDeclarations: "f" }], "tools[0].functionDeclarations"],
    [[{ function_declarations: [1] }], "tools[0].function_declarations[0]"],
    [declare({}), "tools[0].functionDeclarations[0].name"],
    [declare({ name: "a" }, { name: "a b" }), "tools[0].functionDeclarations[1].name"],
    [declare({ name: "<a" }), "tools[0].functionDeclarations[0].name"],
    [declare({ name: "a", description: 1 }), "tools[0].functionDeclarations[0].description"],
    [declare({ name: "a", parameters: "x" }), "tools[0].functionDeclarations[0].parameters"],
    [declare({ name: "a", parameters_json_schema: [] }), "tools[0].functionDeclarations[0].parameters_json_schema"],
    [
      declare({ name: "a", parameters: { description: "x".repeat(262_144) } }),
      "tools[0].functionDeclarations[0].parameters",
    ],
    [declare(...Array.from({ length: 513 }, (_, index) => ({ name: `t${index}` }))), "tools[0].functionDeclarations"],
    [Array.from({ length: 513 }, (_, index) => declare({ name: `t${index}` })).flat(), "tools"],
    [
      Array.from({ length: 2 }, (_, half) =>
        declare(...Array.from({ length: 300 }, (_, index) => ({ name: `t${half}_${index}` }))),
      ).flat(),
      "tools",
    ],
  ])("%#: are refused by their path", (tools, param) => {
    expect(refusal({ tools })).toMatchObject({ kind: "invalid-request", param });
  });
});

describe("parameters become JSON Schema", () => {
  test.each<[string, unknown, unknown]>([
    ["types are lower-case", { type: "OBJECT" }, { type: "object" }],
    ["lists of types, too", { type: ["STRING", "NULL"] }, { type: ["string", "null"] }],
    ["an unspecified type is none", { type: "TYPE_UNSPECIFIED", title: "x" }, { title: "x" }],
    ["nullable is one more type", { type: "STRING", nullable: true }, { type: ["string", "null"] }],
    ["nullable lists are lists", { type: ["STRING"], nullable: true }, { type: ["string", "null"] }],
    [
      "null is among the values, too",
      { type: "STRING", format: "enum", enum: ["a"], nullable: true },
      { type: ["string", "null"], enum: ["a", null] },
    ],
    [
      "and among alternatives",
      { anyOf: [{ type: "STRING" }], nullable: true },
      { anyOf: [{ type: "string" }, { type: "null" }] },
    ],
    ["nullable: false says nothing", { type: "STRING", nullable: false }, { type: "string" }],
    ["other formats stay", { type: "STRING", format: "date-time" }, { type: "string", format: "date-time" }],
    [
      "int64 is a string",
      { minLength: "1", max_length: "10", minItems: "0", maxItems: 5, minProperties: "x" },
      { minLength: 1, maxLength: 10, minItems: 0, maxItems: 5, minProperties: "x" },
    ],
    ["an example is one of several", { type: "STRING", example: "a" }, { type: "string", examples: ["a"] }],
    [
      "everywhere in it",
      { type: "ARRAY", items: { any_of: [{ type: "OBJECT", properties: { k: { type: "INTEGER" } } }] } },
      { type: "array", items: { anyOf: [{ type: "object", properties: { k: { type: "integer" } } }] } },
    ],
    [
      "names of properties are no keywords",
      { type: "OBJECT", properties: { type: { type: "STRING" }, nullable: { type: "BOOLEAN" }, any_of: {} } },
      { type: "object", properties: { type: { type: "string" }, nullable: { type: "boolean" }, any_of: {} } },
    ],
    [
      "values are no schemas",
      { type: "STRING", default: { type: "OBJECT" }, enum: ["OBJECT"], required: ["any_of"] },
      { type: "string", default: { type: "OBJECT" }, enum: ["OBJECT"], required: ["any_of"] },
    ],
    [
      "JSON Schema comes through as it is",
      {
        $schema: "x",
        type: "object",
        $defs: { a: { type: "string" } },
        additionalProperties: false,
        x_own: { type: "X" },
      },
      {
        $schema: "x",
        type: "object",
        $defs: { a: { type: "string" } },
        additionalProperties: false,
        x_own: { type: "X" },
      },
    ],
    [
      "what makes no sense stays",
      { type: 1, properties: 2, items: true, anyOf: "x" },
      { type: 1, properties: 2, items: true, anyOf: "x" },
    ],
    ["a boolean is a schema", true, true],
  ])("%s", (_what, parameters, expected) => {
    expect(parametersOf(parameters)).toEqual(expected);
  });

  test("with their properties in the order that is asked for", () => {
    const properties = { a: {}, b: {}, c: {}, d: {} };
    const schema = parametersOf({ properties, propertyOrdering: ["c", "x", "a", 1, "c"] });
    expect(JSON.stringify(schema)).toBe('{"properties":{"c":{},"a":{},"b":{},"d":{}}}');
  });

  test("with keys that pollute nothing", () => {
    const schema = parametersOf(
      JSON.parse('{"properties":{"__proto__":{"type":"STRING"}},"__proto__":{"polluted":true}}'),
    );
    expect(JSON.stringify(schema)).toBe('{"properties":{"__proto__":{"type":"string"}},"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("tools of the vendor's own", () => {
  test("are left out with one warning for each while a client's own remains", () => {
    const tools = [
      { googleSearch: {}, functionDeclarations: [{ name: "a" }] },
      { code_execution: {} },
      { urlContext: null },
    ];
    const request = read({ tools });
    expect(request.conversation.tools.map(({ name }) => name)).toEqual(["a"]);
    expect(request.warnings).toEqual([
      expect.stringContaining("'googleSearch'"),
      expect.stringContaining("'codeExecution'"),
    ]);
  });

  test("alone are refused", () => {
    expect(refusal({ tools: [{ googleSearch: {} }] })).toMatchObject({ kind: "unsupported", param: "tools" });
  });
});

describe("functionCallingConfig", () => {
  const tools = declare({ name: "a" }, { name: "b" });
  const choice = (functionCallingConfig: unknown) =>
    read({ tools, toolConfig: { functionCallingConfig } }).conversation.toolChoice;

  test.each([
    [undefined, { mode: "auto" }],
    [{}, { mode: "auto" }],
    [{ mode: "AUTO" }, { mode: "auto" }],
    [{ mode: "MODE_UNSPECIFIED" }, { mode: "auto" }],
    [{ mode: "AUTO", allowedFunctionNames: ["a"] }, { mode: "auto" }],
    [{ mode: "NONE" }, { mode: "none" }],
    [{ mode: "ANY" }, { mode: "required" }],
    [{ mode: "ANY", allowedFunctionNames: [] }, { mode: "required" }],
    [
      { mode: "ANY", allowedFunctionNames: ["a"] },
      { mode: "required", only: ["a"] },
    ],
    [
      { mode: "ANY", allowedFunctionNames: ["a", "b"] },
      { mode: "required", only: ["a", "b"] },
    ],
    [{ mode: "VALIDATED" }, { mode: "auto" }],
    [
      { mode: "VALIDATED", allowedFunctionNames: ["b"] },
      { mode: "auto", only: ["b"] },
    ],
  ])("%j", (config, expected) => {
    expect(choice(config)).toEqual(expected);
  });

  const path = "toolConfig.functionCallingConfig";
  test.each([
    ["ANY", path],
    [{ mode: "SOMETIMES" }, `${path}.mode`],
    [{ mode: "__proto__" }, `${path}.mode`],
    [{ mode: 1 }, `${path}.mode`],
    [{ mode: "ANY", allowedFunctionNames: ["c"] }, path],
    [{ mode: "ANY", allowedFunctionNames: "a" }, `${path}.allowedFunctionNames`],
    [{ mode: "ANY", allowed_function_names: [1] }, `${path}.allowed_function_names`],
    [{ mode: "ANY", allowedFunctionNames: Array.from({ length: 513 }, () => "a") }, `${path}.allowedFunctionNames`],
  ])("%#: %j is refused", (functionCallingConfig, param) => {
    expect(refusal({ tools, toolConfig: { functionCallingConfig } })).toMatchObject({ kind: "invalid-request", param });
  });

  test("any without any tool is refused", () => {
    const toolConfig = { functionCallingConfig: { mode: "ANY" } };
    expect(refusal({ toolConfig })).toMatchObject({ kind: "invalid-request", param: path });
  });
});
