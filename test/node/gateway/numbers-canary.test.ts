import { afterEach, describe, expect, test, vi } from "vitest";
import type { DataPoint } from "../../../src/telemetry/analytics.ts";
import { chunk, DONE, event } from "../../scripted-upstream/script.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { missesPromtool, promtool } from "../ops/promtool.ts";
import { MemoryObjects } from "../tenants/memory-objects.ts";
import { MemoryStore } from "../tenants/stored-tenant.ts";
import { strangeBlobs, strangeLabels } from "./closed-labels.ts";
import { gatewayOf } from "./in-process.ts";
import { readText } from "./outputs.ts";
import { unstubUpstreams, VARIABLES } from "./platform.ts";

/** Nothing that a client, a model or an upstream writes reaches a number's name, nor a line of the log but for its `detail`. */

afterEach(unstubUpstreams);

const C = "C4NARY";
/** What could end a label, a line, a comment, a string of JSON. */
const HOSTILE = [
  `${C}"} 1`,
  `${C}\n# TYPE ${C} counter\n${C} 1\n`,
  `${C}\\`,
  `${C}\\n"\\"{${C}="x"}`,
  `${C}#{}\r\n\t`,
  `${C}\u0000\u001b[31m\u0085`,
  `${C}\u2028\u2029`,
  `${C}😀\ud800`,
  `${C}*?`,
];
/** What a header bears. */
const IN_HEADER = `${C}"\\{}#=,`;
const ROUTE = 'own "name"\\ {}# \n\r\u2028 😀*';

async function canaryGateway(answer: () => Response) {
  const log: string[] = [];
  const points: DataPoint[] = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void log.push(line));
  vi.stubGlobal("fetch", async () => answer());
  const store = new MemoryStore();
  const env = {
    ...{ ...VARIABLES, ADMIN_TOKEN: "operator", TENANTS: store, TENANT_OBJECTS: new MemoryObjects(store) },
    ANALYTICS: { writeDataPoint: (point: DataPoint) => void points.push(structuredClone(point)) },
  };
  const { send } = gatewayOf(env);
  const toolcall = {
    rollout: { percent: 50, early_emit: "off" },
    shadow: { percent: 100, mode: "canonical" },
    report: "on",
  };
  const upstreams = { main: { base_url: "https://main.example/v1" }, spare: { base_url: "https://spare.example/v1" } };
  const settings = { upstreams, fallback: ["spare"], routes: [{ models: [ROUTE] }], toolcall };
  const { key } = await store.tenant("acme", settings);
  const responses: Response[] = [];

  return {
    log,
    points,
    responses,
    async ask(wire: Wire, stream: boolean, body: object, model: string, headers: Record<string, string> = {}) {
      const { path, fields } = wire.address({ model: encodeURIComponent(model.toWellFormed()), stream });
      const response = await send(path, {
        method: "POST",
        headers: { "x-api-key": key, "user-agent": IN_HEADER, "x-request-id": IN_HEADER, ...headers },
        body: JSON.stringify({ ...fields, ...("model" in fields && { model }), ...body }),
      });
      responses.push(response.clone());
      await response.text();
      return response;
    },
    async text() {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const response = await send("/t/acme/metrics", { headers: { authorization: "Bearer operator" } });
      return response.text();
    },
  };
}

type CanaryGateway = Awaited<ReturnType<typeof canaryGateway>>;

/** In each output. */
async function findCanaries({ log, points, responses, text }: CanaryGateway): Promise<void> {
  const metrics = await text();
  const own = { tenants: ["acme"], models: [ROUTE] };
  const samples = readText(metrics).flatMap((section) => section.samples);
  expect(samples.length).toBeGreaterThan(0);
  expect(strangeLabels(samples, own)).toEqual([]);
  expect(strangeBlobs(points, own)).toEqual([]);
  expect(metrics + JSON.stringify(points)).not.toContain(C);
  for (const line of log) {
    expect([...line].filter((character) => character < " ")).toEqual([]);
    // What an upstream said of its failure is foreign, and redacted.
    const { detail: _foreign, ...rest } = JSON.parse(line);
    expect(JSON.stringify(rest)).not.toContain(C);
  }
  for (const { headers } of responses) {
    for (const name of ["x-toolcall-report", "x-toolcall-rollout", "x-toolcall-dialect", "x-request-id"]) {
      expect(headers.get(name) ?? "").not.toContain(C);
    }
  }
}

