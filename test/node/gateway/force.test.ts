import { afterEach, describe, expect, test, vi } from "vitest";
import { canonical } from "../../../src/dialects/canonical.ts";
import { hermes } from "../../../src/dialects/hermes.ts";
import { qwen3Coder } from "../../../src/dialects/qwen3_coder.ts";
import { parseToolCalls } from "../../../src/sieve/index.ts";
import { GET_WEATHER } from "../../chat-tools.ts";
import { answers, chunk, DONE, type Script, says } from "../../scripted-upstream/script.ts";
import type { Variables } from "../../variables.ts";
import type { RequestTool } from "../../wires/requests.ts";
import { WIRES } from "../../wires/wires.ts";
import { TAUGHT_BY_ID } from "../dialects/taught-dialects.ts";
import { type InProcessGateway, inProcess } from "./in-process.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const request = {
  turns: [{ user: "What is the weather in Paris?" }],
  tools: [GET_WEATHER.function as RequestTool],
  toolChoice: "required" as const,
  maxTokens: 100,
};
const CALL = { name: "get_weather", input: { city: "Paris" } };
/** The body in words alone has none of these. */
const HELP = ["response_format", "grammar", "continue_final_message"];
const helpOf = (body: InProcessGateway["requests"][number]) => [
  ...HELP.filter((field) => field in body),
  ...(body.messages.at(-1)?.role === "assistant" ? ["prefill"] : []),
];
const refusal = (message: string) => answers(400, { error: { message } });
const sorry = says("Sorry.");

/** What a model that does not call by itself answers when it is made to. */
const OBEYED: [string, Variables, string, string, string[]][] = [
  ["structural tag", { UPSTREAM_KIND: "vllm" }, "m", canonical.write.calls([CALL]), ["response_format"]],
  ["structural tag", { UPSTREAM_KIND: "sglang" }, "qwen3:8b", hermes.write.calls([CALL]), ["response_format"]],
  [
    "continued",
    { UPSTREAM_KIND: "vllm" },
    "qwen3-coder",
    qwen3Coder.write.calls([CALL]).slice("<tool_call>\n<function=get_weather>\n".length),
    ["continue_final_message", "prefill"],
  ],
  ["grammar", { UPSTREAM_KIND: "llamacpp" }, "m", canonical.write.calls([CALL]), ["grammar"]],
  ["grammar", { UPSTREAM_KIND: "fireworks" }, "qwen3:8b", hermes.write.calls([CALL]), ["response_format"]],
  [
    "a prefix that is repeated",
    { UPSTREAM_KIND: "mistral", TOOLCALL_TEACH: "canonical" },
    "m",
    canonical.write.calls([CALL]),
    ["prefill"],
  ],
  [
    "a last turn",
    { UPSTREAM_KIND: "groq" },
    "m",
    canonical.write.calls([CALL]).slice('<tool_calls>\n<invoke name="get_weather">\n'.length),
    ["prefill"],
  ],
  [
    "JSON",
    { UPSTREAM_KIND: "ollama" },
    "m",
    '{"name": "get_weather", "arguments": {"city": "Paris"}}',
    ["response_format"],
  ],
];

describe.each(WIRES.flatMap((wire) => [true, false].map((stream) => [wire.name, stream, wire] as const)))(
  "%s, a stream: %s",
  (_name, stream, wire) => {
    const ask = async (gateway: ReturnType<typeof inProcess>, model = "m") => {
      const { calls, text, response } = await gateway.ask(wire, request, { model, stream });
      const found = calls.map(({ name, arguments: json }) => ({ name, input: JSON.parse(json) }));
      return { calls: found, text: text.trim(), status: response.status };
    };
    /** In a stream only an empty answer can be taken back. */
    const refusing = stream ? says("") : sorry;

    test.each(OBEYED)(
      "a model that does not call is made to, by %s of %j (%s)",
      async (_by, variables, model, said, help) => {
        const gateway = inProcess(variables, refusing, says(said, { size: 3 }));
        expect(await ask(gateway, model)).toEqual({ calls: [CALL], text: "", status: 200 });
        expect(gateway.requests.map(helpOf)).toEqual([[], help]);
      },
    );

    test.each(OBEYED)("from the start, by %s of %j (%s)", async (_by, variables, model, said, help) => {
      const gateway = inProcess({ ...variables, TOOLCALL_FORCE: "always" }, says(said, { size: 3 }));
      expect(await ask(gateway, model)).toEqual({ calls: [CALL], text: "", status: 200 });
      expect(gateway.requests.map(helpOf)).toEqual([help]);
    });

    test("never, where the operator does not want it", async () => {
      const gateway = inProcess({ UPSTREAM_KIND: "vllm", TOOLCALL_FORCE: "never" }, refusing, refusing);
      expect((await ask(gateway)).calls).toEqual([]);
      expect(gateway.requests.map(helpOf)).toEqual([[], []]);
    });

    test("a server that refuses it costs nothing but the request; the next best is tried then", async () => {
      const gateway = inProcess(
        { UPSTREAM_KIND: "vllm" },
        refusing,
        refusal("no such type"),
        refusing,
        refusal("no"),
        refusing,
      );
      const said = { calls: [], text: stream ? "" : "Sorry.", status: 200 };
      for (let times = 0; times < 3; times += 1) expect(await ask(gateway)).toEqual(said);
      expect(gateway.requests.map(helpOf)).toEqual([
        ...[[], ["response_format"]],
        ...[[], ["continue_final_message", "prefill"]],
        ...[[], []],
      ]);
      expect(gateway.log.filter(({ event }) => event === "fields_dropped")).toMatchObject([
        { fields: ["a call forced by structural-tag"] },
        { fields: ["a call forced by prefill"] },
      ]);
    });

    test.each([
      ["by its name", "Unsupported field 'grammar'", 400, 1],
      ["in other words", "Failed to parse grammar", 400, 1],
      ["as it breaks over it", "Failed to parse grammar", 500, 2],
    ])("a request that is refused for it is made once more without, %s", async (_how, message, status, forced) => {
      const refused = answers(status, { error: { message } });
      const call = says(canonical.write.calls([CALL]));
      const gateway = inProcess(
        { UPSTREAM_KIND: "llamacpp", TOOLCALL_FORCE: "always" },
        refused,
        call,
        ...(forced > 1 ? [refused] : []),
        call,
      );
      for (let times = 0; times < 2; times += 1)
        expect(await ask(gateway)).toEqual({ calls: [CALL], text: "", status: 200 });
      // What was refused as such is known the next time: then the next best is tried.
      const then = forced === 1 ? [["prefill"]] : [["grammar"], []];
      expect(gateway.requests.map(helpOf)).toEqual([["grammar"], [], ...then]);
    });

    test("a refusal of something else is the client's, and nothing is learnt of it", async () => {
      const gateway = inProcess(
        { UPSTREAM_KIND: "llamacpp", TOOLCALL_FORCE: "always" },
        refusal("temperature is too high"),
      );
      expect((await ask(gateway)).status).toBe(400);
      expect(gateway.requests.map(helpOf)).toEqual([["grammar"], []]);
      expect(gateway.log.filter(({ event }) => event === "fields_dropped")).toEqual([]);
    });
  },
);

