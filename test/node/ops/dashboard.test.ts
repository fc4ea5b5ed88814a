import { describe, expect, test } from "vitest";
import text from "../../../ops/grafana-dashboard.json?raw";
import { COUNTERS, HISTOGRAMS } from "../../../src/telemetry/series.ts";
import { namesIn } from "./promql.ts";
import { missesPromtool, promtool, withFile } from "./promtool.ts";
import { faultsOf, LABELS } from "./series-labels.ts";

interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource?: { uid: string };
  targets?: { refId: string; expr: string; legendFormat: string; datasource: { uid: string } }[];
}

interface Variable {
  name: string;
  type: string;
  query: string | { query: string };
}

const dashboard: { panels: Panel[]; templating: { list: Variable[] } } = JSON.parse(text);
const { panels } = dashboard;
const graphs = panels.filter(({ type }) => type !== "row");
const targets = graphs.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })));
const queried = dashboard.templating.list.filter(({ type }) => type === "query");

/** What Grafana puts in place of what is its own. */
function filledIn(expression: string): string {
  return expression.replaceAll(/\[\$__\w+\]/g, "[5m]").replaceAll(/\$(\w+)/g, ".*");
}

describe("every query names what there is", () => {
  test.each(targets)("$title, $refId", ({ expr, legendFormat }) => {
    const named = namesIn(expr);
    expect(named.length).toBeGreaterThan(0);
    expect(faultsOf(named)).toEqual([]);
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
    expect(shown.filter((label) => !named.some(({ labels }) => labels.includes(label ?? "")))).toEqual([]);
  });

  test("and what there is not is noticed", () => {
    const faults = (expression: string) => faultsOf(namesIn(expression));
    expect(faults("sum(rate(toolcall_answers_total[5m]))")).toEqual(["no series toolcall_answers_total"]);
    expect(faults("toolcall_malformed_rate")).toEqual(["no series toolcall_malformed_rate"]);
    expect(faults('toolcall_errors_total{outcome="internal"}')).toContain("toolcall_errors_total has no label outcome");
    expect(faults("sum by (dialect) (toolcall_replies_total)")).toEqual([
      "toolcall_replies_total has no label dialect",
    ]);
    expect(faults('toolcall_blocks_total{outcome=~"call|broken"}')).toEqual([
      "outcome of toolcall_blocks_total is never broken",
    ]);
    expect(faults('toolcall_blocks_total{tenant=~"$model"}')).toEqual([
      "tenant of toolcall_blocks_total is never $model",
    ]);
  });
});

test("every series is on it", () => {
  const shown = new Set(targets.flatMap(({ expr }) => namesIn(expr).map(({ name }) => name)));
  const series = [...Object.keys(COUNTERS), ...Object.keys(HISTOGRAMS).map((name) => `${name}_bucket`)];
  expect(series.filter((name) => !shown.has(name))).toEqual([]);
});

test("every query is of what is chosen above: a tenant, a model, a wire", () => {
  expect(queried.map(({ name }) => name)).toEqual(["tenant", "model", "wire"]);
  for (const { name, query } of queried) {
    const [, series = "", label] =
      /^label_values\((.+), (\w+)\)$/.exec(typeof query === "string" ? query : query.query) ?? [];
    expect(label).toBe(name);
    expect(faultsOf(namesIn(series))).toEqual([]);
  }
  for (const { expr } of targets) {
    for (const { matchers } of namesIn(expr)) {
      const variables = matchers.filter(({ value }) => value.startsWith("$")).map(({ label }) => label);
      expect(variables, expr).toEqual(["tenant", "model", "wire"]);
    }
    const others = [...expr.matchAll(/\$(\w+)/g)].filter(
      ([, name = ""]) => !LABELS.get("toolcall_replies_total")?.includes(name),
    );
    expect(others.map(([, name]) => name).filter((name) => !/^__(?:rate_interval|range)$/.test(name ?? ""))).toEqual(
      [],
    );
  }
});

test("panels say what they show, have their data from the source that is chosen, and none lies on another", () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const source = dashboard.templating.list.find(({ type }) => type === "datasource");
  for (const { title, description, datasource, targets = [] } of graphs) {
    expect(description, title).toMatch(/.{20}/);
    const sources = [datasource, ...targets.map((target) => target.datasource)].map((each) => each?.uid);
    expect(new Set(sources), title).toEqual(new Set([`\${${source?.name}}`]));
  }
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => {
    expect(x + w).toBeLessThanOrEqual(24);
    return Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`);
  });
  expect(new Set(cells).size).toBe(cells.length);
});

test.skipIf(missesPromtool)("every query is PromQL (promtool)", () => {
  const rules = targets.map(({ expr }, n) => ({ record: `query:${n}`, expr: filledIn(expr) }));
  // What is JSON is YAML.
  const file = JSON.stringify({ groups: [{ name: "dashboard", rules }] });
  expect(withFile(file, (path) => promtool(["check", "rules", path]))).toMatchObject({ status: 0 });
});
