import { expect, test } from "vitest";
import { DIALECTS } from "../../../src/dialects/all.ts";
import { dialects } from "../sieve/case-files.ts";

test("every notation has a case", () => {
  const labels = new Set(dialects().map(({ dialect }) => dialect));
  const missing = DIALECTS.filter(({ id, aliases = [] }) => ![id, ...aliases].some((name) => labels.has(name)));
  const ids = missing.map(({ id }) => id);
  expect(ids, "add a line with this `dialect` to test/cases/dialects.jsonl").toEqual([]);
});

test.each([
  [{ dialect: "hermes", mode: "feature_match" }, "x: its mode is one of canonical, auto, pinned, not feature_match"],
  [{ dialect: "hermes" }, "x: its mode is one of canonical, auto, pinned, not undefined"],
  [{ dialect: "hermse", mode: "auto" }, "x: no notation is called hermse"],
])("a slip in the labels of a case is told: %j", (labels, message) => {
  const line = JSON.stringify({ id: "x", ...labels, tools: [], input: "", expect: { calls: [] } });
  expect(() => dialects(line)).toThrow(`test/cases/dialects.jsonl, ${message}`);
});
