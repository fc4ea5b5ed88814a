import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Triggers } from "../../../src/sieve/triggers.ts";
import { soupOf } from "./values/damage.ts";

interface Spelling {
  spelling: string;
  tag: boolean;
}

const tag = (spelling: string): Spelling => ({ spelling, tag: true });
const mark = (spelling: string): Spelling => ({ spelling, tag: false });

/** Each spelling means itself. */
const compile = (spellings: readonly Spelling[], stops: readonly number[] = []) =>
  new Triggers(
    spellings.map(({ spelling, tag }) => ({ spelling, tag, meaning: spelling })),
    stops,
  );

/** What was found in a text, with the place behind it. */
function find(triggers: Triggers<string>, text: string): [meaning: string, end: number][] {
  const found: [string, number][] = [];
  let state = Triggers.ROOT;
  for (let at = 0; at < text.length; at++) {
    state = triggers.step(state, text.charCodeAt(at));
    const hit = triggers.hit(state);
    if (hit !== undefined) found.push([hit, at + 1]);
  }
  return found;
}

describe("what counts", () => {
  test.each<[rule: string, spelling: Spelling, counts: string[], not: string[]]>([
    [
      "a mark as it stands",
      mark("<think>"),
      ["<think>", "<<think>", "<th<think>x"],
      ["<think", "<think >", "<thinks>"],
    ],
    [
      "a tag only before a blank, a slash or its end",
      tag("<invoke"),
      ["<invoke ", "<invoke\t", "<invoke\r", "<invoke\n", "<invoke/", "<invoke>"],
      ["<invoke", "<invoked>", "<invoke_log>", "<invoke-x>", "<invoke:x>", "<invoke\u00a0>", "<invoke\v>", '<invoke"'],
    ],
    ["ASCII case", tag("<Invoke"), ["<INVOKE>", "<iNvOkE "], []],
    ["no other case", mark("<think>é"), ["<THINK>é"], ["<think>É", "<th\u0131nk>é"]],
    ["no letters that only fold to ASCII", mark("<task>"), ["<TASK>"], ["<tas\u212a>", "<ta\u017fk>"]],
    ["no character that is 32 away from another", mark("[x@"), ["[X@"], ["{x@", "[x`"]],
    [
      "characters beyond ASCII",
      mark("<｜tool▁outputs▁begin｜>"),
      ["<｜TOOL▁outputs▁begin｜>"],
      ["<|tool▁outputs▁begin|>"],
    ],
    ["half a surrogate pair is a character", mark("😀x"), ["\ud83d😀x"], ["\ud83d\ud83dx", "\ude00x"]],
  ])("%s", (_rule, spelling, counts, not) => {
    const triggers = compile([spelling]);
    for (const text of counts) expect(find(triggers, text), text).toEqual([[spelling.spelling, expect.any(Number)]]);
    for (const text of not) expect(find(triggers, text), text).toEqual([]);
  });

  test("of spellings that end at one place the longest", () => {
    const triggers = compile([mark("b>"), mark("a<b>"), mark(">")]);
    expect(find(triggers, "a<b> b> >")).toEqual([
      ["a<b>", 4],
      ["b>", 7],
      [">", 9],
    ]);
  });

  test("a spelling behind half of another", () => {
    expect(find(compile([mark("<a<b"), mark("<b>")]), "<a<b>")).toEqual([
      ["<a<b", 4],
      ["<b>", 5],
    ]);
  });

  test.each([
    ["twice the same", [mark("<a>"), mark("<a>")]],
    ["but for case", [mark("<a>"), mark("<A>")]],
    ["a tag with its end and a mark", [tag("<a"), mark("<a>")]],
  ])("two meanings for one spelling are refused: %s", (_what, spellings) => {
    expect(() => compile(spellings)).toThrow("Two meanings");
  });
});

describe("skip", () => {
  const triggers = compile([tag("<Invoke"), mark("✿x")], [10]);

  test.each<[what: string, marked: string]>([
    ["stops where a match may begin", "plain text |<"],
    ["stops at a wide character that may begin one", "日本|✿"],
    ["stops at what it is told of besides", "plain|\n<"],
    ["passes characters from inside a spelling", "invoke x |<"],
    ["passes wide characters that begin none", "日本 é \u{1f600}|"],
    ["stops at once", "|<x"],
  ])("%s", (_what, marked) => {
    const at = marked.indexOf("|");
    expect(triggers.skip(marked.replace("|", ""), 0)).toBe(at);
  });

  test("looks from the given place on", () => {
    expect(triggers.skip("<ab<", 1)).toBe(3);
    expect(triggers.skip("<ab", 3)).toBe(3);
  });

  test("stops at a first letter in either case", () => {
    const letters = compile([mark("Ab"), mark("éa")]);
    for (const letter of ["a", "A", "é"]) expect(letters.skip(`--${letter}`, 0)).toBe(2);
    expect(letters.skip("--É", 0)).toBe(3);
  });
});

describe("against a search that looks at the whole text again", () => {
  const letters = ["a", "b", "A", "<", ">", " ", "é", "✿"];
  const spellings = fc
    .array(fc.record({ spelling: soupOf(letters, 4).filter((text) => text !== ""), tag: fc.boolean() }), {
      minLength: 1,
      maxLength: 6,
    })
    .filter((all) => new Set(wordsOf(all)).size === wordsOf(all).length);

  test("each state stands for the longest end of the text that begins a spelling, and tells the longest one there", () => {
    const law = fc.property(spellings, soupOf(letters, 24), (all, text) => {
      const triggers = compile(all);
      const words = wordsOf(all);
      const folded = fold(text);
      let state = Triggers.ROOT;
      for (let end = 1; end <= text.length; end++) {
        state = triggers.step(state, text.charCodeAt(end - 1));
        const read = folded.slice(0, end);
        const begun = prefixesOf(words).filter((prefix) => read.endsWith(prefix));
        const whole = words.filter((word) => read.endsWith(word));
        expect(triggers.depth(state)).toBe(longest(begun).length);
        const hit = triggers.hit(state);
        expect(hit !== undefined).toBe(whole.length > 0);
        if (hit !== undefined) expect(longest(whole).startsWith(fold(hit))).toBe(true);
      }
    });
    fc.assert(law, { numRuns: 500 });
  });

  test("skip stops at the first character that may begin a spelling, and nowhere before", () => {
    const law = fc.property(spellings, soupOf(letters, 24), fc.nat(24), (all, text, from) => {
      const begins = new Set(all.map(({ spelling }) => fold(spelling).charAt(0)));
      const at = [...fold(text)].findIndex((letter, index) => index >= from && begins.has(letter));
      expect(compile(all).skip(text, Math.min(from, text.length))).toBe(at < 0 ? text.length : at);
    });
    fc.assert(law, { numRuns: 500 });
  });
});

/** Spellings as they are looked for, in lower case. */
function wordsOf(spellings: readonly Spelling[]): string[] {
  const ends = [" ", "\t", "\r", "\n", "/", ">"];
  return spellings.flatMap(({ spelling, tag }) => (tag ? ends : [""]).map((end) => fold(spelling) + end));
}

const prefixesOf = (words: readonly string[]) =>
  words.flatMap((word) => [...word].map((_, index) => word.slice(0, index + 1)));
const fold = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const longest = (texts: readonly string[]) =>
  texts.reduce((best, text) => (text.length > best.length ? text : best), "");
