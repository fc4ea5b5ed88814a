import { describe, expect, test } from "vitest";
import { gemini } from "../../../../src/protocols/gemini/protocol.ts";
import { refusalOf } from "../refusal.ts";
import { read, refusal, targetOf } from "./requests.ts";

const conversation = (fields: object, path?: string) => read(fields, path).conversation;
const configured = (generationConfig: unknown) => conversation({ generationConfig });
const refused = (param: string) => expect.objectContaining({ kind: "invalid-request", param });
const contents = [{ parts: [{ text: "hi" }] }];

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

describe("the path says", () => {
  test.each([
    ["/v1beta/models/m:generateContent", "m", false],
    ["/v1beta/models/org/qwen:7b:generateContent", "org/qwen:7b", false],
    ["/v1/models/m:streamGenerateContent", "m", true],
    ["/v1/models/m:streamGenerateContent?alt=sse", "m", true],
    ["/v1beta/models/m:generateContent?alt=sse", "m", false],
    // A client that names its model as the list of models does.
    ["/v1beta/models/models/m:generateContent", "m", false],
  ])("%s", (path, model, stream) => {
    expect(conversation({}, path)).toMatchObject({ model, stream });
  });

  test.each([
    ["/v1/models/m:streamGenerateContent", "application/json", "["],
    ["/v1/models/m:streamGenerateContent?alt=sse", "text/event-stream; charset=utf-8", ""],
    ["/v1/models/m:streamGenerateContent?alt=json", "application/json", "["],
  ])("how %s streams", (path, contentType, start) => {
    const context = { requestId: "r", created: 1, randomId: () => "id", promptTokens: () => 1 };
    const renderer = read({}, path).createRenderer(context);
    expect([renderer.contentType, renderer.start()]).toEqual([contentType, start]);
  });

  test("which model; without one there is nothing to answer", () => {
    expect(refusalOf(() => gemini.readRequest({ contents }))).toEqual(refused("model"));
    expect(refusalOf(() => read({}, "/v1/models/:generateContent"))).toEqual(refused("model"));
    expect(refusalOf(() => read({}, `/v1/models/${"m".repeat(513)}:generateContent`))).toEqual(refused("model"));
  });
});

test("null is the same as absent, and unknown fields are ignored", () => {
  const names = ["tools", "toolConfig", "systemInstruction", "generationConfig", "safetySettings", "cachedContent"];
  const request = read({
    ...Object.fromEntries(names.map((name) => [name, null])),
    labels: { a: "b" },
    serviceTier: "x",
    store: true,
    of_next_month: [{}],
  });
  expect(request).toMatchObject({ conversation: conversation({}), warnings: [] });
  const config = [
    "topK",
    "stopSequences",
    "candidateCount",
    "responseModalities",
    "responseMimeType",
    "thinkingConfig",
  ];
  expect(configured(Object.fromEntries(config.map((name) => [name, null])))).toEqual(conversation({}));
  expect(configured({ responseLogprobs: true, logprobs: 3, speechConfig: {} })).toEqual(conversation({}));
});

test("every field that is read goes by its snake_case name, too", () => {
  const schema = { type: "OBJECT", properties: { some_key: { type: "STRING", any_of: [{ min_length: "1" }] } } };
  const camel = {
    systemInstruction: { parts: [{ text: "s" }] },
    tools: [{ functionDeclarations: [{ name: "f", parametersJsonSchema: { some_key: 1 } }, { name: "g" }] }],
    toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["g"] } },
    generationConfig: {
      maxOutputTokens: 5,
      topP: 0.5,
      topK: 4,
      stopSequences: ["x"],
      presencePenalty: 1,
      frequencyPenalty: 2,
      candidateCount: 1,
      responseModalities: ["TEXT"],
      responseMimeType: "application/json",
      responseSchema: schema,
      thinkingConfig: { includeThoughts: true, thinkingLevel: "LOW" },
    },
  };
  const snake = {
    system_instruction: { parts: [{ text: "s" }] },
    tools: [{ function_declarations: [{ name: "f", parameters_json_schema: { some_key: 1 } }, { name: "g" }] }],
    tool_config: { function_calling_config: { mode: "ANY", allowed_function_names: ["g"] } },
    generation_config: {
      max_output_tokens: 5,
      top_p: 0.5,
      top_k: 4,
      stop_sequences: ["x"],
      presence_penalty: 1,
      frequency_penalty: 2,
      candidate_count: 1,
      response_modalities: ["TEXT"],
      response_mime_type: "application/json",
      response_schema: schema,
      thinking_config: { include_thoughts: true, thinking_level: "LOW" },
    },
  };
  expect(conversation(snake)).toEqual(conversation(camel));
  expect(conversation(snake)).toMatchObject({
    system: "s",
    toolChoice: { only: ["g"] },
    tools: [{ parameters: { some_key: 1 } }, {}],
    reasoning: { effort: "low", expose: true },
    responseFormat: { schema: { properties: { some_key: { type: "string", anyOf: [{ minLength: 1 }] } } } },
  });
});

