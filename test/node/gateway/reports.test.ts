import { afterEach, describe, expect, test, vi } from "vitest";
import { canonical } from "../../../src/dialects/canonical.ts";
import { GET_WEATHER } from "../../chat-tools.ts";
import { answers, chunk, DONE, type Script, says } from "../../scripted-upstream/script.ts";
import type { Variables } from "../../variables.ts";
import type { RequestTool, WireRequest } from "../../wires/requests.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { inProcess } from "./in-process.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const request: WireRequest = {
  turns: [{ user: "What is the weather in Paris?" }],
  tools: [GET_WEATHER.function as RequestTool],
  maxTokens: 100,
};
const call = says(canonical.write.calls([{ name: "get_weather", input: { city: "Paris" } }]), { usage: [12, 34] });
const number = expect.any(Number);

const [chat] = WIRES;
if (!chat) throw new Error("no wire");

describe.each(WIRES.map((wire) => [wire.name, wire] as const))("one line on a reply; %s", (_name, wire) => {
  test.each([false, true])("with what it was and what it cost; stream: %s", async (stream) => {
    const gateway = inProcess({}, call);
    const { response } = await gateway.ask(wire, request, { stream });
    expect(gateway.reports.map(({ ms: _ms, ...line }) => line)).toEqual([
      {
        level: "info",
        event: "reply",
        request_id: response.headers.get("x-request-id"),
        route: expect.stringMatching(/^\/v1/),
        wire: wire.protocol.name,
        model: "other",
        ...(stream && { streaming: true }),
        mode: "feature_match",
        told: "canonical",
        outcome: "tool",
        calls: 1,
        blocks: [{ source: "canonical", dialect: "canonical", outcome: "call", count: 1, calls: 1 }],
        saw_tool_call_syntax: true,
        upstream_requests: 1,
        docs: "signatures",
        tokens: { input: 12, output: 34 },
      },
    ]);
    // A pattern: what a client names stands in the path of some wires.
    expect(gateway.reports[0]?.route).not.toContain("my-model");
  });

  test.each([false, true])("is short where there is nothing to tell; stream: %s", async (stream) => {
    const gateway = inProcess({}, says("Hello.", { usage: [1, 2] }));
    await gateway.ask(wire, { turns: [{ user: "Hi" }], maxTokens: 9 }, { stream });
    const [{ ms: _ms, streaming: _streaming, held_characters: _held, ...line } = {}] = gateway.reports;
    expect(Object.keys(line)).toEqual([
      ...["level", "event", "request_id", "route", "wire", "model", "mode", "outcome", "upstream_requests", "tokens"],
    ]);
  });

  test.each([false, true])("holds nothing that anybody else wrote; stream: %s", async (stream) => {
    const canary = "C4NARY";
    const text = `${canary} <tool_call>{"name": "${canary}", "arguments": {"city": "${canary}",}}</tool_call> ${canary}`;
    const gateway = inProcess({ UPSTREAM_API_KEY: canary }, says(text));
    const tool = { name: canary, description: canary, parameters: { type: "object", properties: { [canary]: {} } } };
    await gateway.ask(
      wire,
      { system: canary, turns: [{ user: canary }], tools: [tool], stop: [canary], maxTokens: 9 },
      { stream, model: canary, headers: { "x-toolcall-teach": "hermes" } },
    );
    expect(gateway.reports).toMatchObject([{ calls: 1, blocks: [{ repairs: { "trailing-comma": 1 } }] }]);
    expect(JSON.stringify(gateway.reports)).not.toContain(canary);
  });

  test("a failure before the first byte", async () => {
    const gateway = inProcess({}, answers(401, { error: { message: "no" } }));
    expect((await gateway.ask(wire, request)).response.status).toBe(502);
    expect(gateway.reports).toMatchObject([{ outcome: "upstream-failed", told: "canonical", upstream_requests: 1 }]);
    expect(gateway.log).toMatchObject([{ event: "request_failed", request_id: gateway.reports[0]?.request_id }]);
  });

  test("a failure in the midst of a stream", async () => {
    const long = "word ".repeat(20);
    const cut: Script = { steps: [long, long, long].map((content) => ({ send: chunk({ content }) })) };
    const gateway = inProcess({}, cut);
    await gateway.ask(wire, request, { stream: true });
    expect(gateway.reports).toMatchObject([{ outcome: "upstream-failed", streaming: true }]);
  });
});

test("a request that is refused at the door has no reply to report", async () => {
  const gateway = inProcess({}, call);
  await gateway.send("/v1/chat/completions", { method: "POST", body: "{" });
  await gateway.send("/v1/models");
  expect(gateway.reports).toEqual([]);
});

