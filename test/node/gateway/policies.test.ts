import { afterEach, expect, test, vi } from "vitest";
import { canonical } from "../../../src/dialects/canonical.ts";
import { GET_WEATHER } from "../../chat-tools.ts";
import { says } from "../../scripted-upstream/script.ts";
import type { RequestTool } from "../../wires/requests.ts";
import { WIRES } from "../../wires/wires.ts";
import { inProcess } from "./in-process.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const request = {
  turns: [{ user: "What is the weather in Paris?" }],
  tools: [GET_WEATHER.function as RequestTool],
  maxTokens: 100,
};
const block = (name: string) => canonical.write.calls([{ name, input: { city: "Paris" } }]);
const call = block("get_weather");
const fenced = `\`\`\`xml\n${call}\n\`\`\``;
const foreign = block("get_tides");
const broken = call.replace("</invoke>", "");

test.each<[string, Parameters<typeof inProcess>[0], Parameters<typeof says>, { calls: string[]; text: string }]>([
  ["a fenced call", {}, [fenced], { calls: [], text: fenced }],
  ["a fenced call", { TOOLCALL_FENCED: "sole" }, [fenced], { calls: ["get_weather"], text: "" }],
  ["an undeclared tool", {}, [foreign], { calls: ["get_tides"], text: "" }],
  ["an undeclared tool", { TOOLCALL_UNDECLARED: "text" }, [foreign], { calls: [], text: foreign }],
  ["a broken call", { TOOLCALL_EARLY_EMIT: "off" }, [`Well. ${broken}`], { calls: [], text: `Well. ${broken}` }],
  [
    "a broken call",
    { TOOLCALL_EARLY_EMIT: "off", TOOLCALL_MALFORMED: "drop" },
    [`Well. ${broken}`],
    { calls: [], text: "Well. " },
  ],
  ["a call in the reasoning", {}, ["", { reasoning: call }], { calls: ["get_weather"], text: "" }],
  [
    "a call in the reasoning",
    { TOOLCALL_REASONING_CALLS: "never" },
    ["", { reasoning: call }],
    { calls: [], text: "" },
  ],
  ["text behind a call", {}, [`${call}\nDone.`], { calls: ["get_weather"], text: "Done." }],
  ["text behind a call", { TOOLCALL_AFTER_CALLS: "end" }, [`${call}\nDone.`], { calls: ["get_weather"], text: "" }],
])("%s, with %j", async (_what, variables, said, expected) => {
  for (const wire of WIRES) {
    for (const stream of [true, false]) {
      const { calls, text } = await inProcess(variables, says(...said)).ask(wire, request, { stream });
      expect({ calls: calls.map(({ name }) => name), text }, wire.name).toEqual(expected);
    }
  }
});
