import { describe, expect, test } from "vitest";
import { ADVERSARIAL } from "../../../bench/adversarial.ts";
import { ADVERSARIAL_OPENERS, adversarialOf } from "../../../bench/adversarial-openers.ts";
import { TOOLS } from "../../../bench/corpora.ts";
import { DIALECTS } from "../../../src/dialects/all.ts";
import { chunksOf } from "../../chunking.ts";
import { LEVELS } from "./case-files.ts";
import { runSieve } from "./run.ts";

/** P5: a character is looked at a bounded number of times, held ones included, however the text is made. */
const LOOKS_PER_CHARACTER = 4;

const tools = [...TOOLS, { name: "ping" }];

const TEXTS = [
  ...ADVERSARIAL.map((text) => ({ ...text, sizes: [20_000, 80_000] })),
  ...ADVERSARIAL_OPENERS.map((text) => ({ ...text, sizes: [40_000] })),
];

for (const { name, make, sizes, calls = 0 } of TEXTS) {
  describe.each(sizes)(`${name}, %i characters`, (size) => {
    const input = make(size);

    test.each(LEVELS)("looks, early emission %s", (level) => {
      for (const text of [[input], chunksOf(input, 64), chunksOf(input, 4)]) {
        const { looks } = runSieve({ text }, { tools, mode: "feature_match", earlyEmit: level });
        expect(looks, `${text.length} chunks`).toBeLessThanOrEqual(LOOKS_PER_CHARACTER * input.length);
      }
    });

    // Where calls that count stand in it, their number is not the point.
    if (calls === "any") return;
    test("nothing is lost, nothing is run", () => {
      for (const text of [[input], chunksOf(input, 4)]) {
        const reply = runSieve({ text }, { tools, mode: "canonical", earlyEmit: "off" });
        expect(reply.calls.length).toBe(calls);
        if (calls === 0) expect(reply.reasoning + reply.text === input, "text and reasoning are the input").toBe(true);
      }
    });
  });
}

describe.each(DIALECTS)("C31: looks at what frames the calls of $id", (dialect) => {
  test.each(adversarialOf(dialect))("$name", ({ make }) => {
    const input = make(15_000);
    for (const earlyEmit of LEVELS) {
      for (const text of [[input], chunksOf(input, 4)]) {
        const { looks } = runSieve({ text }, { tools, dialects: [dialect.id], earlyEmit });
        expect(looks, `early emission ${earlyEmit}`).toBeLessThanOrEqual(LOOKS_PER_CHARACTER * input.length);
      }
    }
  });
});
