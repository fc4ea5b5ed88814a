import { describe, expect, test } from "vitest";
import { openAiChat } from "../../../../src/protocols/openai-chat/protocol.ts";
import { refusalOf } from "../refusal.ts";

const read = (...messages: unknown[]) => openAiChat.readRequest({ model: "m", messages });
const turns = (...messages: unknown[]) => read(...messages).conversation.turns;

const refusal = (...messages: unknown[]) => refusalOf(() => read(...messages));

const user = { role: "user", content: "hi" };
const text = (value: string) => ({ type: "text", text: value });
const call = (id: string, name: string, args: unknown) => ({
  id,
  type: "function",
  function: { name, arguments: args },
});

describe("roles", () => {
  test("leading system and developer messages are the system text", () => {
    const { system, turns } = read(
      { role: "system", content: "one" },
      { role: "developer", content: [text("t"), text("wo")] },
      { role: "system", content: "" },
      user,
    ).conversation;
    expect(system).toBe("one\n\ntwo");
    expect(turns).toEqual([{ role: "user", parts: [text("hi")] }]);
  });

  test("a later system message keeps its place as a note of the user's", () => {
    expect(turns(user, { role: "system", content: "new rule" })).toEqual([
      { role: "user", parts: [text("hi")] },
      { role: "user", parts: [text("[system note]\nnew rule")] },
    ]);
  });

  test("a missing role is the user's", () => {
    expect(turns({ content: "hi" })).toEqual(turns(user));
  });

  test.each([["model"], ["Assistant"], [""], ["__proto__"], [1], [{}], [["user"]]])("%j is refused", (role) => {
    expect(refusal(user, { role, content: "x" })).toMatchObject({ kind: "invalid-request", param: "messages[1].role" });
  });
});

