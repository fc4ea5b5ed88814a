import { describe, expect, test } from "vitest";
import { openAiChat } from "../../../../src/protocols/openai-chat/protocol.ts";
import { refusalOf } from "../refusal.ts";

const read = (fields: object) =>
  openAiChat.readRequest({ model: "m", messages: [{ role: "user", content: "hi" }], ...fields });

const refusal = (fields: object) => refusalOf(() => read(fields));

const named = (name: unknown) => ({ type: "function", function: { name } });
const NO_PARAMETERS = { type: "object", properties: {} };

describe("function tools", () => {
  test("are read with their description and schema", () => {
    const parameters = { type: "object", properties: { city: { type: "string" } } };
    const tool = {
      type: "function",
      function: { name: "weather", description: "Of a city", parameters, strict: true },
    };
    expect(read({ tools: [tool] }).conversation.tools).toEqual([
      { name: "weather", description: "Of a city", parameters },
    ]);
  });

  test.each([[undefined], [null]])("parameters %j are none", (parameters) => {
    const tools = [{ type: "function", function: { name: "now", parameters } }];
    expect(read({ tools }).conversation.tools).toEqual([{ name: "now", parameters: NO_PARAMETERS }]);
  });

  test("the older functions stand behind the tools", () => {
    const request = read({ tools: [named("a")], functions: [{ name: "b" }] });
    expect(request.conversation.tools.map(({ name }) => name)).toEqual(["a", "b"]);
  });

  test("of two with one name the first wins, with a warning", () => {
    const tools = [
      { type: "function", function: { name: "a", description: "first" } },
      { type: "function", function: { name: "a", description: "second" } },
    ];
    const request = read({ tools });
    expect(request.conversation.tools).toEqual([{ name: "a", description: "first", parameters: NO_PARAMETERS }]);
    expect(request.warnings).toEqual([expect.stringContaining("'a'")]);
  });
});

describe("names", () => {
  test.each([
    "a",
    "__proto__",
    "constructor",
    "toString",
    "mcp__server__tool",
    "ns.tool:x/y",
    "größe",
    "x".repeat(128),
  ])("%s is fine", (name) => {
    expect(read({ tools: [named(name)] }).conversation.tools).toEqual([{ name, parameters: NO_PARAMETERS }]);
  });

  test.each(["", "a b", "a\nb", "a\u00a0b", "<a", "a>", 'a"', "x".repeat(129), 1, null, undefined, {}])(
    "%j is refused",
    (name) => {
      const param = "tools[1].function.name";
      expect(refusal({ tools: [named("ok"), named(name)] })).toMatchObject({ kind: "invalid-request", param });
    },
  );
});

describe("wrong shapes are refused by their path", () => {
  test.each([
    [[null], "tools[0]"],
    [["weather"], "tools[0]"],
    [[{ type: 1 }], "tools[0].type"],
    [[{ type: "function" }], "tools[0].name"],
    [[{ type: "custom" }], "tools[0].name"],
    [[{ type: "function", function: 1 }], "tools[0].function"],
    [[{ type: "function", function: { name: "a", description: 1 } }], "tools[0].function.description"],
    [[{ type: "function", function: { name: "a", parameters: [] } }], "tools[0].function.parameters"],
    [[{ type: "function", function: { name: "a", parameters: "x" } }], "tools[0].function.parameters"],
    [
      [{ type: "function", function: { name: "a", parameters: { description: "x".repeat(262_144) } } }],
      "tools[0].function.parameters",
    ],
    [Array.from({ length: 513 }, (_, index) => named(`t${index}`)), "tools"],
    [
      [{ type: "custom", custom: { name: "a", format: { grammar: { definition: "x", syntax: 1 } } } }],
      "tools[0].custom.format.grammar.syntax",
    ],
  ])("%#: %s", (tools, param) => {
    expect(refusal({ tools })).toMatchObject({ kind: "invalid-request", param });
  });
});

describe("tools of other types", () => {
  test("are left out with one warning for each type while a client's own remains", () => {
    const request = read({ tools: [{ type: "web_search" }, named("a"), { type: "web_search" }, { type: "mcp" }] });
    expect(request.conversation.tools.map(({ name }) => name)).toEqual(["a"]);
    expect(request.warnings).toEqual([expect.stringContaining("web_search"), expect.stringContaining("mcp")]);
  });

  test("alone are refused", () => {
    expect(refusal({ tools: [{ type: "web_search" }] })).toMatchObject({ kind: "unsupported", param: "tools" });
  });
});

describe("custom tools are freeform", () => {
  test("with one string parameter", () => {
    const tools = [{ type: "custom", custom: { name: "note", description: "Takes a note" } }];
    expect(read({ tools }).conversation.tools).toEqual([
      {
        name: "note",
        description: "Takes a note",
        parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
        freeform: true,
      },
    ]);
  });

  test("whose description is the grammar", () => {
    const grammar = { syntax: "lark", definition: "start: WORD" };
    const tools = [{ type: "custom", custom: { name: "patch", format: { type: "grammar", grammar } } }];
    expect(read({ tools }).conversation.tools[0]?.parameters).toMatchObject({
      properties: { input: { type: "string", description: "Grammar (lark):\nstart: WORD" } },
    });
  });
});