const streams =
  (...events: string[]) =>
  () =>
    new Response(events.join(""), { headers: { [`x-${C}`]: C, "content-type": "text/event-stream" } });
const says = (text: string, more: object = {}) =>
  event({ id: C, model: C, choices: [{ index: 0, delta: { content: text }, ...more }] });
const native = (name: string, json: string) =>
  chunk({ tool_calls: [{ index: 0, id: name, type: "function", function: { name, arguments: json } }] });
const MARKS = [
  "<tool_call>",
  "<tool_calls><invoke name=",
  "[TOOL_CALLS]",
  "<|channel|>",
  "<function=",
  "```json\n",
  "<｜tool▁calls▁begin｜>",
  "Action: ",
];

const UPSTREAMS: [string, () => Response][] = HOSTILE.flatMap((hostile): [string, () => Response][] => {
  const quoted = JSON.stringify(hostile);
  return [
    [
      `text and calls of ${quoted}`,
      streams(
        chunk({ reasoning_content: hostile }),
        says(`${hostile} <tool_call>{"name": ${quoted}, "arguments": {${quoted}: ${quoted},}}</tool_call>`),
        says(
          `<tool_calls><invoke name="${hostile}"><parameter name="${hostile}">${hostile}</parameter></invoke></tool_calls>`,
        ),
        native(hostile, `{${quoted}: ${quoted}}`),
        says("", { finish_reason: hostile }),
        event({
          choices: [],
          model: hostile,
          usage: { prompt_tokens: hostile, completion_tokens: hostile, total_tokens: hostile },
        }),
        DONE,
      ),
    ],
    [
      `an error of ${quoted}`,
      () =>
        Response.json(
          { error: { message: `Unknown parameter: '${hostile}'`, param: hostile, code: hostile, type: hostile } },
          { status: 400 },
        ),
    ],
    [`a failure of ${quoted}`, () => new Response(hostile, { status: 500, headers: { "retry-after": IN_HEADER } })],
    [
      `an error in the stream of ${quoted}`,
      streams(says("Some words, and then"), event({ error: { message: hostile, code: hostile, type: hostile } })),
    ],
    [`an event that is none of ${quoted}`, streams(says("Some words, and then"), `data: {${C}\n\n`)],
  ];
});

describe("C14: what an upstream writes is in no number, and in no line of the log but in its detail", () => {
  const tools = [{ name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } }];
  test.each(UPSTREAMS)("%s", async (_what, answer) => {
    const gateway = await canaryGateway(answer);
    for (const [index, wire] of WIRES.entries()) {
      for (const stream of [false, true]) {
        await gateway.ask(
          wire,
          stream,
          wire.write({ turns: [{ user: `Go ${index}` }], tools, maxTokens: 50 }, stream),
          ROUTE.replace("*", C),
        );
      }
    }
    await findCanaries(gateway);
  });

  test("marks of notations, begun and never ended", async () => {
    const gateway = await canaryGateway(
      streams(...MARKS.map((mark) => says(`${mark}${C}`)), says("", { finish_reason: "stop" }), DONE),
    );
    for (const wire of WIRES)
      await gateway.ask(wire, true, wire.write({ turns: [{ user: "Go" }], tools, maxTokens: 50 }, true), "m");
    await findCanaries(gateway);
  });
});

