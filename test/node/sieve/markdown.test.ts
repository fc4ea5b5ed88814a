import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SIEVE_LIMITS } from "../../../src/limits.ts";
import { Markdown } from "../../../src/sieve/markdown.ts";
import { soupOf } from "./values/damage.ts";

/** ● stands where a trigger would be live, ○ where it would not; to Markdown both are letters. */
const LIVE = "●";
const DEAD = "○";

const TABLES: Record<string, [rule: string, text: string][]> = {
  "fences (sieve.md A1)": [
    ["no fence", "●\n●"],
    ["backticks", "```\n○\n```\n●"],
    ["tildes", "~~~\n○\n~~~\n●"],
    ["longer runs", "`````\n○\n`````\n●"],
    ["two are no fence", "``\n●"],
    ["two tildes are no fence", "~~\n●"],
    ["an info string", "```xml\n○\n```\n●"],
    ["an info string of several words", "``` xml a=b\n○\n```\n●"],
    ["the info string of backticks holds none", "``` a`b\n●"],
    ["that of tildes may hold any", "~~~ a`b ~~~\n○\n~~~\n●"],
    ["unclosed it runs to the end", "```\n\nx\n\n○"],
    ["behind an empty line", "x\n\n```\n○\n```\n\n●"],
    ["in the middle of a paragraph", "x\n```\n○\n```\nx ●"],
    ["one after the other", "```\n○\n```\n●\n~~~\n○\n~~~\n●"],
    ["the reply ends in its last line", "```\n○"],
  ],
  "the line of a fence": [
    ["no trigger is live on a line that begins like an opener", "```○ ○\n"],
    ["nor on one that turns out to be none", "```○` ○\n●"],
    ["nor behind tildes", "~~~ ○\n"],
    ["before it is one it is live", "``●"],
    ["tildes that are too few", "~~●"],
    ["nor on the closer's line", "```\n```○\n○"],
    ["indented", "   ```○"],
    ["not in indented code", "    ```●"],
    ["in a list item", "- ```○"],
    ["in a block quote", "> ```○"],
  ],
  indent: [
    ["one blank", " ```\n○"],
    ["two blanks", "  ```\n○"],
    ["three blanks", "   ~~~\n○"],
    ["four blanks are indented code", "    ~~~\n●"],
    ["a tab is indented code", "\t~~~\n●"],
    ["a tab behind blanks", "  \t~~~\n●"],
    ["a trigger in indented code is live", "x\n\n    ●"],
    ["a closer may be indented by three", "~~~\n   ~~~\n●"],
    ["a closer may not be indented by four", "~~~\n    ~~~\n○"],
    ["a closer may not be indented by a tab", "~~~\n\t~~~\n○"],
  ],
  closers: [
    ["longer than the opener", "```\n`````\n●"],
    ["shorter than the opener", "`````\n````\n○"],
    ["of the other kind", "```\n~~~\n○\n```\n●"],
    ["of the other kind the other way", "~~~\n```\n○\n~~~\n●"],
    ["with blanks behind", "```\n``` \t\n●"],
    ["with text behind", "```\n``` x\n○"],
    ["with an info string", "```\n```xml\n○\n```\n●"],
    ["behind text", "```\nx ```\n○"],
    ["a quote mark before it", "```\n> ```\n○"],
    ["a list marker before it", "```\n- ```\n○"],
  ],
  "line ends": [
    ["CRLF", "```\r\n○\r\n```\r\n●"],
    ["lone CR", "```\r○\r```\r●"],
    ["CR and CRLF are two", "> ```\r\r\n●"],
    ["CRLF is one", "> ```\r\n> ○"],
    ["a form feed ends no line", "x\f```y z\n●"],
  ],
  "block quotes": [
    ["a fence in one", "> ```\n> ○\n> ```\n> ●"],
    ["without a blank behind the mark", ">```\n>○\n>```\n>●"],
    ["the mark indented by three", "   > ```\n   > ○"],
    ["the mark indented by four is code", "    > ```x y z\n●"],
    ["the fence indented by three in it", ">    ~~~\n> ○"],
    ["the fence indented by four in it", ">     ~~~\n> ●"],
    ["its end closes the fence", "> ```\n> ○\n●"],
    ["an empty line ends it", "> ```\n\n●"],
    ["text that is not marked ends it", "> ```\nx ●"],
    ["another fence behind its end", "> ```\n```\n○"],
    ["an empty quoted line does not end it", "> ```\n>\n> ○"],
    ["one in another", "> > ```\n> > ○\n> > ```\n> > ●"],
    ["the end of the inner one closes its fence", "> > ```\n> ●"],
    ["no blank between the marks", ">> ```\n>> ○"],
    ["a further mark in a fence is data", "> ```\n> > ```\n> ○"],
    ["a mark in a fence outside is data", "```\n> x\n○"],
    ["a tab behind the mark", ">\t```\n> ○"],
    ["a tab behind the mark, and a blank", ">\t ~~~\n> ○"],
    ["a blank and a tab behind the mark", "> \t~~~\n> ○"],
    ["two tabs behind the mark are indented code", ">\t\t~~~\n> ●"],
  ],
  "list items": [
    ["a bullet", "- ```\n  ○\n  ```\n●"],
    ["an asterisk", "* ~~~\n  ○\n  ~~~\n  ●"],
    ["a plus sign", "+ ~~~\n  ○"],
    ["a number", "1. ~~~\n   ○\n   ~~~\n●"],
    ["a number with a bracket", "1) ~~~\n   ○"],
    ["nine digits", "123456789. ~~~\n           ○"],
    ["ten digits are none", "1234567890. ~~~\n●"],
    ["without a blank behind it is none", "-~~~\n●"],
    ["a number without a blank behind", "1.~~~\n●"],
    ["a number without a point", "1 ~~~\n●"],
    ["a tab behind the marker", "-\t~~~\n  ○"],
    ["a blank and a tab behind the marker", "- \t~~~\n  ○"],
    ["the fence on a line of its own", "- x\n  ~~~\n  ○\n  ~~~\n  ●"],
    ["behind an empty line", "- x\n\n  ~~~\n  ○"],
    ["indented by three within the item", "- x\n     ~~~\n  ○"],
    ["indented by four within the item", "- x\n\n      ~~~\n  ●"],
    ["indented by four behind the marker", "-     ~~~\n  ●"],
    ["one in another", "- - ~~~\n    ○\n    ~~~\n    ●"],
    ["one in another, on lines of their own", "1. x\n   - y\n     ~~~\n     ○\n     ~~~\n     ●"],
    ["a wide number", "100. x\n     ~~~\n     ○\n     ~~~\n     ●"],
    ["the item's end leaves the fence open", "- ~~~\nx ○"],
    ["a closer in an item, indented by three", "- ~~~\n  ○\n     ~~~\n  ●"],
    ["a closer in an item, indented by four", "- ~~~\n      ~~~\n  ○"],
    ["a closer outside the item", "- ~~~\n  ○\n~~~\n●"],
    ["text behind the item is no longer in it", "- x\n\ny\n\n    ~~~\n●"],
    ["an item that begins with an empty line", "-\n  ~~~\n  ○"],
    ["a wide item that begins with an empty line", "10.\n    ~~~\n    ○"],
    ["emphasis is no marker", "*x* ~~~ y\n●"],
  ],
  "list items and block quotes": [
    ["an item in a quote", "> - ~~~\n>   ○\n>   ~~~\n>   ●"],
    ["the end of the quote around an item", "> - ~~~\n●"],
    ["a quote in an item", "- > ~~~\n  > ○\n  > ~~~\n  > ●"],
    ["the end of a quote in an item", "- > ~~~\n  ●"],
    ["a quote in a wide item", "10. > ~~~\n    > ○\n    > ~~~\n    > ●"],
    ["a quote in a nested item", "- - > ~~~\n    > ○"],
    ["behind a quote in an item", "- > x\n\n  ~~~\n  ○"],
    ["behind a quote in a wide item", "10. > x\n\n    ~~~\n    ○"],
    ["a quoted line in a wide item, then a fence", "10. x\n    > y\n\n    ~~~\n    ○"],
  ],
  "fences in mid-line": [
    ["a run that ends its line", "Like so: ```\n○\n```\n●"],
    ["an info word", "Like so: ```xml\n○\n```\n●"],
    ["blanks around the info word", "Like so: ``` xml \t\n○\n```\n●"],
    ["more than an info word", "Like so: ```xml a\n●"],
    ["a longer run", "Like so: `````\n```\n○\n`````\n●"],
    ["two backticks", "Like so: ``\n●"],
    ["tildes", "Like so: ~~~\n●"],
    ["a run that closes a span", "x ```y```\n●"],
    ["a run that closes no span of its length", "x ``y ```\n○"],
    ["behind a closed span", "Like `this`: ```\n○"],
    ["in a block quote", "> so: ```\n> ○\n●"],
    ["in a list item", "- so: ```\n  ○"],
    ["in indented code", "    so: ```\n●"],
    ["the trigger before it is live", "● ```\n○"],
    ["the trigger behind it is live", "x ```●"],
    ["CRLF", "x ```\r\n○"],
  ],
};

