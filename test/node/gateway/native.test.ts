import { afterEach, describe, expect, test, vi } from "vitest";
import { canonical } from "../../../src/dialects/canonical.ts";
import { GET_WEATHER } from "../../chat-tools.ts";
import { answers, chunk, DONE, type Script, says } from "../../scripted-upstream/script.ts";
import type { RequestTool } from "../../wires/requests.ts";
import { WIRES } from "../../wires/wires.ts";
import { inProcess } from "./in-process.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const [chat] = WIRES;
if (!chat) throw new Error("no wire");
const request = {
  turns: [{ user: "What is the weather in Paris?" }],
  tools: [GET_WEATHER.function as RequestTool],
  maxTokens: 100,
};
const taughtCall = says(canonical.write.calls([{ name: "get_weather", input: { city: "Paris" } }]));
const nativeCall: Script = {
  steps: [
    {
      send:
        chunk({
          tool_calls: [{ index: 0, id: "a", function: { name: "get_weather", arguments: '{"city":"Paris"}' } }],
        }) +
        chunk({}, "tool_calls") +
        DONE,
    },
  ],
};
const refusal = (message: string, status = 400) => answers(status, { error: { message } });

describe.each(WIRES.map((wire) => [wire.name, wire] as const))("%s", (_name, wire) => {
  test.each([true, false])(
    "tools go to a kind that takes them, for a model that is better given them; stream: %s",
    async (stream) => {
      const gateway = inProcess({ UPSTREAM_KIND: "vllm" }, nativeCall);
      const { calls, response } = await gateway.ask(wire, request, { model: "kimi-k2", stream });
      expect(calls).toMatchObject([{ name: "get_weather", arguments: '{"city":"Paris"}' }]);
      expect(response.headers.get("x-toolcall-dialect")).toBe("native");
      expect(gateway.requests).toMatchObject([{ tools: [{ function: { name: "get_weather" } }] }]);
    },
  );

  test.each([true, false])("a server that refuses them is asked in words; stream: %s", async (stream) => {
    const refused = refusal("kimi-k2 does not support tools");
    const gateway = inProcess({ UPSTREAM_KIND: "ollama" }, refused, taughtCall);
    const { calls, response } = await gateway.ask(wire, request, { model: "kimi-k2", stream });
    expect(calls).toMatchObject([{ name: "get_weather", arguments: '{"city":"Paris"}' }]);
    expect(response.headers.get("x-toolcall-dialect")).toBe("canonical");
    const [first, second] = gateway.requests;
    expect([first?.tools, second?.tools].map((tools) => tools !== undefined)).toEqual([true, false]);
    expect(second?.messages[0]?.content).toContain("get_weather(");
    expect(gateway.log).toMatchObject([{ event: "fields_dropped", fields: ["native tools"] }]);
    // The next one is asked in words at once.
    await gateway.ask(wire, request, { model: "kimi-k2", stream });
    expect(gateway.requests.map(({ tools }) => tools !== undefined)).toEqual([true, false, false]);
  });

  test("words may be asked for by header, and refused", async () => {
    const gateway = inProcess({ UPSTREAM_KIND: "vllm" }, taughtCall);
    const teach = (value: string) => ({ model: "kimi-k2", headers: { "x-toolcall-teach": value } });
    const { calls, response } = await gateway.ask(wire, request, teach("canonical"));
    expect([calls.length, response.headers.get("x-toolcall-dialect")]).toEqual([1, "canonical"]);
    expect((await gateway.ask(wire, request, teach("hermes"))).response.headers.get("x-toolcall-dialect")).toBe(
      "hermes",
    );
    const unknown = await gateway.send(wire.address({ model: "m", stream: false }).path, {
      method: "POST",
      headers: { "x-toolcall-teach": "morse" },
      body: JSON.stringify({ ...wire.address({ model: "m", stream: false }).fields, ...wire.write(request, false) }),
    });
    expect(unknown.status).toBe(400);
    expect(await unknown.text()).toMatch(/x-toolcall-teach takes auto, native, .*, not \\"morse\\"/);
  });
});

test("tokens are counted of the prompt that a server that refuses tools gets", async () => {
  const refused = refusal("kimi-k2 does not support tools");
  const gateway = inProcess({ UPSTREAM_KIND: "ollama" }, refused, taughtCall);
  const count = async (headers: Record<string, string> = {}) => {
    const { name, description, parameters: input_schema } = GET_WEATHER.function;
    const messages = [{ role: "user", content: "What is the weather in Paris?" }];
    const response = await gateway.send("/v1/messages/count_tokens", {
      method: "POST",
      headers,
      body: JSON.stringify({ model: "kimi-k2", messages, tools: [{ name, description, input_schema }] }),
    });
    return ((await response.json()) as { input_tokens: number }).input_tokens;
  };
  const [before, inWords] = [await count(), await count({ "x-toolcall-teach": "canonical" })];
  expect(before).toBeLessThan(inWords);
  await gateway.ask(chat, request, { model: "kimi-k2" });
  expect(await count()).toBe(inWords);
});

describe("not natively", () => {
  test.each<[string, Parameters<typeof inProcess>[0], string]>([
    ["to a server of no known kind", {}, "kimi-k2"],
    ["for a model that is taught well", { UPSTREAM_KIND: "vllm" }, "qwen3:8b"],
    ["in mode canonical", { UPSTREAM_KIND: "vllm", TOOLCALL_MODE: "canonical" }, "kimi-k2"],
  ])("%s", async (_what, variables, model) => {
    const gateway = inProcess(variables, taughtCall);
    await gateway.ask(chat, request, { model });
    expect(gateway.requests[0]).not.toHaveProperty("tools");
  });

  test("an operator who asks for native tools is told that they are refused", async () => {
    const refused = refusal("tools param requires --jinja flag", 500);
    const gateway = inProcess({ UPSTREAM_KIND: "llamacpp", TOOLCALL_TEACH: "native" }, refused, taughtCall);
    const { response } = await gateway.ask(chat, request, { model: "kimi-k2" });
    expect([response.status, gateway.requests.length]).toEqual([502, 1]);
  });

  test("that they are refused is told once of an hour, not with each request", async () => {
    const refused = refusal("m does not support tools");
    const gateway = inProcess({ UPSTREAM_KIND: "vllm", TOOLCALL_TEACH: "native" }, refused, refused);
    await gateway.ask(chat, request, { model: "told-once" });
    await gateway.ask(chat, request, { model: "told-once" });
    expect(gateway.requests.map((body) => "tools" in body)).toEqual([true, true]);
    expect(gateway.log.filter(({ event }) => event === "fields_dropped")).toHaveLength(1);
  });

  test("a refusal of anything else is none of tools", async () => {
    const gateway = inProcess({ UPSTREAM_KIND: "vllm" }, refusal("temperature is too high"), taughtCall);
    const { response } = await gateway.ask(chat, request, { model: "kimi-k2" });
    expect([response.status, gateway.requests.length]).toEqual([400, 1]);
  });
});
