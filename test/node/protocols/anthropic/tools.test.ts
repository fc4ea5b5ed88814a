import { describe, expect, test } from "vitest";
import { anthropic } from "../../../../src/protocols/anthropic/protocol.ts";
import { refusalOf } from "../refusal.ts";
import { MINIMAL } from "./render.ts";

const read = (fields: object) => anthropic.readRequest({ ...MINIMAL, ...fields });

const refusal = (fields: object) => refusalOf(() => read(fields));

const weather = { name: "weather", input_schema: { type: "object" } };

describe("tools of the client", () => {
  const input_schema = { type: "object", properties: { city: { type: "string" } }, $defs: {} };
  const declared = { name: "weather", description: "Of a city", input_schema };
  const tool = { name: "weather", description: "Of a city", parameters: input_schema };

  test.each([
    [declared, tool],
    [{ type: "custom", ...declared }, tool],
    [{ type: null, ...declared }, tool],
    [
      {
        ...declared,
        strict: true,
        defer_loading: true,
        input_examples: [{ city: "Paris" }],
        eager_input_streaming: true,
        cache_control: { type: "ephemeral" },
        allowed_callers: ["direct"],
      },
      tool,
    ],
    [{ name: "mcp__server__now" }, { name: "mcp__server__now", parameters: { type: "object", properties: {} } }],
  ])("%j", (entry, expected) => {
    const { conversation, warnings } = read({ tools: [entry] });
    expect(conversation.tools).toEqual([expected]);
    expect(warnings).toEqual([]);
  });

  test("of two with one name the first wins, with a warning", () => {
    const { conversation, warnings } = read({ tools: [{ ...weather, description: "first" }, weather] });
    expect(conversation.tools).toMatchObject([{ name: "weather", description: "first" }]);
    expect(warnings).toEqual([expect.stringContaining("'weather'")]);
  });

  test.each([
    [[null], "tools[0]"],
    [[weather, {}], "tools[1].name"],
    [[{ name: "a b" }], "tools[0].name"],
    [[{ type: 1, name: "a" }], "tools[0].type"],
    [[{ name: "a", description: 1 }], "tools[0].description"],
    [[{ name: "a", input_schema: "x" }], "tools[0].input_schema"],
    [[{ name: "a", input_schema: { description: "x".repeat(262_144) } }], "tools[0].input_schema"],
    [Array.from({ length: 513 }, (_, index) => ({ name: `t${index}` })), "tools"],
  ])("%#: %s is refused", (tools, param) => {
    expect(refusal({ tools })).toMatchObject({ kind: "invalid-request", param });
  });
});

describe("tools that the client runs by a schema of the vendor's are refused", () => {
  test.each([
    "bash_20250124",
    "text_editor_20250728",
    "computer_20250124",
    "computer_toolset_20260801",
    "browser_toolset_20260801",
    "memory_20250818",
  ])("%s", (type) => {
    expect(refusal({ tools: [weather, { type, name: "bash" }] })).toMatchObject({
      kind: "unsupported",
      what: "value",
      param: "tools[1].type",
    });
  });
});

describe("tools that run on the vendor's servers", () => {
  const hosted = [
    { type: "web_search_20260318", name: "web_search", max_uses: 5 },
    { type: "web_fetch_20260318", name: "web_fetch" },
    { type: "code_execution_20260521", name: "code_execution" },
    { type: "tool_search_tool_bm25_20251119", name: "tool_search" },
    { type: "mcp_toolset", mcp_server_name: "s" },
  ];

  test.each(hosted)("$type is left out with a warning while another remains", (tool) => {
    const { conversation, warnings } = read({ tools: [tool, weather, tool] });
    expect(conversation.tools.map(({ name }) => name)).toEqual(["weather"]);
    expect(warnings).toEqual([expect.stringContaining(tool.type)]);
  });

  test("alone are refused", () => {
    expect(refusal({ tools: hosted })).toMatchObject({ kind: "unsupported", param: "tools" });
  });

  test("cannot be chosen", () => {
    const tool_choice = { type: "tool", name: "web_search" };
    expect(refusal({ tools: [...hosted, weather], tool_choice })).toMatchObject({ param: "tool_choice" });
  });
});

describe("tool_choice", () => {
  test.each([
    [undefined, { mode: "auto" }, true],
    [{}, { mode: "auto" }, true],
    [{ type: "auto" }, { mode: "auto" }, true],
    [{ type: "any" }, { mode: "required" }, true],
    [{ type: "none" }, { mode: "none" }, true],
    [{ type: "tool", name: "weather" }, { mode: "required", only: ["weather"] }, true],
    [{ type: "auto", disable_parallel_tool_use: false }, { mode: "auto" }, true],
    [{ type: "auto", disable_parallel_tool_use: true }, { mode: "auto" }, false],
    [{ type: "any", disable_parallel_tool_use: true }, { mode: "required" }, false],
    [
      { type: "tool", name: "weather", disable_parallel_tool_use: true },
      { mode: "required", only: ["weather"] },
      false,
    ],
  ])("%j", (tool_choice, toolChoice, parallelToolCalls) => {
    expect(read({ tools: [weather], tool_choice }).conversation).toMatchObject({ toolChoice, parallelToolCalls });
  });

  test.each([
    [{ type: "required" }, "tool_choice.type"],
    [{ type: "__proto__" }, "tool_choice.type"],
    [{ type: 1 }, "tool_choice.type"],
    [{ type: "tool" }, "tool_choice.name"],
    [{ type: "tool", name: 1 }, "tool_choice.name"],
    [{ type: "tool", name: "other" }, "tool_choice"],
    [{ type: "auto", disable_parallel_tool_use: "yes" }, "tool_choice.disable_parallel_tool_use"],
  ])("%j is refused", (tool_choice, param) => {
    expect(refusal({ tools: [weather], tool_choice })).toMatchObject({ kind: "invalid-request", param });
  });

  test("any without a tool is refused", () => {
    expect(refusal({ tools: [], tool_choice: { type: "any" } })).toMatchObject({ param: "tool_choice" });
    expect(refusal({ tool_choice: { type: "none" } })).toBe("read");
  });
});
