import { describe, expect, test } from "vitest";
import { read, refusal } from "./requests.ts";

const turns = (...contents: unknown[]) => read({ contents }).conversation.turns;
const text = (value: string) => ({ type: "text", text: value });
const user = { role: "user", parts: [{ text: "hi" }] };

/** The parts of a model's content, read. */
const modelParts = (...parts: unknown[]) => turns(user, { role: "model", parts })[1]?.parts;
/** The results in a user's content. */
const results = (...responses: unknown[]) =>
  turns(user, { role: "user", parts: responses.map((functionResponse) => ({ functionResponse })) })[1]?.parts;

describe("contents", () => {
  test("are turns, their texts parts", () => {
    const model = { role: "model", parts: [{ text: "a" }, { text: "" }, { text: "b" }] };
    expect(turns(user, model, user)).toEqual([
      { role: "user", parts: [text("hi")] },
      { role: "assistant", parts: [text("a"), text("b")] },
      { role: "user", parts: [text("hi")] },
    ]);
  });

  test("of the model in a row are one turn: the SDK's chat keeps each chunk of a stream as one", () => {
    const chunks = ["a", " ", "b"].map((said) => ({ role: "model", parts: [{ text: said }] }));
    expect(turns(user, ...chunks, user)[1]).toEqual({ role: "assistant", parts: [text("a"), text(" "), text("b")] });
  });

  test.each([[undefined], [null], [""], ["user"], ["function"]])("of role %j are the user's", (role) => {
    expect(turns({ role, parts: [{ text: "hi" }] })).toEqual([{ role: "user", parts: [text("hi")] }]);
  });

  test.each([
    ["one content alone", { contents: user }],
    ["one part alone", { contents: [{ parts: { text: "hi" } }] }],
    ["both", { contents: { parts: { text: "hi" } } }],
  ])("%s stands for a list of one", (_what, body) => {
    expect(read(body).conversation.turns).toEqual([{ role: "user", parts: [text("hi")] }]);
  });

  test("without parts say nothing", () => {
    expect(turns({}, { role: "model" }, { role: "model", parts: [] }, { role: "user", parts: null })).toEqual([
      { role: "user", parts: [] },
      { role: "user", parts: [] },
    ]);
  });

  test.each([
    [undefined, "contents"],
    [null, "contents"],
    [[], "contents"],
    [{}, "contents"],
    ["hi", "contents"],
    [1, "contents"],
    [Array.from({ length: 5_001 }, () => user), "contents"],
    [[null], "contents[0]"],
    [["hi"], "contents[0]"],
    [[user, { role: "system", parts: [] }], "contents[1].role"],
    [[user, { role: "assistant", parts: [] }], "contents[1].role"],
    [[user, { role: "tool", parts: [] }], "contents[1].role"],
    [[user, { role: "__proto__", parts: [] }], "contents[1].role"],
    [[user, { role: 1, parts: [] }], "contents[1].role"],
    [[{ parts: "hi" }], "contents[0].parts"],
    [[{ parts: 1 }], "contents[0].parts"],
    [[{ parts: [null] }], "contents[0].parts[0]"],
    [[{ parts: ["hi"] }], "contents[0].parts[0]"],
    [[{ parts: [{ text: 1 }] }], "contents[0].parts[0].text"],
    [[{ parts: [{ text: "a", thought: "yes" }] }], "contents[0].parts[0].thought"],
    [[{ parts: [{ inlineData: "AAAA" }] }], "contents[0].parts[0].inlineData"],
    [[{ parts: [{ inline_data: { mime_type: 1 } }] }], "contents[0].parts[0].inline_data.mime_type"],
    [[{ parts: [{ functionCall: [] }] }], "contents[0].parts[0].functionCall"],
    [[{ parts: [{ functionCall: { id: 1, name: "f" } }] }], "contents[0].parts[0].functionCall.id"],
    [[{ parts: [{ function_response: { parts: "x" } }] }], "contents[0].parts[0].function_response.parts"],
  ])("%#: are refused by their path", (contents, param) => {
    expect(refusal({ contents })).toMatchObject({ kind: "invalid-request", param });
  });
});

