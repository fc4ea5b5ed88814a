import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DataPoint } from "../../../src/telemetry/analytics.ts";
import { COUNTERS, HISTOGRAMS, RATES } from "../../../src/telemetry/series.ts";
import trafficFile from "../../cases/traffic.jsonl?raw";
import { jsonLines } from "../../json-lines.ts";
import { missesPromtool, promtool } from "../ops/promtool.ts";
import { strangeBlobs, strangeLabels } from "./closed-labels.ts";
import { nameOf, readText, type Sums, sumsOfLog, sumsOfPoints, sumsOfText } from "./outputs.ts";
import { unstubUpstreams } from "./platform.ts";
import { ALIKE, type Amounts, OWN_MODELS, TENANT_NAMES, type Traffic, trafficGateway, wireOf } from "./traffic.ts";

/**
 * Traffic of every kind through the whole gateway. What each line of it adds is written beside it by hand, and the three outputs come
 * to exactly that: no more, no fewer.
 */
const lines = jsonLines<Traffic>(trafficFile);

const runs = lines.flatMap((line) => {
  const { wires = [line.wire ?? ("openai-chat" as const)], forms = line.raw ? ["whole"] : ["whole", "stream"] } = line;
  return wires.flatMap((wire) => forms.map((form) => ({ line, wire, stream: form === "stream" })));
});

/** What the three have to come to. Null: any number above 0, an estimate or a time. */
const wanted = { all: new Map<string, number | null>(), replies: new Map<string, number | null>() };
for (const { line, wire, stream } of runs) {
  const { tenant = "acme", label = "", like = "answered", adds, streams, error } = line;
  const first = stream && like === "answered" ? { first_output_seconds: 1 } : {};
  const amounts: Amounts = line.raw ? adds : { ...ALIKE[like], ...first, ...adds, ...(stream && streams) };
  for (const [key, amount] of Object.entries(amounts)) {
    if (amount === 0) continue;
    const [series = "", ...labels] = key.split(" ");
    const name = nameOf(series, tenant === "" ? "_gateway" : tenant, label, wire, ...labels);
    for (const sums of error === undefined ? [wanted.all, wanted.replies] : [wanted.all]) {
      const sum = sums.get(name);
      sums.set(name, amount === null || sum === null ? null : (sum ?? 0) + amount);
    }
  }
}

/** Without sums of seconds and characters, and without what is only known to be some. */
function counted(sums: ReadonlyMap<string, number | null>): object {
  const exact = [...sums].filter(([name]) => !name.split(" ")[0]?.endsWith("_sum"));
  return Object.fromEntries(
    exact.map(([name, value]) => [name, wanted.all.get(name) === null && (value ?? 1) > 0 ? null : value]).toSorted(),
  );
}

let outputs: { text: Sums; log: Sums; points: Sums };
let texts: string[] = [];
let points: DataPoint[] = [];
const statuses: [id: string, wire: string, stream: boolean, status: number | null | undefined][] = [];

beforeAll(async () => {
  const { run, metrics, log, ...gateway } = await trafficGateway();
  for (const { line, wire, stream } of runs) {
    for (let times = line.again ?? 0; times > 0; times -= 1) await run(line, wireOf(wire), stream);
    const status = await run(line, wireOf(wire), stream);
    statuses.push([line.id, wire, stream, line.status === null ? null : status]);
  }
  await new Promise((resolve) => setTimeout(resolve, 10));
  ({ points } = gateway);
  texts = await Promise.all(TENANT_NAMES.map(metrics));
  outputs = { text: sumsOfText(texts), log: sumsOfLog(log), points: sumsOfPoints(points) };
});
afterAll(unstubUpstreams);

test("each is answered as it should be", () => {
  const statusOf = ({ status = 200 }: Traffic, stream: boolean) =>
    Array.isArray(status) ? status[Number(stream)] : status;
  expect(statuses).toEqual(runs.map(({ line, wire, stream }) => [line.id, wire, stream, statusOf(line, stream)]));
});

describe("what each request adds is all that there is", () => {
  test("in Prometheus' text", () => expect(counted(outputs.text)).toEqual(counted(wanted.all)));
  test("in the points of Analytics Engine", () => expect(counted(outputs.points)).toEqual(counted(wanted.all)));
  test("in the lines on replies", () => expect(counted(outputs.log)).toEqual(counted(wanted.replies)));
});

test("times, characters and estimates are the same in all three", () => {
  const rounded = (sums: Sums) =>
    Object.fromEntries(
      [...sums]
        .filter(([name]) => wanted.replies.has(name) || name.split(" ")[0]?.endsWith("_sum"))
        .map(([name, value]) => [name, Math.round(value * 1e6) / 1e6])
        .toSorted(),
    );
  // Failures are in the log only with a reply.
  const { text, log, points } = outputs;
  for (const sums of [text, log, points])
    for (const name of sums.keys()) if (name.startsWith("errors ")) sums.delete(name);
  expect(rounded(log)).toEqual(rounded(text));
  expect(rounded(points)).toEqual(rounded(text));
});

