import { describe, expect, test } from "vitest";
import page from "../../../docs/metrics.md?raw";
import text from "../../../ops/alerts.yaml?raw";
import scraping from "../../../ops/prometheus.yaml?raw";
import { namesIn } from "./promql.ts";
import { missesPromtool, promtool, withFile } from "./promtool.ts";
import { faultsOf, LABELS } from "./series-labels.ts";

/** One that Prometheus makes of each target itself. */
const KNOWN = new Map([...LABELS, ["up", ["job", "instance"]] as const]);

const alerts = text
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((rule) => ({
    name: rule.split("\n")[0] ?? "",
    rule,
    expression: /^ {8}expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/m.exec(rule)?.slice(1).join("") ?? "",
  }));

describe("every alert names what there is, and says what to do", () => {
  test.each(alerts)("$name", ({ rule, expression }) => {
    const named = namesIn(expression);
    expect(named.length).toBeGreaterThan(0);
    expect(faultsOf(named, KNOWN)).toEqual([]);
    for (const annotation of ["summary", "description"])
      expect(rule).toMatch(new RegExp(`^ {10}${annotation}: "`, "m"));
    const labels = [...rule.matchAll(/\{\{ \$labels\.(\w+) \}\}/g)].map(([, label = ""]) => label);
    const summed = named.flatMap((each) => each.labels);
    const told = summed.length > 0 ? summed : ["job", "instance"];
    expect(labels.filter((label) => !told.includes(label))).toEqual([]);
    const [, anchor = ""] =
      /^ {10}runbook_url: https:\/\/toolsieve\.example\/docs\/metrics\.md#(\S+)$/m.exec(rule) ?? [];
    expect(headings()).toContain(anchor);
  });
});

/** As GitHub makes anchors of them. */
function headings(): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
}

test("the page tells of every alert", () => {
  expect(alerts.length).toBeGreaterThan(0);
  expect(alerts.map(({ name }) => name).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

describe.skipIf(missesPromtool)("promtool", () => {
  test("takes the rules, and they fire when they should and not before", () => {
    expect(promtool(["check", "rules", "ops/alerts.yaml"])).toMatchObject({ status: 0 });
    expect(promtool(["test", "rules", "ops/alerts.test.yaml"])).toMatchObject({ status: 0 });
  });

  test("takes the example of how to get the numbers", () => {
    // The rules lie beside it, and the token nowhere.
    const alone = scraping
      .replace(/^rule_files:\n.*\n/m, "")
      .replaceAll("/etc/prometheus/toolsieve-token", "/dev/null");
    expect(withFile(alone, (path) => promtool(["check", "config", path]))).toMatchObject({ status: 0 });
  });
});