describe("systemInstruction", () => {
  test.each([
    [{ parts: [{ text: "Be " }, { text: "brief." }] }, "Be brief."],
    [{ role: "user", parts: [{ text: "Be brief." }] }, "Be brief."],
    [{ role: "whoever", parts: { text: "Be brief." } }, "Be brief."],
    ["Be brief.", "Be brief."],
    [{ parts: [] }, ""],
    [null, ""],
  ])("%j", (systemInstruction, system) => {
    expect(read({ systemInstruction }).conversation.system).toBe(system);
    expect(read({ system_instruction: systemInstruction }).conversation.system).toBe(system);
  });

  test.each([[1], [[]], [{ parts: [1] }]])("%j is refused", (systemInstruction) => {
    expect(refusal({ systemInstruction })).toMatchObject({
      kind: "invalid-request",
      param: expect.stringMatching(/^systemInstruction/),
    });
  });
});

describe("parts", () => {
  test.each([
    [{ text: "hm", thought: true }, [{ type: "reasoning", text: "hm" }]],
    [{ text: "a", thoughtSignature: "c2ln" }, [text("a")]],
    [{ text: "", thoughtSignature: "c2ln" }, []],
    [{ thought_signature: "c2ln" }, []],
    [{}, []],
    [
      { inlineData: { mimeType: "image/png", data: "AAAA" } },
      [{ type: "media", mediaType: "image/png", data: "AAAA" }],
    ],
    [
      { inline_data: { mime_type: "image/png", data: "AAAA", display_name: "a.png" }, videoMetadata: {} },
      [{ type: "media", mediaType: "image/png", data: "AAAA", name: "a.png" }],
    ],
    [
      { fileData: { mimeType: "video/mp4", fileUri: "https://h/a.mp4" } },
      [{ type: "media", mediaType: "video/mp4", url: "https://h/a.mp4" }],
    ],
    [{ file_data: { file_uri: "x:y" } }, [{ type: "media", mediaType: "application/octet-stream", url: "x:y" }]],
    [{ executableCode: { language: "PYTHON", code: "1+1" } }, [text("\n```python\n1+1\n```\n")]],
    [{ codeExecutionResult: { outcome: "OUTCOME_OK", output: "2\n" } }, [text("\n```\n2\n\n```\n")]],
  ])("%j", (part, expected) => {
    const request = read({ contents: [user, { role: "model", parts: [part, { text: "." }] }] });
    expect(request.conversation.turns[1]?.parts).toEqual([...expected, text(".")]);
    expect(request.warnings).toEqual([]);
  });

  test("of kinds that nobody knows are skipped with one warning for each kind", () => {
    const parts = [{ hologram: {} }, { text: "a" }, { hologram: {}, thought: true }, { smell: {} }];
    const request = read({ contents: [{ parts }] });
    expect(request.conversation.turns).toEqual([{ role: "user", parts: [text("a")] }]);
    expect(request.warnings).toEqual([expect.stringContaining("'hologram'"), expect.stringContaining("'smell'")]);
  });
});

describe("calls", () => {
  test("keep their place, id and arguments; one without an id goes by its place", () => {
    const parts = [
      { text: "Looking." },
      { functionCall: { id: "c1", name: "read", args: { file_path: "a", nested: { some_key: 1 } } } },
      { function_call: { name: "read", args: {} }, thoughtSignature: "c2ln" },
      { functionCall: { id: "", name: "now" } },
    ];
    expect(modelParts(...parts)).toEqual([
      text("Looking."),
      { type: "tool-call", id: "c1", name: "read", input: { file_path: "a", nested: { some_key: 1 } } },
      { type: "tool-call", id: "contents[1].parts[2].function_call", name: "read", input: {} },
      { type: "tool-call", id: "contents[1].parts[3].functionCall", name: "now", input: {} },
    ]);
  });

  test.each([
    [null, {}],
    ['{"a":1}', { a: 1 }],
    ["plain text", { input: "plain text" }],
    [[1, 2], { input: [1, 2] }],
    [7, { input: 7 }],
  ])("arguments %j are borne", (args, input) => {
    expect(modelParts({ functionCall: { id: "c", name: "read", args } })).toEqual([
      { type: "tool-call", id: "c", name: "read", input },
    ]);
  });

  test("without a name are left out with a warning", () => {
    const parts = [{ functionCall: { args: {} } }, { functionCall: { name: "" } }, { text: "a" }];
    const request = read({ contents: [user, { role: "model", parts }] });
    expect(request.conversation.turns[1]?.parts).toEqual([text("a")]);
    expect(request.warnings).toHaveLength(1);
  });
});

test("a part with a text and a call says both", () => {
  const part = { text: "I look.", functionCall: { id: "c1", name: "read" }, whatever: 1 };
  expect(modelParts(part)).toEqual([text("I look."), { type: "tool-call", id: "c1", name: "read", input: {} }]);
});