for (const [title, rows] of Object.entries(TABLES)) {
  describe(title, () => {
    test.each(rows)("%s", (_rule, text) => expect(judged(text)).toBe(text));
  });
}

describe("code spans (A2)", () => {
  test.each<[rule: string, text: string, open: number[]]>([
    ["none", "x", []],
    ["a run opens one", "`x", [1]],
    ["a run of its length closes it", "`x` y", []],
    ["a run of another length opens another", "`x``y", [1, 2]],
    ["the outer one closes with what was opened inside", "`x``y`z", []],
    ["the inner one closes alone", "`x``y``z", [1]],
    ["a fourth opens anew", "`x`y`z", [1]],
    ["the end of the line ends all", "`x``y\n", []],
    ["a lone CR too", "`x\r", []],
    ["three backticks that begin no fence", "x ```y", [3]],
    ["in a list item", "- `x", [1]],
    ["a list marker between runs", "`- x", [1]],
    ["in indented code", "    `x", [1]],
    ["none in a fence", "```\n`x", []],
    ["nor on its closer's line", "```\nx\n```\n", []],
    ["a run that is not over", "x`", []],
  ])("%s", (_rule, text, open) => {
    expect(read(text).openRuns.lengths.sort()).toEqual(open);
  });

  test("a trigger, which Markdown does not see, ends a run", () => {
    const markdown = read("x`");
    markdown.endRun();
    expect(markdown.openRuns.lengths).toEqual([1]);
  });

  test("a block, which it does not see, keeps a run from ending its line", () => {
    const markdown = read("so: ```");
    markdown.interrupt();
    feed(markdown, "\n");
    expect(markdown.live).toBe(true);
  });

  test("a block keeps a marker from being one", () => {
    const markdown = read("-");
    markdown.interrupt();
    feed(markdown, " ~~~\n");
    expect(markdown.live).toBe(true);
  });
});

