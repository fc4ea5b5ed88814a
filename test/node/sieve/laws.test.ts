import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TOOLS, writeFile } from "../../../bench/corpora.ts";
import { parseToolCallsDetailed } from "../../../src/sieve/index.ts";
import { chunksOf, randomChunks } from "../../chunking.ts";
import { LEVELS } from "./case-files.ts";
import { isPartOf } from "./conservation.ts";
import { vanishes } from "./mutant-laws.ts";
import type { Outcome } from "./run.ts";
import { outcomeOf, runSieve } from "./run.ts";
import { modelText, options } from "./soup.ts";

/** The laws P of sieve.md on generated texts. P4 and P6, and the event grammar, are asserted by every run. */

const RUNS = 400;
const level = fc.constantFrom(...LEVELS);
const finish = fc.constantFrom("stop" as const, "length" as const);

test("P1, P4, P6: every chunking gives the same reply", () => {
  const law = fc.property(
    modelText,
    options,
    level,
    finish,
    fc.nat(),
    (input, chosen, earlyEmit, upstreamFinish, seed) => {
      const reply = (text: string[]) => outcomeOf({ text, upstreamFinish }, { ...chosen, earlyEmit });
      const whole = reply([input]);
      expect(reply(chunksOf(input, 1)), "one character a chunk").toEqual(whole);
      expect(reply(randomChunks(input, seed)), `random cuts, seed ${seed}`).toEqual(whole);
    },
  );
  fc.assert(law, { numRuns: RUNS });
});

test("P1: every two-way split gives the same reply", () => {
  const law = fc.property(modelText, options, level, (input, chosen, earlyEmit) => {
    const reply = (text: string[]) => outcomeOf({ text }, { ...chosen, earlyEmit });
    const whole = JSON.stringify(reply([input]));
    for (let at = 1; at < input.length; at++) {
      expect(JSON.stringify(reply([input.slice(0, at), input.slice(at)])), `cut at ${at}`).toBe(whole);
    }
  });
  fc.assert(law, { numRuns: RUNS / 8 });
});

test("P1: reasoning of a field of its own may be cut anywhere too", () => {
  const law = fc.property(modelText, modelText, options, level, fc.nat(), (before, input, chosen, earlyEmit, seed) => {
    const reply = (reasoning: string[], text: string[]) => outcomeOf({ reasoning, text }, { ...chosen, earlyEmit });
    const whole = reply([before], [input]);
    expect(reply(randomChunks(before, seed), randomChunks(input, seed + 1)), `seed ${seed}`).toEqual(whole);
  });
  fc.assert(law, { numRuns: RUNS / 2 });
});

test("P2: what goes out is what came in, less what was consumed", () => {
  const law = fc.property(modelText, options, level, (input, chosen, earlyEmit) => {
    const { text, reasoning, calls, open, report } = outcomeOf({ text: [input] }, { ...chosen, earlyEmit });
    expect(isPartOf(text, input), "text is left of the input").toBe(true);
    expect(isPartOf(reasoning, input), "reasoning is left of the input").toBe(true);
    const consumes = calls.length > 0 || open || report.ended || vanishes(input) || chosen.startsInReasoning;
    if (!consumes && chosen.malformed !== "drop") expect(text).toBe(input);
  });
  fc.assert(law, { numRuns: RUNS });
});

test("P5: looks are bounded by the length", () => {
  const law = fc.property(
    modelText,
    options,
    level,
    fc.integer({ min: 1, max: 8 }),
    (input, chosen, earlyEmit, size) => {
      const long = input.repeat(8);
      const { looks } = runSieve({ text: chunksOf(long, size) }, { ...chosen, earlyEmit });
      expect(looks).toBeLessThanOrEqual(4 * long.length);
    },
  );
  fc.assert(law, { numRuns: RUNS });
});

test("P8: parseToolCallsDetailed is the fold of the stream with early emission off", () => {
  const law = fc.property(modelText, options, (input, chosen) => {
    const { calls, text, reasoning, report } = outcomeOf({ text: [input] }, { ...chosen, earlyEmit: "off" });
    const detailed = parseToolCallsDetailed(input, chosen);
    expect(detailed.calls).toEqual(calls.map(({ name, arguments: json }) => ({ name, input: JSON.parse(json) })));
    const { sawToolCallSyntax, blocks } = report;
    expect(detailed).toMatchObject({ text, reasoning, sawToolCallSyntax, blocks });
  });
  fc.assert(law, { numRuns: RUNS });
});

describe("E1: early emission differs from none only where an announced call broke", () => {
  test.each(["high", "low"] as const)("%s", (earlyEmit) => {
    const law = fc.property(modelText, options, finish, (input, chosen, upstreamFinish) => {
      // A dropped block would hide where the two part.
      const shown = { ...chosen, malformed: "text" as const };
      const early = outcomeOf({ text: [input], upstreamFinish }, { ...shown, earlyEmit });
      const settled = outcomeOf({ text: [input], upstreamFinish }, { ...shown, earlyEmit: "off" });
      const broke = callThatOnlyCameEarly(early, settled);
      if (!broke) expect(early).toEqual(settled);
    });
    fc.assert(law, { numRuns: RUNS });
  });
});

test("a streamed argument is not held", () => {
  const sizes = [250_000, 1_000_000].map((size) => {
    const input = writeFile(size);
    const { calls, heldMax } = runSieve({ text: chunksOf(input, 7) }, { tools: TOOLS, mode: "feature_match" });
    expect(JSON.parse(calls[0]?.arguments ?? "{}").content.length).toBe(size);
    return heldMax;
  });
  expect(Math.max(...sizes)).toBeLessThan(1024);
});

/** The first event in which the two differ, where it is a call of `early` that is not one of `settled`. */
function callThatOnlyCameEarly(early: Outcome, settled: Outcome) {
  const differs = early.events.findIndex((event, at) => JSON.stringify(event) !== JSON.stringify(settled.events[at]));
  const event = early.events[differs];
  const other = settled.events[differs];
  if (event?.type === "call") return event;
  // Text that goes on where the call broke: up to it both are the same, blanks apart, which a call behind them drops.
  const next = early.events[differs + 1];
  const samePrefix = event && other?.type === event.type && other.text.startsWith(event.text.trimEnd());
  return samePrefix && (next === undefined || next.type === "call") ? next : undefined;
}