describe("a body that is no object is refused", () => {
  test.each([[null], [[]], ["text"], [1], [true]])("%j", (body) => {
    const target = targetOf("/v1/models/m:generateContent");
    expect(refusalOf(() => gemini.readRequest(body, target))).toMatchObject({ kind: "invalid-request" });
  });
});

test("a number may be a string, as in protobuf's JSON", () => {
  const generationConfig = {
    maxOutputTokens: "100",
    temperature: "0.5",
    seed: "-42",
    thinkingConfig: { thinkingBudget: "0" },
  };
  expect(read({ generationConfig }).conversation).toMatchObject({
    sampling: { maxTokens: 100, temperature: 0.5, seed: -42 },
    reasoning: { effort: "none" },
  });
});

describe("wrong types are refused by the field's name", () => {
  test.each([
    ["maxOutputTokens", "many"],
    ["maxOutputTokens", "0"],
    ["maxOutputTokens", 0],
    ["maxOutputTokens", 1.5],
    ["temperature", "0x1"],
    ["topP", []],
    ["topK", 0.5],
    ["seed", "4.2"],
    ["presencePenalty", "1 "],
    ["frequency_penalty", false],
    ["stopSequences", 1],
    ["stop_sequences", ["a", null]],
    ["stopSequences", Array.from({ length: 65 }, (_, index) => `s${index}`)],
    ["candidateCount", []],
    ["responseModalities", "TEXT"],
    ["responseModalities", [1]],
    ["response_mime_type", 1],
    ["thinkingConfig", true],
  ])("generationConfig.%s: %j", (name, value) => {
    expect(refusal({ generationConfig: { [name]: value } })).toEqual(refused(`generationConfig.${name}`));
  });

  test.each([
    [{ generationConfig: [] }, "generationConfig"],
    [{ generation_config: "x" }, "generation_config"],
    [
      { generation_config: { thinkingConfig: { include_thoughts: 1 } } },
      "generation_config.thinkingConfig.include_thoughts",
    ],
    [
      { generationConfig: { thinkingConfig: { thinkingBudget: "none" } } },
      "generationConfig.thinkingConfig.thinkingBudget",
    ],
    [{ generationConfig: { thinkingConfig: { thinkingLevel: 1 } } }, "generationConfig.thinkingConfig.thinkingLevel"],
    [{ cachedContent: {} }, "cachedContent"],
    [
      { generationConfig: { responseMimeType: "application/json", responseSchema: "x" } },
      "generationConfig.responseSchema",
    ],
    [
      { generationConfig: { responseMimeType: "application/json", response_json_schema: [] } },
      "generationConfig.response_json_schema",
    ],
  ])("%j", (fields, param) => {
    expect(refusal(fields)).toEqual(refused(param));
  });
});

describe("what cannot be given is refused by its name", () => {
  test.each([
    [{ cachedContent: "cachedContents/1" }, "cachedContent", "parameter"],
    [{ cached_content: "cachedContents/1" }, "cached_content", "parameter"],
    [{ continuationToken: "x" }, "continuationToken", "parameter"],
    [{ generationConfig: { candidateCount: 2 } }, "generationConfig.candidateCount", "value"],
    [{ generationConfig: { responseModalities: ["TEXT", "IMAGE"] } }, "generationConfig.responseModalities", "value"],
    [{ generationConfig: { responseMimeType: "text/x.enum" } }, "generationConfig.responseMimeType", "value"],
  ])("%j", (fields, param, what) => {
    expect(refusal(fields)).toMatchObject({ kind: "unsupported", what, param });
  });

  test("an empty string asks for nothing", () => {
    expect(conversation({ cachedContent: "", continuationToken: "" })).toEqual(conversation({}));
  });
});

test("sampling has every field that upstreams share", () => {
  const generationConfig = {
    maxOutputTokens: 10,
    temperature: 0,
    topP: 1,
    topK: 40,
    stopSequences: ["END", ""],
    seed: -1,
    presencePenalty: -2,
    frequencyPenalty: 2,
  };
  expect(configured(generationConfig).sampling).toEqual({
    maxTokens: 10,
    temperature: 0,
    topP: 1,
    topK: 40,
    stop: ["END"],
    seed: -1,
    presencePenalty: -2,
    frequencyPenalty: 2,
  });
  expect(configured({ stopSequences: [] }).sampling).toEqual({});
});

