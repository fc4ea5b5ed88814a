import { parentPort, workerData } from "node:worker_threads";
import fc from "fast-check";
import { brokenLaw } from "../test/node/sieve/mutant-laws.ts";
import { type Mutant, mutants } from "../test/node/sieve/mutants.ts";

/** The fuzzer's worker: batch after batch, each with a seed of its own. */

/** What the fuzzer is told. */
export type FuzzMessage =
  | { tells: "begins"; seed: number }
  /** Of each batch one failure is told, made as short as it can be. */
  | { tells: "broken"; seed: number; mutant: Mutant; broken: string };

export interface FuzzOrder {
  seed: number;
  batches: number;
  /** Mutants in each. */
  size: number;
  /** What is being run, so that it is known when it does not come to an end: see `CurrentMutant`. */
  memory: SharedArrayBuffer;
}

/** The mutant that is being run, in memory that two threads share. */
export class CurrentMutant {
  static readonly BYTES = 1 << 20;
  readonly #state: Int32Array;
  readonly #text: Uint8Array;

  constructor(memory: SharedArrayBuffer) {
    this.#state = new Int32Array(memory, 0, 2);
    this.#text = new Uint8Array(memory, 8);
  }

  /** Goes up with each mutant. */
  get count(): number {
    return Atomics.load(this.#state, 0);
  }

  set(mutant: Mutant) {
    const text = new TextEncoder().encode(JSON.stringify(mutant)).subarray(0, this.#text.length);
    this.#text.set(text);
    Atomics.store(this.#state, 1, text.length);
    Atomics.add(this.#state, 0, 1);
  }

  get(): Mutant {
    // A decoder refuses memory that is shared.
    return JSON.parse(new TextDecoder().decode(this.#text.slice(0, Atomics.load(this.#state, 1))));
  }
}

function run({ seed: first, batches, size, memory }: FuzzOrder, tell: (message: FuzzMessage) => void) {
  const current = new CurrentMutant(memory);
  const law = fc.property(mutants, (mutant) => {
    current.set(mutant);
    return brokenLaw(mutant) === undefined;
  });
  for (let seed = first; seed < first + batches; seed++) {
    tell({ tells: "begins", seed });
    const { counterexample } = fc.check(law, { seed, numRuns: size });
    const [mutant] = counterexample ?? [];
    if (mutant) tell({ tells: "broken", seed, mutant, broken: brokenLaw(mutant) ?? "nothing when it is repeated" });
  }
}

if (parentPort) run(workerData, (message) => parentPort?.postMessage(message));
