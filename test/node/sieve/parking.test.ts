import { describe, expect, test } from "vitest";
import { SIEVE_LIMITS } from "../../../src/limits.ts";
import type { StageEvent } from "../../../src/reply.ts";
import type { Block } from "../../../src/sieve/block.ts";
import { Parking } from "../../../src/sieve/parking.ts";
import { Tally } from "../../../src/sieve/report.ts";

/** A block of one call that stands; announced, it says its name. */
function blockOf(name: string, raw: string, tally: Tally, emit: (event: StageEvent) => void) {
  return {
    calls: 1,
    raw: { text: raw, size: raw.length },
    announce: () => emit({ type: "call-start", name }),
    settled: () =>
      tally.settled({ source: "canonical", dialect: "test", outcome: "call", calls: 1, dropped: 0, repairs: [] }),
  } as unknown as Block;
}

/** `(text)` is reasoning, `[name]` a call found in it. */
function park(...steps: (string | "outside" | "end")[]) {
  const tally = new Tally();
  const out: string[] = [];
  const emit = (event: StageEvent) => {
    if (event.type === "reasoning") out.push(`(${event.text})`);
    if (event.type === "call-start") out.push(event.name);
  };
  const parking = new Parking(tally, emit);
  for (const step of steps) {
    if (step === "outside") parking.outside();
    else if (step === "end") parking.end();
    else if (step.startsWith("[")) parking.call(blockOf(step.slice(1, -1), step, tally, emit));
    else parking.reasoning(step.slice(1, -1));
  }
  return { out: out.join("").replaceAll(")(", ""), held: parking.held, tally };
}

describe("calls found in reasoning (sieve.md A4)", () => {
  test.each<[rule: string, steps: string[], out: string]>([
    ["reasoning goes out at once", ["(a)", "(b)"], "(ab)"],
    ["a call waits, and the reasoning behind it", ["(a)", "[x]", "(b)"], "(a)"],
    ["something visible outside: it was only thought of", ["(a)", "[x]", "(b)", "outside"], "(a[x]b)"],
    ["after that reasoning goes out at once again", ["[x]", "outside", "(b)"], "([x]b)"],
    ["the end of the reply: it is the call, behind the reasoning", ["(a)", "[x]", "(b)", "end"], "(ab)x"],
    ["several calls, in order", ["[x]", "(a)", "[y]", "(b)", "end"], "(ab)xy"],
    ["several calls that were only thought of", ["[x]", "(a)", "[y]", "outside", "end"], "([x]a[y])"],
    ["a call behind one that was only thought of", ["[x]", "outside", "[y]", "end"], "([x])y"],
    ["nothing parked", ["outside", "end"], ""],
  ])("%s", (_rule, steps, out) => {
    expect(park(...steps).out).toBe(out);
  });

  test("what is parked is counted, and forgotten when it goes out", () => {
    expect(park("[x]", "(abc)")).toMatchObject({ held: 6, tally: { parked: 1, blocks: [] } });
    expect(park("[x]", "(abc)", "outside")).toMatchObject({ held: 0, tally: { parked: 0, blocks: [] } });
    expect(park("[x]", "(abc)", "end")).toMatchObject({ held: 0, tally: { parked: 0, blocks: [{ outcome: "call" }] } });
  });

  test("so much is parked, then all of it is reasoning", () => {
    const rest = (size: number) => `(${"r".repeat(size - "[x]".length)})`;
    const { parked: cap } = SIEVE_LIMITS;
    expect(park("[x]", rest(cap), "end").out).toBe(`${rest(cap)}x`);
    expect(park("[x]", rest(cap + 1), "end").out).toBe(`([x]${rest(cap + 1).slice(1)}`);
  });
});
