import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { REPAIRS } from "../../../src/sieve/repairs.ts";
import { COLUMNS, type DataPoint, pointOfError, pointsOf } from "../../../src/telemetry/analytics.ts";
import { tallyOf } from "../../../src/telemetry/counts.ts";
import type { BlockCount, ReplyReport } from "../../../src/telemetry/reply-report.ts";
import { HISTOGRAMS } from "../../../src/telemetry/series.ts";

test("the columns are where queries look for them, and a point has room for them", () => {
  expect(COLUMNS.blobs.length).toBeLessThanOrEqual(20);
  expect(COLUMNS.doubles.length).toBeLessThanOrEqual(20);
  const names = [...COLUMNS.blobs, ...COLUMNS.doubles];
  expect(new Set(names).size).toBe(names.length);
  // Whoever moves one changes what every query of an operator's says of the points that are there already.
  expect(COLUMNS).toEqual({
    blobs: [
      ...["kind", "model", "wire", "delivery", "mode", "rollout", "told", "outcome", "error", "source", "dialect"],
      ...["reason", "ended_by", "choice_unmet", "docs", "docs_over_budget", "cut", "estimated", "shadow", "broke_off"],
    ],
    doubles: [
      ...["count", "calls", "dropped", "repaired", "uncoercible", "calls_from_reasoning", "held_characters"],
      ...["input_tokens", "output_tokens", "upstream_requests", "passed_over", "dropped_fields", "history_repaired"],
      ...["results_cut", "asked_ms", "upstream_ms", "first_output_ms", "whole_ms", "held_ms", "fenced_examples"],
    ],
  });
});

const number = fc.nat(5_000);
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const repair = fc.constantFrom(...REPAIRS);

const blockCount: fc.Arbitrary<BlockCount> = fc.record(
  {
    source: fc.constantFrom("canonical", "xml", "json", "markup", "textkv", "native"),
    dialect: fc.constantFrom("canonical", "hermes", "glm45"),
    outcome: fc.constantFrom("call", "malformed", "truncated", "rejected"),
    count: fc.integer({ min: 1, max: 9 }),
    calls: number,
    dropped: number,
    repaired: number,
    repairs: fc.dictionary(repair, fc.integer({ min: 1, max: 9 }), { maxKeys: 4 }),
  },
  { requiredKeys: ["source", "dialect", "outcome", "count"] },
);

const report: fc.Arbitrary<ReplyReport> = fc.record({
  requestId: fc.constant("req_1"),
  tenant: sometimes(fc.constantFrom("acme", "beta")),
  key: sometimes(fc.constant("abcdefgh")),
  route: fc.constant("/v1/messages"),
  wire: fc.constantFrom("openai-chat", "openai-responses", "anthropic", "gemini"),
  model: fc.constantFrom("other", "qwen-*", "glm-4.5"),
  streaming: fc.boolean(),
  mode: fc.constantFrom("off", "canonical", "feature_match"),
  rollout: sometimes(fc.constantFrom("in", "out")),
  told: sometimes(fc.constantFrom("canonical", "native")),
  outcome: fc.constantFrom("stop", "tool", "length", "filter", "context", "aborted", "upstream-failed", "internal"),
  calls: number,
  blocks: fc.uniqueArray(blockCount, {
    maxLength: 12,
    selector: ({ source, dialect, outcome }) => [source, dialect, outcome].join(" "),
  }),
  sawToolCallSyntax: fc.boolean(),
  cut: fc.boolean(),
  callsFromReasoning: number,
  brokeOff: fc.boolean(),
  uncoercible: number,
  fencedExamples: number,
  shadow: sometimes(
    fc.record(
      {
        outcome: fc.constantFrom("same", "different", "incomplete", "failed"),
        calls: fc.constant<true>(true),
        text: fc.constant<true>(true),
        repairs: fc.constant<true>(true),
      },
      { requiredKeys: ["outcome"] },
    ),
  ),
  heldCharacters: number,
  endedBy: sometimes(fc.constantFrom("invented-results", "after-calls", "max-calls")),
  choiceUnmet: sometimes(fc.constantFrom("call-missing", "other-tool", "call-forbidden")),
  upstreamRequests: number,
  passedOver: number,
  askedAgain: fc.array(fc.constantFrom("upstream-busy", "field-dropped", "call-missing"), { maxLength: 4 }),
  droppedFields: fc.array(fc.constantFrom("seed", "native tools"), { maxLength: 3 }),
  docs: sometimes(fc.constantFrom("schema", "signatures", "shortened", "brief")),
  docsOverBudget: fc.boolean(),
  historyRepaired: number,
  resultsCut: number,
  tokens: sometimes(
    fc.record(
      { input: number, output: number, estimated: fc.constant<true>(true) },
      { requiredKeys: ["input", "output"] },
    ),
  ),
  ms: fc.record({
    asked: sometimes(number),
    upstream: sometimes(number),
    firstOutput: sometimes(number),
    held: sometimes(number),
    whole: number,
  }),
});

