import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COUNT_LIMITS } from "../../../src/limits.ts";
import { createCountKeeper, type Tally } from "../../../src/tenants/count-keeper.ts";
import type { Sql } from "../../../src/tenants/record-keeper.ts";
import { memorySql } from "./memory-objects.ts";

const tally = (model: string, ...counts: [string, ...(string | number)[]][]): Tally => ({
  model,
  wire: "gemini",
  counts: counts.map(([series, ...rest]) => ({
    series,
    labels: rest.slice(0, -1).map(String),
    value: Number(rest.at(-1)),
  })),
});

/** Sums, by model, wire, series and labels. */
function sumsOf(tallies: readonly Tally[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { model, wire, counts } of tallies) {
    for (const { series, labels, value } of counts) {
      const key = JSON.stringify([model, wire, series, ...labels]);
      sums[key] = (sums[key] ?? 0) + value;
    }
  }
  return sums;
}

/** What was asked of the database since it was made. */
function watched(sql: Sql): Sql & { readonly writes: string[] } {
  const writes: string[] = [];
  return {
    writes,
    exec(query, ...bindings) {
      if (/^(?:INSERT|UPDATE|DELETE)/.test(query)) writes.push(query);
      return sql.exec(query, ...bindings);
    },
  };
}

test("what is counted is added up", () => {
  const keeper = createCountKeeper(memorySql());
  keeper.count(tally("a", ["calls", 2], ["blocks", "xml", 1], ["seconds", 0.25]));
  keeper.count(tally("a", ["calls", 1], ["blocks", "json", 1], ["seconds", 0.5]));
  keeper.count({ ...tally("a", ["calls", 7]), wire: "anthropic" });
  expect(keeper.counted()).toEqual([
    tally("a", ["calls", 3], ["blocks", "xml", 1], ["seconds", 0.75], ["blocks", "json", 1]),
    { ...tally("a", ["calls", 7]), wire: "anthropic" },
  ]);
});

test("one row is written for each, however much is counted", () => {
  const sql = watched(memorySql());
  const keeper = createCountKeeper(sql);
  const many = Array.from({ length: 50 }, (_, index): [string, string, number] => ["blocks", String(index), 1]);
  keeper.count(tally("a", ...many));
  keeper.count(tally("b", ...many));
  keeper.counted();
  expect(sql.writes).toHaveLength(2);
});

test("whatever is counted, an object that begins anew knows the same", () => {
  const name = fc.constantFrom("a", "b", '"', "\n", "ü", "__proto__");
  const count = fc.record({
    series: name,
    labels: fc.array(name, { maxLength: 2 }),
    value: fc.integer({ min: 1, max: 9 }),
  });
  const tallies = fc.array(fc.record({ model: name, wire: name, counts: fc.array(count, { maxLength: 4 }) }));
  fc.assert(
    fc.property(tallies, (all) => {
      const sql = memorySql();
      const keeper = createCountKeeper(sql);
      for (const each of all) keeper.count(each);
      expect(sumsOf(keeper.counted())).toEqual(sumsOf(all));
      expect(createCountKeeper(sql).counted()).toEqual(expect.arrayContaining(keeper.counted()));
      expect(createCountKeeper(sql).counted()).toHaveLength(keeper.counted().length);
    }),
  );
});

describe("caps", () => {
  test("models beyond them are counted as others, and none is lost", () => {
    const keeper = createCountKeeper(memorySql());
    const models = COUNT_LIMITS.groups + 25;
    for (let model = 0; model < models; model += 1) keeper.count(tally(`m${model}`, ["calls", 1]));
    keeper.count(tally("m0", ["calls", 1]));
    const counted = keeper.counted();
    expect(counted).toHaveLength(COUNT_LIMITS.groups + 1);
    expect(counted.find(({ model }) => model === "other")).toEqual(tally("other", ["calls", 25]));
    expect(counted.find(({ model }) => model === "m0")).toEqual(tally("m0", ["calls", 2]));
  });

  test("of a model no more sums than fit into a row are kept, those go on, and it is told how many are lost", () => {
    const sql = memorySql();
    const keeper = createCountKeeper(sql);
    const names = Array.from({ length: COUNT_LIMITS.sums + 10 }, (_, index): [string, string, number] => [
      "toolcall_repairs_total",
      `${index} ${"x".repeat(80)}`,
      1,
    ]);
    keeper.count(tally("a", ...names));
    keeper.count(tally("a", ...names));
    const [counted] = createCountKeeper(sql).counted();
    const lost = { series: "toolcall_lost_counts_total", labels: [], value: 20 };
    expect(counted?.counts).toHaveLength(COUNT_LIMITS.sums + 1);
    expect(counted?.counts.at(-1)).toEqual(lost);
    expect(counted?.counts.slice(0, -1).every(({ value }) => value === 2)).toBe(true);
  });
});
