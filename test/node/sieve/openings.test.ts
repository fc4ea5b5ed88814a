import { describe, expect, test } from "vitest";
import { type Lead, mark, markOf, type Notation, type Opener, type Read, tag } from "../../../src/sieve/notation.ts";
import { compileOpenings } from "../../../src/sieve/openings.ts";

const read: Read = function* () {
  yield* [];
  return "misfit";
};

const body = (...leads: Lead[]) => ({ source: "json" as const, leads, in: () => read });

function notation(id: string, parts: Partial<Notation>): Notation {
  return { id, source: "json", openers: [], closers: [], results: [], ...parts };
}

const spellings = (...notations: Notation[]) => spellingsWhere(new Set(), notations);
const spellingsOfPinned = (...notations: Notation[]) => spellingsWhere(new Set(notations), notations);

function spellingsWhere(pinned: ReadonlySet<Notation>, notations: Notation[]): string[][] {
  const table = compileOpenings({ notations, pinned, strips: [], soleFence: false });
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
    expect(clash).toThrow("two and one begin alike: <á>, followed by name");
  });

  test("cannot join what is told apart", () => {
    const three = [opener("one", ["<a>"], "name"), opener("two", ["<á>"], "name"), opener("three", ["<a>", "<á>"])];
    expect(() => spellings(...three)).toThrow("told apart");
  });
});

test("leads clash in every spelling that they have", () => {
  const clash = () => spellings(opener("one", ["<a>"], markOf(["x", "y"])), opener("two", ["<a>"], mark("y")));
  expect(clash).toThrow("two and one begin alike: <a>, followed by y");
});

test("an opener without leads clashes with its like alone", () => {
  const direct = (id: string) => notation(id, { openers: [{ ...mark("<a>"), evidence: "complete", read }] });
  expect(() => spellings(direct("one"), direct("two"))).toThrow("two and one begin alike: <a>, whatever follows");
  expect(spellings(direct("one"), opener("two", ["<a>"], "name"))).toEqual([["<a>"]]);
});

describe("an opener that begins with a letter (M5)", () => {
  const word = (place: Partial<Opener>) =>
    notation("one", { openers: [{ ...markOf(["✿call", "call"]), evidence: "weak", ...place, read }] });
  const wrapper = notation("two", { wrappers: [{ open: tag("calls"), closes: [] }], bodies: [body("name")] });

  test.each([[word({})], [word({ at: "anywhere" })], [word({ pinned: true })], [wrapper]])(
    "needs a place of its own, in whatever spelling: %#",
    (given) => {
      expect(() => spellings(given) && spellingsOfPinned(given)).toThrow(
        /^(one: call|two: calls) begins with a letter, so it needs `at`$/,
      );
    },
  );

  test.each<Partial<Opener>>([{ at: "line" }, { at: "start" }])("has one: %j", (place) => {
    expect(spellings(word(place))).toEqual([["✿call", "call"]]);
  });

  test("may stand anywhere where its notation is pinned and says so", () => {
    const given = word({ at: "anywhere", pinned: true });
    expect(spellings(given)).toEqual([]);
    expect(spellingsOfPinned(given)).toEqual([["✿call", "call"]]);
  });
});

test("the head of a tag and a mark of the same spelling are two", () => {
  const tagged = notation("two", { openers: [{ ...tag("<a"), evidence: "complete", read }] });
  expect(spellings(opener("one", ["<a"], "name"), tagged)).toEqual([["<a"], ["<a"]]);
});

test("notations may share a wrapper and what stands in it", () => {
  const shared = { wrappers: [{ open: mark("<a>"), closes: [] }], bodies: [body("name")] };
  expect(spellings(notation("one", shared), notation("two", shared))).toEqual([["<a>"]]);
});
