import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NameAhead } from "../../../src/sieve/name-ahead.ts";
import { mark } from "../../../src/sieve/notation.ts";
import { compileHeads } from "../../../src/sieve/one-of.ts";
import { decide, decideAtEnd, holdsLaws } from "./scan-law.ts";
import { soupOf } from "./values/damage.ts";

const behind = compileHeads([], { peeks: [mark("{"), mark("[ARGS]")] });

function trial() {
  const scan = new NameAhead(behind);
  return { scan, facts: () => ({ name: scan.name, found: scan.found }) };
}

describe("a name and what stands behind it", () => {
  test.each<[what: string, input: string, name: string, found: string | undefined]>([
    ["a brace", "ping{", "ping", "{"],
    ["a brace on the next line", " \nping\n {", "ping", "{"],
    ["a longer mark", "f.g:0[ARGS]", "f.g:0", "[ARGS]"],
    ["another name", "ping is", "ping", undefined],
    ["half a mark and something else", "ping[AR{", "ping", undefined],
    ["no name", "{", "", undefined],
  ])("%s", (_what, input, name, found) => {
    expect(decide(`${input}x`, trial)).toMatchObject({ decided: true, taken: "", facts: { name, found } });
  });

  test.each(["pi", "ping ", "ping[ARG"])("the reply may end in it: %s", (input) => {
    expect(decideAtEnd(input, trial)).toMatchObject({ taken: "", back: input, facts: { found: undefined } });
  });

  test("no more is held than a name and some blanks", () => {
    const { decided, back } = decide(`ping${" ".repeat(1_000)}{`, trial);
    expect(decided).toBe(true);
    expect(back.length).toBeLessThan(600);
  });
});

test("every chunking and every end", () => {
  const law = fc.property(
    soupOf(["a", "_", ":", " ", "\n", "{", "[ARGS]", "[AR", "é", "\ud835", "\udc65"], 8),
    (text) => holdsLaws(text, trial),
  );
  fc.assert(law, { numRuns: 150 });
});