describe("the format of the answer", () => {
  const json = { responseMimeType: "application/json" };
  test.each([
    [{}, undefined],
    [{ responseMimeType: "text/plain" }, undefined],
    [{ responseMimeType: "" }, undefined],
    [json, { type: "json" }],
    [
      { ...json, responseSchema: { type: "OBJECT", properties: { a: { type: "STRING", nullable: true } } } },
      {
        type: "json-schema",
        name: "response",
        schema: { type: "object", properties: { a: { type: ["string", "null"] } } },
      },
    ],
    [
      { ...json, responseJsonSchema: { type: "object", nullable: true } },
      { type: "json-schema", name: "response", schema: { type: "object", nullable: true } },
    ],
  ])("%j", (generationConfig, expected) => {
    expect(configured(generationConfig).responseFormat).toEqual(expected);
  });
});

describe("thinkingConfig", () => {
  test.each([
    [{}, { expose: false }],
    [{ includeThoughts: true }, { expose: true }],
    [{ includeThoughts: true, thinkingBudget: 8192 }, { expose: true }],
    [{ thinkingBudget: -1 }, { expose: false }],
    [{ thinkingBudget: 0 }, { effort: "none", expose: false }],
    [{ thinkingLevel: "HIGH" }, { effort: "high", expose: false }],
    [{ thinkingLevel: "minimal" }, { effort: "minimal", expose: false }],
    [{ thinkingLevel: "THINKING_LEVEL_UNSPECIFIED" }, { expose: false }],
  ])("%j", (thinkingConfig, reasoning) => {
    const request = read({ generationConfig: { thinkingConfig } });
    expect(request.conversation.reasoning).toEqual(reasoning);
    expect(request.warnings).toEqual([]);
  });

  test("a level that is not known yet is ignored with a warning", () => {
    const request = read({ generationConfig: { thinkingConfig: { thinkingLevel: "GALACTIC" } } });
    expect(request.conversation.reasoning).toEqual({ expose: false });
    expect(request.warnings).toEqual([expect.stringContaining("galactic")]);
  });
});

describe("countTokens", () => {
  const count = (body: object, path: string | undefined = "/v1beta/models/m:countTokens") =>
    gemini.tokenCount?.readRequest(body, targetOf(path));

  test("reads contents alone, or a whole request", () => {
    expect(count({ contents })).toMatchObject({ model: "m", turns: [{ role: "user" }], stream: false });
    const request = {
      model: "models/other",
      contents,
      systemInstruction: "s",
      tools: { functionDeclarations: [{ name: "f" }] },
    };
    expect(count({ generateContentRequest: request })).toMatchObject({
      model: "m",
      system: "s",
      tools: [{ name: "f" }],
    });
    expect(count({ generate_content_request: request })).toMatchObject({ system: "s" });
  });

  test("is refused by the field's whole place", () => {
    expect(refusalOf(() => count({}))).toEqual(refused("contents"));
    expect(refusalOf(() => count({ generateContentRequest: { contents: [1] } }))).toEqual(
      refused("generateContentRequest.contents[0]"),
    );
    expect(refusalOf(() => count({ generateContentRequest: {} }))).toEqual(refused("generateContentRequest.contents"));
  });

  test("is answered with the total", () => {
    expect(gemini.tokenCount?.render(7)).toEqual({ totalTokens: 7 });
  });
});

test("the list of models, and one of them", () => {
  const model = {
    name: "models/org/qwen:7b",
    version: "001",
    displayName: "org/qwen:7b",
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 8_192,
    supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
  };
  expect(gemini.renderModel("org/qwen:7b")).toEqual(model);
  expect(gemini.renderModels(["org/qwen:7b"])).toEqual({ models: [model] });
  expect(gemini.renderModels([])).toEqual({ models: [] });
});

test("names that a client made up are repeated to it in part only", () => {
  const name = "n".repeat(100_000);
  const tools = [{ functionDeclarations: [{ name: "f" }] }];
  const texts = [
    refusal({ tools, toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: [name] } } }),
    refusal({ tools, toolConfig: { functionCallingConfig: { mode: name } } }),
    refusal({ tools: [{ [name]: {} }] }),
    refusal({ contents: [{ role: name }] }),
    read({ tools: [...tools, { [name]: {} }] }).warnings,
    read({ contents: [{ parts: [{ [name]: {} }] }] }).warnings,
    read({ generationConfig: { thinkingConfig: { thinkingLevel: name } } }).warnings,
  ];
  for (const text of texts) {
    expect(JSON.stringify(text)).toContain("n".repeat(64));
    expect(JSON.stringify(text).length).toBeLessThan(400);
  }
});
