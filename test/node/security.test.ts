import { describe, expect, test } from "vitest";
import security from "../../docs/security.md?raw";

const tests = import.meta.glob<string>("../**/*.test.ts", { query: "?raw", import: "default", eager: true });
const cases = import.meta.glob<string>("../cases/*.jsonl", { query: "?raw", import: "default", eager: true });

/** The names that tests begin with, and the controls that cases are of. */
const shown = new Set([
  ...Object.values(tests)
    .flatMap((source) => [...source.matchAll(/["`](C\d+b?(?:(?:, | to )C\d+b?)*):? [^"`\n]/g)])
    .flatMap(([, names = ""]) => names.split(/, | to /)),
  ...Object.values(cases).flatMap((lines) => [...lines.matchAll(/"control": ?"(C\d+b?)"/g)].map(([, name]) => name)),
]);
const rows = [...security.matchAll(/^\| (C\d+b?) (.*) \|(?: \|)?$/gm)].map(([, name = "", line = ""]) => ({
  name,
  line,
}));

describe("the table of controls", () => {
  test("has them all", () => {
    const numbers = Array.from({ length: 37 }, (_, index) => `C${index + 1}`);
    expect(rows.map(({ name }) => name)).toEqual(numbers.toSpliced(19, 0, "C19b"));
  });

  test.each(rows)("$name has a test under its name, or does not apply", ({ name, line }) => {
    expect(shown.has(name) || line.includes("does not apply")).toBe(true);
    expect(line).not.toMatch(/not yet/i);
  });

  test.each(rows)("$name: the tests that are named are there", ({ line }) => {
    const named = [...line.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, file = ""]) => file);
    // A file stands beside the one before it unless its folder is named.
    const files = Object.keys(tests).map((key) => new URL(key, "file:///test/node/").pathname);
    expect(named.filter((file) => !files.some((path) => path.endsWith(`/${file}`)))).toEqual([]);
  });
});
