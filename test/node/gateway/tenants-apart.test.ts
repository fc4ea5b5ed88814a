import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/conversation.ts";
import { canonical } from "../../../src/dialects/canonical.ts";
import { hermes } from "../../../src/dialects/hermes.ts";
import { GET_WEATHER } from "../../chat-tools.ts";
import { random } from "../../random.ts";
import { chunk, DONE } from "../../scripted-upstream/script.ts";
import { clientRequests } from "../../wires/client-requests.ts";
import type { RequestTool } from "../../wires/requests.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { fillPrompts } from "../wires/fill-prompts.ts";
import { leaksIn, startBarePlatform } from "./bare-platform.ts";
import { type Host, saying } from "./outside.ts";
import { FAULTS, repeating } from "./repeating-server.ts";

const platform = await startBarePlatform({
  "llm.claude-canary.example": saying(hermes.write.calls([{ name: "Read", input: { file_path: "/a" } }])),
  "llm.codex-canary.example": saying(canonical.write.calls([{ name: "exec_command", input: { cmd: "ls" } }])),
});
afterAll(() => platform.close());

const ask = (path: string, key: string, body: object, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${platform.port}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    ...init,
  });

describe("C5, C37: two tenants with servers, models, notations and modes of their own", async () => {
  const claude = await platform.addTenant("claude-canary", {
    upstream: { model: "qwen3" },
    settings: { models: ["claude-*"], toolcall: { teach: "hermes" } },
  });
  const codex = await platform.addTenant("codex-canary", {
    settings: { models: ["gpt-*"], toolcall: { mode: "canonical" } },
  });

  test.each([
    ["claude-code", claude, "messages", "qwen3", "<tool_call>", { name: "Read", arguments: '{"file_path":"/a"}' }],
    ["codex", codex, "responses", "gpt-5", "<tool_calls>", { name: "exec_command", arguments: '{"cmd":"ls"}' }],
  ] as const)("%s is answered by its own", async (client, tenant, wireName, model, opener, call) => {
    const wire = WIRES.find(({ name }) => name === wireName) as Wire;
    const { sent = [] } =
      clientRequests<JsonObject>().sessions.find(({ name }) => name === `${client}-loop.json`) ?? {};
    expect(sent.length).toBeGreaterThan(1);
    for (const [index, door] of ["", `/t/${tenant.id}`].entries()) {
      const { path, body } = sent[index] ?? expect.fail("no such request");
      const before = { reads: platform.store.reads.length, requests: platform.requests.length };
      const response = await ask(door + path, tenant.key, fillPrompts(body).filled);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, wire.contentType]);
      expect(wire.readStream(await response.text())).toMatchObject({ calls: [call], text: "", finish: "tool_calls" });

      const [request, ...more] = platform.requests.slice(before.requests);
      expect(more).toEqual([]);
      expect(request?.url.href).toBe(`https://${tenant.host}/v1/chat/completions`);
      expect(request?.headers.authorization).toBe(`Bearer ${tenant.upstreamKey}`);
      const asked = JSON.parse(request?.body ?? "");
      expect([asked.model, asked.messages[0].content]).toEqual([model, expect.stringContaining(opener)]);
      // The key's entry and the record; then neither, for half a minute.
      expect(platform.store.reads.length - before.reads).toBe(index === 0 ? 2 : 0);
    }
  });

  test.each([
    ["a model of the other's", claude, "gpt-5"],
    ["its own server's name for a model", claude, "qwen3"],
  ])("%s is none of its own", async (_what, { id, key }, model) => {
    const before = platform.requests.length;
    const body = { model, messages: [{ role: "user", content: "Hi." }] };
    expect((await ask(`/t/${id}/v1/chat/completions`, key, body)).status).toBe(404);
    expect(platform.requests).toHaveLength(before);
  });
});

