import { describe, expect, test } from "vitest";
import { openAiResponses } from "../../../../src/protocols/openai-responses/protocol.ts";
import { refusalOf } from "../refusal.ts";

const read = (...input: unknown[]) => openAiResponses.readRequest({ model: "m", input });
const turns = (...input: unknown[]) => read(...input).conversation.turns;

const refusal = (...input: unknown[]) => refusalOf(() => read(...input));

const user = { role: "user", content: "hi" };
const said = (value: string) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text: value }],
});
const text = (value: string) => ({ type: "text", text: value });
const call = (call_id: string, name: string, args: unknown = "{}") => ({
  type: "function_call",
  id: "fc_1",
  call_id,
  name,
  arguments: args,
});
const output = (call_id: string, value: unknown = "R") => ({ type: "function_call_output", call_id, output: value });
const callPart = (id: string, name: string, input: object = {}) => ({ type: "tool-call", id, name, input });

test("a compacted conversation is refused: without it the model would answer another question", () => {
  const compaction = { type: "compaction", encrypted_content: "x" };
  expect(refusal(compaction, user)).toMatchObject({ kind: "unsupported", param: "input[0]" });
});

describe("messages", () => {
  test("instructions stand before leading system and developer messages", () => {
    const input = [
      { role: "system", content: "two" },
      { type: "message", role: "developer", content: [{ type: "input_text", text: "three" }] },
      user,
    ];
    const { system, turns } = openAiResponses.readRequest({ model: "m", instructions: "one", input }).conversation;
    expect(system).toBe("one\n\ntwo\n\nthree");
    expect(turns).toEqual([{ role: "user", parts: [text("hi")] }]);
  });

  test("a later one keeps its place as a note of the user's", () => {
    expect(turns(user, { role: "developer", content: "new rule" })[1]).toEqual({
      role: "user",
      parts: [text("[system note]\nnew rule")],
    });
  });

  test.each([
    [{ content: "hi" }],
    [{ type: "message", content: "hi" }],
    [{ id: "msg_1", content: "hi" }],
    [{ role: "user", content: [{ type: "text", text: "hi" }] }],
  ])("%j is the user's", (message) => {
    expect(turns(message)).toEqual(turns(user));
  });

  test.each([
    [{ type: "input_text", text: "a" }, text("a")],
    [{ type: "output_text", text: "a", annotations: [] }, text("a")],
    [{ type: "refusal", refusal: "a" }, text("a")],
    [
      { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" },
      { type: "media", mediaType: "image/png", data: "AAAA" },
    ],
    [
      { type: "input_image", file_id: "file-1" },
      { type: "media", mediaType: "image/*" },
    ],
    [
      { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" },
      { type: "media", mediaType: "application/pdf", data: "AAAA", name: "a.pdf" },
    ],
    [
      { type: "input_file", file_url: "https://h/a.pdf" },
      { type: "media", mediaType: "application/octet-stream", url: "https://h/a.pdf" },
    ],
    [
      { type: "input_file", file_id: "file-1" },
      { type: "media", mediaType: "application/octet-stream", name: "file-1" },
    ],
  ])("part %j", (part, expected) => {
    expect(turns({ role: "user", content: [part] })).toEqual([{ role: "user", parts: [expected] }]);
  });

  test.each([
    [{ role: "model", content: "x" }, "role"],
    [{ role: 1, content: "x" }, "role"],
    [{ type: 1, role: "user" }, "type"],
    [{ role: "user", content: 1 }, "content"],
    [{ role: "user", content: { type: "input_text" } }, "content"],
    [{ role: "user", content: [null] }, "content[0]"],
    [{ role: "user", content: [{ type: "input_text" }] }, "content[0].text"],
    [{ role: "user", content: [{ type: "input_file", filename: 1 }] }, "content[0].filename"],
    [{ type: "function_call", name: 1 }, "name"],
    [{ type: "function_call", name: "a", call_id: 1 }, "call_id"],
    [{ type: "function_call", name: "a", namespace: 1 }, "namespace"],
    [{ type: "custom_tool_call", name: "a", input: {} }, "input"],
    [{ type: "function_call_output", call_id: 1 }, "call_id"],
    [{ type: "function_call_output", output: 1 }, "output"],
    [{ type: "function_call_output", output: { a: 1 } }, "output"],
    [{ type: "reasoning", summary: 1 }, "summary"],
  ])("%j is refused", (item, field) => {
    expect(refusal(user, item)).toMatchObject({ kind: "invalid-request", param: `input[1].${field}` });
  });

  test.each([[null], ["x"], [[user]]])("an item %j is refused", (item) => {
    expect(refusal(user, item)).toMatchObject({ kind: "invalid-request", param: "input[1]" });
  });
});

describe("one answer in several items is one turn", () => {
  const c1 = call("c1", "read", '{"path":"a"}');
  const c1Part = callPart("c1", "read", { path: "a" });

  test("text, calls and reasoning", () => {
    const reasoning = { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "hm" }] };
    expect(turns(user, reasoning, said("Look"), c1, call("c2", "list"), said("ing."))).toEqual([
      { role: "user", parts: [text("hi")] },
      {
        role: "assistant",
        parts: [{ type: "reasoning", text: "hm" }, text("Look"), c1Part, callPart("c2", "list"), text("ing.")],
      },
    ]);
  });

  test("a message right behind a message is another answer", () => {
    const parts = turns(user, said("a"), said("b"), c1, said("c"), said("d")).map((turn) => turn.parts);
    expect(parts).toEqual([[text("hi")], [text("a")], [text("b"), c1Part, text("c")], [text("d")]]);
  });

  test.each([[user], [output("c1")], [{ role: "system", content: "note" }]])("%j ends it", (item) => {
    expect(turns(user, c1, item, said("a")).at(-1)).toEqual({ role: "assistant", parts: [text("a")] });
  });

  test("what is left out does not end it", () => {
    expect(turns(user, said("a"), { type: "item_reference", id: "x" }, c1).at(-1)?.parts).toEqual([text("a"), c1Part]);
  });

  test("an empty answer is no turn", () => {
    expect(turns(user, said(""), { role: "assistant", content: [] }, user)).toHaveLength(2);
  });
});

