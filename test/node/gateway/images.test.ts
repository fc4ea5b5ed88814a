import { afterEach, describe, expect, test, vi } from "vitest";
import { says } from "../../scripted-upstream/script.ts";
import type { Variables } from "../../variables.ts";
import { WIRES } from "../../wires/wires.ts";
import { inProcess } from "./in-process.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const PNG = "iVBORw0KGgoAAAANSUhEUgAABQAAAALQ";
const JPEG = "/9j/AAAA";
const ADDRESS = "https://h/b.png";
const schema = { type: "object", properties: { page: { type: "integer" } } };

/** The same conversation on every wire: images as data and by their address, and one that a tool has made. */
const BODIES: Readonly<Record<string, object>> = {
  chat: {
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Compare" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
          { type: "text", text: "with" },
          { type: "image_url", image_url: { url: ADDRESS, detail: "low" } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "shot", arguments: '{"page":1}' } }],
      },
      {
        role: "tool",
        tool_call_id: "c1",
        content: [
          { type: "text", text: "Page 1" },
          { type: "image_url", image_url: { url: `data:image/jpeg;base64,${JPEG}` } },
        ],
      },
      { role: "user", content: "And?" },
    ],
    tools: [{ type: "function", function: { name: "shot", parameters: schema } }],
  },
  responses: {
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "Compare" },
          { type: "input_image", image_url: `data:image/png;base64,${PNG}`, detail: "auto" },
          { type: "input_text", text: "with" },
          { type: "input_image", image_url: ADDRESS },
        ],
      },
      { type: "function_call", call_id: "c1", name: "shot", arguments: '{"page":1}' },
      {
        type: "function_call_output",
        call_id: "c1",
        output: [
          { type: "input_text", text: "Page 1" },
          { type: "input_image", image_url: `data:image/jpeg;base64,${JPEG}` },
        ],
      },
      { role: "user", content: "And?" },
    ],
    tools: [{ type: "function", name: "shot", parameters: schema }],
  },
  messages: {
    max_tokens: 100,
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Compare" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
          { type: "text", text: "with" },
          { type: "image", source: { type: "url", url: ADDRESS } },
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "shot", input: { page: 1 } }] },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "c1",
            content: [
              { type: "text", text: "Page 1" },
              { type: "image", source: { type: "base64", media_type: "image/jpeg", data: JPEG } },
            ],
          },
          { type: "text", text: "And?" },
        ],
      },
    ],
    tools: [{ name: "shot", input_schema: schema }],
  },
  gemini: {
    contents: [
      {
        role: "user",
        parts: [
          { text: "Compare" },
          { inlineData: { mimeType: "image/png", data: PNG } },
          { text: "with" },
          { fileData: { mimeType: "image/png", fileUri: ADDRESS } },
        ],
      },
      { role: "model", parts: [{ functionCall: { id: "c1", name: "shot", args: { page: 1 } } }] },
      {
        role: "user",
        parts: [
          {
            functionResponse: {
              id: "c1",
              name: "shot",
              response: { output: "Page 1" },
              // In the alphabet for addresses, which protobuf's JSON allows.
              parts: [{ inlineData: { mimeType: "image/jpeg", data: "_9j_AAAA" } }],
            },
          },
          { text: "And?" },
        ],
      },
    ],
    tools: [{ functionDeclarations: [{ name: "shot", parameters: schema }] }],
  },
};

const text = (text: string) => ({ type: "text", text });
const image = (url: string) => ({ type: "image_url", image_url: { url } });
const png = image(`data:image/png;base64,${PNG}`);
const jpeg = image(`data:image/jpeg;base64,${JPEG}`);

const question = { role: "user", content: [text("Compare"), png, text("with"), image(ADDRESS)] };
const taughtCall = {
  role: "assistant",
  content: '<tool_calls>\n<invoke name="shot">\n<parameter name="page">1</parameter>\n</invoke>\n</tool_calls>',
};
const results = (said: string) =>
  `<tool_results>\n<result n="1" tool="shot">\nPage 1\n\n${said}\n</result>\n</tool_results>`;
const WARNING = "cannot be shown to this model";

describe.each(WIRES.map((wire) => [wire.name, wire] as const))("%s", (name, wire) => {
  /** Gemini's answers come in two forms, its questions in one. */
  const [, asked] = Object.entries(BODIES).find(([wire]) => name.startsWith(wire)) ?? [];

  async function sent(variables: Variables) {
    const gateway = inProcess(variables, says("Alike."));
    const { path, fields } = wire.address({ model: "my-model", stream: false });
    const response = await gateway.send(path, { method: "POST", body: JSON.stringify({ ...fields, ...asked }) });
    expect(response.status).toBe(200);
    const messages = gateway.requests[0]?.messages.filter(({ role }) => role !== "system");
    return { messages, warning: response.headers.get("x-gateway-warning") ?? "" };
  }

  test("images go upstream in their places, those of a result behind its text", async () => {
    const { messages, warning } = await sent({ UPSTREAM_IMAGES: "yes" });
    expect(messages).toEqual([
      question,
      taughtCall,
      { role: "user", content: [text(results("[image 1]")), jpeg, text("And?")] },
    ]);
    expect(warning).toBe("");
  });

  test("native results are text, their images follow in the user's message", async () => {
    const { messages, warning } = await sent({ UPSTREAM_IMAGES: "yes", TOOLCALL_TEACH: "native" });
    expect(messages).toMatchObject([
      question,
      { role: "assistant", content: null, tool_calls: [{ function: { name: "shot", arguments: '{"page":1}' } }] },
      { role: "tool", content: "Page 1\n\n[image 1]" },
      { role: "user", content: [jpeg, text("And?")] },
    ]);
    expect(warning).toBe("");
  });

  test("a server gets only the forms that it takes", async () => {
    const { messages, warning } = await sent({ UPSTREAM_IMAGES: "yes", UPSTREAM_KIND: "ollama" });
    const address = expect.stringMatching(/^with\n\n\[image: image\/(?:\*|png), not shown\]$/);
    expect(messages?.[0]?.content).toEqual([text("Compare"), png, { type: "text", text: address }]);
    expect(warning).toContain(`some images or files ${WARNING}`);
  });

  test("a model that does not see gets text alone", async () => {
    const { messages, warning } = await sent({});
    expect(messages?.map(({ content }) => typeof content)).toEqual(["string", "string", "string"]);
    expect(messages?.[0]?.content).toMatch(/^Compare\n\n\[image: image\/png, 1280x720, 1 kB, not shown\]\n\nwith\n\n/);
    expect(messages?.[2]?.content).toBe(`${results("[image: image/jpeg, 1 kB, not shown]")}\n\nAnd?`);
    expect(warning).toContain(`images and files ${WARNING}`);
  });
});