describe("C37: eight tenants at once", async () => {
  const WORDS = ["alfa", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"];
  const NOTATIONS = [canonical, hermes];
  const crowd = await Promise.all(
    WORDS.map(async (word, index) => {
      const notation = NOTATIONS[index % NOTATIONS.length] ?? canonical;
      const settings = { toolcall: { teach: notation.id } };
      const tenant = await platform.addTenant(`${word}-canary`, { settings, upstream: { model: `model-${word}` } });
      return { ...tenant, word, notation };
    }),
  );
  for (const { host, word, notation } of crowd) platform.hosts[host] = tells(word, notation);

  test("each gets its own, however many are on their way and leave", async () => {
    const chance = random(20261201);
    const any = <T>(list: readonly T[]) => list[Math.floor(chance() * list.length)] as T;
    const questions = Array.from({ length: 200 }, (_, number) => ({
      number,
      tenant: any(crowd),
      wire: any(WIRES),
      stream: chance() < 0.6,
      byPath: chance() < 0.5,
      /** Milliseconds until the client leaves, if it does. */
      leaves: chance() < 0.3 ? Math.floor(chance() * 60) : undefined,
    }));
    const before = platform.requests.length;
    const answers = await Promise.all(questions.map((question) => put(question)));

    const whole = answers.filter(({ left }) => !left);
    expect(whole.length).toBeGreaterThan(100);
    expect(whole.length).toBeLessThan(200);
    for (const { text, tenant, number, wire, stream, left } of answers) {
      expect([...wordsIn(text)].filter((word) => word !== tenant.word)).toEqual([]);
      expect(leaksIn(text, platform.secrets)).toEqual([]);
      if (left) continue;
      const told = `told-${tenant.word}-${number}`;
      const reply = stream ? wire.readStream(text) : wire.readBody(text);
      expect(reply).toMatchObject({ text: `${told} ${told}`, finish: "tool_calls" });
      expect(reply.calls.map(({ arguments: json }) => JSON.parse(json))).toEqual([{ city: told }]);
    }
    for (const { url, headers, body } of platform.requests.slice(before)) {
      const { word, upstreamKey } = crowd.find(({ host }) => host === url.host) ?? expect.fail(`who is ${url.host}?`);
      expect(headers.authorization).toBe(`Bearer ${upstreamKey}`);
      expect(JSON.parse(body).model).toBe(`model-${word}`);
      expect([...wordsIn(body)]).toEqual([word]);
    }
  });

  interface Question {
    number: number;
    tenant: (typeof crowd)[number];
    wire: Wire;
    stream: boolean;
    byPath: boolean;
    leaves: number | undefined;
  }

  /** What has come of the answer, and whether the client left before it was whole. */
  async function put(question: Question): Promise<Question & { text: string; left: boolean }> {
    const { number, tenant, wire, stream, byPath, leaves } = question;
    const { path, fields } = wire.address({ model: "m", stream });
    const asked = wire.write({ turns: [{ user: `asked-${tenant.word}-${number}` }], tools: [WEATHER] }, stream);
    const signal = leaves === undefined ? null : AbortSignal.timeout(leaves);
    const door = byPath ? `/t/${tenant.id}` : "";
    let text = "";
    try {
      const response = await ask(door + path, tenant.key, { ...fields, ...asked }, { signal });
      const decoder = new TextDecoder();
      for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true });
      return { ...question, text, left: false };
    } catch (thrown) {
      if (!signal?.aborted) throw thrown;
      return { ...question, text, left: true };
    }
  }
});

const WEATHER = GET_WEATHER.function as RequestTool;

/** The tenants of whom something is said. */
function wordsIn(text: string): Set<string> {
  return new Set([...text.matchAll(/(?:asked|told)-([a-z]+)-\d/g)].map(([, word = ""]) => word));
}

/** A server that tells its own word and the number that it was asked, little by little, and calls with it. */
function tells(word: string, notation: Pick<typeof canonical, "write">): Host {
  return async ({ body }, response) => {
    const [, number] = /asked-[a-z]+-(\d+)/.exec(body) ?? [];
    const told = `told-${word}-${number}`;
    const said = `${told} ${told}\n${notation.write.calls([{ name: "get_weather", input: { city: told } }])}`;
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let at = 0; at < said.length; at += 20) {
      response.write(chunk({ content: said.slice(at, at + 20) }));
      await pause(4);
    }
    response.end(chunk({}, "stop") + DONE);
  };
}

describe("C13, C14: whatever a server repeats, neither the client nor the log is told", async () => {
  const { key } = await platform.addTenant("faulty-canary");
  platform.hosts["llm.faulty-canary.example"] = repeating;

  const runs = FAULTS.flatMap((model) => WIRES.map((wire) => [model, wire.name, wire] as const));
  test.each(runs)("%s, %s", async (model, _name, wire) => {
    for (const stream of [false, true]) {
      const { path, fields } = wire.address({ model, stream });
      const asked = wire.write({ turns: [{ user: "prompt-canary" }], tools: [WEATHER] }, stream);
      const response = await ask(path, key, { ...fields, ...asked });
      const text = await response.text();
      const reply = response.ok && stream ? wire.readStream(text) : wire.readBody(text);
      expect(reply.error, text).toBeDefined();
      expect(leaksIn(`${[...response.headers].join("\n")}\n${text}`, platform.secrets)).toEqual([]);
    }
  });

  test("no line of the log", () => {
    const lines = platform.log.map((line) => JSON.stringify(line));
    expect(lines.filter((line) => line.includes("request_failed")).length).toBeGreaterThan(runs.length);
    // Where a server stands is for its operator to know, who reads the log.
    const secrets = [...platform.secrets].map((secret) => (secret === "canary" ? "prompt-canary" : secret));
    expect(leaksIn(lines.join("\n"), [...secrets, "canary/key"])).toEqual([]);
  });
});

test("C6, C8: nothing was asked outside but servers of tenants", () => {
  expect(platform.strangers()).toEqual([]);
});
