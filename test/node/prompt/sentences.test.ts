import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstSentence, wholeSentences } from "../../../src/prompt/sentences.ts";

describe("a sentence ends", () => {
  test.each([
    ["at its mark", "Read a file. Show it.", "Read a file."],
    ["behind a closing quote or bracket", 'Say "no." Then go.', 'Say "no."'],
    ["not in an abbreviation", "Paths, e.g. Documents, or i.e. All. Yes.", "Paths, e.g. Documents, or i.e. All."],
    [
      "not before lower case",
      "Uses tools.json for that, etc. and more. Next",
      "Uses tools.json for that, etc. and more.",
    ],
    ["not at the number of an item", "First 1. Look 2. Go", "First 1. Look 2. Go"],
    ["at a blank line", "Purpose\n\nUsage", "Purpose"],
    ["before an item of a list", "Usage:\r\n- one\r\n- two", "Usage:"],
    ["not at any other line end", "one line\nand another", "one line\nand another"],
    ["in Chinese and Japanese", "读取文件。显示行。", "读取文件。"],
    ["at the end", "Read a file", "Read a file"],
  ])("%s", (_where, text, first) => {
    expect(firstSentence(text)).toBe(first);
  });
});

test("whole sentences are as many as there is room for", () => {
  const text = "One two.  Three four. Five";
  expect(wholeSentences(text, 7)).toBe("");
  expect(wholeSentences(text, 8)).toBe("One two.");
  expect(wholeSentences(text, 20)).toBe("One two.");
  expect(wholeSentences(text, 21)).toBe("One two.  Three four.");
  expect(wholeSentences(text, 26)).toBe(text);
});

test("more room never leaves less", () => {
  const text = fc.string({ unit: fc.constantFrom(..."aB.!?。 \n-1)'"), maxLength: 40 });
  fc.assert(
    fc.property(text, fc.nat(45), fc.nat(10), (text, most, more) => {
      const less = wholeSentences(text, most);
      expect(less.length).toBeLessThanOrEqual(most);
      expect(text.startsWith(less)).toBe(true);
      expect(wholeSentences(text, most + more).startsWith(less)).toBe(true);
    }),
  );
});

test.each([" ", ". ", "e.g", "\n", "\n \t", "'", ".''", "1", "\r\n"])("many of %j end in time", (piece) => {
  const text = piece.repeat(200_000 / piece.length);
  expect(wholeSentences(text, text.length - 1).length).toBeLessThan(text.length);
});
