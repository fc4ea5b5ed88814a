import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mark } from "../../../src/sieve/notation.ts";
import { TextUntil } from "../../../src/sieve/text-until.ts";
import { Triggers } from "../../../src/sieve/triggers.ts";
import { Text } from "../../../src/sieve/values/sinks.ts";
import { decide, decideAtEnd, holdsLaws, readMark } from "./scan-law.ts";
import { soupOf } from "./values/damage.ts";

const marks = new Triggers(["\nEnd:", "\nStop"].map((spelling) => ({ ...mark(spelling), meaning: true as const })));

function trial() {
  const text = new Text(1_000);
  const scan = new TextUntil(marks, text);
  return { scan, facts: () => ({ text: text.value, ended: scan.ended }) };
}

describe("text up to a mark", () => {
  test.each(["a b|\nEnd:", "|\nStop", "a\n\n|\nend: x", "a\nEn\nd:|\nStop", "a\nEnd\n|\nEnd:"])("%j", (marked) => {
    const { input, taken } = readMark(marked);
    expect(decide(input, trial)).toMatchObject({ decided: true, taken, facts: { text: taken, ended: false } });
  });

  test.each(["", "a", "a\nEn", "a\n"])("or to the end of the reply: %j", (input) => {
    expect(decideAtEnd(input, trial)).toMatchObject({ taken: input, facts: { text: input, ended: true } });
  });
});

test("every chunking and every end", () => {
  const law = fc.property(soupOf(["a", "\n", "E", "End:", "\nEnd", "St", "op", ":"], 8), (text) =>
    holdsLaws(text, trial),
  );
  fc.assert(law, { numRuns: 150 });
});
