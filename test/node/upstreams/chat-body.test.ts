import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { capabilitiesOf, UPSTREAM_KINDS } from "../../../src/upstreams/capabilities.ts";
import { buildBody } from "../../../src/upstreams/chat-body.ts";
import type { NativeTools, UpstreamRequest } from "../../../src/upstreams/upstream.ts";

const REQUEST: UpstreamRequest = {
  model: "m",
  clientNamed: true,
  messages: [{ role: "user", content: "hi" }],
  sampling: { topK: 3, seed: 4, user: "u" },
  stop: ["END"],
  effort: "low",
  callsInText: true,
};
const TOOLS = ["ping", "read"].map((name) => ({ name, parameters: {} }));
const native = (choice: NativeTools["choice"], parallel = true) => ({
  ...REQUEST,
  native: { tools: TOOLS, choice, parallel },
});
const body = (kind: (typeof UPSTREAM_KINDS)[number], request = REQUEST, ...dropped: string[]) =>
  buildBody(request, capabilitiesOf(kind), new Set(dropped));
const toolNames = ({ tools }: ReturnType<typeof body>) =>
  (tools as { function: { name: string } }[] | undefined)?.map((tool) => tool.function.name);

test("a field that was refused is left out, by the name that it has in the body", () => {
  expect(body("generic", REQUEST, "top_k", "stop")).not.toHaveProperty("top_k");
  expect(body("mistral")).toMatchObject({ random_seed: 4 });
  expect(body("mistral", REQUEST, "random_seed")).not.toHaveProperty("random_seed");
  expect(body("vllm")).toMatchObject({ skip_special_tokens: false });
  expect(body("vllm", REQUEST, "skip_special_tokens")).not.toHaveProperty("skip_special_tokens");
});

describe("reasoning of earlier answers", () => {
  const messages = [
    { role: "assistant", content: "a", reasoning: "hm" },
    { role: "assistant", content: "b" },
    { role: "user", content: "c" },
  ] as const;
  const sent = (
    kind: (typeof UPSTREAM_KINDS)[number],
    field: UpstreamRequest["reasoningField"],
    ...lessons: string[]
  ) => body(kind, { ...REQUEST, messages, ...(field && { reasoningField: field }) }, ...lessons).messages;
  const plain = messages.map(({ role, content }) => ({ role, content }));
  const [a, b, c] = plain;

  test("is everywhere where it is demanded, in the field that the kind has", () => {
    const demanded = [{ ...a, reasoning_content: "hm" }, { ...b, reasoning_content: "" }, c];
    expect(sent("generic", undefined, "reasoning demanded")).toEqual(demanded);
    expect(sent("deepseek", "reasoning_content", "reasoning demanded")).toEqual(demanded);
    expect(sent("openrouter", undefined, "reasoning demanded")).toEqual([
      { ...a, reasoning: "hm" },
      { ...b, reasoning: "" },
      c,
    ]);
  });

  test("is nowhere where it is refused", () => {
    expect(sent("groq", "reasoning", "messages.reasoning", "reasoning demanded")).toEqual(plain);
  });
});

test("special tokens are asked for only where calls are looked for", () => {
  const { callsInText: _, ...plain } = REQUEST;
  expect(body("vllm", plain)).not.toHaveProperty("skip_special_tokens");
});

describe("where a choice cannot be told", () => {
  test("by its name, the list of tools holds no others", () => {
    const sent = body("lmstudio", native({ mode: "required", only: "read" }));
    expect([toolNames(sent), sent.tool_choice]).toEqual([["read"], "required"]);
  });

  test.each<[string, ReturnType<typeof body>]>([
    ["by this kind", body("ollama", native({ mode: "required", only: "read" }))],
    ["since it was refused", body("generic", native({ mode: "required", only: "read" }), "tool_choice")],
  ])("at all, %s, the list tells of it alone", (_why, sent) => {
    expect([toolNames(sent), sent.tool_choice]).toEqual([["read"], undefined]);
  });

  test("at all, no tools are offered where none may be called", () => {
    const sent = body("ollama", native({ mode: "none" }, false));
    expect(sent).not.toHaveProperty("tools");
    expect(body("generic", native({ mode: "none" }, false), "tool_choice")).not.toHaveProperty("parallel_tool_calls");
    expect(toolNames(body("groq", native({ mode: "none" })))).toEqual(["ping", "read"]);
  });
});

test("no field that a server has refused ever goes to it again, and those that make the request always do", () => {
  const names = Object.keys(body("generic", native({ mode: "required" }, false)));
  const optional = fc.subarray(names.filter((name) => !["model", "messages", "stream", "tools"].includes(name)));
  fc.assert(
    fc.property(fc.constantFrom(...UPSTREAM_KINDS), optional, (kind, dropped) => {
      const sent = body(kind, native({ mode: "required" }, false), ...dropped);
      expect(Object.keys(sent)).toEqual(expect.arrayContaining(["model", "messages", "stream", "tools"]));
      for (const name of dropped) expect(sent).not.toHaveProperty(name);
    }),
  );
});
