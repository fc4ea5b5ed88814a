import { describe, expect, test } from "vitest";
import { anthropic } from "../../../../src/protocols/anthropic/protocol.ts";
import { refusalOf } from "../refusal.ts";

const MINIMAL = { model: "m", max_tokens: 100, messages: [{ role: "user", content: "hi" }] };

const read = (fields: object) => anthropic.readRequest({ ...MINIMAL, ...fields });
const conversation = (fields: object) => read(fields).conversation;
const count = (body: unknown) => anthropic.tokenCount?.readRequest(body);

const refusal = (body: unknown, reader: (body: unknown) => unknown = anthropic.readRequest) =>
  refusalOf(() => reader(body));

const refused = (param: string) => expect.objectContaining({ kind: "invalid-request", param });

test("a minimal request", () => {
  expect(conversation({})).toEqual({
    model: "m",
    system: "",
    turns: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
    tools: [],
    toolChoice: { mode: "auto" },
    parallelToolCalls: true,
    sampling: { maxTokens: 100 },
    reasoning: { expose: false },
    stream: false,
  });
});

test("null is the same as absent, and unknown fields are ignored", () => {
  const names = ["system", "tools", "tool_choice", "stop_sequences", "temperature", "top_p", "top_k", "stream"];
  const newer = ["thinking", "output_config", "output_format", "mcp_servers", "metadata"];
  const nulls = Object.fromEntries([...names, ...newer].map((name) => [name, null]));
  const ignored = {
    service_tier: "auto",
    container: "c",
    context_management: { edits: [] },
    speed: "fast",
    mcp_servers: [],
    of_next_month: [{}],
  };
  expect(read({ ...nulls, ...ignored })).toMatchObject({ conversation: conversation({}), warnings: [] });
});

test("who is asking is told to nobody", () => {
  const request = read({ metadata: { user_id: '{"device_id":"d","account_uuid":"a"}' } });
  expect(request.conversation).toEqual(conversation({}));
});

describe("a body that is no object is refused", () => {
  test.each([[null], [[]], ["text"], [1], [true]])("%j", (body) => {
    expect(refusal(body)).toMatchObject({ kind: "invalid-request" });
    expect(refusal(body, count)).toMatchObject({ kind: "invalid-request" });
  });
});

describe("wrong types are refused by the field's name", () => {
  test.each([
    ["model", undefined],
    ["model", ""],
    ["model", 4],
    ["messages", undefined],
    ["messages", []],
    ["messages", "hi"],
    ["messages", Array.from({ length: 5_001 }, () => ({ content: "hi" }))],
    ["system", 1],
    ["system", { type: "text", text: "x" }],
    ["max_tokens", undefined],
    ["max_tokens", null],
    ["max_tokens", "100"],
    ["max_tokens", 0],
    ["max_tokens", 1.5],
    ["stream", "true"],
    ["temperature", "0.5"],
    ["top_p", []],
    ["top_k", 0.5],
    ["top_k", -1],
    ["stop_sequences", 1],
    ["stop_sequences", ["a", null]],
    ["stop_sequences", Array.from({ length: 65 }, (_, index) => `s${index}`)],
    ["thinking", "enabled"],
    ["output_config", "high"],
    ["output_format", []],
    ["tools", {}],
    ["tool_choice", "auto"],
    ["mcp_servers", {}],
  ])("%s: %j", (param, value) => {
    expect(refusal({ ...MINIMAL, [param]: value })).toEqual(refused(param));
  });

  test.each([
    ["system[0]", { system: ["x"] }],
    ["system[1].text", { system: [{ type: "text", text: "x" }, { type: "text" }] }],
    ["thinking.type", { thinking: { type: 1 } }],
    ["thinking.display", { thinking: { type: "enabled", display: {} } }],
    ["output_config.effort", { output_config: { effort: 3 } }],
    ["output_config.format", { output_config: { format: "json" } }],
    ["output_config.format.schema", { output_config: { format: { type: "json_schema", schema: [] } } }],
    ["output_format.schema", { output_format: { type: "json_schema", schema: "x" } }],
  ])("%s", (param, fields) => {
    expect(refusal({ ...MINIMAL, ...fields })).toEqual(refused(param));
  });
});

describe("what cannot be given is refused", () => {
  test.each([
    ["mcp_servers", { mcp_servers: [{ type: "url", url: "https://h", name: "s" }] }, "parameter"],
    ["output_config.format.type", { output_config: { format: { type: "grammar" } } }, "value"],
    ["output_format.type", { output_format: {} }, "value"],
  ])("%s", (param, fields, what) => {
    expect(refusal({ ...MINIMAL, ...fields })).toMatchObject({ kind: "unsupported", what, param });
  });
});

test("a thread is refused: its later turns come without those before", () => {
  const thread = { type: "create" };
  expect(refusal({ ...MINIMAL, thread })).toMatchObject({ kind: "conversation-not-stored", param: "thread" });
});

test("sampling goes on, whatever version of the wire is spoken", () => {
  const fields = { temperature: 0, top_p: 1, top_k: 40, stop_sequences: ["", "END"] };
  expect(conversation(fields).sampling).toEqual({
    maxTokens: 100,
    temperature: 0,
    topP: 1,
    topK: 40,
    stop: ["END"],
  });
});

