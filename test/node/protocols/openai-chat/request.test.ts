import { describe, expect, test } from "vitest";
import { openAiChat } from "../../../../src/protocols/openai-chat/protocol.ts";
import { refusalOf } from "../refusal.ts";

const MINIMAL = { model: "m", messages: [{ role: "user", content: "hi" }] };

const read = (fields: object) => openAiChat.readRequest({ ...MINIMAL, ...fields });
const conversation = (fields: object) => read(fields).conversation;

const refusal = (body: unknown) => refusalOf(() => openAiChat.readRequest(body));

const refused = (param: string) => expect.objectContaining({ kind: "invalid-request", param });
const weather = { type: "function", function: { name: "weather" } };

test("a minimal request", () => {
  expect(conversation({})).toEqual({
    model: "m",
    system: "",
    turns: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
    tools: [],
    toolChoice: { mode: "auto" },
    parallelToolCalls: true,
    sampling: {},
    reasoning: { expose: true },
    stream: false,
  });
});

test("null is the same as absent, and unknown fields are ignored", () => {
  const names = ["tools", "tool_choice", "stop", "max_tokens", "temperature", "n", "stream", "stream_options", "audio"];
  const nulls = Object.fromEntries([...names, "response_format", "reasoning_effort"].map((name) => [name, null]));
  const request = read({ ...nulls, store: true, logprobs: true, metadata: { a: 1 }, of_next_month: [{}] });
  expect(request).toMatchObject({ conversation: conversation({}), warnings: [] });
});

describe("a body that is no object is refused", () => {
  test.each([[null], [[]], ["text"], [1], [true]])("%j", (body) => {
    expect(refusal(body)).toMatchObject({ kind: "invalid-request" });
  });
});

describe("wrong types are refused by the field's name", () => {
  test.each([
    ["model", undefined],
    ["model", ""],
    ["model", 4],
    ["model", "m".repeat(513)],
    ["messages", undefined],
    ["messages", null],
    ["messages", []],
    ["messages", "hi"],
    ["messages", { 0: {} }],
    ["messages", Array.from({ length: 5_001 }, () => ({ content: "hi" }))],
    ["stream", "true"],
    ["stream_options", true],
    ["max_tokens", "100"],
    ["max_tokens", 0],
    ["max_tokens", 1.5],
    ["max_completion_tokens", {}],
    ["temperature", "0.5"],
    ["temperature", Number.POSITIVE_INFINITY],
    ["top_p", []],
    ["top_k", 0.5],
    ["presence_penalty", "1"],
    ["frequency_penalty", false],
    ["seed", "42"],
    ["n", "1"],
    ["n", 0],
    ["stop", 1],
    ["stop", ["a", null]],
    ["stop", {}],
    ["stop", Array.from({ length: 65 }, (_, index) => `s${index}`)],
    ["parallel_tool_calls", "yes"],
    ["response_format", "json"],
    ["reasoning_effort", 3],
    ["modalities", "text"],
    ["logit_bias", [1]],
    ["verbosity", 1],
    ["user", {}],
    ["tools", {}],
    ["tools", "weather"],
    ["tool_choice", 1],
    ["tool_choice", "sometimes"],
    ["tool_choice", []],
  ])("%s: %j", (name, value) => {
    expect(refusal({ ...MINIMAL, [name]: value })).toEqual(refused(name));
  });
});

describe("what cannot be given is refused by its name", () => {
  test.each([
    ["n", 2, "value"],
    ["modalities", ["text", "audio"], "value"],
    ["audio", { voice: "x" }, "parameter"],
    ["web_search_options", {}, "parameter"],
    ["response_format", { type: "xml" }, "value"],
  ])("%s: %j", (name, value, what) => {
    expect(refusal({ ...MINIMAL, [name]: value })).toMatchObject({
      kind: "unsupported",
      what,
      param: expect.stringMatching(`^${name}`),
    });
  });
});

describe("sampling", () => {
  test("every field that upstreams share is read", () => {
    const fields = {
      max_tokens: 10,
      temperature: 0,
      top_p: 1,
      top_k: 40,
      seed: -1,
      presence_penalty: -2,
      frequency_penalty: 2,
      logit_bias: { "7": -100 },
      verbosity: "low",
      user: "u",
      stop: "END",
    };
    expect(conversation(fields).sampling).toEqual({
      logitBias: { "7": -100 },
      verbosity: "low",
      user: "u",
      maxTokens: 10,
      temperature: 0,
      topP: 1,
      topK: 40,
      seed: -1,
      presencePenalty: -2,
      frequencyPenalty: 2,
      stop: ["END"],
    });
  });

  test("max_completion_tokens wins over max_tokens", () => {
    expect(conversation({ max_tokens: 10, max_completion_tokens: 20 }).sampling).toEqual({ maxTokens: 20 });
  });

  test("empty stop strings, which would stop everywhere, are left out", () => {
    expect(conversation({ stop: ["", "a", "b"] }).sampling).toEqual({ stop: ["a", "b"] });
    expect(conversation({ stop: "" }).sampling).toEqual({});
  });
});