describe("calls", () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ["", {}],
    [undefined, {}],
    [{ a: 1 }, { a: 1 }],
    ['{"a":', { input: '{"a":' }],
    ["[1,2]", { input: [1, 2] }],
  ])("arguments %j are borne", (args, input) => {
    expect(turns(user, call("c1", "read", args))[1]?.parts).toEqual([callPart("c1", "read", input)]);
  });

  test("freeform calls keep their text", () => {
    const item = { type: "custom_tool_call", call_id: "c1", name: "patch", input: '{"not": "parsed"}' };
    expect(turns(user, item)[1]?.parts).toEqual([callPart("c1", "patch", { input: '{"not": "parsed"}' })]);
  });

  test("an odd call is borne: one without a name is left out, one without an id gets one", () => {
    const request = read(user, { type: "function_call" }, { type: "function_call", name: "read" });
    expect(request.conversation.turns[1]?.parts).toEqual([callPart("input[2]", "read")]);
    expect(request.warnings).toHaveLength(1);
  });
});

describe("results", () => {
  const result = (callId: string, name?: string, parts: unknown = [text("R")]) => ({
    type: "tool-result",
    callId,
    ...(name && { name }),
    failed: false,
    parts,
  });

  test("a run of them is one user turn, each with its call's name", () => {
    const custom = { type: "custom_tool_call_output", call_id: "c1", output: "R" };
    const input = [user, call("c1", "patch"), call("c2", "list"), output("c2"), custom, user];
    expect(turns(...input).slice(2)).toEqual([
      { role: "user", parts: [result("c2", "list"), result("c1", "patch")] },
      { role: "user", parts: [text("hi")] },
    ]);
  });

  test.each([
    ["R", [text("R")]],
    ["", []],
    [null, []],
    [
      [
        { type: "input_text", text: "a" },
        { type: "input_image", image_url: "https://h/a.png" },
      ],
      [text("a"), { type: "media", mediaType: "image/*", url: "https://h/a.png" }],
    ],
  ])("output %j", (value, parts) => {
    expect(turns(user, output("c1", value))[1]?.parts).toEqual([result("c1", undefined, parts)]);
  });
});

describe("reasoning", () => {
  test.each([
    [{ summary: [{ type: "summary_text", text: "a" }] }, "a"],
    [{ summary: [], content: [{ type: "reasoning_text", text: "b" }] }, "b"],
    [{ summary: [{ type: "summary_text", text: "a" }], content: null, encrypted_content: "x" }, "a"],
  ])("%j", (fields, readable) => {
    expect(turns(user, { type: "reasoning", ...fields })[1]?.parts).toEqual([{ type: "reasoning", text: readable }]);
  });

  test.each([[{}], [{ summary: [] }], [{ summary: [], encrypted_content: "x" }]])(
    "%j is dropped silently",
    (fields) => {
      expect(read(user, { type: "reasoning", ...fields })).toEqual({
        ...read(user),
        createRenderer: expect.anything(),
      });
    },
  );
});

describe("items that say nothing here are left out with one warning for each type", () => {
  test.each([
    [{ type: "item_reference", id: "msg_1" }, "item_reference"],
    [{ type: null, id: "msg_1" }, "item_reference"],
    [{ id: "msg_1" }, "item_reference"],
    [{ type: "web_search_call", id: "ws_1", status: "completed" }, "web_search_call"],
    [{ type: "of_next_month" }, "of_next_month"],
  ])("%j", (item, type) => {
    const request = read(item, user, item);
    expect(request.conversation.turns).toEqual(turns(user));
    expect(request.warnings).toEqual([expect.stringContaining(`'${type}'`)]);
  });

  test("nothing may be left", () => {
    expect(turns({ id: "msg_1" })).toEqual([]);
  });
});
