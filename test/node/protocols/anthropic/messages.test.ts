import { describe, expect, test } from "vitest";
import { anthropic } from "../../../../src/protocols/anthropic/protocol.ts";
import { refusalOf } from "../refusal.ts";

const read = (...messages: unknown[]) => anthropic.readRequest({ model: "m", max_tokens: 9, messages });
const turns = (...messages: unknown[]) => read(...messages).conversation.turns;
/** The parts of one user message. */
const parts = (...content: unknown[]) => turns({ role: "user", content }).flatMap((turn) => turn.parts);

const refusal = (...messages: unknown[]) => refusalOf(() => read(...messages));

const user = { role: "user", content: "hi" };
const text = (value: string) => ({ type: "text", text: value });
const use = (id: string, name: unknown, input: unknown) => ({ type: "tool_use", id, name, input });
const result = (tool_use_id: string, content?: unknown) => ({ type: "tool_result", tool_use_id, content });
const call = (id: string, name: string, input: object) => ({ type: "tool-call", id, name, input });

describe("roles", () => {
  test.each(["new rule", [text("new "), text("rule")]])("a system message %j keeps its place as a note", (content) => {
    expect(turns(user, { role: "system", content, output_config: { effort: "low" } })).toEqual([
      { role: "user", parts: [text("hi")] },
      { role: "user", parts: [text("[system note]\nnew rule")] },
    ]);
  });

  test("a missing role is the user's", () => {
    expect(turns({ content: "hi" })).toEqual(turns(user));
  });

  test.each([["developer"], ["tool"], ["model"], [""], ["__proto__"], [1], [{}]])("%j is refused", (role) => {
    expect(refusal(user, { role, content: "x" })).toMatchObject({ kind: "invalid-request", param: "messages[1].role" });
  });

  test.each([[null], ["x"], [[user]]])("a message %j is refused", (message) => {
    expect(refusal(user, message)).toMatchObject({ kind: "invalid-request", param: "messages[1]" });
  });
});

describe("content", () => {
  test.each([
    ["text", [text("text")]],
    ["", []],
    [null, []],
    [undefined, []],
    [[], []],
    [
      [{ ...text("a"), cache_control: { type: "ephemeral" }, citations: [] }, text(""), text("b")],
      [text("a"), text("b")],
    ],
  ])("%j", (content, expected) => {
    expect(turns({ role: "user", content })).toEqual([{ role: "user", parts: expected }]);
  });

  test.each([
    [1, "messages[1].content"],
    [text("x"), "messages[1].content"],
    [[null], "messages[1].content[0]"],
    [["x"], "messages[1].content[0]"],
    [[text("x"), { type: "text" }], "messages[1].content[1].text"],
    [[{ type: 1 }], "messages[1].content[0].type"],
    [[{ type: "image", source: "x" }], "messages[1].content[0].source"],
    [[{ type: "image", source: { data: 1 } }], "messages[1].content[0].source.data"],
    [[{ type: "document", title: 1, source: {} }], "messages[1].content[0].title"],
    [[{ type: "document", source: { type: "content", content: [1] } }], "messages[1].content[0].source.content[0]"],
    [[{ type: "document", source: { type: "text", data: 1 } }], "messages[1].content[0].source.data"],
    [[{ type: "thinking", thinking: 1 }], "messages[1].content[0].thinking"],
    [[result("t", 1)], "messages[1].content[0].content"],
    [[result("t", [{ type: "text" }])], "messages[1].content[0].content[0].text"],
    [[{ type: "tool_result", is_error: "yes" }], "messages[1].content[0].is_error"],
    [[{ type: "tool_use", name: 1 }], "messages[1].content[0].name"],
  ])("%j is refused", (content, param) => {
    for (const role of ["user", "assistant", "system"]) {
      expect(refusal(user, { role, content })).toMatchObject({ kind: "invalid-request", param });
    }
  });

  test("blocks of unknown types are skipped with one warning for each type", () => {
    const request = read({ role: "user", content: [{ type: "hologram" }, text("a"), { type: "hologram" }, {}] });
    expect(request.conversation.turns).toEqual([{ role: "user", parts: [text("a")] }]);
    expect(request.warnings).toEqual([expect.stringContaining("'hologram'"), expect.stringContaining("''")]);
  });
});