describe("system", () => {
  const text = (value: string) => ({ type: "text", text: value, cache_control: { type: "ephemeral" } });
  test.each([
    ["", ""],
    ["one\ntwo", "one\ntwo"],
    [[], ""],
    [[text("one")], "one"],
    [[text("one"), text(""), text("two\n"), text("three")], "one\n\ntwo\n\n\nthree"],
    // A number that changes with every request would keep all behind it out of a server's cache.
    [[text("x-anthropic-billing-header: cc_version=2.1; cch=1a2b3;"), text("one")], "one"],
    [[text("x-anthropic-billing-header: cch=1a2b3;\nYou are")], "x-anthropic-billing-header: cch=1a2b3;\nYou are"],
    [[text("On x-anthropic-billing-header: it changes")], "On x-anthropic-billing-header: it changes"],
  ])("%j", (system, expected) => {
    expect(conversation({ system }).system).toBe(expected);
  });

  test("leading system messages stand behind it", () => {
    const messages = [{ role: "system", content: [text("t"), text("wo")] }, ...MINIMAL.messages];
    expect(conversation({ system: "one", messages }).system).toBe("one\n\ntwo");
  });
});

describe("thinking is shown when it was asked for", () => {
  test.each([
    [undefined, false],
    [{}, false],
    [{ type: "enabled", budget_tokens: 1024 }, true],
    [{ type: "adaptive" }, true],
    [{ type: "between_tools" }, true],
    [{ type: "of_next_month" }, true],
    [{ type: "adaptive", display: "summarized" }, true],
    [{ type: "adaptive", display: "updates" }, true],
    [{ type: "enabled", budget_tokens: 1024, display: "omitted" }, false],
  ])("%j", (thinking, expose) => {
    expect(conversation({ thinking }).reasoning).toEqual({ expose });
  });

  test("that is switched off is no effort, whatever the answer's is", () => {
    const thinking = { type: "disabled" };
    const off = { effort: "none", expose: false };
    expect(conversation({ thinking }).reasoning).toEqual(off);
    expect(conversation({ thinking, output_config: { effort: "high" } }).reasoning).toEqual(off);
  });
});

describe("output_config", () => {
  test.each([["low"], ["high"], ["max"]])("effort %s", (effort) => {
    expect(conversation({ output_config: { effort } }).reasoning).toEqual({ effort, expose: false });
  });

  test("an effort that is not known yet is ignored with a warning", () => {
    const request = read({ output_config: { effort: "galactic" } });
    expect(request.conversation.reasoning).toEqual({ expose: false });
    expect(request.warnings).toEqual([expect.stringContaining("galactic")]);
  });

  const format = { type: "json_schema", schema: { type: "object" } };
  const responseFormat = { type: "json-schema", name: "response", schema: { type: "object" } };
  test.each([
    [{ output_config: { format } }, responseFormat],
    [{ output_format: format }, responseFormat],
    [{ output_config: { format }, output_format: { type: "json_schema" } }, responseFormat],
    [{ output_config: { format: null } }, undefined],
  ])("%j", (fields, expected) => {
    expect(conversation(fields).responseFormat).toEqual(expected);
  });
});

describe("an answer that the client has begun itself is refused", () => {
  const user = { role: "user", content: "hi" };
  const system = { role: "system", content: "rule" };
  const assistant = { role: "assistant", content: "He" };
  const call = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "read", input: {} }] };
  const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "t1" }] };

  test.each([
    ["its beginning", [user, assistant]],
    ["an empty message behind it", [user, assistant, { role: "assistant", content: "" }]],
    ["a call alone", [user, call]],
  ])("%s", (_what, messages) => {
    expect(refusal({ ...MINIMAL, messages })).toMatchObject({ kind: "unsupported", what: "value", param: "messages" });
    expect(refusal({ model: "m", messages }, count)).toBe("read");
  });

  test.each([
    ["system messages behind the question", [user, system, system]],
    ["system messages behind an answer", [user, assistant, system, system]],
    ["system messages behind a result", [user, call, result, system]],
    ["an empty answer", [user, { role: "assistant", content: [] }]],
    ["system messages alone", [system]],
  ])("%s is none", (_what, messages) => {
    expect(refusal({ ...MINIMAL, messages })).toBe("read");
  });
});

test("names that a client made up are repeated to it in part only", () => {
  const name = "n".repeat(100_000);
  const tool = { name: "weather" };
  const texts = [
    refusal({ ...MINIMAL, tools: [tool], tool_choice: { type: "tool", name } }),
    refusal({ ...MINIMAL, tools: [{ type: name }] }),
    refusal({ ...MINIMAL, tools: [{ type: `bash_${name}` }] }),
    refusal({ ...MINIMAL, messages: [{ role: name, content: "" }] }),
    read({ tools: [tool, { type: name }] }).warnings,
    read({ output_config: { effort: name } }).warnings,
    read({ messages: [{ role: "user", content: [{ type: name }] }] }).warnings,
  ];
  for (const text of texts) {
    expect(JSON.stringify(text)).toContain("n".repeat(59));
    expect(JSON.stringify(text).length).toBeLessThan(400);
  }
});
