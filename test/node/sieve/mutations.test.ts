import fc from "fast-check";
import { expect, test } from "vitest";
import { brokenLaw } from "./mutant-laws.ts";
import { mutants } from "./mutants.ts";
import { runSieve } from "./run.ts";

/** The same, a hundred thousand times and more: `npm run fuzz`. */
const RUNS = 2_000;

test("no mutation of a valid block breaks a law", () => {
  const law = fc.property(mutants, (mutant) => {
    expect(brokenLaw(mutant)).toBeUndefined();
  });
  fc.assert(law, { numRuns: RUNS });
});

test("mutants are neither always calls nor never", () => {
  const sample = fc.sample(mutants, { numRuns: 400, seed: 1 });
  const outcomes = sample.map(({ input, options }) => runSieve({ text: [input] }, options));
  const share = (holds: (outcome: (typeof outcomes)[number]) => boolean) =>
    outcomes.filter(holds).length / sample.length;
  expect(
    share(({ calls }) => calls.length > 0),
    "with a call",
  ).toBeGreaterThan(0.3);
  expect(
    share(({ calls }) => calls.length === 0),
    "without a call",
  ).toBeGreaterThan(0.2);
  expect(
    share(({ open }) => open !== undefined),
    "with a call that stays open",
  ).toBeGreaterThan(0.03);
  expect(
    share(({ report }) => report.blocks.some(({ outcome }) => outcome === "malformed")),
    "malformed",
  ).toBeGreaterThan(0.03);
  expect(
    share(({ report }) => report.blocks.some(({ repairs }) => repairs.length > 0)),
    "mended",
  ).toBeGreaterThan(0.01);
});