/** By the names of the columns, as queries read them. */
interface Row {
  tenant: string;
  texts: Record<(typeof COLUMNS.blobs)[number], string>;
  numbers: Record<(typeof COLUMNS.doubles)[number], number>;
}

function rowOf({ indexes: [tenant], blobs, doubles }: DataPoint): Row {
  expect([blobs.length, doubles.length]).toEqual([COLUMNS.blobs.length, COLUMNS.doubles.length]);
  return {
    tenant,
    texts: Object.fromEntries(COLUMNS.blobs.map((name, at) => [name, blobs[at]])) as Row["texts"],
    numbers: Object.fromEntries(COLUMNS.doubles.map((name, at) => [name, doubles[at]])) as Row["numbers"],
  };
}

type Sums = Map<string, number>;

function add(sums: Sums, key: readonly string[], value: number) {
  if (value !== 0 || key[0]?.endsWith("_sum")) {
    const joined = key.join(" | ");
    sums.set(joined, Math.round(((sums.get(joined) ?? 0) + value) * 1_000) / 1_000);
  }
}

/** Every series of the counters, as an operator would sum it up from points. */
const QUERIES: {
  series: string;
  from?: string;
  where?: (texts: Row["texts"]) => boolean;
  by?: (keyof Row["texts"])[];
  also?: string[];
  sum?: keyof Row["numbers"];
}[] = [
  { series: "toolcall_replies_total", by: ["mode", "rollout", "outcome"] },
  { series: "toolcall_errors_total", where: ({ error }) => error !== "", by: ["error"] },
  { series: "toolcall_blocks_total", from: "block", by: ["rollout", "source", "dialect", "outcome"] },
  { series: "toolcall_repaired_blocks_total", from: "block", by: ["rollout", "source", "dialect"], sum: "repaired" },
  { series: "toolcall_repairs_total", from: "repair", by: ["rollout", "source", "dialect", "reason"] },
  { series: "toolcall_calls_total", from: "block", by: ["rollout", "source", "dialect"], sum: "calls" },
  { series: "toolcall_dropped_calls_total", from: "block", by: ["rollout", "source", "dialect"], sum: "dropped" },
  { series: "toolcall_delivered_calls_total", sum: "calls" },
  { series: "toolcall_cut_replies_total", where: ({ cut }) => cut === "true" },
  { series: "toolcall_broken_replies_total", where: (row) => row.broke_off === "true" },
  { series: "toolcall_uncoercible_values_total", sum: "uncoercible" },
  { series: "toolcall_unmet_choices_total", where: (row) => row.choice_unmet !== "", by: ["choice_unmet"] },
  { series: "toolcall_ended_replies_total", where: (row) => row.ended_by !== "", by: ["ended_by"] },
  { series: "toolcall_reasoning_calls_total", sum: "calls_from_reasoning" },
  { series: "toolcall_fenced_examples_total", sum: "fenced_examples" },
  { series: "toolcall_shadow_replies_total", where: ({ shadow }) => shadow !== "", by: ["shadow"] },
  { series: "toolcall_shadow_differences_total", from: "difference", by: ["reason"] },
  ...["true", "false"].flatMap((estimated) =>
    (["input", "output"] as const).map((direction) => ({
      series: "toolcall_tokens_total",
      where: (texts: Row["texts"]) => (texts.estimated === "true") === (estimated === "true"),
      also: [direction, estimated],
      sum: `${direction}_tokens` as const,
    })),
  ),
  { series: "toolcall_upstream_requests_total", sum: "upstream_requests" },
  { series: "toolcall_asked_again_total", from: "retry", by: ["reason"] },
  { series: "toolcall_passed_over_upstreams_total", sum: "passed_over" },
  { series: "toolcall_dropped_fields_total", sum: "dropped_fields" },
  { series: "toolcall_mended_messages_total", sum: "history_repaired" },
  { series: "toolcall_cut_results_total", sum: "results_cut" },
  { series: "toolcall_docs_over_budget_total", where: (row) => row.docs_over_budget === "true" },
];

