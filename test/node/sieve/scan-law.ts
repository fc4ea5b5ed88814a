import type { Scan } from "../../../src/sieve/scan.ts";
import { chunksOf, forEveryChunking } from "../../chunking.ts";

/** Above this length not every split is tried. */
const LONG = 2_000;

/** A scan that has just begun, and what is to be known of it when it has decided. */
export interface Trial<Facts> {
  scan: Scan;
  facts(): Facts;
}

export interface Decision<Facts> {
  /** False when all was eaten and more is needed. */
  decided: boolean;
  /** What was eaten and does not go back: scanning goes on behind it. */
  taken: string;
  back: string;
  facts: Facts;
}

type Begin<Facts> = () => Trial<Facts>;

/**
 * The decision of a scan on a text, with more to come behind it. Demands the laws of scans: the same decision at every
 * chunking, everything eaten until then, and nothing given back but the end of what was eaten.
 */
export function decide<Facts>(input: string, begin: Begin<Facts>): Decision<Facts> {
  return forEachWay(label(input), input, (chunks) => feed(begin(), chunks, false));
}

/** The same where the reply ends behind the text. */
export function decideAtEnd<Facts>(input: string, begin: Begin<Facts>): Decision<Facts> {
  return forEachWay(`${label(input)} and the end`, input, (chunks) => feed(begin(), chunks, true));
}

/** Demands the laws for the text, and for a reply that ends at any place of it. */
export function holdsLaws(input: string, begin: Begin<unknown>) {
  decide(input, begin);
  for (let length = 0; length <= input.length; length++) {
    const cut = input.slice(0, length);
    inChunksOf([1, 3], `${label(cut)} and the end`, cut, (chunks) => feed(begin(), chunks, true));
  }
}

/** `taken|rest`: where a scan is to go on in the text; without a mark it is to need more. */
export function readMark(marked: string): { input: string; decided: boolean; taken: string } {
  const [taken = "", rest] = marked.split("|");
  return { input: taken + (rest ?? ""), decided: rest !== undefined, taken };
}

type Run<T> = (chunks: readonly string[]) => T;

function forEachWay<T>(name: string, input: string, run: Run<T>): T {
  return input.length > LONG ? inChunksOf([1, 4_096], name, input, run) : forEveryChunking(name, input, run);
}

function inChunksOf<T>(sizes: readonly number[], name: string, input: string, run: Run<T>): T {
  const whole = run([input]);
  for (const size of sizes) {
    const result = run(chunksOf(input, size));
    if (JSON.stringify(result) === JSON.stringify(whole)) continue;
    const error = new Error(`${name}: chunks of ${size} differ from the whole text`);
    throw Object.assign(error, { actual: result, expected: whole, showDiff: true });
  }
  return whole;
}

function feed<Facts>({ scan, facts }: Trial<Facts>, chunks: readonly string[], ends: boolean): Decision<Facts> {
  let eaten = "";
  for (const chunk of chunks) {
    if (scan.done) break;
    // What stands before its place in the chunk is none of its business.
    const to = scan.eat(`<${chunk}`, 1);
    eaten += chunk.slice(0, to - 1);
    if (!scan.done && to <= chunk.length) throw new Error(`undecided, and not all was eaten: ${chunk.slice(to - 1)}`);
  }
  if (ends && !scan.done) scan.finish();
  const { back, done, again } = scan;
  if (!eaten.endsWith(back)) throw new Error(`goes back, and was never eaten: ${back}`);
  if (again > 2 * eaten.length) throw new Error(`looked again ${again} times at ${eaten.length} characters`);
  return { decided: done, taken: eaten.slice(0, eaten.length - back.length), back, facts: facts() };
}

const label = (input: string) => JSON.stringify(input.length > 80 ? `${input.slice(0, 80)}…` : input);