describe("images and documents are media", () => {
  test.each([
    [
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
      { mediaType: "image/png", data: "AAAA" },
    ],
    [
      { type: "image", source: { type: "url", url: "https://h/a.png" } },
      { mediaType: "image/*", url: "https://h/a.png" },
    ],
    [
      { type: "image", source: { type: "url", url: "data:image/gif;base64,AAAA" } },
      { mediaType: "image/gif", data: "AAAA" },
    ],
    [
      { type: "image", source: { type: "file", file_id: "file_1" } },
      { mediaType: "image/*", name: "file_1" },
    ],
    [{ type: "image" }, { mediaType: "image/*" }],
    [
      { type: "document", title: "Plan", source: { type: "base64", media_type: "application/pdf", data: "AAAA" } },
      { mediaType: "application/pdf", data: "AAAA", name: "Plan" },
    ],
    [
      { type: "document", source: { type: "url", url: "https://h/a" } },
      { mediaType: "application/pdf", url: "https://h/a" },
    ],
  ])("%j", (block, media) => {
    expect(parts(block)).toEqual([{ type: "media", ...media }]);
  });
});

/** Of adjacent texts, which stand without a separator in the prompt. */
const joined = (...content: unknown[]) =>
  parts(...content)
    .map((part) => (part.type === "text" ? part.text : `<${part.type}>`))
    .join("");

describe("what is text, but not the user's own, stands apart from it", () => {
  const found = { type: "web_search_result", title: "Weather", url: "https://w", encrypted_content: "x".repeat(9) };
  test.each([
    [{ type: "document", source: { type: "text", media_type: "text/plain", data: "body" } }, "body\n"],
    [
      { type: "document", title: "Plan", context: "Of 2026", source: { type: "text", data: "body" } },
      "Plan\nOf 2026\nbody\n",
    ],
    [{ type: "document", source: { type: "content", content: [text("bo"), text("dy")] } }, "body\n"],
    [{ type: "document", source: { type: "content", content: [{ type: "image" }] } }, "<media>\n"],
    [{ type: "search_result", title: "T", source: "https://s", content: [text("hit")] }, "T\nhttps://s\nhit\n"],
    [{ type: "tool_reference", tool_name: "Grep" }, "[tool: Grep]\n"],
    [{ type: "server_tool_use", id: "s", name: "web_search", input: { query: "x" } }, '[web_search: {"query":"x"}]\n'],
    [{ type: "server_tool_use", id: "s", name: { a: 1 }, input: {} }, "[server_tool_use: {}]\n"],
    [
      { type: "web_search_tool_result", tool_use_id: "s", content: [found, found] },
      "[web_search_tool_result: Weather, https://w, Weather, https://w]\n",
    ],
    [
      { type: "web_search_tool_result", content: { type: "web_search_tool_result_error", error_code: "unavailable" } },
      "[web_search_tool_result: unavailable]\n",
    ],
    [
      { type: "code_execution_tool_result", content: { stdout: "1\n", stderr: "", return_code: 0, content: [] } },
      "[code_execution_tool_result: 1\n, ]\n",
    ],
    [
      { type: "tool_search_tool_result", content: { tool_references: [{ tool_name: "Grep" }] } },
      "[tool_search_tool_result: Grep]\n",
    ],
    [{ type: "mcp_tool_use", id: "s", name: "echo", server_name: "a", input: {} }, "[echo: {}]\n"],
    [{ type: "mcp_tool_result", content: [text("done")] }, "[mcp_tool_result: done]\n"],
    [{ type: "mcp_tool_result" }, "[mcp_tool_result: ]\n"],
  ])("%j", (block, expected) => {
    expect(joined(text("before"), block, text("behind"))).toBe(`before\n${expected}behind`);
    expect(read({ role: "user", content: [block] }).warnings).toEqual([]);
  });
});

describe("thinking", () => {
  test("of the history is kept as reasoning, whoever signed it; what cannot be read is dropped", () => {
    const content = [
      { type: "thinking", thinking: "hm", signature: "any" },
      { type: "redacted_thinking", data: "AAAA" },
      { type: "thinking", thinking: "", signature: "any" },
      text("Hello"),
    ];
    const request = read(user, { role: "assistant", content }, user);
    expect(request.conversation.turns[1]).toEqual({
      role: "assistant",
      parts: [{ type: "reasoning", text: "hm" }, text("Hello")],
    });
    expect(request.warnings).toEqual([]);
  });
});

