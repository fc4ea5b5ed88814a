import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileWords, LongestMatch, Matcher } from "../../../src/sieve/matcher.ts";
import { soupOf } from "./values/damage.ts";

const words = compileWords(["<invoke", "</invoke"], ["<!--", "✿x✿"]);

/** What a matcher has released of a text, what it holds, and what that means. */
function match(text: string, triggers = words) {
  const matcher = new Matcher(triggers);
  let released = "";
  for (let at = 0; at < text.length; at++) released += matcher.step(text.charCodeAt(at));
  return { released, held: matcher.held, hit: matcher.hit };
}

describe("what may still become a spelling is held as it was written, all else released", () => {
  test.each<[text: string, released: string, held: string, hit?: string]>([
    ["", "", ""],
    ["plain", "plain", ""],
    ["x <InVo", "x ", "<InVo"],
    ["x <InVoke", "x ", "<InVoke"],
    ["x <InVoke\n", "x ", "<InVoke\n", "<invoke"],
    ["<invoke", "", "<invoke"],
    ["<invoked", "<invoked", ""],
    ["<<", "<", "<"],
    ["</<!-", "</", "<!-"],
    ["<!--", "", "<!--", "<!--"],
    ["✿x", "", "✿x"],
    ["✿✿X✿", "✿", "✿X✿", "✿x✿"],
  ])("%j", (text, released, held, hit) => {
    expect(match(text)).toEqual({ released, held, hit });
  });
});

test("what was taken is gone, and the next match begins anew", () => {
  const matcher = new Matcher(words);
  for (const character of "<!-") matcher.step(character.charCodeAt(0));
  expect(matcher.take()).toBe("<!-");
  expect(matcher).toMatchObject({ held: "", hit: undefined });
  expect(matcher.step("-".charCodeAt(0))).toBe("-");
});

describe("of several matches the first one counts, then the longest", () => {
  const several = compileWords([], ["a<b>c", "<b>", "<b>d", "b>e"]);

  test.each<[text: string, before: string, matched: string, back: string]>([
    ["<b>x", "", "<b>", ""],
    ["<b>dx", "", "<b>d", ""],
    ["a<b>cx", "", "a<b>c", ""],
    ["a<b>x", "a", "<b>", ""],
    ["a<b>dx", "", "<b>d", ""],
    ["a<b>ex", "a", "<b>", ""],
    ["ab>ex", "", "b>e", ""],
  ])("%j", (text, before, matched, back) => {
    const matcher = new LongestMatch(several);
    for (let at = 0; at < text.length && !matcher.endsBefore(text.charCodeAt(at)) && !matcher.complete; at++) {
      matcher.step(text.charCodeAt(at));
      if (matcher.hit) matcher.find(matcher.hit);
    }
    expect(matcher.takeFound()).toMatchObject({ before, matched, back });
  });
});

describe("laws", () => {
  const texts = soupOf(["<", "<i", "nvoke", "</", "INVOKE", ">", " ", "!", "-", "✿", "x", "y"], 16);

  test("released and held are the text, and the held part is the longest end that begins a spelling", () => {
    const law = fc.property(texts, (text) => {
      const { released, held, hit } = match(text);
      expect(released + held).toBe(text);
      expect(held).toBe(longestBegun(text));
      const whole = /^(?:(<\/?invoke)[ \t\r\n/>]|(<!--)|(✿x✿))$/i.exec(held);
      expect(hit).toBe((whole?.[1] ?? whole?.[2] ?? whole?.[3])?.toLowerCase());
    });
    fc.assert(law, { numRuns: 1_000 });
  });
});

function longestBegun(text: string): string {
  const begun = /^(?:<\/?invoke[ \t\r\n/>]?|<!--|✿x✿)$/i;
  const ends = ["<invoke>", "</invoke>", "<!--", "✿x✿"];
  for (let from = 0; from < text.length; from++) {
    const end = text.slice(from);
    if (begun.test(end) || ends.some((spelling) => spelling.startsWith(end.toLowerCase()))) return end;
  }
  return "";
}
