import { describe, expect, test } from "vitest";
import type { StageEvent, UpstreamEvent } from "../../../src/reply.ts";
import { createSieveStage, type SieveOptions } from "../../../src/sieve/index.ts";
import type { Repair } from "../../../src/sieve/repairs.ts";
import type { BlockReport } from "../../../src/sieve/report.ts";

/** Calls of the upstream's own go through the same table as those in text (sieve.md M3). */

const tools = [
  {
    name: "get_weather",
    parameters: { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } } },
  },
  { name: "functions.own", parameters: { type: "object" } },
];

type Given = [name: string, json: string];

function read(
  calls: readonly Given[],
  options: Partial<SieveOptions> = {},
  reason: "stop" | "tool" | "filter" = "tool",
) {
  const out: StageEvent[] = [];
  const sieve = createSieveStage({ tools, ...options }, (event) => out.push(event));
  for (const [name, json] of calls) sieve.push({ type: "native-call", name, json });
  sieve.push({ type: "finish", reason });
  const starts = out.flatMap((event) => (event.type === "call-start" ? [event] : []));
  const json = out.flatMap((event) => (event.type === "call-arguments" ? [event.json] : []));
  expect(starts.every(({ native }) => native)).toBe(true);
  return {
    calls: starts.map(({ name }, index): Given => [name, json[index] ?? ""]),
    finish: out.at(-1),
    report: sieve.report(),
  };
}

describe.each(["feature_match", "canonical"] as const)("%s", (mode) => {
  test.each<[string, sent: string, json: string]>([
    ["none", "", "{}"],
    ["blanks", " \n", "{}"],
    ["null", "null", "{}"],
    ["encoded twice", '"{\\"city\\":\\"Oslo\\"}"', '{"city":"Oslo"}'],
    ["encoded twice, and empty", '""', "{}"],
    ["as the schema wants them (V6)", '{"city":"Oslo","days":"3"}', '{"city":"Oslo","days":3}'],
    ["whole numbers", '{"days":3.0}', '{"days":3}'],
    [
      "what does not fit stays (V9)",
      '{"city":5,"more":{"n":12345678901234567890.50}}',
      '{"city":5,"more":{"n":12345678901234567890.50}}',
    ],
    ["of two with one name the first (V8)", '{"city":"A","city":"B"}', '{"city":"A"}'],
  ])("arguments: %s", (_what, sent, json) => {
    expect(read([["get_weather", sent]], { mode }).calls).toEqual([["get_weather", json]]);
  });

  test("arguments that nest deeper than a value may go out as they were sent", () => {
    const deep = `{ "x":${"[".repeat(1_000)}${"]".repeat(1_000)}}`;
    const { calls, report } = read([["Get_Weather", deep]], { mode });
    expect(calls).toEqual([["get_weather", deep]]);
    expect(report.blocks).toMatchObject([{ source: "native", outcome: "call", calls: 1, repairs: [] }]);
  });

  test("behind the last call that may be none is read, good or bad", () => {
    const { calls, report } = read(
      ["{}", "{}", "[1]"].map((json): Given => ["get_weather", json]),
      { mode, maxCalls: 1 },
    );
    expect(calls).toEqual([["get_weather", "{}"]]);
    expect(report).toMatchObject({ blocks: [{ outcome: "call" }], cut: false });
    expect(report.blocks).toHaveLength(1);
  });

  test("and so do those that are longer than a call in text may be", () => {
    const long = JSON.stringify({ city: "x".repeat(3_000_000) });
    expect(read([["get_weather", long]], { mode }).calls[0]?.[1] === long).toBe(true);
  });

  test.each<[string, written: string, name: string]>([
    ["declared", "get_weather", "get_weather"],
    ["but for its case (N2)", "Get_Weather", "get_weather"],
    ["with blanks around it (G1)", " get_weather\n", "get_weather"],
    ["undeclared (N1)", "get_news", "get_news"],
    ["near to a declared one, which is another tool (N2)", "get_weather_2", "get_weather_2"],
  ])("a name: %s", (_what, written, name) => {
    expect(read([[written, "{}"]], { mode }).calls).toEqual([[name, "{}"]]);
  });

  test.each<[string, Given]>([
    ["cut in a text", ["get_weather", '{"city": "Os']],
    ["cut before its last brace", ["get_weather", '{"city": "Oslo"']],
    ["no object", ["get_weather", "[1]"]],
    ["no JSON", ["get_weather", "Oslo"]],
    ["more than an object", ["get_weather", 'x {"city":"Oslo"}']],
    ["without a name", ["", "{}"]],
    ["with a name that is none (N3)", ["$TOOL", "{}"]],
  ])("a call that is lost ends the reply in `length`: %s (T3, T5)", (_what, call) => {
    const cut = { type: "finish", cutBlock: true };
    for (const reason of ["stop", "tool"] as const) {
      const { calls, finish } = read([call], { mode }, reason);
      expect([calls, finish]).toEqual([[], { ...cut, reason: "length" }]);
    }
    expect(read([call], { mode }, "filter").finish).toEqual({ ...cut, reason: "filter" });
    expect(read([["get_weather", "{}"], call], { mode }).finish).toEqual({ ...cut, reason: "length" });
    const behind = read([call, ["get_weather", "{}"]], { mode });
    expect([behind.calls, behind.finish]).toEqual([[["get_weather", "{}"]], { type: "finish", reason: "tool" }]);
  });
});