describe("calls", () => {
  const history = (...content: unknown[]) => read(user, { role: "assistant", content }, user);

  test("keep their place among the texts", () => {
    const content = [text("Looking."), use("t1", "read", { path: "a" }), text("And"), use("t2", "now", {})];
    expect(history(...content).conversation.turns[1]?.parts).toEqual([
      text("Looking."),
      call("t1", "read", { path: "a" }),
      text("And"),
      call("t2", "now", {}),
    ]);
  });

  test.each([
    [undefined, {}],
    [null, {}],
    ['{"a":1}', { a: 1 }],
    ["nonsense", { input: "nonsense" }],
    [[1], { input: [1] }],
    [{ a: { b: null } }, { a: { b: null } }],
  ])("input %j", (input, expected) => {
    expect(history(use("t1", "read", input)).conversation.turns[1]?.parts).toEqual([call("t1", "read", expected)]);
  });

  test("without a name are left out with a warning", () => {
    const request = history(text("a"), use("t1", "", {}), use("t2", undefined, {}));
    expect(request.conversation.turns[1]?.parts).toEqual([text("a")]);
    expect(request.warnings).toHaveLength(1);
  });
});

describe("results", () => {
  const asked = {
    role: "assistant",
    content: [use("t1", "read", { path: "a" }), use("t2", "list", {})],
  };
  const answered = (callId: string, name: string, ...parts: unknown[]) => ({
    type: "tool-result",
    callId,
    name,
    failed: false,
    parts,
  });
  const one = answered("t1", "read", text("one"));
  const two = answered("t2", "list", text("two"));

  test("are one turn, and what stands between them is a turn behind", () => {
    const content = [text("also"), result("t1", "one"), text(" this"), result("t2", [text("two")])];
    expect(turns(user, asked, { role: "user", content }).slice(2)).toEqual([
      { role: "user", parts: [one, two] },
      { role: "user", parts: [text("also"), text(" this")] },
    ]);
  });

  test("of two messages are one turn", () => {
    const messages = [result("t2", "two"), result("t1", "one")].map((block) => ({ role: "user", content: [block] }));
    expect(turns(user, asked, ...messages).slice(2)).toEqual([{ role: "user", parts: [two, one] }]);
  });

  test.each([
    [undefined, []],
    [null, []],
    ["", []],
    [[], []],
    [
      [text("a"), { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }],
      [text("a"), { type: "media", mediaType: "image/png", data: "AAAA" }],
    ],
    [[{ type: "tool_reference", tool_name: "Grep" }], [text("\n[tool: Grep]\n")]],
  ])("content %j", (content, parts) => {
    expect(turns(user, asked, { role: "user", content: [result("t1", content)] })[2]?.parts).toEqual([
      answered("t1", "read", ...parts),
    ]);
  });

  test("that failed say so", () => {
    const content = [{ ...result("t1", "no such file"), is_error: true }];
    expect(turns(user, asked, { role: "user", content })[2]?.parts).toMatchObject([{ failed: true }]);
  });

  test("without a known call are borne", () => {
    expect(parts({ type: "tool_result" }, result("toolu_elsewhere", "x"))).toEqual([
      { type: "tool-result", callId: "", failed: false, parts: [] },
      { type: "tool-result", callId: "toolu_elsewhere", failed: false, parts: [text("x")] },
    ]);
  });

  test("in the assistant's own message stand behind its calls", () => {
    const content = [use("t1", "read", {}), result("t1", "one")];
    expect(turns(user, { role: "assistant", content }, user)).toMatchObject([
      { role: "user" },
      { role: "assistant", parts: [{ type: "tool-call" }] },
      { role: "user", parts: [one] },
      { role: "user" },
    ]);
  });

  test("hold neither calls nor results", () => {
    const content = [result("t1", [use("t3", "read", {}), result("t4", "x"), text("a")])];
    const request = read(user, asked, { role: "user", content });
    expect(request.conversation.turns[2]?.parts).toEqual([answered("t1", "read", text("a"))]);
    expect(request.warnings).toEqual([expect.stringContaining("'tool_use'"), expect.stringContaining("'tool_result'")]);
  });
});
