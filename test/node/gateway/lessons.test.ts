import { afterEach, describe, expect, test, vi } from "vitest";
import { GET_WEATHER } from "../../chat-tools.ts";
import { answers, type Script, says } from "../../scripted-upstream/script.ts";
import type { RequestTool } from "../../wires/requests.ts";
import { WIRES } from "../../wires/wires.ts";
import { inProcess } from "./in-process.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const request = {
  turns: [
    { user: "What is the weather in Paris?" },
    { assistant: "Let me see.", calls: [{ id: "c1", name: "get_weather", input: { city: "Paris" } }] },
    { results: [{ id: "c1", name: "get_weather", output: "sun" }] },
  ],
  tools: [GET_WEATHER.function as RequestTool],
  maxTokens: 100,
};
const refusal = (message: string, status = 400) => answers(status, { error: { message } });
const answer = says("Sunny.");

describe.each(WIRES.map((wire) => [wire.name, wire] as const))("%s", (_name, wire) => {
  /** The bodies of a request that is refused once, and of the next one. */
  async function learn(refused: Script, stream: boolean, variables = {}) {
    const gateway = inProcess(variables, refused, answer);
    for (const _ of [1, 2]) expect((await gateway.ask(wire, request, { stream })).text).toBe("Sunny.");
    const [first, second, third, ...others] = gateway.requests;
    if (!first || !second) throw new Error("no second request");
    expect([third, others]).toEqual([second, []]);
    return { first, second, log: gateway.log };
  }

  test.each([true, false])("reasoning that a server demands is in every answer; stream: %s", async (stream) => {
    const refused = refusal("Missing `reasoning_content` field in the assistant message at message index 2.");
    const { first, second, log } = await learn(refused, stream, { UPSTREAM_KIND: "deepseek" });
    const messages = first.messages.map((message) =>
      message.role === "assistant" ? { ...message, reasoning_content: "" } : message,
    );
    expect(first.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(second).toEqual({ ...first, messages });
    expect(log).toMatchObject([{ event: "fields_dropped", fields: ["reasoning demanded"] }]);
  });

  test.each([true, false])("the client's limit survives under another name; stream: %s", async (stream) => {
    const refused = refusal(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    );
    const { first, second } = await learn(refused, stream);
    const { max_tokens, ...rest } = first;
    expect(max_tokens).toBe(100);
    expect(second).toEqual({ ...rest, max_completion_tokens: 100 });
  });
});

describe("reasoning that is demanded", () => {
  const messages = [
    { role: "user", content: "Old." },
    { role: "assistant", content: "Yes.", reasoning_content: "Old thought." },
    { role: "user", content: "New." },
    { role: "assistant", content: "Well.", reasoning_content: "A thought.", tool_calls: [] },
    { role: "tool", tool_call_id: "c0", content: "sun" },
  ];
  const demand = refusal("The `reasoning_content` in the thinking mode must be passed back to the API.");
  const fields = (body: { messages: { role: string }[] } | undefined) =>
    body?.messages
      .filter(({ role }) => role === "assistant")
      .map((message) => Reflect.get(message, "reasoning_content"));
  const ask = async (variables: Parameters<typeof inProcess>[0], ...scripts: Script[]) => {
    const gateway = inProcess(variables, ...scripts);
    const response = await gateway.send("/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "m", messages }),
    });
    return { response, sent: gateway.requests.map(fields) };
  };

  test("is what the client has sent of the current loop, to a server of no known kind, too", async () => {
    expect((await ask({}, demand, answer)).sent).toEqual([
      [undefined, undefined],
      ["", "A thought."],
    ]);
  });

  test("is empty where none may go upstream", async () => {
    const variables = { UPSTREAM_KIND: "deepseek", TOOLCALL_REASONING_HISTORY: "never" };
    expect((await ask(variables, demand, answer)).sent).toEqual([
      [undefined, undefined],
      ["", ""],
    ]);
  });

  test("is demanded once: a server that is not content is not asked for ever", async () => {
    const { response, sent } = await ask({ UPSTREAM_KIND: "deepseek" }, demand);
    expect([response.status, sent.length]).toEqual([400, 2]);
  });

  test("is in vain after another retry", async () => {
    const { response, sent } = await ask({}, refusal("busy", 503), demand, answer);
    expect([response.status, sent.length]).toEqual([400, 2]);
  });
});

test("a level of effort that is refused is left out, for that level alone", async () => {
  const [chat] = WIRES;
  if (!chat) throw new Error("no wire");
  const gateway = inProcess({}, refusal("reasoning_effort must be one of low, medium, high"), answer);
  const ask = (reasoning_effort: string) =>
    gateway.send("/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], reasoning_effort }),
    });
  for (const effort of ["none", "low", "none"]) expect((await ask(effort)).status).toBe(200);
  expect(gateway.requests.map((body) => body.reasoning_effort)).toEqual(["none", undefined, "low", undefined]);
});