const MENDED: [what: string, sent: string, repair: Repair][] = [
  ["a comma too many", '{"city": "Oslo",}', "trailing-comma"],
  ["a line break in a text", '{"city": "Os\nlo"}', "control-character"],
  ["apostrophes", `{"city": 'Oslo'}`, "single-quotes"],
  ["a fence around it", '```json\n{"city": "Oslo"}\n```', "fence-in-wrapper"],
  ["wrapped once more", '{"arguments": {"city": "Oslo"}}', "arguments-unwrapped"],
];

describe("repairs (T4)", () => {
  test.each(MENDED)("%s is mended and told in feature_match", (what, sent, repair) => {
    const { calls, finish, report } = read([["get_weather", sent]]);
    const city = what === "a line break in a text" ? "Os\nlo" : "Oslo";
    expect(calls.map(([name, json]) => [name, JSON.parse(json)])).toEqual([["get_weather", { city }]]);
    expect(finish).toEqual({ type: "finish", reason: "tool" });
    expect(report.blocks).toEqual<BlockReport[]>([
      { source: "native", dialect: "native", outcome: "call", calls: 1, dropped: 0, repairs: [repair] },
    ]);
  });

  test.each(MENDED.slice(0, -1))("%s is not in canonical", (_what, sent) => {
    const { calls, finish } = read([["get_weather", sent]], { mode: "canonical" });
    expect([calls, finish]).toEqual([[], { type: "finish", reason: "length", cutBlock: true }]);
  });

  test("what is lost is told", () => {
    const { report } = read([
      ["get_weather", '{"city": "Os'],
      ["get_weather", "{x}"],
    ]);
    expect(report.blocks.map(({ outcome, source }) => [outcome, source])).toEqual([
      ["truncated", "native"],
      ["malformed", "native"],
    ]);
    expect(report.cut).toBe(true);
  });
});

describe("names that a server has not cut (N2)", () => {
  test.each<[written: string, name: string]>([
    ["get_weather<|channel|>commentary", "get_weather"],
    ["functions.get_weather<|constrain|>json", "get_weather"],
    ["functions.get_weather", "get_weather"],
    ["functions.get_weather:0", "get_weather"],
    ["get_weather:12", "get_weather"],
    ["functions.own", "functions.own"],
    ["get_news<|channel|>commentary", "get_news"],
    ["functions.get_news:0", "functions.get_news:0"],
  ])("%s", (written, name) => {
    expect(read([[written, "{}"]]).calls).toEqual([[name, "{}"]]);
  });

  test("in canonical only those of a pinned notation", () => {
    const name = "get_weather<|channel|>commentary";
    expect(read([[name, "{}"]], { mode: "canonical" }).calls).toEqual([]);
    expect(read([[name, "{}"]], { mode: "canonical", dialects: ["harmony"] }).calls).toEqual([["get_weather", "{}"]]);
  });
});

test("with calls switched off everything that is JSON passes as it was sent, and nothing else", () => {
  const sent: Given[] = [
    ["Get_Weather<|channel|>", '{"days": "3"}'],
    ["x", ""],
    ["x", '{"city": "Oslo",}'],
  ];
  const { calls, finish } = read(sent, { mode: "off" });
  expect(calls).toEqual([sent[0], ["x", "{}"]]);
  expect(finish).toMatchObject({ reason: "length" });
});

describe("the sieve ends the reply while native calls wait (G5)", () => {
  const PING = '<tool_calls><invoke name="get_weather"/></tool_calls>';
  const end = (pending: readonly Given[], options: Partial<SieveOptions> = {}, behind = "<tool_response>x") => {
    const out: StageEvent[] = [];
    const waiting = pending.map(([name, json]) => ({ type: "native-call" as const, name, json }));
    const sieve = createSieveStage(
      { tools, ...options },
      (event) => out.push(event),
      () => waiting,
    );
    const events: UpstreamEvent[] = [
      { type: "text", text: PING + behind },
      ...waiting,
      { type: "finish", reason: "stop" },
    ];
    for (const event of events) sieve.push(event);
    return out.flatMap((event) => {
      if (event.type === "call-start") return [event.name];
      return event.type === "finish" ? [event.reason] : [];
    });
  };

  test("at invented results they go out before the end (W2)", () => {
    expect(end([["own", "{}"]])).toEqual(["get_weather", "own", "tool"]);
  });

  test("and where nothing may follow a block (W3)", () => {
    expect(end([["own", "{}"]], { afterCalls: "end" }, "x")).toEqual(["get_weather", "own", "tool"]);
  });

  test("one that is not whole is lost (T5)", () => {
    expect(end([["own", '{"x']])).toEqual(["get_weather", "length"]);
  });

  test("not where no further call is allowed", () => {
    expect(end([["own", "{}"]], { maxCalls: 1 })).toEqual(["get_weather", "tool"]);
  });
});