describe("C14: what a client writes is in no number, and in no line of the log", () => {
  const good = streams(
    says(`<tool_call>{"name": "${C}", "arguments": {"${C}": "${C}",}}</tool_call>`),
    says("", { finish_reason: "stop" }),
    DONE,
  );
  test.each(HOSTILE.map((hostile) => [JSON.stringify(hostile), hostile]))("%s", async (_shown, hostile) => {
    const gateway = await canaryGateway(good);
    const statuses = new Set<number>();
    for (const wire of WIRES) {
      for (const stream of [false, true]) {
        const tool = {
          description: hostile,
          parameters: { type: "object", properties: { [hostile]: { type: "string", description: hostile } } },
        };
        const turns = [{ user: hostile }, { assistant: `${hostile} <tool_call>{"name": "${C}"` }, { user: hostile }];
        const written = { system: hostile, turns, stop: [hostile], maxTokens: 50 };
        const asked = (name: string, model: string, headers = {}) =>
          gateway.ask(wire, stream, wire.write({ ...written, tools: [{ name, ...tool }] }, stream), model, headers);
        for (const name of [C, hostile])
          for (const model of ["m", hostile]) statuses.add((await asked(name, model)).status);
        statuses.add((await asked(hostile, hostile, { "x-toolcall-teach": "hermes" })).status);
        for (const header of ["mode", "early-emit", "teach", "report", "debug"])
          statuses.add((await asked(C, "m", { [`x-toolcall-${header}`]: IN_HEADER })).status);
        await gateway.ask(wire, stream, { [hostile]: hostile }, hostile, { "content-encoding": IN_HEADER });
      }
    }
    expect(statuses).toContain(200);
    expect(statuses).toContain(400);
    await findCanaries(gateway);
  });

  test("C14: a key that is none is in no line, and counted nowhere", async () => {
    const gateway = await canaryGateway(good);
    for (const wire of WIRES) {
      const body = wire.write({ turns: [{ user: "Go" }], maxTokens: 50 }, false);
      expect((await gateway.ask(wire, false, body, "m", { "x-api-key": IN_HEADER })).status).toBe(401);
    }
    expect(await gateway.text()).toBe("");
    expect(gateway.points).toEqual([]);
    expect(gateway.log.join()).not.toContain(C);
  });
});

/** As JSON: some of it only a parser makes something of. */
const COUNTS = [
  "-1",
  "-1e308",
  "1e308",
  "1e400",
  "-1e400",
  '"12"',
  '"NaN"',
  "null",
  "true",
  "[]",
  "{}",
  "0.5",
  "1.9999",
  "999999999999",
  "1000000000001",
  "9007199254740993",
  "1e-320",
  "-0",
];

test("no number of an upstream's makes a counter fall, or no number", async () => {
  let usage = "";
  const gateway = await canaryGateway(() =>
    streams(says("Hi", { finish_reason: "stop" }), `data: {"choices": [], "usage": ${usage}}\n\n`, DONE)(),
  );
  let before = new Map<string, number>();
  const [chat] = WIRES as [Wire, ...Wire[]];
  for (const input of COUNTS) {
    for (const output of COUNTS) {
      usage = `{"prompt_tokens": ${input}, "completion_tokens": ${output}, "total_tokens": ${output}, "completion_tokens_details": {"reasoning_tokens": ${input}}}`;
      await gateway.ask(chat, true, chat.write({ turns: [{ user: "Go" }], maxTokens: 50 }, true), "m");
    }
    // The reader takes no sign, no `NaN` and no infinity.
    const now = new Map(
      readText(await gateway.text())
        .filter(({ type }) => type !== "gauge")
        .flatMap(({ samples }) => samples.map(({ name, labels, value }) => [`${name} ${[...labels]}`, value])),
    );
    for (const [name, value] of before) expect(now.get(name), name).toBeGreaterThanOrEqual(value);
    before = now;
  }
  expect(strangeBlobs(gateway.points, { tenants: ["acme"], models: [] })).toEqual([]);
});

test.skipIf(missesPromtool)("what an operator calls a model may be anything (promtool)", async () => {
  const gateway = await canaryGateway(streams(says("Hi", { finish_reason: "stop" }), DONE));
  for (const wire of WIRES)
    await gateway.ask(
      wire,
      true,
      wire.write({ turns: [{ user: "Go" }], maxTokens: 50 }, true),
      ROUTE.replace("*", "x"),
    );
  const metrics = await gateway.text();
  const models = readText(metrics).flatMap(({ samples }) => samples.map(({ labels }) => labels.get("model")));
  expect(new Set(models)).toEqual(new Set([ROUTE]));
  expect(promtool(["check", "metrics"], metrics)).toEqual({ status: 0, told: "" });
});