describe("response_format", () => {
  test.each([
    [{ type: "text" }, undefined],
    [{ type: "json_object" }, { type: "json" }],
    [
      { type: "json_schema", json_schema: { name: "city", strict: true, schema: { type: "object" } } },
      { type: "json-schema", name: "city", strict: true, schema: { type: "object" } },
    ],
    [
      { type: "json_schema", json_schema: {} },
      { type: "json-schema", name: "response", schema: {} },
    ],
  ])("%j", (response_format, expected) => {
    expect(conversation({ response_format }).responseFormat).toEqual(expected);
  });

  test.each([
    [{ type: "json_schema" }, "response_format.json_schema"],
    [{ type: "json_schema", json_schema: { schema: "x" } }, "response_format.json_schema.schema"],
  ])("%j is refused", (response_format, param) => {
    expect(refusal({ ...MINIMAL, response_format })).toEqual(refused(param));
  });
});

describe("reasoning", () => {
  test.each([
    ["high", { effort: "high", expose: true }],
    ["none", { effort: "none", expose: false }],
  ])("effort %s", (reasoning_effort, expected) => {
    expect(conversation({ reasoning_effort }).reasoning).toEqual(expected);
  });

  test("an effort that is not known yet is ignored with a warning", () => {
    const request = read({ reasoning_effort: "galactic" });
    expect(request.conversation.reasoning).toEqual({ expose: true });
    expect(request.warnings).toEqual([expect.stringContaining("galactic")]);
  });
});

test("names that a client made up are repeated to it in part only", () => {
  const name = "n".repeat(100_000);
  const choose = (tool_choice: unknown) => refusal({ ...MINIMAL, tools: [weather], tool_choice });
  const texts = [
    choose({ type: "function", function: { name } }),
    refusal({ ...MINIMAL, tools: [{ type: name }] }),
    refusal({ ...MINIMAL, messages: [{ role: name, content: "" }] }),
    read({ tools: [weather, { type: name }] }).warnings,
    read({ reasoning_effort: name }).warnings,
    read({ messages: [{ role: "user", content: [{ type: name }] }] }).warnings,
  ];
  for (const text of texts) {
    expect(JSON.stringify(text)).toContain("n".repeat(64));
    expect(JSON.stringify(text).length).toBeLessThan(400);
  }
});

describe("tool_choice", () => {
  const tools = [weather, { type: "custom", custom: { name: "patch" } }];
  test.each([
    ["auto", { mode: "auto" }],
    ["none", { mode: "none" }],
    ["required", { mode: "required" }],
    [weather, { mode: "required", only: ["weather"] }],
    [
      { type: "custom", custom: { name: "patch" } },
      { mode: "required", only: ["patch"] },
    ],
    [
      { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [weather] } },
      { mode: "auto", only: ["weather"] },
    ],
    [
      {
        type: "allowed_tools",
        allowed_tools: { mode: "required", tools: [weather, { type: "custom", custom: { name: "patch" } }] },
      },
      { mode: "required", only: ["weather", "patch"] },
    ],
  ])("%j", (tool_choice, expected) => {
    expect(conversation({ tools, tool_choice }).toolChoice).toEqual(expected);
  });

  test.each([
    ["a tool that is not declared", { type: "function", function: { name: "other" } }, "tool_choice"],
    ["no name", { type: "function" }, "tool_choice.name"],
    ["no name inside", { type: "function", function: {} }, "tool_choice.function.name"],
    ["a name of a wrong type", { type: "function", function: { name: 1 } }, "tool_choice.function.name"],
    [
      "no mode of allowed_tools",
      { type: "allowed_tools", allowed_tools: { mode: "x" } },
      "tool_choice.allowed_tools.mode",
    ],
    ["no allowed tool", { type: "allowed_tools", allowed_tools: { tools: [] } }, "tool_choice.allowed_tools.tools"],
    [
      "more allowed tools than can be declared",
      { type: "allowed_tools", allowed_tools: { tools: Array.from({ length: 513 }, () => weather) } },
      "tool_choice.allowed_tools.tools",
    ],
    ["no object", { type: "allowed_tools", allowed_tools: { tools: [1] } }, "tool_choice.allowed_tools.tools[0]"],
  ])("%s is refused", (_what, tool_choice, param) => {
    expect(refusal({ ...MINIMAL, tools, tool_choice })).toEqual(refused(param));
  });

  test("a hosted tool cannot be chosen", () => {
    const tool_choice = { type: "web_search" };
    expect(refusal({ ...MINIMAL, tools, tool_choice })).toMatchObject({ kind: "unsupported", param: "tool_choice" });
  });

  test("required without any tool is refused", () => {
    expect(refusal({ ...MINIMAL, tools: [], tool_choice: "required" })).toEqual(refused("tool_choice"));
    expect(conversation({ tools: [], tool_choice: "none" }).toolChoice).toEqual({ mode: "none" });
  });

  test("function_call is the older spelling", () => {
    const functions = [{ name: "weather" }];
    expect(conversation({ functions, function_call: "none" }).toolChoice).toEqual({ mode: "none" });
    expect(conversation({ functions, function_call: { name: "weather" } }).toolChoice).toEqual({
      mode: "required",
      only: ["weather"],
    });
  });
});
