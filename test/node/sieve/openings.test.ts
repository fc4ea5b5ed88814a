import { describe, expect, test } from "vitest";
import { type Lead, mark, markOf, type Notation, type Read, tag } from "../../../src/sieve/notation.ts";
import { compileOpenings } from "../../../src/sieve/openings.ts";

const read: Read = function* () {
  yield* [];
  return "misfit";
};

const body = (...leads: Lead[]) => ({ source: "json" as const, leads, in: () => read });

function notation(id: string, parts: Partial<Notation>): Notation {
  return { id, source: "json", openers: [], closers: [], results: [], ...parts };
}

function spellings(...notations: Notation[]): string[][] {
  const table = compileOpenings({ notations, pinned: new Set(), strips: [], soleFence: false });
  return [...table.in("text")].map(([{ spelling, also = [] }]) => [spelling, ...also]);
}

const opener = (id: string, all: string[], ...leads: Lead[]) =>
  notation(id, { openers: [{ ...markOf(all), evidence: "complete", leads, read }] });

describe("marks that are spelled in several ways", () => {
  test("are one mark with all their spellings", () => {
    expect(spellings(opener("one", ["<a>", "<á>"], "name"))).toEqual([["<a>", "<á>"]]);
  });

  test("are the same as one that shares a spelling, in whatever case", () => {
    const one = opener("one", ["<a>", "<á>"], "name");
    expect(spellings(one, opener("two", ["<A>"], mark("{")))).toEqual([["<a>", "<á>"]]);
    expect(spellings(opener("two", ["<á>"], mark("{")), one)).toEqual([["<á>", "<a>"]]);
  });

  test("clash where the lead is the same, too", () => {
    const clash = () => spellings(opener("one", ["<a>", "<á>"], "name"), opener("two", ["<á>"], "name"));
    expect(clash).toThrow("two and one begin alike");
  });

  test("cannot join what is told apart", () => {
    const three = [opener("one", ["<a>"], "name"), opener("two", ["<á>"], "name"), opener("three", ["<a>", "<á>"])];
    expect(() => spellings(...three)).toThrow("told apart");
  });
});

test("leads clash in every spelling that they have", () => {
  const clash = () => spellings(opener("one", ["<a>"], markOf(["x", "y"])), opener("two", ["<a>"], mark("y")));
  expect(clash).toThrow("begin alike");
});

test("the head of a tag and a mark of the same spelling are two", () => {
  const tagged = notation("two", { openers: [{ ...tag("<a"), evidence: "complete", read }] });
  expect(spellings(opener("one", ["<a"], "name"), tagged)).toEqual([["<a"], ["<a"]]);
});

test("notations may share a wrapper and what stands in it", () => {
  const shared = { wrappers: [{ open: mark("<a>"), closes: [] }], bodies: [body("name")] };
  expect(spellings(notation("one", shared), notation("two", shared))).toEqual([["<a>"]]);
});