const OBSERVED = [
  ["toolcall_gateway_seconds", "asked_ms", 1_000],
  ["toolcall_upstream_seconds", "upstream_ms", 1_000],
  ["toolcall_first_output_seconds", "first_output_ms", 1_000],
  ["toolcall_reply_seconds", "whole_ms", 1_000],
  ["toolcall_held_seconds", "held_ms", 1_000],
  ["toolcall_held_characters", "held_characters", 1],
] as const;

function sumsOf(points: readonly DataPoint[]): Sums {
  const sums: Sums = new Map();
  for (const { texts, numbers } of points.map(rowOf)) {
    const whose = [texts.model, texts.wire];
    for (const { series, from = "reply", where = () => true, by = [], also = [], sum = "count" } of QUERIES) {
      if (texts.kind !== from && !(series === "toolcall_errors_total" && texts.kind === "error")) continue;
      if (where(texts)) add(sums, [series, ...whose, ...by.map((name) => texts[name]), ...also], numbers[sum]);
    }
    for (const [series, column, unit] of texts.kind === "reply" ? OBSERVED : []) {
      if (numbers[column] < 0) continue;
      const value = numbers[column] / unit;
      const bound = HISTOGRAMS[series].bounds.find((each) => value <= each) ?? "+Inf";
      add(sums, [`${series}_bucket`, ...whose, String(bound)], 1);
      add(sums, [`${series}_sum`, ...whose], value);
    }
  }
  return sums;
}

function countsOf(reports: readonly ReplyReport[]): Sums {
  const sums: Sums = new Map();
  for (const { model, wire, counts } of reports.map(tallyOf)) {
    for (const { series, labels, value } of counts) add(sums, [series, model, wire, ...labels], value);
  }
  return sums;
}

test("every counter can be added up from the points", () => {
  fc.assert(
    fc.property(fc.array(report, { maxLength: 5 }), (reports) => {
      const sums = sumsOf(reports.flatMap(pointsOf));
      expect(Object.fromEntries(sums)).toEqual(Object.fromEntries(countsOf(reports)));
    }),
  );
});

test("the index is the tenant; its own rows for the gateway", () => {
  fc.assert(
    fc.property(report, (given) => {
      const tenants = new Set(pointsOf(given).map(({ indexes: [tenant] }) => tenant));
      expect([...tenants]).toEqual([given.tenant ?? "_gateway"]);
    }),
  );
});

describe("limits", () => {
  const [given] = fc.sample(report, { numRuns: 1, seed: 1 });
  if (!given) throw new Error("no report");

  test("a reply writes at most 250 points, itself and its blocks first", () => {
    const repairs = Object.fromEntries(REPAIRS.map((name) => [name, 1]));
    const blocks: BlockCount[] = Array.from({ length: 40 }, (_, at) => {
      return { source: "json", dialect: `d${at}`, outcome: "call", count: 1, repairs };
    });
    const kinds = pointsOf({ ...given, blocks, askedAgain: [], shadow: undefined }).map(
      (point) => rowOf(point).texts.kind,
    );
    expect(kinds).toHaveLength(250);
    expect(kinds.slice(0, 42)).toEqual(["reply", ...Array.from({ length: 40 }, () => "block"), "repair"]);
  });

  test("an operator's pattern of any length is cut", () => {
    const [point] = pointsOf({ ...given, model: "m".repeat(100_000) });
    expect(point?.blobs.join("").length).toBeLessThan(1_000);
  });
});

test("a failure without a reply", () => {
  const point = pointOfError({ tenant: "acme", model: "", wire: "gemini" }, "unknown-model");
  expect(Object.fromEntries(sumsOf([point]))).toEqual({ "toolcall_errors_total |  | gemini | unknown-model": 1 });
  expect(rowOf(point)).toMatchObject({ tenant: "acme", texts: { kind: "error" }, numbers: { whole_ms: -1 } });
});
