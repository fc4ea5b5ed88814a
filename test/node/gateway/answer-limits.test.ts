import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { canonical } from "../../../src/dialects/canonical.ts";
import { GET_WEATHER } from "../../chat-tools.ts";
import { chunk, DONE, event, type Script, says } from "../../scripted-upstream/script.ts";
import type { RequestTool } from "../../wires/requests.ts";
import { WIRES } from "../../wires/wires.ts";
import { inProcess } from "./in-process.ts";
import { platform, sent, server, stubUpstreams, unstubUpstreams } from "./platform.ts";

/** What is settled of one answer: how long it may be, how long it may take, and what counts as its end. */

beforeEach(() => void stubUpstreams());
afterEach(unstubUpstreams);

const wires = WIRES.map((wire) => [wire.name, wire] as const);
const request = { turns: [{ user: "Go." }], tools: [GET_WEATHER.function as RequestTool], maxTokens: 100 };
const call = canonical.write.calls([{ name: "get_weather", input: { city: "Oslo" } }]);

describe.each(wires)("C18: the most tokens of an answer; %s", (_name, wire) => {
  test.each([
    ["a client that asks for less gets that", "200", 100, 100],
    ["one that asks for more gets so many, and is told", "50", 100, 50],
    ["one that asks for none gets all", "50", undefined, 50],
    ["without a limit the client alone says so", "", 100, 100],
    ["and nobody where it does not", "", undefined, undefined],
  ])("%s", async (_rule, MAX_TOKENS, asked, expected) => {
    // Messages demands it.
    if (asked === undefined && wire.name === "messages") return;
    const gateway = inProcess({ MAX_TOKENS }, says("Hi."));
    const { maxTokens, ...rest } = request;
    const { response } = await gateway.ask(wire, { ...rest, ...(asked && { maxTokens }) });
    expect(gateway.requests[0]?.max_tokens).toBe(expected);
    const warning = response.headers.get("x-gateway-warning") ?? "";
    expect(warning.includes("50 tokens at most")).toBe(asked !== undefined && MAX_TOKENS === "50");
  });

  test("a route has its own", async () => {
    const { store, ask } = platform();
    const limits = { max_tokens: 50 };
    const routes = [
      { models: ["long"], limits: { max_tokens: 70 } },
      { models: ["other"], model: "x", limits: { max_calls: 1 } },
    ];
    const { key } = await store.tenant("acme", { ...server("acme"), limits, routes });
    for (const model of ["m", "long", "other"]) await ask(key, { wire, model });
    expect(sent.map(({ max_tokens }) => max_tokens)).toEqual([50, 70, 50]);
  });

  test("an answer without a reason that has so many was cut there", async () => {
    const script = {
      steps: [
        {
          send:
            chunk({ content: "Hi" }) + event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 5 } }) + DONE,
        },
      ],
    };
    const { finish } = await inProcess({ MAX_TOKENS: "5" }, script).ask(wire, request, { stream: true });
    expect(String(finish)).toMatch(/length|max_tokens|MAX_TOKENS|incomplete/);
  });
});

describe("C22: caps of one answer", () => {
  const native = (index: number) => ({
    index,
    id: `c${index}`,
    function: { name: "get_weather", arguments: `{"city":"${index}"}` },
  });
  const natives: Script = {
    steps: [
      {
        send:
          [0, 1, 2].map((index) => chunk({ tool_calls: [native(index)] })).join("") + chunk({}, "tool_calls") + DONE,
      },
    ],
  };
  const thrice = says(`${call}\n\n${call.replace("Oslo", "Rome")}\n\n${call.replace("Oslo", "Bonn")}`);
  test.each<[string, Parameters<typeof inProcess>[0], Script, object]>([
    ["calls: all", {}, thrice, { calls: 3, text: false }],
    ["calls: those behind are text", { MAX_CALLS: "2" }, thrice, { calls: 2, text: true }],
    ["native calls: all", { TOOLCALL_TEACH: "native" }, natives, { calls: 3, text: false }],
    [
      "native calls: those behind are lost",
      { TOOLCALL_TEACH: "native", MAX_CALLS: "2" },
      natives,
      { calls: 2, text: false },
    ],
    ["a call that is held: it is one", { TOOLCALL_EARLY_EMIT: "off" }, says(call), { calls: 1, text: false }],
    [
      "a longer one is text",
      { TOOLCALL_EARLY_EMIT: "off", MAX_HELD_CHARS: "40" },
      says(call),
      { calls: 0, text: true },
    ],
    [
      "nothing is held of one that is out",
      { MAX_HELD_CHARS: "100" },
      says(call.replace("Oslo", "o".repeat(500)), { size: 5 }),
      { calls: 1, text: false },
    ],
  ])("%s", async (_what, variables, script, expected) => {
    for (const [, wire] of wires) {
      const { calls, text } = await inProcess(variables, script).ask(wire, request, { stream: true });
      expect({ calls: calls.length, text: text.trim() !== "" }, wire.name).toEqual(expected);
    }
  });

  test.each([
    ["MAX_STREAMED_CHARS", true],
    ["MAX_COLLECTED_CHARS", false],
  ])("%s: the answer has failed", async (name, stream) => {
    for (const [, wire] of wires) {
      const ask = (text: string) =>
        inProcess({ [name]: "100" }, says(text, { size: 10 })).ask(wire, request, { stream });
      expect((await ask("x".repeat(100))).text, wire.name).toHaveLength(100);
      const { response, error } = (await ask("x".repeat(101))) as Awaited<ReturnType<typeof ask>> & { error?: unknown };
      if (stream) expect(error, wire.name).toBeDefined();
      else expect(response.status, wire.name).toBe(502);
      const other = { [name]: "100" };
      expect((await inProcess(other, says("x".repeat(101))).ask(wire, request, { stream: !stream })).text).toHaveLength(
        101,
      );
    }
  });

  test("none can be raised above what guards all tenants", async () => {
    for (const limit of ["max_calls", "max_held_chars", "max_streamed_chars", "max_collected_chars"]) {
      const { store, ask } = platform();
      const { key } = await store.tenant("acme", { ...server("acme"), limits: { [limit]: 100_000_000 } });
      expect((await ask(key)).response.status).toBe(503);
    }
  });
});

