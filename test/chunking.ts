import { random } from "./random.ts";

/** One way to cut a text; the name says where, so that a failure can be repeated by hand. */
interface Chunking {
  name: string;
  chunks: string[];
}

/** Cuts that a case itself asks for. */
export interface GivenCuts {
  splits?: readonly number[] | undefined;
  chunks?: readonly string[] | undefined;
}

const SIZES = [1, 2, 3, 4, 5, 7, 16, 64];
/** Up to this length every two-way split is tried, above it as many as this, evenly spread. */
const SPLITS = 400;
const RANDOM_CUTS = 6;

/**
 * Demands one result for every chunking of `text` (sieve.md P1) and returns it.
 * Cuts fall between UTF-16 code units, so surrogate pairs are cut too.
 */
export function forEveryChunking<T>(
  label: string,
  text: string,
  run: (chunks: string[]) => T,
  given: GivenCuts = {},
): T {
  const whole = run([text]);
  const wanted = JSON.stringify(whole);
  for (const { name, chunks } of chunkings(text, given)) {
    const result = run(chunks);
    // Compared as text, because a matcher costs more than the run it judges; the test runner shows the difference.
    if (JSON.stringify(result) !== wanted) {
      const error = new Error(`${label}: ${name} differs from the whole text`);
      throw Object.assign(error, { actual: result, expected: whole, showDiff: true });
    }
  }
  return whole;
}

/** @param splits the most two-way splits that are tried */
export function* chunkings(text: string, given: GivenCuts = {}, splits = SPLITS): Generator<Chunking> {
  for (const size of SIZES) if (size < text.length) yield { name: `chunks of ${size}`, chunks: chunksOf(text, size) };
  for (const at of given.splits ?? []) yield splitAt(text, at);
  if (given.chunks) yield { name: "the chunks of the case", chunks: [...given.chunks] };
  const step = Math.max(1, Math.ceil((text.length - 1) / splits));
  for (let at = 1; at < text.length; at += step) yield splitAt(text, at);
  for (let seed = 1; seed <= RANDOM_CUTS; seed++) {
    yield { name: `random cuts, seed ${seed}`, chunks: randomChunks(text, seed) };
  }
}

export function chunksOf(text: string, size: number): string[] {
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += size) chunks.push(text.slice(at, at + size));
  return chunks;
}

/** Mostly short chunks, as tokens are; some empty, some long. */
export function randomChunks(text: string, seed: number): string[] {
  const next = random(seed);
  const chunks: string[] = [];
  for (let at = 0; at < text.length; ) {
    const size = next() < 0.1 ? Math.floor(next() * 80) : Math.floor(next() * 7);
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}

function splitAt(text: string, at: number): Chunking {
  const [before, after] = [text.slice(0, at), text.slice(at)];
  return {
    name: `cut at ${at}, ${JSON.stringify(before.slice(-12))} | ${JSON.stringify(after.slice(0, 12))}`,
    chunks: [before, after],
  };
}
