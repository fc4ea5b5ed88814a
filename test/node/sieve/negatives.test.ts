import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../../src/dialects/all.ts";
import { parseToolCalls } from "../../../src/sieve/index.ts";
import { chunkings } from "../../chunking.ts";
import { LEVELS, MODES } from "./case-files.ts";
import { NEGATIVES, TOOLS as tools } from "./negative-files.ts";
import { NOTATIONS } from "./notations.ts";
import { runSieve, type SieveOptions } from "./run.ts";

/**
 * Texts without a call come out byte for byte, in every mode, at every level, however they are cut. Each names the rule
 * that keeps it text.
 */

/** Up to this length every two-way split is tried, of a longer text as many as `FEW`. */
const SHORT = 160;
const FEW = 24;

/** Where a call may not stand; the fence is longer than one that an example may hold itself. */
const DISGUISES: Record<string, (example: string) => string> = {
  "in a fence": (example) => `So:\n\n\`\`\`\`xml\n${example}\n\`\`\`\`\n\nThat is all.`,
  "in a fence of tildes": (example) => `~~~\n${example}\n~~~\nThat is all.`,
  "in a fence that does not close": (example) => `So:\n\`\`\`\`\n${example}\nand so on`,
  "in a fence in a block quote": (example) => `${prefixed("> ", `\`\`\`\`\n${example}\n\`\`\`\``)}\nThat is all.`,
  "in a fence in a list item": (example) =>
    `- So:\n${prefixed("  ", `\`\`\`\`\n${example}\n\`\`\`\``)}\n- That is all.`,
  // On one line, as models write it: what ends before the line does not stand before the end of its span (A2).
  "in a code span": (example) => `Write \`\`${example.replaceAll("\n", " ")}\`\` and stop.`,
};

const prefixed = (prefix: string, lines: string) => lines.replace(/^/gm, prefix);

for (const [file, negatives] of Object.entries(NEGATIVES)) {
  describe(file, () => {
    test.each(negatives)("$name", ({ why, text }) => {
      expect(why, "the rule that keeps it text").toMatch(/^[A-Z]\d+: \S/);
      expectText(text, text.length <= SHORT ? text.length : FEW);
    });

    test("every name stands once", () => {
      const names = negatives.map(({ name }) => name);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    });
  });
}

describe("notations.txt", () => {
  describe.each(Object.entries(DISGUISES))("%s (A1, A2)", (_, disguise) => {
    test.each(NOTATIONS)("$dialect: $example", ({ example }) => expectText(disguise(example), FEW));
  });

  describe("bare and not pinned (M5)", () => {
    const low = NOTATIONS.filter(({ pinned }) => pinned);
    test.each(low)("$dialect: $example", ({ example }) => expectText(example, FEW));
  });

  test("every notation that is read has an example", () => {
    const shown = new Set(NOTATIONS.map(({ dialect }) => dialect));
    const missing = DIALECTS.filter(({ id, aliases = [] }) => ![id, ...aliases].some((name) => shown.has(name)));
    const ids = missing.map(({ id }) => id);
    const form = "behind `§ <id>`, or `§ <id> pinned` where only a pin makes it a call";
    expect(ids, `add an example to test/cases/negatives/notations.txt, ${form}`).toEqual([]);
  });

  // Else a typing error in an example would pass for a negative.
  describe("each is a call where it stands alone and its notation is known", () => {
    const known = NOTATIONS.flatMap(({ dialect, ...rest }) => {
      const id = DIALECTS.find((each) => each.id === dialect || each.aliases?.includes(dialect))?.id;
      return id === undefined ? [] : [{ id, ...rest }];
    });
    test.each(known)("$id: $example", ({ id, pinned, example }) => {
      const calls = parseToolCalls(example, { tools, ...(pinned && { dialects: [id] }) });
      const hint = "a call of a tool that this file declares; `pinned` in notations.txt where only a pin makes it one";
      expect(calls.length, hint).toBeGreaterThan(0);
    });
  });
});

function expectText(text: string, splits: number) {
  for (const mode of MODES) {
    for (const earlyEmit of LEVELS) {
      const where = `${mode}, early emission ${earlyEmit}`;
      expectTextOf([text], { tools, mode, earlyEmit }, `${where}, whole`);
      for (const { name, chunks } of chunkings(text, {}, splits)) {
        expectTextOf(chunks, { tools, mode, earlyEmit }, `${where}, ${name}`);
      }
    }
  }
}

/** Compared by hand first, because a matcher costs more than the run it judges. */
function expectTextOf(chunks: string[], options: SieveOptions, where: string) {
  const { text, events } = runSieve({ text: chunks }, options);
  const wanted = chunks.join("");
  const asText = events.length === 0 || (events.length === 1 && events[0]?.type === "text");
  if (!asText || text !== wanted) expect(events, where).toEqual([{ type: "text", text: wanted }]);
}
