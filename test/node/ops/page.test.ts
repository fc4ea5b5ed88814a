import { expect, test } from "vitest";
import page from "../../../docs/metrics.md?raw";
import { REPAIRS } from "../../../src/sieve/repairs.ts";
import { COUNTERS, HISTOGRAMS, RATES } from "../../../src/telemetry/series.ts";
import { variables } from "../../variables.ts";
import { namesIn } from "./promql.ts";
import { missesPromtool, promtool, withFile } from "./promtool.ts";
import { faultsOf } from "./series-labels.ts";

const queries = [...page.matchAll(/^```promql\n([^`]+)\n```$/gm)].map(([, query = ""]) => query);

test("the page tells of every series, and of none that there is not", () => {
  const prose = page.replaceAll(/^```[^`]+^```$/gm, "");
  const told = new Set([...prose.matchAll(/\btoolcall_\w+/g)].map(([name]) => name));
  const series = [COUNTERS, HISTOGRAMS, RATES].flatMap((each) => Object.keys(each));
  expect([...told].toSorted()).toEqual(series.toSorted());
});

test("its queries name what there is", () => {
  expect(queries.length).toBeGreaterThan(2);
  expect(queries.flatMap((query) => faultsOf(namesIn(query)))).toEqual([]);
});

test.skipIf(missesPromtool)("its queries are PromQL (promtool)", () => {
  const rules = queries.map((expr, n) => ({ record: `query:${n}`, expr }));
  const file = JSON.stringify({ groups: [{ name: "page", rules }] });
  expect(withFile(file, (path) => promtool(["check", "rules", path]))).toMatchObject({ status: 0 });
});

test("its switches are variables", () => {
  const known = Object.keys(variables({}));
  const named = [...page.matchAll(/`([A-Z][A-Z\d]*_[A-Z_\d]+)(?:=\w+)?`/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(20);
  // The window of Ollama is Ollama's.
  expect(named.filter((name) => !known.includes(name) && name !== "OLLAMA_CONTEXT_LENGTH")).toEqual([]);
});

test("its repairs, and its queries for Analytics Engine, are those that there are", () => {
  const [, table = ""] = page.split(/^\| repairs +\| what it mostly is +\|$/m);
  const rows = [...(table.split("\n\n")[0] ?? "").matchAll(/^\| (`[^|]+)\|/gm)].map(([, names = ""]) => names);
  const repairs = rows.flatMap((names) => [...names.matchAll(/`([\w-]+)`/g)].map(([, name = ""]) => name));
  expect(repairs.length).toBeGreaterThan(5);
  expect(repairs.filter((name) => !(REPAIRS as readonly string[]).includes(name))).toEqual([]);
  const files = Object.keys(import.meta.glob("../../../ops/analytics/*.sql")).map((path) => path.split("/").at(-1));
  expect([...page.matchAll(/^\| `(.+\.sql)` +\|/gm)].map(([, name]) => name).toSorted()).toEqual(files.toSorted());
});

test("its links within lead to headings", () => {
  const anchors = new Set(
    [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading.toLowerCase().replaceAll(" ", "-")),
  );
  expect([...page.matchAll(/\]\(#([\w-]+)\)/g)].map(([, to = ""]) => to).filter((to) => !anchors.has(to))).toEqual([]);
});