const [chat] = WIRES;
if (!chat) throw new Error("no wire");

test("where even more than words brings no call, the first answer stands, and nothing of ours is in it", async () => {
  const gateway = inProcess({ UPSTREAM_KIND: "groq" }, sorry, says("I still cannot."));
  const { calls, text } = await gateway.ask(chat, request);
  expect({ calls, text }).toEqual({ calls: [], text: "Sorry." });
  const always = inProcess({ UPSTREAM_KIND: "groq", TOOLCALL_FORCE: "always" }, says("I cannot."));
  expect((await always.ask(chat, request)).text).toBe("I cannot.");
});

describe.each(WIRES.flatMap((wire) => [true, false].map((stream) => [wire.name, stream, wire] as const)))(
  "%s, a stream: %s: a first answer that says nothing is none",
  (_name, stream, wire) => {
    test.each<[string, Script]>([
      ["nothing at all", says("")],
      ["blanks", says(" \n")],
    ])("%s", async (_what, empty) => {
      // In one delta and in several: Gemini holds one part back.
      for (const size of [100, 3]) {
        const gateway = inProcess({ UPSTREAM_KIND: "groq" }, empty, says("I cannot.", { size }));
        const { calls, text } = await gateway.ask(wire, request, { model: "m", stream });
        expect({ calls, text: text.trim() }).toEqual({ calls: [], text: "I cannot." });
        expect(gateway.requests.length).toBe(2);
      }
    });
  },
);

test("a call that stands in the reasoning of a model that was not to think counts", async () => {
  const events: Script = {
    steps: [
      {
        send: chunk({
          reasoning_content: canonical.write.calls([CALL]).slice('<tool_calls>\n<invoke name="get_weather">\n'.length),
        }),
      },
      { send: chunk({}, "stop") + DONE },
    ],
  };
  const gateway = inProcess({ UPSTREAM_KIND: "groq", TOOLCALL_FORCE: "always" }, events);
  const { calls } = await gateway.ask(chat, request);
  expect(calls).toMatchObject([{ name: "get_weather", arguments: '{"city":"Paris"}' }]);
});

test("a call that a grammar forces where the template has opened the reasoning counts", async () => {
  const variables = { UPSTREAM_KIND: "llamacpp", TOOLCALL_FORCE: "always", TOOLCALL_REASONING: "open" };
  const gateway = inProcess(variables, says(canonical.write.calls([CALL])));
  expect((await gateway.ask(chat, request)).calls).toMatchObject([{ name: "get_weather" }]);
});

describe("a call as JSON alone is read whatever is taught", () => {
  const tools = ["get_weather", "a.b-c", "größe", "x"].map((name) => ({ name }));
  test.each(TAUGHT_BY_ID)("%s", (_id, dialect) => {
    for (const { name } of tools) {
      for (const input of [{}, { city: "Paris", list: [1, { name: "x" }], type: "object" }]) {
        for (const space of [0, 2]) {
          const said = JSON.stringify({ name, arguments: input }, null, space);
          expect(parseToolCalls(said, { tools, dialects: [dialect.id] })).toEqual([{ name, input }]);
        }
      }
    }
  });
});
