import { describe, expect, test } from "vitest";
import { chunksOf, forEveryChunking } from "../../chunking.ts";
import { ALL_CASES } from "./all-cases.ts";
import type { Case, Level, Mode } from "./case-files.ts";
import { costs, LEVELS } from "./case-files.ts";
import { judge } from "./judge.ts";
import type { Outcome } from "./run.ts";
import { outcomeOf, runSieve } from "./run.ts";

for (const [file, cases] of Object.entries(ALL_CASES)) {
  describe(file, () => {
    for (const given of cases) {
      for (const mode of given.modes) {
        for (const level of LEVELS) {
          test(`${given.id}, ${mode}, early emission ${level}`, () => settle(given, mode, level));
        }
      }
    }
  });
}

describe("cases that grow", () => {
  for (const { id, size, filled, chunk, maxHeld } of costs()) {
    for (const level of LEVELS) {
      test(`${id}, ${size} characters, early emission ${level}`, () => {
        const { input, options } = filled;
        for (const text of [[input], chunksOf(input, chunk)]) {
          const { looks, heldMax, ...outcome } = runSieve(
            { text },
            { ...options, mode: "canonical", earlyEmit: level },
          );
          const { result } = filled.expected("canonical", level);
          if (result) judge(outcome, result, blanksIn(filled, "canonical"));
          expect(looks, "P5").toBeLessThanOrEqual(4 * input.length);
          if (level !== "off") expect(heldMax, "characters held").toBeLessThanOrEqual(maxHeld);
        }
      });
    }
  }
});

/** The case at every chunking, and against early emission off where that may not differ (E1). */
function settle(given: Case, mode: Mode, level: Level) {
  const { input, reasoning = "", cuts } = given;
  const label = `${given.id}, ${mode}, early emission ${level}`;
  const outcome = forEveryChunking(label, input, (text) => reply(given, text, [reasoning], mode, level), cuts);
  if (reasoning !== "") {
    forEveryChunking(`${label}, reasoning`, reasoning, (before) => reply(given, [input], before, mode, level));
  }
  const { result, early } = given.expected(mode, level);
  if (result) judge(outcome, result, blanksIn(given, mode));
  if (early) return;
  const off = reply(given, [input], [reasoning], mode, "off");
  expect(outcome, "E1: a level moves the moment of announcement and nothing else").toEqual(off);
}

const blanksIn = ({ blanks }: Case, mode: Mode) => (typeof blanks === "function" ? blanks(mode) : blanks);

function reply(given: Case, text: string[], reasoning: string[], mode: Mode, earlyEmit: Level): Outcome {
  const { options, upstreamFinish } = given;
  return outcomeOf({ text, reasoning, upstreamFinish }, { ...options, mode, earlyEmit });
}
