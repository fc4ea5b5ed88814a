import { chunksOf } from "../test/chunking.ts";
import { flat } from "./corpora.ts";

/** Eats chunks and returns a number that depends on each, so that no work can be optimised away. */
export type Consumer<Chunk> = (chunks: readonly Chunk[]) => number;

const RUNS = 5;
/** A run shorter than this says more about the clock than about the code. */
const MIN_RUN_MS = 4;
/** One longer than this is its own best: what disturbs it is little beside it. */
const LONG_RUN_MS = 250;
/** Warm-up: enough for the optimising compiler to have seen the code. */
const WARM_UP_MS = 25;

/**
 * Milliseconds of the processor's time. A clock tells what others do on a busy machine, and the longer of two runs
 * suffers more of that, so that all seems to grow faster than it does.
 */
function now(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

let sum = 0;

/** Printed at the end, so that everything measured has an effect. */
export const checksum = () => sum;

/** Nanoseconds for one pass over the chunks: the best of the runs, since all that disturbs a run makes it longer. */
export function nanoseconds<Chunk>(consume: Consumer<Chunk>, chunks: readonly Chunk[]): number {
  let passes = 0;
  const start = now();
  do {
    sum += consume(chunks);
    passes++;
  } while (now() - start < WARM_UP_MS);
  const perPass = (now() - start) / passes;
  const repeats = Math.max(1, Math.ceil(MIN_RUN_MS / perPass));
  const runs = perPass > LONG_RUN_MS ? 1 : RUNS;
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) best = Math.min(best, time(consume, chunks, repeats));
  return best * 1e6;
}

/** Milliseconds of one pass, averaged over a few. */
function time<Chunk>(consume: Consumer<Chunk>, chunks: readonly Chunk[], repeats: number): number {
  const start = now();
  for (let i = 0; i < repeats; i++) sum += consume(chunks);
  return (now() - start) / repeats;
}

/** Chunk sizes in characters; the last is the whole text. */
export const SIZES = [1, 4, 64, Number.POSITIVE_INFINITY] as const;

export const sizeName = (size: number) => (Number.isFinite(size) ? `${size}` : "whole");

/** Made before the clock starts, and each a string of its own: a slice of the whole text costs more to read. */
export const cut = (text: string, size: number): string[] =>
  Number.isFinite(size) ? chunksOf(text, size).map(flat) : [text];

/** Above this a second look is worth its time. */
const SUSPICIOUS = 1.2;
const LOOKS = 3;

/**
 * How the time grows with the length: 1 is linear, 2 is quadratic. What looks superlinear is measured again and the best
 * times are kept, since a disturbance of the longer run looks the same.
 */
export function growth(consume: Consumer<string>, shorter: readonly string[], longer: readonly string[]): number {
  const factor = length(longer) / length(shorter);
  let short = Number.POSITIVE_INFINITY;
  let long = Number.POSITIVE_INFINITY;
  let exponent = Number.POSITIVE_INFINITY;
  for (let look = 0; look < LOOKS && exponent > SUSPICIOUS; look++) {
    short = Math.min(short, nanoseconds(consume, shorter));
    long = Math.min(long, nanoseconds(consume, longer));
    exponent = Math.log(long / short) / Math.log(factor);
  }
  return exponent;
}

/** Growth from n to 4n characters, for each chunk size. */
export function exponents(
  consume: Consumer<string>,
  make: (times: number) => string,
  sizes: readonly number[] = SIZES,
): number[] {
  const [short, long] = [make(1), make(4)];
  return sizes.map((size) => growth(consume, cut(short, size), cut(long, size)));
}

/** Of one pass; what takes longer is not asked for more. */
const BUDGET_MS = 500;

/** One way up through the sizes of a text. */
export interface Climb {
  /** Nanoseconds of a pass at each size; what lies above the budget was not measured. */
  times: number[];
  /** Nanoseconds per character at the largest size that was measured. */
  perCharacter: number;
  /** Between the two largest sizes that were measured, if there are two. */
  exponent: number | undefined;
  /** Characters of the largest text that was measured, where a larger one would have taken too long. */
  stoppedAt: number | undefined;
}

/** For what may be quadratic: from the smallest size up, as long as a pass keeps within the budget. */
export function climb(consume: Consumer<string>, texts: readonly string[], size: number): Climb {
  const times: number[] = [];
  for (const text of texts) {
    times.push(nanoseconds(consume, cut(text, size)));
    if ((times.at(-1) ?? 0) > BUDGET_MS * 1e6) break;
  }
  const steps = times.map((time, index) => ({ text: texts[index] ?? "", time }));
  const [short, long] = [steps.at(-2), steps.at(-1)];
  const stopped = times.length < texts.length;
  return {
    times,
    perCharacter: (long?.time ?? 0) / (long?.text.length ?? 1),
    exponent: short && long ? exponentOf(consume, short, long, size) : undefined,
    stoppedAt: stopped ? long?.text.length : undefined,
  };
}

interface Step {
  text: string;
  time: number;
}

function exponentOf(consume: Consumer<string>, short: Step, long: Step, size: number): number {
  // Long runs are far above whatever disturbs them.
  if (long.time < LONG_RUN_MS * 1e6) return growth(consume, cut(short.text, size), cut(long.text, size));
  return Math.log(long.time / short.time) / Math.log(long.text.length / short.text.length);
}

const length = (chunks: readonly string[]) => chunks.reduce((sum, chunk) => sum + chunk.length, 0);

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

/** Three digits at most: more would be noise. */
export const round = (value: number) => (value >= 99.5 ? value.toFixed(0) : value.toPrecision(2));
