import { describe, expect, test } from "vitest";
import { SIEVE_LIMITS } from "../../../src/limits.ts";
import { ElementTag } from "../../../src/sieve/element-tag.ts";
import { LONGEST_NAME } from "../../../src/sieve/name-scan.ts";
import { decide, decideAtEnd, holdsLaws, readMark } from "./scan-law.ts";

const trial =
  (accepted?: readonly string[], begun = false) =>
  () => {
    const scan = new ElementTag((name) => accepted?.includes(name) ?? true, { begun });
    const facts = () => ({ ok: scan.ok, name: scan.name, closes: scan.closes, empty: scan.rest.selfClosing });
    return { scan, facts };
  };

describe("a tag", () => {
  test.each([
    ["an opening one", "<path>|x", { name: "path", closes: false, empty: false }],
    ["a closing one", "</path >|x", { name: "path", closes: true, empty: false }],
    ["an empty one", "<path/>|x", { name: "path", closes: false, empty: true }],
    ["blanks before it", " \r\n\t<path>|", { name: "path", closes: false, empty: false }],
    ["attributes", '<path a="/>" b>|', { name: "path", closes: false, empty: false }],
    [
      "any script, and the other characters of names",
      "<ключ_1.a-b:c$𝒳>|",
      { name: "ключ_1.a-b:c$𝒳", closes: false, empty: false },
    ],
  ])("%s", (_what, marked, facts) => {
    const { input, taken } = readMark(marked);
    const decision = decide(input, trial());
    expect(decision).toMatchObject({ decided: true, taken, facts: { ok: true, ...facts } });
    holdsLaws(input, trial());
  });

  test("its name is as it is written", () => {
    expect(decide("<Path>", trial()).facts.name).toBe("Path");
  });

  test("begun already", () => {
    expect(decide("path>x", trial(undefined, true))).toMatchObject({
      taken: "path>",
      facts: { ok: true, name: "path" },
    });
    holdsLaws(" path>", trial(undefined, true));
  });
});

describe("what is none goes back, but for the blanks before it", () => {
  test.each([
    ["text", "|x"],
    ["a lone angle bracket", "  |< x"],
    ["no name", "|<>"],
    ["half a name", "|<a<b>"],
    ["a second slash", "|<//a>"],
    ["a comment", "\n|<!-- a -->"],
    ["half a tag", "|<a b<c>"],
    ["half a surrogate pair", "|<a\ud835>"],
    ["another name", "|<other>", ["path"]],
    ["a longer name", "|<pathway>", ["path"]],
  ] as const)("%s", (_what, marked, accepted?: readonly string[]) => {
    const { input, taken } = readMark(marked);
    expect(decide(input, trial(accepted))).toMatchObject({ decided: true, taken, facts: { ok: false } });
    holdsLaws(input, trial(accepted));
  });

  test("begun already, the angle bracket does not", () => {
    expect(decide(" x", trial(undefined, true))).toMatchObject({ taken: "", back: " " });
  });
});

describe("caps", () => {
  test("a name", () => {
    expect(decide(`<${"n".repeat(LONGEST_NAME)}>`, trial()).facts.ok).toBe(true);
    expect(decide(`<${"n".repeat(LONGEST_NAME + 1)}>`, trial()).facts.ok).toBe(false);
  });

  test("a tag", () => {
    expect(decide(`<a ${"b".repeat(SIEVE_LIMITS.tag)}>`, trial()).facts.ok).toBe(false);
  });

  test("blanks: at the cap scanning goes on behind what was read", () => {
    const blanks = " ".repeat(SIEVE_LIMITS.between + 1);
    expect(decide(`${blanks}<a>`, trial())).toMatchObject({ taken: blanks, back: "", facts: { ok: false } });
  });
});

test("the end of the reply", () => {
  for (const cut of ["", " ", "<", "<a", "<a b"]) {
    expect(decideAtEnd(cut, trial())).toMatchObject({ decided: true, taken: cut, facts: { ok: false } });
  }
});
