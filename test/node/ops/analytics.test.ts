import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { COLUMNS, type DataPoint, pointOfError, pointsOf } from "../../../src/telemetry/analytics.ts";
import type { ReplyReport } from "../../../src/telemetry/reply-report.ts";

const files = import.meta.glob<string>("../../../ops/analytics/*.sql", {
  query: "?raw",
  import: "default",
  eager: true,
});
const queries = Object.entries(files).map(([path, sql]) => ({ name: path.split("/").at(-1) ?? "", sql }));

const PLACES: ReadonlyMap<string, string> = new Map([
  ["index1", "tenant"],
  ["_sample_interval", "weight"],
  ...COLUMNS.blobs.map((name, at) => [`blob${at + 1}`, name] as const),
  ...COLUMNS.doubles.map((name, at) => [`double${at + 1}`, name] as const),
]);

describe("every column is the one that its name says, and each sum is weighted", () => {
  test.each(queries)("$name", ({ sql }) => {
    const named = [...sql.matchAll(/^ {4}(\w+) AS (\w+),?$/gm)].map(([, column, name]) => [column, name]);
    expect(named.length).toBeGreaterThan(2);
    expect(named).toEqual(named.map(([column]) => [column, PLACES.get(column ?? "")]));
    // Nowhere else, so that all that is said of them is said by name.
    const used = [...sql.matchAll(/\b(?:index|blob|double)\d+\b|_sample_interval/g)].map(([column]) => column);
    expect(used.toSorted()).toEqual(named.map(([column]) => column).toSorted());
    const [outer = ""] = sql.split("FROM (");
    expect([...outer.matchAll(/\b(?:SUM|sumIf)\((?!weight \* )/g)]).toEqual([]);
    expect([...outer.matchAll(/\bquantileWeighted\((?!0\.\d+, \w+, weight\))/g)]).toEqual([]);
    expect(outer).not.toMatch(/\b(?:COUNT|AVG)\(/i);
  });

  test("all that is named is used", () => {
    for (const { name, sql } of queries) {
      const names = [...sql.matchAll(/^ {4}\w+ AS (\w+),?$/gm)].map(([, each = ""]) => each);
      const rest = sql.replaceAll(/^ {4}\w+ AS \w+,?$/gm, "");
      expect(
        names.filter((each) => !new RegExp(`\\b${each}\\b`).test(rest)),
        name,
      ).toEqual([]);
    }
  });
});

const REPORT: ReplyReport = {
  requestId: "req_1",
  tenant: "acme",
  route: "/v1/messages",
  wire: "anthropic",
  model: "qwen3*",
  streaming: true,
  mode: "feature_match",
  rollout: "in",
  told: "canonical",
  outcome: "tool",
  calls: 2,
  blocks: [
    { source: "json", dialect: "hermes", outcome: "call", count: 2, repaired: 1, repairs: { "trailing-comma": 1 } },
    { source: "json", dialect: "hermes", outcome: "malformed", count: 1 },
  ],
  sawToolCallSyntax: true,
  cut: false,
  callsFromReasoning: 0,
  brokeOff: false,
  uncoercible: 0,
  fencedExamples: 0,
  heldCharacters: 40,
  upstreamRequests: 1,
  passedOver: 0,
  askedAgain: [],
  droppedFields: [],
  docsOverBudget: false,
  historyRepaired: 0,
  resultsCut: 0,
  tokens: { input: 800, output: 40 },
  ms: { asked: 3, upstream: 200, firstOutput: 300, whole: 900 },
};

/** How often a point stands for others that were not kept. */
const POINTS: readonly [DataPoint, weight: number][] = [
  ...pointsOf(REPORT).map((point) => [point, 30] as const),
  ...pointsOf({ ...REPORT, rollout: "out", told: "hermes", ms: { asked: 5, upstream: 400, whole: 2_000 } }).map(
    (point) => [point, 10] as const,
  ),
  // Never asked, so it has no times.
  ...pointsOf({ ...REPORT, outcome: "over-budget", calls: 0, blocks: [], tokens: undefined, ms: { whole: 9 } }).map(
    (point) => [point, 1] as const,
  ),
  [pointOfError({ tenant: "acme", model: "", wire: "openai-chat" }, "invalid-request"), 2],
].map(([point, weight]) => [point as DataPoint, weight as number]);

const RESULTS: Readonly<Record<string, readonly object[]>> = {
  "rates.sql": [
    {
      ...{ model: "qwen3*", source: "json", dialect: "hermes", blocks: 120 },
      ...{ success_rate: 2 / 3, malformed_rate: 1 / 3, truncated_rate: 0, repair_rate: 1 / 3 },
    },
  ],
  "other-dialects.sql": [{ model: "qwen3*", told: "canonical", dialect: "hermes", blocks: 90 }],
  "repairs.sql": [{ model: "qwen3*", dialect: "hermes", repair: "trailing-comma", blocks: 40 }],
  "replies.sql": [
    { model: "qwen3*", wire: "anthropic", outcome: "tool", replies: 40, delivered_calls: 80 },
    { model: "qwen3*", wire: "anthropic", outcome: "over-budget", replies: 1, delivered_calls: 0 },
  ],
  "errors.sql": [
    { tenant: "acme", model: "", error: "invalid-request", errors: 2 },
    { tenant: "acme", model: "qwen3*", error: "over-budget", errors: 1 },
  ],
  "times.sql": [
    {
      ...{ model: "qwen3*", replies: 40, gateway_p50: 3, gateway_p95: 5, upstream_p50: 200, upstream_p95: 400 },
      ...{ whole_p50: 900, whole_p95: 2_000, held_characters_p95: 40 },
    },
  ],
  "first-output.sql": [
    { model: "qwen3*", wire: "anthropic", streams: 30, first_output_p50: 300, first_output_p95: 300 },
  ],
  "tokens.sql": [{ tenant: "acme", model: "qwen3*", estimated: "", input: 32_000, output: 1_600 }],
  "rollout.sql": [
    { model: "qwen3*", rollout: "in", blocks: 90, success_rate: 2 / 3, malformed_rate: 1 / 3, repair_rate: 1 / 3 },
    { model: "qwen3*", rollout: "out", blocks: 30, success_rate: 2 / 3, malformed_rate: 1 / 3, repair_rate: 1 / 3 },
  ],
  "leaks.sql": [{ tenant: "acme", model: "qwen3*", blocks: 120, malformed_rate: 1 / 3 }],
};

describe("every query gives what the points say", () => {
  test("there is a result of each", () => {
    expect(queries.map(({ name }) => name).toSorted()).toEqual(Object.keys(RESULTS).toSorted());
  });

  test.each(queries)("$name", ({ name, sql }) => {
    const found = dataset(POINTS).prepare(inSqlite(sql)).all();
    expect(found.map((row) => ({ ...row }))).toEqual(RESULTS[name]);
  });

  test("few blocks are no leak, however bad", () => {
    const few = POINTS.map(([point]) => [point, 1] as const);
    expect(
      dataset(few)
        .prepare(inSqlite(files["../../../ops/analytics/leaks.sql"] ?? ""))
        .all(),
    ).toEqual([]);
  });
});

/** All points are new. */
function inSqlite(sql: string): string {
  const adapted = sql.replace(/timestamp > NOW\(\) - INTERVAL '\d+' (?:DAY|MINUTE)/, "true");
  expect(adapted).not.toBe(sql);
  return adapted;
}

/** The dataset, with what SQLite lacks of Analytics Engine's functions. */
function dataset(points: readonly (readonly [DataPoint, number])[]): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.aggregate("sumIf", {
    start: 0,
    step: (sum: number, value, holds) => sum + (holds ? Number(value) : 0),
  });
  database.aggregate("quantileWeighted", {
    start: "[]",
    step(kept: string, level, value, weight) {
      const values = [...JSON.parse(kept).slice(1), ...Array(Number(weight)).fill(value)];
      return JSON.stringify([level, ...values]);
    },
    result(kept: string) {
      const [level, ...values]: [number, ...number[]] = JSON.parse(kept);
      return values.toSorted((one, other) => one - other)[Math.floor(level * values.length)] ?? null;
    },
  });
  const columns = [...PLACES.keys()];
  database.exec(`CREATE TABLE toolsieve (${columns.join(", ")})`);
  const insert = database.prepare(`INSERT INTO toolsieve VALUES (${columns.map(() => "?").join(", ")})`);
  for (const [{ indexes, blobs, doubles }, weight] of points) insert.run(indexes[0], weight, ...blobs, ...doubles);
  return database;
}