describe("content", () => {
  test.each([
    ["text", [text("text")]],
    ["", []],
    [null, []],
    [undefined, []],
    [
      [text("a"), text(""), text("b")],
      [text("a"), text("b")],
    ],
    [
      [
        { type: "input_text", text: "a" },
        { type: "refusal", refusal: "no" },
      ],
      [text("a"), text("no")],
    ],
  ])("%j", (content, parts) => {
    expect(turns({ role: "user", content })).toEqual([{ role: "user", parts }]);
  });

  test.each([
    [1, "messages[1].content"],
    [true, "messages[1].content"],
    [{ type: "text", text: "x" }, "messages[1].content"],
    [[null], "messages[1].content[0]"],
    [["x"], "messages[1].content[0]"],
    [[text("x"), { type: "text" }], "messages[1].content[1].text"],
    [[{ type: "text", text: 1 }], "messages[1].content[0].text"],
    [[{ type: 1 }], "messages[1].content[0].type"],
    [[{ type: "image_url", image_url: { url: 1 } }], "messages[1].content[0].image_url.url"],
  ])("%j is refused", (content, param) => {
    for (const role of ["user", "assistant", "tool", "system"]) {
      expect(refusal(user, { role, content })).toMatchObject({ kind: "invalid-request", param });
    }
  });

  test.each([[null], ["x"], [[user]]])("a message %j is refused", (message) => {
    expect(refusal(user, message)).toMatchObject({ kind: "invalid-request", param: "messages[1]" });
  });

  test("parts of unknown types are skipped with one warning for each type", () => {
    const content = [{ type: "hologram" }, text("a"), { type: "hologram" }, {}];
    const request = read({ role: "user", content });
    expect(request.conversation.turns).toEqual([{ role: "user", parts: [text("a")] }]);
    expect(request.warnings).toEqual([expect.stringContaining("'hologram'"), expect.stringContaining("''")]);
  });

  test.each([
    [
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
      { mediaType: "image/png", data: "AAAA" },
    ],
    [
      { type: "image_url", image_url: "https://h/a.png" },
      { mediaType: "image/*", url: "https://h/a.png" },
    ],
    [
      { type: "image_url", image_url: { url: "data:,x" } },
      { mediaType: "image/*", url: "data:,x" },
    ],
    [
      { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      { mediaType: "audio/wav", data: "AAAA" },
    ],
    [
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" } },
      { mediaType: "application/pdf", data: "AAAA", name: "a.pdf" },
    ],
    [
      { type: "file", file: { file_id: "file-1" } },
      { mediaType: "application/octet-stream", name: "file-1" },
    ],
    [{ type: "file" }, { mediaType: "application/octet-stream" }],
  ])("%j is a media part, never a refusal", (part, media) => {
    expect(turns({ role: "user", content: [part] })).toEqual([{ role: "user", parts: [{ type: "media", ...media }] }]);
  });
});

describe("calls", () => {
  test("stand behind the text of their message", () => {
    const message = { role: "assistant", content: "Looking.", tool_calls: [call("c1", "read", '{"path":"a"}')] };
    expect(turns(user, message)[1]).toEqual({
      role: "assistant",
      parts: [text("Looking."), { type: "tool-call", id: "c1", name: "read", input: { path: "a" } }],
    });
  });

  test.each([
    ['{"a":1}', { a: 1 }],
    ["{}", {}],
    ["", {}],
    ["  ", {}],
    [null, {}],
    [undefined, {}],
    [{ a: 1 }, { a: 1 }],
    ['{"a":', { input: '{"a":' }],
    ["plain text", { input: "plain text" }],
    ["[1,2]", { input: [1, 2] }],
    ['"text"', { input: "text" }],
    ["null", { input: null }],
    [7, { input: 7 }],
    ["[".repeat(101), { input: "[".repeat(101) }],
  ])("arguments %j are borne", (args, input) => {
    const message = { role: "assistant", content: null, tool_calls: [call("c1", "read", args)] };
    expect(turns(user, message)[1]?.parts).toEqual([{ type: "tool-call", id: "c1", name: "read", input }]);
  });

  test("keys of arguments pollute nothing", () => {
    const message = { role: "assistant", tool_calls: [call("c1", "__proto__", '{"__proto__":{"polluted":true}}')] };
    const [part] = turns(user, message)[1]?.parts ?? [];
    expect(part?.type === "tool-call" && Object.keys(part.input)).toEqual(["__proto__"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("the caps on structure hold for the arguments of a request together", () => {
    const json = `{"a":[${Array.from({ length: 140_000 }, () => 0).join(",")}]}`;
    const message = { role: "assistant", tool_calls: [1, 2, 3].map((id) => call(`c${id}`, "read", json)) };
    const inputs = turns(user, message)[1]?.parts.map((part) => part.type === "tool-call" && Object.keys(part.input));
    expect(inputs).toEqual([["a"], ["a"], ["input"]]);
  });

  test("an odd call is borne: one without a name is left out, one without an id gets one", () => {
    const message = { role: "assistant", tool_calls: [{ function: {} }, { function: { name: "read" } }, {}] };
    const request = read(user, message);
    expect(request.conversation.turns[1]?.parts).toEqual([
      { type: "tool-call", id: "messages[1].tool_calls[1]", name: "read", input: {} },
    ]);
    expect(request.warnings).toHaveLength(1);
  });

  test("freeform calls keep their text", () => {
    const custom = { id: "c1", type: "custom", custom: { name: "patch", input: '{"not": "parsed"}' } };
    expect(turns(user, { role: "assistant", tool_calls: [custom] })[1]?.parts).toEqual([
      { type: "tool-call", id: "c1", name: "patch", input: { input: '{"not": "parsed"}' } },
    ]);
  });

  test.each([
    [{ tool_calls: {} }, "messages[1].tool_calls"],
    [{ tool_calls: [null] }, "messages[1].tool_calls[0]"],
    [{ tool_calls: [{ id: 1 }] }, "messages[1].tool_calls[0].id"],
    [{ tool_calls: [{ function: "x" }] }, "messages[1].tool_calls[0].function"],
    [{ function_call: "x" }, "messages[1].function_call"],
  ])("%j is refused", (fields, param) => {
    expect(refusal(user, { role: "assistant", ...fields })).toMatchObject({ kind: "invalid-request", param });
  });

  test("reasoning and refusals of an answer are kept", () => {
    const message = { role: "assistant", reasoning_content: "hm", content: null, refusal: "I won't." };
    expect(turns(user, message)[1]?.parts).toEqual([{ type: "reasoning", text: "hm" }, text("I won't.")]);
  });

  test("an empty answer is no turn", () => {
    expect(turns(user, { role: "assistant", content: "" }, user)).toHaveLength(2);
  });
});

describe("results", () => {
  const asked = { role: "assistant", tool_calls: [call("c1", "read", "{}"), call("c2", "list", "{}")] };
  const result = (callId: string, name?: string) => ({
    type: "tool-result",
    callId,
    ...(name && { name }),
    failed: false,
    parts: [text("R")],
  });

  test("a run of them is one user turn, each with its call's name", () => {
    const messages = ["c2", "c1"].map((tool_call_id) => ({ role: "tool", tool_call_id, content: "R" }));
    expect(turns(user, asked, ...messages, user).slice(2)).toEqual([
      { role: "user", parts: [result("c2", "list"), result("c1", "read")] },
      { role: "user", parts: [text("hi")] },
    ]);
  });

  test("content may be a list of parts", () => {
    const message = { role: "tool", tool_call_id: "c1", content: [text("a"), text("b")] };
    expect(turns(user, asked, message)[2]?.parts[0]).toMatchObject({ parts: [text("a"), text("b")] });
  });

  test.each([
    ["a call that is not there", { tool_call_id: "c9" }, result("c9")],
    ["a call that is not there, with a name", { tool_call_id: "c9", name: "grep" }, result("c9", "grep")],
    ["no call", {}, result("")],
  ])("one for %s is borne", (_what, fields, expected) => {
    expect(turns(user, { role: "tool", content: "R", ...fields })[1]?.parts).toEqual([expected]);
  });

  test("function messages answer the last function_call", () => {
    const id = "messages[1].function_call";
    expect(
      turns(
        user,
        { role: "assistant", content: null, function_call: { name: "read", arguments: '{"path":"a"}' } },
        { role: "function", name: "read", content: "R" },
      ).slice(1),
    ).toEqual([
      { role: "assistant", parts: [{ type: "tool-call", id, name: "read", input: { path: "a" } }] },
      { role: "user", parts: [result(id, "read")] },
    ]);
  });
});
