import { describe, expect, test } from "vitest";
import { openAiResponses } from "../../../../src/protocols/openai-responses/protocol.ts";
import type { ReplyEvent } from "../../../../src/reply.ts";
import { refusalOf } from "../refusal.ts";

const read = (fields: object) => openAiResponses.readRequest({ model: "m", input: "hi", ...fields });
const names = (tools: unknown) => read({ tools }).conversation.tools.map(({ name }) => name);

const refusal = (fields: object) => refusalOf(() => read(fields));

const named = (name: string, type = "function") => ({ type, name });
const namespace = (name: unknown, ...tools: unknown[]) => ({ type: "namespace", name, description: "d", tools });

describe("tools", () => {
  test("are read in either form", () => {
    const parameters = { type: "object", properties: { city: { type: "string" } } };
    const tool = { name: "weather", description: "Of a city", parameters };
    for (const declared of [
      { type: "function", strict: true, ...tool },
      { type: "function", function: tool },
    ]) {
      expect(read({ tools: [declared] }).conversation.tools).toEqual([tool]);
    }
  });

  test("that are custom are freeform, with their grammar told", () => {
    const format = { type: "grammar", syntax: "lark", definition: "start: WORD" };
    expect(read({ tools: [{ type: "custom", name: "patch", format }] }).conversation.tools).toMatchObject([
      { name: "patch", freeform: true, parameters: { properties: { input: { description: expect.any(String) } } } },
    ]);
  });

  test("that came up in the conversation are tools like any other", () => {
    const input = [
      { role: "user", content: "hi" },
      { type: "additional_tools", role: "developer", tools: [named("b")] },
    ];
    const request = read({ tools: [named("a")], input });
    expect(request.conversation.tools.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(request.warnings).toEqual([]);
  });

  test("of types that cannot run here are left out with a warning for each while one remains", () => {
    const request = read({
      tools: [named("a"), { type: "web_search", web_search: true }, { type: "tool_search", execution: "client" }],
    });
    expect(request.conversation.tools.map(({ name }) => name)).toEqual(["a"]);
    expect(request.warnings).toEqual([expect.stringContaining("web_search"), expect.stringContaining("tool_search")]);
  });

  test.each([[[{ type: "web_search" }]], [[namespace("crm", { type: "web_search" })]]])(
    "of such types alone are refused: %j",
    (tools) => {
      expect(refusal({ tools })).toMatchObject({ kind: "unsupported", param: "tools" });
    },
  );

  test.each([
    [[null], "tools[0]"],
    [[{ type: "function" }], "tools[0].name"],
    [[named("a"), { type: "custom", name: "a b" }], "tools[1].name"],
    [[{ type: "function", name: "a", parameters: [] }], "tools[0].parameters"],
    [[namespace("a b")], "tools[0].name"],
    [[namespace(undefined)], "tools[0].name"],
    [[{ ...namespace("crm"), tools: {} }], "tools[0].tools"],
    [[namespace("crm", null)], "tools[0].tools[0]"],
    [[namespace("crm", named("a"), { type: "function" })], "tools[0].tools[1].name"],
  ])("%j are refused", (tools, param) => {
    expect(refusal({ tools })).toMatchObject({ kind: "invalid-request", param });
  });
});

describe("a namespace's tools are shown in its place, under their bare names where these are free", () => {
  test.each([
    ["free", [named("a"), namespace("crm", named("b"), named("c", "custom")), named("d")], ["a", "b", "c", "d"]],
    ["taken by a tool without one", [named("a"), namespace("crm", named("a"))], ["a", "crm__a"]],
    ["taken by a later tool without one", [namespace("crm", named("a")), named("a")], ["crm__a", "a"]],
    ["taken by another namespace", [namespace("x", named("a")), namespace("y", named("a"))], ["a", "y__a"]],
    ["empty", [named("a"), namespace("crm")], ["a"]],
  ])("%s", (_what, tools, expected) => {
    expect(names(tools)).toEqual(expected);
    expect(read({ tools }).warnings).toEqual([]);
  });

  test.each([
    ["within one", [namespace("crm", named("a"), named("a"))], ["a"]],
    ["across two of one name", [namespace("crm", named("a")), namespace("crm", named("a"))], ["a"]],
    ["without one", [named("a"), named("a", "custom")], ["a"]],
    ["under the longer name", [named("a"), named("crm__a"), namespace("crm", named("a"))], ["a", "crm__a"]],
  ])("a tool declared twice %s counts once, with a warning", (_what, tools, expected) => {
    expect(names(tools)).toEqual(expected);
    expect(read({ tools }).warnings).toHaveLength(1);
  });
});

describe("calls go by the client's names, in the history and in the reply", () => {
  const tools = [
    namespace("x", named("a")),
    namespace("y", named("a"), named("patch", "custom")),
    named("b"),
    named("b__c"),
    namespace("b", named("c")),
  ];

  const NAMES: [client: { name: string; namespace?: string }, shown: string][] = [
    [{ name: "a", namespace: "x" }, "a"],
    [{ name: "a", namespace: "y" }, "y__a"],
    [{ name: "patch", namespace: "y" }, "patch"],
    [{ name: "b" }, "b"],
    [{ name: "b__c" }, "b__c"],
    [{ name: "c", namespace: "b" }, "c"],
    [{ name: "undeclared" }, "undeclared"],
  ];

  test.each(NAMES)("%j is shown as %s", (client, shown) => {
    const input = [
      { type: "function_call", call_id: "c1", arguments: "{}", ...client },
      { type: "function_call_output", call_id: "c1", output: "R" },
    ];
    const [call, result] = read({ tools, input }).conversation.turns;
    expect(call?.parts).toMatchObject([{ type: "tool-call", name: shown }]);
    expect(result?.parts).toMatchObject([{ type: "tool-result", name: shown }]);
  });

  test.each(NAMES)("%j is what a call of %s comes back as", (client, shown) => {
    const context = { requestId: "req_1", created: 1, randomId: () => "0", promptTokens: () => 7 };
    const renderer = read({ tools }).createRenderer(context);
    const start: ReplyEvent = { type: "call-start", index: 0, id: "call_1", name: shown };
    const [, data = ""] = /^data: (.+)$/m.exec(renderer.event(start)) ?? [];
    const { item } = JSON.parse(data);
    expect([item.name, item.namespace]).toEqual([client.name, client.namespace]);
  });

  test("a call of a namespace that is not declared keeps its name", () => {
    const input = [{ type: "function_call", call_id: "c1", name: "a", namespace: "gone", arguments: "{}" }];
    expect(read({ tools, input }).conversation.turns[0]?.parts).toMatchObject([{ name: "a" }]);
  });
});

describe("tool_choice", () => {
  const tools = [named("weather"), named("patch", "custom"), namespace("crm", named("find"))];

  test.each([
    ["auto", { mode: "auto" }],
    ["none", { mode: "none" }],
    ["required", { mode: "required" }],
    [named("weather"), { mode: "required", only: ["weather"] }],
    [
      { type: "function", function: { name: "weather" } },
      { mode: "required", only: ["weather"] },
    ],
    [named("patch", "custom"), { mode: "required", only: ["patch"] }],
    [named("find"), { mode: "required", only: ["find"] }],
    [
      { type: "allowed_tools", mode: "auto", tools: [named("weather")] },
      { mode: "auto", only: ["weather"] },
    ],
    [
      { type: "allowed_tools", mode: "required", tools: [named("weather"), named("patch", "custom")] },
      { mode: "required", only: ["weather", "patch"] },
    ],
  ])("%j", (tool_choice, expected) => {
    expect(read({ tools, tool_choice }).conversation.toolChoice).toEqual(expected);
  });

  test.each([
    [named("other"), "tool_choice"],
    [{ type: "function" }, "tool_choice.name"],
    [{ type: "allowed_tools", mode: "x" }, "tool_choice.mode"],
    [{ type: "allowed_tools", tools: [] }, "tool_choice.tools"],
    [{ type: "allowed_tools", tools: [1] }, "tool_choice.tools[0]"],
  ])("%j is refused", (tool_choice, param) => {
    expect(refusal({ tools, tool_choice })).toMatchObject({ kind: "invalid-request", param });
  });

  test("a tool that cannot run here cannot be chosen", () => {
    const tool_choice = { type: "web_search" };
    expect(refusal({ tools, tool_choice })).toMatchObject({ kind: "unsupported", param: "tool_choice" });
  });

  test("of a set, what cannot run here is left out, and a namespace stands for its tools", () => {
    const set = (...allowed: unknown[]) => ({
      tools,
      tool_choice: { type: "allowed_tools", mode: "auto", tools: allowed },
    });
    const asked = set({ type: "web_search" }, named("weather"), { type: "namespace", name: "crm" });
    expect(read(asked).conversation.toolChoice).toEqual({ mode: "auto", only: ["weather", "find"] });
    expect(refusal(set({ type: "web_search" }))).toMatchObject({ kind: "unsupported", param: "tool_choice.tools" });
  });

  test("a set names each tool once, however often its namespace is named", () => {
    const crm = namespace("crm", named("find"), named("add"));
    const twice = [crm, crm].map(({ name }) => ({ type: "namespace", name }));
    const tool_choice = { type: "allowed_tools", tools: [...twice, named("find")] };
    expect(read({ tools: [crm], tool_choice }).conversation.toolChoice.only).toEqual(["find", "add"]);
  });

  test("of two tools with one name the namespace tells which", () => {
    const twins = [named("find"), namespace("crm", named("find"))];
    const tool_choice = { ...named("find"), namespace: "crm" };
    expect(read({ tools: twins, tool_choice }).conversation.toolChoice.only).toEqual(["crm__find"]);
  });

  test("required without any tool is refused", () => {
    expect(refusal({ tool_choice: "required" })).toMatchObject({ kind: "invalid-request", param: "tool_choice" });
  });
});