describe.each(wires)("C25: the time of a whole answer; %s", (_name, wire) => {
  /** Says a word now and then, and never comes to an end. */
  const drip = () => {
    let timer: ReturnType<typeof setInterval>;
    const say = new TextEncoder().encode(chunk({ content: "word " }));
    const body = new ReadableStream({
      start(controller) {
        timer = setInterval(() => controller.enqueue(say), 20);
      },
      cancel: () => clearInterval(timer),
    });
    return new Response(body);
  };
  const hang = (_url: string, { signal }: RequestInit) =>
    new Promise<Response>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));

  async function timed(answer: Parameters<typeof stubUpstreams>[0], stream: boolean) {
    stubUpstreams(answer);
    const { store, ask } = platform();
    const { key } = await store.tenant("acme", server("acme", { total_timeout_ms: 200 }));
    const begun = Date.now();
    const answered = await ask(key, { wire, stream });
    expect(Date.now() - begun).toBeLessThan(1_500);
    return answered;
  }

  test("a stream that has begun ends in its error", async () => {
    const { response, text } = await timed(drip, true);
    expect(response.status).toBe(200);
    expect(text).toMatch(/word.*did not answer in time/s);
  });

  test.each([
    ["in one piece", drip, false],
    ["without a status", hang, true],
    ["without a status, in one piece", hang, false],
  ])("504 before the first byte, of an answer %s", async (_what, answer, stream) => {
    const { response } = await timed(answer, stream);
    expect([response.status, sent.length]).toEqual([504, 1]);
  });
});

describe.each(wires)("C26: an answer that just ends; %s", (_name, wire) => {
  const cut: Script = { steps: [{ send: chunk({ content: "All there is." }) }] };
  const usage = event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 100 } });

  test("is a cut", async () => {
    const gateway = inProcess({}, cut);
    expect((await gateway.ask(wire, request)).response.status).toBe(502);
    await gateway.ask(wire, request, { stream: true });
    expect(gateway.reports.at(-1)).toMatchObject({ outcome: "upstream-failed" });
  });

  test("is whole where the upstream never says so", async () => {
    for (const stream of [false, true]) {
      const gateway = inProcess({ UPSTREAM_EOF: "lenient" }, cut);
      const { response, text } = await gateway.ask(wire, request, { stream });
      expect([response.status, text, gateway.reports[0]?.outcome]).toEqual([200, "All there is.", "stop"]);
    }
  });

  test("but for one of nothing, one that breaks off within an event, and one that had to end", async () => {
    const outcome = async (script: Script) => {
      const gateway = inProcess({ UPSTREAM_EOF: "lenient" }, script);
      await gateway.ask(wire, request, { stream: true });
      return gateway.reports[0]?.outcome;
    };
    expect(await outcome({ steps: [{ send: ": ok\n\n" }] })).toBe("upstream-failed");
    expect(await outcome({ steps: [{ send: chunk({ role: "assistant", content: "" }) }] })).toBe("upstream-failed");
    expect(await outcome({ steps: [{ send: `${chunk({ content: "a" })}data: {"cho` }] })).toBe("upstream-failed");
    expect(await outcome({ steps: [{ send: `${chunk({ content: "a" })}data: {"cho\n\n` }] })).toBe("upstream-failed");
    expect(await outcome({ steps: [{ send: chunk({ content: "a" }) + usage }] })).toBe("length");
  });

  test("a connection that breaks is one all the same", async () => {
    let reads = 0;
    const body = () =>
      new ReadableStream({
        pull(controller) {
          reads += 1;
          if (reads % 2 === 1) controller.enqueue(new TextEncoder().encode(chunk({ content: "a" })));
          else controller.error(new Error("reset"));
        },
      });
    vi.stubGlobal("fetch", async () => new Response(body()));
    const { store, ask } = platform();
    const { key } = await store.tenant("acme", server("acme", { eof: "lenient" }));
    expect((await ask(key, { wire })).response.status).toBe(502);
  });
});
