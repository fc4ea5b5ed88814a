import { afterEach, describe, expect, test, vi } from "vitest";
import { canonical } from "../../../src/dialects/canonical.ts";
import { GET_WEATHER } from "../../chat-tools.ts";
import { answers, chunk, DONE, type Script, says } from "../../scripted-upstream/script.ts";
import type { RequestTool, WireRequest } from "../../wires/requests.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { type InProcessGateway, inProcess } from "./in-process.ts";
import { platform, server, stubUpstreams, unstubUpstreams } from "./platform.ts";

afterEach(unstubUpstreams);

const request: WireRequest = {
  turns: [{ user: "What is the weather in Paris?" }],
  tools: [GET_WEATHER.function as RequestTool],
  maxTokens: 100,
};
const call = says(canonical.write.calls([{ name: "get_weather", input: { city: "Paris" } }]), { usage: [12, 34] });
const HEADER = "x-toolcall-report";
const ASKED = { [HEADER]: "on" };
const COMMENT = /\n\n: toolcall-report (\{[\x20-\x7e]+\})\n\n$/;

interface Asked extends Partial<WireRequest> {
  stream: boolean;
  headers?: Record<string, string>;
  model?: string;
}

/** What an answer tells of itself, and what its reader finds in the rest of it. */
async function ask(gateway: InProcessGateway, wire: Wire, asked: Asked) {
  const { stream, headers = {}, model = "my-model", ...more } = asked;
  const { path, fields } = wire.address({ model, stream });
  const body = JSON.stringify({ ...fields, ...wire.write({ ...request, ...more }, stream) });
  const response = await gateway.send(path, { method: "POST", headers, body });
  const text = await response.text();
  const [, comment] = COMMENT.exec(text) ?? [];
  const header = response.headers.get(HEADER) ?? undefined;
  const rest = text.replace(COMMENT, "\n\n");
  const read = stream && response.ok ? wire.readStream(rest) : wire.readBody(rest);
  return { response, header, comment, read, text };
}

const bears = ({ protocol }: Wire) => protocol.name !== "gemini";
const shapes = WIRES.flatMap((wire) => [false, true].map((stream) => ({ name: wire.name, wire, stream })));

/** The line in the log, without what nobody but the operator is told and what another header says. */
function lineOf(gateway: InProcessGateway) {
  const [line = {}] = gateway.reports;
  const { level: _level, event: _event, request_id: _id, tenant: _tenant, key: _key, ...rest } = line;
  const { route: _route, model: _model, ...told } = rest;
  return told;
}

describe.each(shapes)("$name, stream: $stream", ({ wire, stream }) => {
  const where = !stream ? "header" : bears(wire) ? "comment" : "nowhere";

  test("a request that asks is told what became of its reply", async () => {
    const gateway = inProcess({}, call);
    const { header, comment, read } = await ask(gateway, wire, { stream, headers: ASKED });
    expect(read.calls).toHaveLength(1);
    const told = { header: undefined, comment: undefined, [where]: JSON.stringify(lineOf(gateway)) };
    expect({ header, comment, nowhere: told.nowhere }).toEqual(told);
    expect(lineOf(gateway)).toMatchObject({ outcome: "tool", calls: 1, blocks: [{ source: "canonical" }] });
  });

  test("one that does not is told nothing", async () => {
    const { header, text } = await ask(inProcess({}, call), wire, { stream });
    expect([header, text]).toEqual([undefined, expect.not.stringContaining("toolcall-report")]);
  });

  test("where it is on, whoever asks is told", async () => {
    const told = await ask(inProcess({ TOOLCALL_REPORT: "on" }, call), wire, { stream });
    expect([told.header, told.comment].filter((text) => text !== undefined)).toHaveLength(where === "nowhere" ? 0 : 1);
  });

  test.each([
    ["on", { TOOLCALL_REPORT: "off" }, /cannot ask for a report/],
    ["yes", {}, /takes on\./],
  ])("refused: %s where it is %j", async (value, variables, message) => {
    const gateway = inProcess(variables, call);
    const { response, text, header } = await ask(gateway, wire, { stream, headers: { [HEADER]: value } });
    expect([response.status, header]).toEqual([400, undefined]);
    expect(text).toMatch(message);
    expect(text).toContain(HEADER);
    expect(gateway.requests).toEqual([]);
  });

  test("a failure before the first byte is told in the header", async () => {
    const gateway = inProcess({}, answers(401, { error: { message: "no" } }));
    const { response, header } = await ask(gateway, wire, { stream, headers: ASKED });
    expect([response.status, header]).toEqual([502, JSON.stringify(lineOf(gateway))]);
    expect(JSON.parse(header ?? "")).toMatchObject({ outcome: "upstream-failed" });
  });

  test("C14: nothing in it is what a client, a model or a server wrote", async () => {
    const canary = "C4NARY";
    const text = `${canary} <tool_call>{"name": "${canary}", "arguments": {"city": "${canary}",}}</tool_call> ${canary}`;
    const tool = { name: canary, description: canary, parameters: { type: "object", properties: { [canary]: {} } } };
    const asked: Asked = {
      ...{ stream, system: canary, turns: [{ user: canary }], tools: [tool], stop: [canary], model: canary },
      headers: { ...ASKED, "x-toolcall-teach": "hermes", "user-agent": canary },
    };
    const broken = { steps: [{ send: chunk({ content: text }) }, { send: `data: {"error": "${canary}"}\n\n` }] };
    for (const script of [says(text), answers(400, { error: { message: canary } }), broken]) {
      const { header, comment } = await ask(inProcess({ UPSTREAM_API_KEY: canary }, script), wire, asked);
      if (bears(wire)) expect([header, comment].filter((told) => told !== undefined)).toHaveLength(1);
      expect(header ?? comment ?? "").not.toContain(canary);
    }
  });
});

