import { describe, expect, test } from "vitest";
import { type Case, dialects, LEVELS, type Level } from "./case-files.ts";
import { type Outcome, outcomeOf } from "./run.ts";

/** T1, T3: wherever a limit cuts the reply off, no half of a call is a call. */

const PLACES = 60;

describe.each(dialects().filter(({ modes }) => modes.includes("feature_match")))("$id", (given) => {
  test.each(LEVELS)("early emission %s", (level) => {
    const full = cut(given, given.input.length, level);
    const whole = callsOf(full);
    const names = [...whole.map(({ name }) => name), full.open?.name];
    for (const length of placesIn(given.input)) {
      const outcome = cut(given, length, level);
      const calls = callsOf(outcome);
      const label = JSON.stringify(given.input.slice(Math.max(0, length - 20), length));
      expect(calls, label).toEqual(whole.slice(0, calls.length));
      if (outcome.open) expect(outcome.open.name, label).toBe(names[calls.length]);
    }
  });
});

const cut = (given: Case, length: number, earlyEmit: Level) =>
  outcomeOf(
    { text: [given.input.slice(0, length)], upstreamFinish: "length" },
    { ...given.options, mode: "feature_match", earlyEmit },
  );

const callsOf = ({ calls }: Outcome) =>
  calls.map(({ name, arguments: json }) => ({ name, arguments: JSON.parse(json) as unknown }));

/** Evenly spread, and each of the last ones. */
function placesIn(input: string): number[] {
  const step = Math.ceil(input.length / PLACES);
  return [...input].map((_character, at) => at).filter((at) => at % step === 0 || at > input.length - PLACES);
}