describe("results", () => {
  test.each([
    [{ output: "done" }, false, "done"],
    [{ output: { a: 1 } }, false, '{"a":1}'],
    [{ output: "" }, false, undefined],
    [{ output: null }, false, "null"],
    [{ result: "done" }, false, "done"],
    [{ result: [1] }, false, "[1]"],
    [{ error: "no such file" }, true, "no such file"],
    [{ error: { code: 5 } }, true, '{"code":5}'],
    [{ name: "read", content: "done" }, false, "done"],
    [{ name: "read", content: { a: 1 } }, false, '{"a":1}'],
    [{ name: "read", error: "no such file" }, true, "no such file"],
    [{ name: "read", out: "done" }, false, '{"name":"read","out":"done"}'],
    [{ name: "a.txt", content: "hello" }, false, '{"name":"a.txt","content":"hello"}'],
    [{ name: "db", error: "none" }, false, '{"name":"db","error":"none"}'],
    [{ error: null }, false, '{"error":null}'],
    [{ error: "" }, false, '{"error":""}'],
    [{ name: 1, content: "x" }, false, '{"name":1,"content":"x"}'],
    [{ output: "a", error: "b" }, false, '{"output":"a","error":"b"}'],
    [{ out: "AAA" }, false, '{"out":"AAA"}'],
    [{ content: "x" }, false, '{"content":"x"}'],
    [{ name: "x" }, false, '{"name":"x"}'],
    [{}, false, "{}"],
    ["plain text", false, "plain text"],
    [[1], false, "[1]"],
    [undefined, false, undefined],
    [null, false, undefined],
  ])("response %j", (response, failed, expected) => {
    expect(results({ id: "c1", name: "read", response })).toEqual([
      {
        type: "tool-result",
        callId: "c1",
        name: "read",
        failed,
        parts: expected === undefined ? [] : [text(expected)],
      },
    ]);
  });

  test("have their name from the call of their id, else their own; an empty one is none", () => {
    const call = { role: "model", parts: [{ functionCall: { id: "c1", name: "read", args: {} } }] };
    const parts = [{ id: "c1" }, { id: "c1", name: "other" }, { name: "read" }, { name: "", id: "" }, { id: "c2" }].map(
      (result) => ({ functionResponse: { ...result, response: { output: "x" } } }),
    );
    const [, , turn] = turns(user, call, { role: "function", parts });
    expect(turn?.parts.map((part) => part.type === "tool-result" && [part.callId, part.name])).toEqual([
      ["c1", "read"],
      ["c1", "read"],
      ["", "read"],
      ["", undefined],
      ["c2", undefined],
    ]);
  });

  test("bring media with them", () => {
    const parts = [{ inlineData: { mimeType: "image/png", data: "AAAA" } }, { hologram: {} }];
    const content = { parts: [{ functionResponse: { name: "shot", response: { output: "ok" }, parts } }] };
    const request = read({ contents: [content] });
    expect(request.conversation.turns[0]?.parts).toMatchObject([
      { parts: [text("ok"), { type: "media", mediaType: "image/png", data: "AAAA" }] },
    ]);
    expect(request.warnings).toHaveLength(1);
  });

  test("of one run are one user turn, and come before what stands beside them", () => {
    const result = (id: string) => ({ functionResponse: { id, name: "read", response: { output: id } } });
    const image = { inlineData: { mimeType: "image/png", data: "AAAA" } };
    const read = turns(
      user,
      { role: "user", parts: [{ text: "before" }, result("a"), image, result("b")] },
      { role: "user", parts: [result("c")] },
      { role: "function", parts: [result("d")] },
    );
    const shape = read.map(({ role, parts }) => [
      role,
      ...parts.map((part) => (part.type === "tool-result" ? part.callId : part.type)),
    ]);
    expect(shape).toEqual([
      ["user", "text"],
      ["user", "a", "b"],
      ["user", "text", "media"],
      ["user", "c", "d"],
    ]);
  });

  test("in the model's own content stand behind its calls", () => {
    const parts = [
      { functionCall: { id: "c1", name: "read", args: {} } },
      { functionResponse: { id: "c1", response: { output: "x" } } },
    ];
    expect(turns(user, { role: "model", parts }).map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });
});

test("an answer of very many chunks is read", () => {
  const parts = Array.from({ length: 200_000 }, () => ({ text: "a" }));
  const [, answer] = turns(user, { role: "model", parts: [{ text: "x" }] }, { role: "model", parts });
  expect(answer?.parts).toHaveLength(200_001);
});
