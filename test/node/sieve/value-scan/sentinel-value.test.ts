import { describe, expect, test } from "vitest";
import { compileWords } from "../../../../src/sieve/matcher.ts";
import { SentinelValue } from "../../../../src/sieve/value-scan/sentinel-value.ts";
import { decide, decideAtEnd, holdsLaws, readMark } from "../scan-law.ts";

/** Stands for the special token: the scan does not know what it is. */
const TOKEN = "]~[";
const words = compileWords([], [TOKEN]);

const trial = () => {
  let text = "";
  let written = "";
  let closed = false;
  const sink = {
    full: false,
    text(piece: string, marked = piece) {
      text += piece;
      written += marked;
    },
    close() {
      closed = true;
    },
  };
  const scan = new SentinelValue(words, "b", { begin: () => sink });
  return { scan, facts: () => ({ ending: scan.ending, text, written, closed }) };
};

describe("a value ends at its own tag behind the token", () => {
  test.each([
    ["text", "x]~[</b>|y", "x", "x"],
    ["nothing", "]~[</b>|", "", ""],
    ["blanks behind the token", "x]~[ \n</b >|", "x", "x"],
    ["its tag without the token", "x</b>]~[</b>|", "x</b>", "x&lt;/b>"],
    ["the token without a tag", "x]~[y]~[</b>|", "x]~[y", "x]~[y"],
    ["the token twice", "x]~[]~[</b>|", "x]~[", "x]~["],
    ["half a token", "x]]~]~[</b>|", "x]]~", "x]]~"],
    ["a tag that is none", "x]~[< ]~[<a<]~[</b>|", "x]~[< ]~[<a<", "x]~[&lt; ]~[&lt;a&lt;"],
    ["elements", "]~[<i>1]~[</i>]~[<i/>]~[</b>|", "<i>1</i><i/>", "<i>1</i><i/>"],
    ["elements of its own name", "]~[<b>1]~[</b>]~[</b>|", "<b>1</b>", "<b>1</b>"],
    ["markup in elements", "]~[<i>a&b<c>]~[</i>]~[</b>|", "<i>a&b<c></i>", "<i>a&amp;b&lt;c></i>"],
  ])("%s", (_what, marked, text, written) => {
    const { input, taken } = readMark(marked);
    expect(decide(input, trial)).toMatchObject({ taken, facts: { ending: "closed", text, written, closed: true } });
    holdsLaws(input, trial);
  });
});

test("a closing tag of something else goes back with its token", () => {
  expect(decide("x]~[ </c>y", trial)).toMatchObject({
    taken: "x",
    facts: { ending: "other", text: "x", closed: true },
  });
});

test("the end of the reply cuts it: what could be more than text is not said", () => {
  for (const cut of ["x", "x]~", "x]~[", "x]~[</", "x]~[</b"]) {
    expect(decideAtEnd(cut, trial).facts).toMatchObject({ ending: "cut", text: "x", closed: false });
  }
});
