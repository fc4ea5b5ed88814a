import { describe, expect, test } from "vitest";
import type { Conversation, Part } from "../../src/conversation.ts";
import { planExchange } from "../../src/plan.ts";
import { loadConfig } from "../../src/tenants/config.ts";

const { config } = loadConfig({});
const tool = { name: "ping", parameters: {} };
const image: Part = { type: "media", mediaType: "image/png", data: "AAAA" };
const result = (...parts: Part[]): Part => ({ type: "tool-result", callId: "c1", failed: false, parts });

function plan(fields: Partial<Conversation>, parts: Part[], settings = config) {
  if (!settings) throw new Error("the configuration is invalid");
  return planExchange(settings, {
    model: "m",
    system: "",
    turns: [{ role: "user", parts: [{ type: "text", text: "hi" }, ...parts] }],
    tools: [],
    toolChoice: { mode: "auto" },
    parallelToolCalls: true,
    sampling: {},
    reasoning: { expose: false },
    stream: false,
    ...fields,
  });
}

test("with calls switched off the model is told of no tool, whatever the history holds", () => {
  const { config: off } = loadConfig({ TOOLCALL_MODE: "off" });
  if (!off) throw new Error("the configuration is invalid");
  const call: Part = { type: "tool-call", id: "c1", name: "ping", input: {} };
  const turns = [
    { role: "user" as const, parts: [] },
    { role: "assistant" as const, parts: [call] },
    { role: "user" as const, parts: [result()] },
  ];
  const { upstream, sieve } = plan({ tools: [tool], turns }, [], off);
  expect(JSON.stringify(upstream.messages)).not.toContain("# Tools");
  expect(sieve.tools).toEqual([]);
});

describe("what the model does not get is told", () => {
  const media = expect.stringContaining("images and files");
  const format = expect.stringContaining("response format");

  test.each<[string, Partial<Conversation>, Part[], unknown[]]>([
    ["nothing to tell", { tools: [tool] }, [result({ type: "text", text: "x" })], []],
    ["an image", {}, [image], [media]],
    ["an image in a result, and another one", {}, [result(image), image], [media]],
    ["a response format", { responseFormat: { type: "json" } }, [], []],
    [
      "a response format beside tools that may not be called",
      { responseFormat: { type: "json" }, tools: [tool], toolChoice: { mode: "none" } },
      [],
      [],
    ],
    ["a response format beside tools", { responseFormat: { type: "json" }, tools: [tool] }, [], [format]],
  ])("%s", (_what, fields, parts, warnings) => {
    const { upstream, warnings: told } = plan(fields, parts);
    expect(told).toEqual(warnings);
    expect(upstream.responseFormat).toEqual(warnings.includes(format) ? undefined : fields.responseFormat);
    expect(JSON.stringify(upstream.messages).includes("one JSON value")).toBe(warnings.includes(format));
  });
});