const [chat] = WIRES as [Wire, ...Wire[]];

test.each(shapes.filter(({ wire, stream }) => stream && bears(wire)))(
  "a failure in the midst of a stream is told behind it; $name",
  async ({ wire }) => {
    const long = "word ".repeat(20);
    const cut: Script = { steps: [long, long, long].map((content) => ({ send: chunk({ content }) })) };
    const { comment, read } = await ask(inProcess({}, cut), wire, { stream: true, headers: ASKED });
    expect(JSON.parse(comment ?? "")).toMatchObject({ outcome: "upstream-failed", streaming: true });
    expect(read.error).toBeDefined();
  },
);

test("a client that has left is written nothing more", async () => {
  const words = Array.from({ length: 50 }, () => ({ send: chunk({ content: "word " }) }));
  const gateway = inProcess({}, { steps: [...words, { send: chunk({}, "stop") + DONE }] });
  const leaving = new AbortController();
  const body = JSON.stringify({ model: "m", stream: true, ...chat.write(request, true) });
  const init = { method: "POST", headers: ASKED, body, signal: leaving.signal };
  const response = await gateway.send("/v1/chat/completions", init);
  const reader = response.body?.getReader();
  const read = [await reader?.read()];
  leaving.abort();
  await vi.waitFor(() => expect(gateway.reports).toMatchObject([{ outcome: "aborted" }]));
  await reader?.read().then(
    (more) => read.push(more),
    () => {},
  );
  const text = read.map((piece) => new TextDecoder().decode(piece?.value)).join("");
  expect(text).not.toContain("toolcall-report");
});

test("a request that asks for it takes part in a roll-out, whose side a failure tells, too", async () => {
  const rollout = { TOOLCALL_ROLLOUT: "100", TOOLCALL_ROLLOUT_TEACH: "hermes" };
  const { header, response } = await ask(inProcess(rollout, call), chat, { stream: false, headers: ASKED });
  expect(JSON.parse(header ?? "")).toMatchObject({ rollout: "in", told: "hermes" });
  expect(response.headers.get("x-toolcall-rollout")).toBe("in");
  const failed = await ask(inProcess(rollout, answers(500, {})), chat, { stream: false });
  expect([failed.response.status, failed.response.headers.get("x-toolcall-rollout")]).toEqual([502, "in"]);
});

test("it is a tenant's, and a model's, to set", async () => {
  stubUpstreams();
  const { store, ask: askAs } = platform();
  const routes = [{ models: ["open-*"], toolcall: { report: "on" } }];
  const { key } = await store.tenant("acme", { ...server("acme"), routes, toolcall: { report: "off" } });
  const told = async (model: string, headers = {}) => {
    const { response } = await askAs(key, { model, headers });
    return [response.status, response.headers.has(HEADER)];
  };
  expect(await told("m")).toEqual([200, false]);
  expect(await told("m", ASKED)).toEqual([400, false]);
  expect(await told("open-1")).toEqual([200, true]);
});
