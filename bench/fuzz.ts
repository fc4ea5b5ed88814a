import fc from "fast-check";
import { brokenLaw } from "../test/node/sieve/mutant-laws.ts";
import { type Mutant, mutants } from "../test/node/sieve/mutants.ts";

/**
 * The mutation test, for as long as wanted: `npm run fuzz -- [count] [seed]`. What breaks a law is made as short as it
 * can be and printed as a line of `test/cases/dialects.jsonl`, its expectation still to be written.
 */

const DEFAULT_COUNT = 100_000;
/** Of each batch one failure is told: the shortest that was found. */
const BATCH = 2_000;

const [count = DEFAULT_COUNT, first = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number);
const law = fc.property(mutants, (mutant) => brokenLaw(mutant) === undefined);

function asCase({ input, options }: Mutant, broken: string, seed: number): string {
  return JSON.stringify({
    id: `fuzz/${seed}`,
    dialect: options.dialects?.[0] ?? "canonical",
    mode: options.mode === "canonical" ? "canonical" : options.dialects ? "pinned" : "auto",
    tools: options.tools,
    input,
    expect: {},
    note: `${broken} (early emission ${options.earlyEmit})`,
  });
}

console.error(`${count} mutants, seed ${first}`);
const start = performance.now();
let failures = 0;
for (let seed = first, done = 0; done < count; seed++, done += BATCH) {
  // Told before it is run: a text that never comes to an end is known by its seed.
  console.error(`${done}, seed ${seed}`);
  const { counterexample } = fc.check(law, { seed, numRuns: Math.min(BATCH, count - done) });
  if (!counterexample) continue;
  failures++;
  console.log(asCase(counterexample[0], brokenLaw(counterexample[0]) ?? "nothing broken when repeated", seed));
}
const seconds = ((performance.now() - start) / 1000).toFixed(0);
console.error(
  `${failures} of ${Math.ceil(count / BATCH)} batches failed; ${seconds} s; again with: npm run fuzz -- ${count} ${first}`,
);
process.exitCode = failures > 0 ? 1 : 0;
