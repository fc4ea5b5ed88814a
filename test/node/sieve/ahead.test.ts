import { describe, expect, test } from "vitest";
import { Ahead } from "../../../src/sieve/ahead.ts";
import { readName, readOneOf } from "../../../src/sieve/grammars/tags.ts";
import { mark } from "../../../src/sieve/notation.ts";
import { compileHeads } from "../../../src/sieve/one-of.ts";
import { decide, decideAtEnd, holdsLaws, type Trial } from "./scan-law.ts";

const open = compileHeads([mark("(")]);

/** Looks at `name(`. */
function* call() {
  const { name } = yield* readName();
  return name !== "" && (yield* readOneOf(open)).found !== undefined;
}

const ahead = (): Trial<boolean | undefined> => {
  const scan = new Ahead(call());
  return { scan, facts: () => scan.result };
};

describe("Ahead", () => {
  test.each<[what: string, read: string, found: boolean]>([
    ["what it looks for", " get_time (", true],
    ["something else behind the name", "get_time{", false],
    ["no name", "<", false],
    ["a name in another script", "погода(", true],
  ])("finds %s and gives all of it back", (_what, read, found) => {
    expect(decide(`${read} x`, ahead)).toMatchObject({ decided: true, taken: "", back: read, facts: found });
    holdsLaws(`${read} x`, ahead);
  });

  test("at the end of the reply the part decides with what it has", () => {
    expect(decideAtEnd("get_ti", ahead)).toMatchObject({ taken: "", back: "get_ti", facts: false });
  });

  test("so much is looked at, and no more", () => {
    const { back, facts } = decide(" ".repeat(600), ahead);
    expect({ length: back.length, facts }).toEqual({ length: 512, facts: undefined });
  });
});