describe("list items as CommonMark has them", () => {
  test.each([
    ["a lazy line keeps the item open", `1. Do this\nand then that:\n    ~~~\n    ${DEAD}\n    ~~~\n${LIVE}`],
    ["a lazy line behind a bullet", `- a\nb\n     ~~~\n     ${DEAD}`],
    ["a heading does not", `1. a\n# b\n    ~~~\n    ${LIVE}`],
    ["content begins up to four columns behind the marker", `-   a\n\n      ~~~\n      ${DEAD}\n      ~~~\n${LIVE}`],
    ["behind a tab", `-\ta\n\n\t  ~~~\n\t  ${DEAD}`],
    ["and so does its closer", `-   ~~~\n    x\n      ~~~\n\n${LIVE}`],
    ["five columns behind it is indented code", `-     ~~~\n${LIVE}`],
  ])("%s", (_rule, text) => {
    expect(judged(text)).toBe(text);
  });
});

describe("caps", () => {
  test("list items nested deeper count as text of their parent, and what is indented by them as code", () => {
    const nested = (depth: number) => `${"- ".repeat(depth)}~~~\n`;
    const { containers: cap } = SIEVE_LIMITS;
    expect(judged(nested(cap) + DEAD)).toBe(nested(cap) + DEAD);
    expect(judged(nested(cap + 2) + LIVE)).toBe(nested(cap + 2) + LIVE);
  });

  test("block quotes nested deeper count as text of their parent", () => {
    const { containers: cap } = SIEVE_LIMITS;
    const fenced = (depth: number, marker: string) => `${">".repeat(depth)}~~~\n${">".repeat(depth)}${marker}`;
    expect(judged(fenced(cap, DEAD))).toBe(fenced(cap, DEAD));
    expect(judged(fenced(cap + 1, LIVE))).toBe(fenced(cap + 1, LIVE));
  });
});

describe("laws", () => {
  const lines = soupOf(["`", "```", "~~~", " ", "    ", "\t", ">", "> ", "- ", "1. ", "x", "\n", "\n", "\r\n"], 16);

  test("where it says it is quiet, nothing but a line break or a backtick changes anything", () => {
    const law = fc.property(lines, soupOf(["x", " ", "\t", ">", "~~~", "- ", "1. "], 6), (before, passed) => {
      const skipped = read(before);
      fc.pre(skipped.quiet);
      const told = read(before);
      feed(told, passed);
      for (const markdown of [skipped, told]) feed(markdown, "`\n");
      expect(stateOf(told)).toEqual(stateOf(skipped));
    });
    fc.assert(law, { numRuns: 500 });
  });

  test("a fence that a line of its own opens is closed by the same line", () => {
    const marks = fc.constantFrom("```", "````", "~~~");
    const law = fc.property(marks, soupOf(["x", "`", "~", " ", "\n", "> ", "- "], 12), (mark, content) => {
      fc.pre(!content.includes(mark.slice(0, 3)));
      const text = `${mark}\n${content}\n`;
      for (let length = mark.length + 1; length <= text.length; length++) {
        expect(read(text.slice(0, length)).live).toBe(false);
      }
      expect(read(`${text}${mark}\n`).live).toBe(true);
    });
    fc.assert(law, { numRuns: 300 });
  });
});

function feed(markdown: Markdown, text: string) {
  for (let at = 0; at < text.length; at++) markdown.step(text.charCodeAt(at));
}

function read(text: string): Markdown {
  const markdown = new Markdown();
  feed(markdown, text);
  return markdown;
}

/** The text with its marks as Markdown would set them. */
function judged(text: string): string {
  const markdown = new Markdown();
  let marked = "";
  for (const character of text) {
    marked += isMark(character) ? (markdown.live ? LIVE : DEAD) : character;
    feed(markdown, character);
  }
  return marked;
}

const isMark = (character: string) => character === LIVE || character === DEAD;
const stateOf = (markdown: Markdown) => ({
  live: markdown.live,
  quiet: markdown.quiet,
  open: markdown.openRuns.lengths,
});