/** The four numbers by their definition (docs/metrics.md), of all that was counted of blocks alike. */
test("the gauges are shares of the counters, and of nothing else", () => {
  const sections = texts.flatMap(readText);
  const samplesOf = (series: string) =>
    sections.filter(({ name }) => name === series).flatMap(({ samples }) => samples);
  const of = (names: readonly string[]) => (sample: { labels: ReadonlyMap<string, string> }) =>
    names.map((name) => sample.labels.get(name)).join(" ");
  const kind = of(["tenant", "model", "wire", "source", "dialect"]);
  const sum = (series: string, wanted: string, by = kind) =>
    samplesOf(series).reduce((total, sample) => total + (by(sample) === wanted ? sample.value : 0), 0);
  const withOutcome = of(["tenant", "model", "wire", "source", "dialect", "outcome"]);
  const withRepair = of(["tenant", "model", "wire", "source", "dialect", "repair"]);
  const kinds = [...new Set(samplesOf("toolcall_blocks_total").map(kind))];
  const expected = kinds.flatMap((each) => {
    const all = sum("toolcall_blocks_total", each);
    const share = (outcome: string) => sum("toolcall_blocks_total", `${each} ${outcome}`, withOutcome) / all;
    const repairs = new Set(
      samplesOf("toolcall_repairs_total")
        .map(withRepair)
        .filter((name) => name.startsWith(`${each} `)),
    );
    return [
      [`toolcall_parse_source ${each}`, all],
      [`toolcall_parse_success_rate ${each}`, share("call")],
      [`toolcall_malformed_rate ${each}`, share("malformed")],
      [`toolcall_repair_rate ${each} any`, sum("toolcall_repaired_blocks_total", each) / all],
      ...[...repairs].map((name) => [
        `toolcall_repair_rate ${name}`,
        sum("toolcall_repairs_total", name, withRepair) / all,
      ]),
    ];
  });
  const told = sections
    .filter(({ type }) => type === "gauge")
    .flatMap(({ name, samples }) =>
      samples.map(({ labels, value }) => [`${name} ${[...labels.values()].join(" ")}`, value]),
    );
  expect(told.toSorted()).toEqual(expected.toSorted());
});

test.skipIf(missesPromtool)("promtool takes the text of each tenant", () => {
  // It reports what it would have named otherwise as well: nothing.
  for (const text of texts.filter((each) => each !== "")) {
    expect(promtool(["check", "metrics"], text)).toEqual({ status: 0, told: "" });
  }
});

test("every series occurs, and each value of what the traffic is there to show", () => {
  const names = new Set(texts.flatMap(readText).map(({ name }) => name));
  // Of counts that are lost no traffic makes any: see count-keeper.test.ts.
  const { toolcall_lost_counts_total: _lost, ...counters } = COUNTERS;
  expect([...names].toSorted()).toEqual([counters, HISTOGRAMS, RATES].flatMap((each) => Object.keys(each)).toSorted());
  const values = (series: string, place: number) =>
    [
      ...new Set(
        [...outputs.text.keys()]
          .map((key) => key.split(" "))
          .flatMap(([own, ...rest]) => (own === series ? (rest[3 + place] ?? []) : [])),
      ),
    ].toSorted();
  expect(values("blocks", 0)).toEqual(["in", "none", "out"]);
  expect(values("blocks", 1)).toEqual(["canonical", "json", "markup", "native", "textkv", "xml"]);
  expect(values("blocks", 3)).toEqual(["call", "malformed", "rejected", "truncated"]);
  expect(values("unmet_choices", 0)).toEqual(["call-forbidden", "call-missing", "other-tool"]);
  expect(values("ended_replies", 0)).toEqual(["after-calls", "invented-results", "max-calls"]);
  expect(values("asked_again", 0)).toEqual([
    "call-missing",
    "field-dropped",
    "force-refused",
    "tools-refused",
    "upstream-busy",
  ]);
  // A shadow that fails is a fault of the gateway's own: no words bring it about (test/node/shadow.test.ts).
  expect(values("shadow_replies", 0)).toEqual(["different", "incomplete", "same"]);
  expect(values("shadow_differences", 0)).toEqual(["calls", "repairs", "text"]);
  expect(values("replies", 0)).toEqual(["canonical", "feature_match", "off"]);
});

test("C14: every label, and every text of a point, is of a closed list", () => {
  const own = { tenants: TENANT_NAMES, models: OWN_MODELS };
  expect(
    strangeLabels(
      texts.flatMap(readText).flatMap(({ samples }) => samples),
      own,
    ),
  ).toEqual([]);
  expect(strangeBlobs(points, own)).toEqual([]);
});
