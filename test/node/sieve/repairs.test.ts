import { expect, test } from "vitest";
import rules from "../../../docs/sieve.md?raw";
import { REPAIRS } from "../../../src/sieve/repairs.ts";

test("the list of repairs is closed: sieve.md T4 tells each of them, and no other", () => {
  const [, list = ""] = rules.split(/\| repair +\| what it mends +\|/);
  const told = [...(list.split("\n\n")[0] ?? "").matchAll(/^\s*\| `([a-z-]+)`/gm)].map(([, name]) => name);
  expect(told.toSorted()).toEqual([...REPAIRS].toSorted());
});