describe("a client that leaves", () => {
  const body = (wire: Wire) => JSON.stringify({ model: "m", stream: true, ...wire.write(request, true) });

  test("in the midst of a stream", async () => {
    const words = Array.from({ length: 50 }, () => ({ send: chunk({ content: "word " }) }));
    const gateway = inProcess({}, { steps: [...words, { send: chunk({}, "stop") + DONE }] });
    const leaving = new AbortController();
    const path = "/v1/chat/completions";
    const response = await gateway.send(path, { method: "POST", body: body(chat), signal: leaving.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    leaving.abort();
    await reader?.cancel();
    await vi.waitFor(() => expect(gateway.reports).toHaveLength(1));
    expect(gateway.reports).toMatchObject([
      { outcome: "aborted", tokens: { input: number, output: number, estimated: true } },
    ]);
    expect(gateway.endings).toEqual(["abandoned"]);
  });

  test("before there is an answer", async () => {
    const leaving = new AbortController();
    const gateway = inProcess({}, call);
    leaving.abort();
    await gateway.send("/v1/chat/completions", { method: "POST", body: body(chat), signal: leaving.signal });
    expect(gateway.reports).toMatchObject([{ outcome: "aborted" }]);
    expect(gateway.log).toEqual([]);
  });
});

describe("what the upstream was asked for again", () => {
  const busy = { ...answers(503, { error: { message: "busy" } }), headers: { "retry-after": "0" } };
  const unknown = answers(400, { error: { message: "Unknown parameter: 'seed'.", param: "seed" } });
  const noTools = answers(400, { error: { message: "m does not support tools" } });
  const REQUIRED = { toolChoice: "required" } as const;

  test.each<[what: string, variables: Variables, asked: Partial<WireRequest>, scripts: Script[], told: object]>([
    ["it was busy", {}, {}, [busy, call], { upstream_requests: 2, asked_again: ["upstream-busy"], outcome: "tool" }],
    [
      "it refused tools of its own form",
      { UPSTREAM_KIND: "vllm" },
      {},
      [noTools, call],
      {
        upstream_requests: 2,
        asked_again: ["tools-refused"],
        dropped_fields: ["native tools"],
        told: "canonical",
        outcome: "tool",
      },
    ],
    [
      "the call did not come, and then the upstream failed",
      {},
      REQUIRED,
      [says("No."), answers(500, {})],
      { upstream_requests: 2, asked_again: ["call-missing"], choice_unmet: "call-missing", outcome: "stop" },
    ],
    [
      "it was busy, and then the call did not come",
      {},
      REQUIRED,
      [busy, says("No."), call],
      { upstream_requests: 3, asked_again: ["upstream-busy", "call-missing"], outcome: "tool" },
    ],
  ])("%s", async (_what, variables, asked, scripts, told) => {
    const gateway = inProcess(variables, ...scripts);
    await gateway.ask(chat, { ...request, ...asked }, { model: "kimi-k2" });
    expect(gateway.reports).toMatchObject([told]);
  });

  test("a field was refused: the next request does without", async () => {
    const gateway = inProcess({}, unknown, call);
    const ask = () =>
      gateway.send("/v1/chat/completions", {
        method: "POST",
        body: JSON.stringify({ model: "m", seed: 1, ...chat.write(request, false) }),
      });
    await ask();
    await ask();
    const [first, second] = gateway.reports;
    expect(first).toMatchObject({ upstream_requests: 2, asked_again: ["field-dropped"], dropped_fields: ["seed"] });
    expect(second).toMatchObject({ upstream_requests: 1 });
    expect(second).not.toHaveProperty("dropped_fields");
  });
});

test.each<[budget: string, told: object]>([
  ["1000", { docs: "signatures" }],
  ["18", { docs: "brief" }],
  ["1", { docs: "brief", docs_over_budget: true }],
])("how much of the tools is told within %s tokens", async (budget, told) => {
  const gateway = inProcess({ TOOLCALL_DOCS_BUDGET: budget }, call);
  await gateway.ask(chat, request);
  expect(gateway.reports).toMatchObject([told]);
  expect("docs_over_budget" in (gateway.reports[0] ?? {})).toBe("docs_over_budget" in told);
});

test("the demo asks nobody", async () => {
  const gateway = inProcess({ UPSTREAM_BASE_URL: "", UPSTREAM_KIND: "demo" });
  await gateway.ask(chat, request);
  expect(gateway.reports).toMatchObject([{ outcome: "tool", calls: 1 }]);
  expect(gateway.reports[0]).not.toHaveProperty("upstream_requests");
});
