import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Mutant } from "../test/node/sieve/mutants.ts";
import { CurrentMutant, type FuzzMessage, type FuzzOrder } from "./fuzz-batches.ts";

/**
 * The mutation test, for as long as wanted: `npm run fuzz -- [count] [seed]`. What breaks a law is printed as a line of
 * `test/cases/dialects.jsonl`, its expectation still to be written.
 */

const DEFAULT_COUNT = 100_000;
const BATCH = 2_000;
/** A mutant is some hundred characters long: what takes so many times longer than usual does not come to an end. */
const PATIENCE_MS = 20_000;

const [count = DEFAULT_COUNT, first = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number);
const batches = Math.ceil(count / BATCH);
let failures = 0;

function report({ input, options }: Mutant, broken: string, seed: number) {
  failures++;
  const line = {
    id: `fuzz/${seed}`,
    dialect: options.dialects?.[0] ?? "canonical",
    mode: options.mode === "canonical" ? "canonical" : options.dialects ? "pinned" : "auto",
    tools: options.tools,
    input,
    expect: {},
    note: `${broken} (early emission ${options.earlyEmit})`,
  };
  console.log(JSON.stringify(line));
}

/** Runs batches until all are done, or until one does not come to an end. @returns the seed to go on with */
async function run(seed: number): Promise<number> {
  const memory = new SharedArrayBuffer(CurrentMutant.BYTES);
  const current = new CurrentMutant(memory);
  const order: FuzzOrder = { seed, batches: first + batches - seed, size: BATCH, memory };
  const worker = new Worker(join(import.meta.dirname, "fuzz-batches.ts"), { workerData: order });
  let at = seed;
  worker.on("message", (message: FuzzMessage) => {
    at = message.seed;
    if (message.tells === "broken") report(message.mutant, message.broken, at);
    else console.error(`${(at - first) * BATCH}, seed ${at}`);
  });
  let seen = current.count;
  const watch = setInterval(() => {
    if (current.count !== seen) seen = current.count;
    else void worker.terminate();
  }, PATIENCE_MS);
  const [code] = await once(worker, "exit");
  clearInterval(watch);
  if (code === 0) return first + batches;
  report(current.get(), "it does not come to an end", at);
  return at + 1;
}

console.error(`${count} mutants, seed ${first}`);
const start = performance.now();
for (let seed = first; seed < first + batches; ) seed = await run(seed);
const seconds = ((performance.now() - start) / 1000).toFixed(0);
console.error(
  `${failures} failures in ${batches} batches; ${seconds} s; again with: npm run fuzz -- ${count} ${first}`,
);
process.exitCode = failures > 0 ? 1 : 0;
