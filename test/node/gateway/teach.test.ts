import { describe, expect, test } from "vitest";
import { GET_WEATHER } from "../../chat-tools.ts";
import type { RequestTool, WireRequest } from "../../wires/requests.ts";
import { WIRES } from "../../wires/wires.ts";
import { gateway } from "./harness.ts";

/** The demo has no name of its own to be known by: it takes whatever the client asks for. */
const fetchAuto = gateway({});
const fetchNative = gateway({ TOOLCALL_TEACH: "native" });

const tools = [GET_WEATHER.function as RequestTool];
const question = { user: "What is the weather in Paris?" };
const call = { id: "call_1", name: "get_weather", input: { city: "Paris" } };
const answered = [
  question,
  { assistant: "I look.", calls: [call] },
  { results: [{ id: "call_1", name: "get_weather", output: "18 °C" }] },
];

describe.each(WIRES.flatMap((wire) => [true, false].map((stream) => [wire.name, stream, wire] as const)))(
  "%s, a stream: %s",
  (_name, stream, wire) => {
    async function ask(model: string, request: Partial<WireRequest>, fetch = fetchAuto) {
      const { path, fields } = wire.address({ model, stream });
      const asked = { turns: [question], tools, maxTokens: 1_000, ...request };
      const body = JSON.stringify({ ...fields, ...wire.write(asked, stream) });
      const response = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body });
      const text = await response.text();
      const { calls, text: shown } = stream ? wire.readStream(text) : wire.readBody(text);
      return { calls, shown, told: response.headers.get("x-toolcall-dialect") };
    }

    test.each([
      ["demo", "canonical"],
      ["qwen3:8b", "hermes"],
      ["glm-4.6", "glm45"],
      ["gemma3:27b", "bare_json"],
      ["llama4:scout", "pythonic"],
      ["deepseek-v4", "dsml"],
    ])("%s is taught %s, and its calls are found", async (model, dialect) => {
      const { calls, told, shown } = await ask(model, {});
      expect(told).toBe(dialect);
      expect(calls.map(({ name, arguments: json }) => [name, JSON.parse(json)])).toEqual([
        ["get_weather", { city: "Paris" }],
      ]);
      expect(shown.trim()).toBe("I will use a tool for this.");
      const { calls: none, shown: sentence } = await ask(model, { turns: answered });
      expect([none.length, sentence.includes("18 °C")]).toEqual([0, true]);
    });

    test("says how tools were told, if any were", async () => {
      expect((await ask("qwen3:8b", {}, fetchNative)).told).toBe("native");
      expect((await ask("qwen3:8b", { tools: [] })).told).toBeNull();
    });
  },
);
