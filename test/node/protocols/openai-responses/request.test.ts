import { describe, expect, test } from "vitest";
import { openAiResponses } from "../../../../src/protocols/openai-responses/protocol.ts";
import { refusalOf } from "../refusal.ts";

const MINIMAL = { model: "m", input: "hi" };

const read = (fields: object) => openAiResponses.readRequest({ ...MINIMAL, ...fields });
const conversation = (fields: object) => read(fields).conversation;

const refusal = (body: unknown, readBody: (body: unknown) => unknown = openAiResponses.readRequest) =>
  refusalOf(() => readBody(body));

const refused = (param: string) => expect.objectContaining({ kind: "invalid-request", param });
const weather = { type: "function", name: "weather" };

test("a minimal request", () => {
  expect(conversation({})).toEqual({
    model: "m",
    system: "",
    turns: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
    tools: [],
    toolChoice: { mode: "auto" },
    parallelToolCalls: true,
    sampling: {},
    reasoning: { expose: false },
    stream: false,
  });
});

test("null is the same as absent, and unknown fields are ignored", () => {
  const names = ["tools", "tool_choice", "max_output_tokens", "temperature", "top_p", "stream", "instructions", "text"];
  const others = [
    "reasoning",
    "previous_response_id",
    "conversation",
    "background",
    "prompt",
    "truncation",
    "metadata",
  ];
  const nulls = Object.fromEntries([...names, ...others].map((name) => [name, null]));
  const ignored = {
    store: true,
    include: ["reasoning.encrypted_content"],
    top_logprobs: 3,
    background: false,
    user: 1,
  };
  const request = read({ ...nulls, ...ignored, client_metadata: { a: 1 }, of_next_month: [{}] });
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
    ["input", undefined],
    ["input", null],
    ["input", ""],
    ["input", []],
    ["input", 1],
    ["input", { role: "user" }],
    ["input", Array.from({ length: 5_001 }, () => ({ content: "hi" }))],
    ["instructions", ["Be brief."]],
    ["stream", "true"],
    ["max_output_tokens", "100"],
    ["max_output_tokens", 0],
    ["max_output_tokens", 1.5],
    ["temperature", "0.5"],
    ["temperature", Number.POSITIVE_INFINITY],
    ["top_p", []],
    ["parallel_tool_calls", "yes"],
    ["background", "yes"],
    ["text", "json"],
    ["reasoning", "high"],
    ["truncation", 1],
    ["metadata", "x"],
    ["tools", {}],
    ["tools", "weather"],
    ["tool_choice", 1],
    ["tool_choice", "sometimes"],
    ["tool_choice", []],
  ])("%s: %j", (name, value) => {
    expect(refusal({ ...MINIMAL, [name]: value })).toEqual(refused(name));
  });

  test.each([
    [{ text: { format: "json" } }, "text.format"],
    [{ text: { format: { type: 1 } } }, "text.format.type"],
    [{ text: { format: { type: "json_schema", schema: "x" } } }, "text.format.schema"],
    [{ text: { verbosity: 1 } }, "text.verbosity"],
    [{ reasoning: { effort: 3 } }, "reasoning.effort"],
    [{ reasoning: { summary: true } }, "reasoning.summary"],
  ])("%j", (fields, param) => {
    expect(refusal({ ...MINIMAL, ...fields })).toEqual(refused(param));
  });
});

describe("what cannot be given is refused by its name", () => {
  test.each([
    ["background", true, "parameter"],
    ["prompt", { id: "pmpt_1" }, "parameter"],
    ["text", { format: { type: "grammar" } }, "value"],
  ])("%s: %j", (name, value, what) => {
    const param = expect.stringMatching(`^${name}`);
    expect(refusal({ ...MINIMAL, [name]: value })).toMatchObject({ kind: "unsupported", what, param });
  });

  test.each([
    ["previous_response_id", "resp_1"],
    ["conversation", "conv_1"],
    ["conversation", { id: "conv_1" }],
  ])("%s: %j, without which the conversation would be another", (param, value) => {
    for (const readBody of [openAiResponses.readRequest, openAiResponses.tokenCount?.readRequest]) {
      const error = refusal({ ...MINIMAL, [param]: value }, readBody);
      expect(error).toMatchObject({ kind: "conversation-not-stored", param });
    }
  });
});

test("every option that upstreams share is read", () => {
  const fields = { max_output_tokens: 10, temperature: 0, top_p: 1, text: { verbosity: "low" } };
  expect(conversation(fields).sampling).toEqual({ maxTokens: 10, temperature: 0, topP: 1, verbosity: "low" });
  expect(conversation({ parallel_tool_calls: false, stream: true })).toMatchObject({
    parallelToolCalls: false,
    stream: true,
  });
});

describe("text.format", () => {
  test.each([
    [undefined, undefined],
    [{ type: "text" }, undefined],
    [{}, undefined],
    [{ type: "json_object" }, { type: "json" }],
    [
      { type: "json_schema", name: "city", strict: true, schema: { type: "object" } },
      { type: "json-schema", name: "city", strict: true, schema: { type: "object" } },
    ],
    [{ type: "json_schema" }, { type: "json-schema", name: "response", schema: {} }],
  ])("%j", (format, expected) => {
    expect(conversation({ text: { format } }).responseFormat).toEqual(expected);
  });
});

describe("reasoning is shown where a summary is asked for", () => {
  test.each([
    [{}, { expose: false }],
    [{ effort: "high" }, { effort: "high", expose: false }],
    [{ effort: "none" }, { effort: "none", expose: false }],
    [{ summary: null }, { expose: false }],
    [{ summary: "none" }, { expose: false }],
    [{ summary: "auto" }, { expose: true }],
    [
      { effort: "low", summary: "detailed" },
      { effort: "low", expose: true },
    ],
  ])("%j", (reasoning, expected) => {
    expect(conversation({ reasoning }).reasoning).toEqual(expected);
  });

  test("an effort that is not known yet is ignored with a warning", () => {
    const request = read({ reasoning: { effort: "galactic" } });
    expect(request.conversation.reasoning).toEqual({ expose: false });
    expect(request.warnings).toEqual([expect.stringContaining("galactic")]);
  });
});

test("names that a client made up are repeated to it in part only", () => {
  const name = "n".repeat(100_000);
  const texts = [
    refusal({ ...MINIMAL, tools: [weather], tool_choice: { type: "function", name } }),
    refusal({ ...MINIMAL, tools: [{ type: name }] }),
    refusal({ ...MINIMAL, input: [{ role: name, content: "" }] }),
    read({ tools: [weather, { type: name }] }).warnings,
    read({ reasoning: { effort: name } }).warnings,
    read({ input: [{ type: name }] }).warnings,
    read({ input: [{ role: "user", content: [{ type: name }] }] }).warnings,
  ];
  for (const text of texts) {
    expect(JSON.stringify(text)).toContain("n".repeat(64));
    expect(JSON.stringify(text).length).toBeLessThan(400);
  }
});

describe("a question for the number of tokens", () => {
  const count = openAiResponses.tokenCount;

  test("is a request whose input may be missing", () => {
    expect(count?.readRequest({ ...MINIMAL, tools: [weather] })).toEqual(conversation({ tools: [weather] }));
    expect(count?.readRequest({ model: "m", instructions: "Be brief." })).toMatchObject({
      system: "Be brief.",
      turns: [],
    });
    expect(refusal({ input: "hi" }, count?.readRequest)).toEqual(refused("model"));
  });

  test("is answered in OpenAI's shape", () => {
    expect(count?.render(7)).toEqual({ object: "response.input_tokens", input_tokens: 7 });
  });
});
