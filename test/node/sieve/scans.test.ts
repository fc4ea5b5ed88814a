import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SIEVE_LIMITS } from "../../../src/limits.ts";
import { mark, tag } from "../../../src/sieve/notation.ts";
import { compileHeads, OneOf } from "../../../src/sieve/one-of.ts";
import { OpenRuns } from "../../../src/sieve/open-runs.ts";
import { SpanEnd } from "../../../src/sieve/span-end.ts";
import { TagRest, type TagSyntax } from "../../../src/sieve/tag-rest.ts";
import { decide, decideAtEnd, holdsLaws, readMark, type Trial } from "./scan-law.ts";
import { soupOf } from "./values/damage.ts";

/** In a marked text `|` stands where scanning goes on; without one the scan needs more. */
type Row<Fact> = [rule: string, marked: string, fact: Fact];

describe("OneOf, blanks and comments skipped", () => {
  const heads = compileHeads(["<invoke", "</tool_calls"].map(tag));

  test.each<Row<string | undefined>>([
    ["a head before a blank", "<invoke| x", "<invoke"],
    ["a head before the tag's end", "<invoke|>", "<invoke"],
    ["a head before a slash", "</tool_calls|/", "</tool_calls"],
    ["case does not count", "<InVoKe|\tx", "<invoke"],
    ["blanks of all kinds", " \t\r\n<invoke|\n", "<invoke"],
    ["a comment", "<!-- <invoke> --> <invoke|>", "<invoke"],
    ["an empty comment", "<!----><invoke|>", "<invoke"],
    ["dashes and an angle in a comment", "<!-- - -- > -> ---><invoke|>", "<invoke"],
    ["comments in a row", "<!--a--><!--b-->\n<invoke|>", "<invoke"],
    ["other text", "  |x<invoke>", undefined],
    ["other text behind a comment", "<!--a--> |x", undefined],
    ["an escape, which is no blank", "|\u00a0<invoke>", undefined],
    ["another tag", " |<parameter>", undefined],
    ["a longer name goes back whole", " |<invoked>", undefined],
    ["a name with a blank in it", "|< invoke>", undefined],
    ["an angle before the head", "|<<invoke>", undefined],
    ["a head that breaks off at an angle", "|<invo<invoke>", undefined],
    ["almost a comment", "|<!- x", undefined],
    ["a CDATA section", "|<![CDATA[ ]]>", undefined],
    ["half a head", " <invok", undefined],
    ["a head without what ends its name", "<invoke", undefined],
    ["an open comment", "<!-- <invoke> --", undefined],
  ])("%s", (_rule, marked, found) => expectFound(heads, marked, found));

  test("a comment is as long as a tag may be, then scanning goes on behind it", () => {
    const room = SIEVE_LIMITS.tag - "-->".length;
    expectFound(heads, `<!--${"x".repeat(room)}--><invoke|>`, "<invoke");
    expectFound(heads, `<!--${"x".repeat(SIEVE_LIMITS.tag)}|--><invoke>`, undefined);
  });

  test("so many blanks and comments may stand between, then scanning goes on behind them", () => {
    const head = "<invoke>";
    expectFound(heads, `${" ".repeat(SIEVE_LIMITS.between - head.length)}<invoke|>`, "<invoke");
    expectFound(heads, `${" ".repeat(SIEVE_LIMITS.between + 1)}|<invoke>`, undefined);
  });

  test.each<Row<string | undefined>>([
    ["nothing", "", ""],
    ["blanks alone", "  ", ""],
    ["half a head, as it may still be told from text", " <InVo", "<invo"],
    ["a comment that never closes", "<!-- x", undefined],
  ])("at the end of the reply it holds: %s", (_what, input, rest) => {
    expect(decideAtEnd(input, oneOf(heads)).facts).toEqual({ found: undefined, ended: true, rest });
  });
});

describe("OneOf, marks that are spelled alike", () => {
  const call = { ...mark("<:call:>"), also: ["<：call：>", "<: call:>"] };
  const heads = compileHeads([call, mark("<:call:>fn:"), mark("fn:x")], { peeks: ["name"] });

  test.each<Row<string | undefined>>([
    ["the usual spelling", "<:call:>|{", "<:call:>"],
    ["another one is known by the usual", "<：call：>|{", "<:call:>"],
    ["one with a blank in it", " <: call:>|{", "<:call:>"],
    ["the longer one counts", "<:call:>fn:|x", "<:call:>fn:"],
    ["what goes on otherwise goes back", "<:call:>|fx", "<:call:>"],
    ["a name that begins like a mark", "|fn_1", "name"],
  ])("%s", (_rule, marked, found) => expectFound(heads, marked, found));

  test("where the reply ends in the longer one, the shorter one counts", () => {
    const { taken, facts } = decideAtEnd("<:call:>f", oneOf(heads));
    expect({ taken, ...facts }).toEqual({ taken: "<:call:>", found: "<:call:>", ended: false, rest: "" });
  });
});

describe("OneOf, anything skipped", () => {
  const heads = compileHeads(["<invoke", "</invoke"].map(tag), { skips: "anything" });

  test.each<Row<string | undefined>>([
    ["other text", "say x > y: <invoke|>", "<invoke"],
    ["other tags", '<p></p><invoked><invoke| a="b">', "<invoke"],
    ["an angle before the head", "<<</invoke|>", "</invoke"],
    ["a head that breaks off at another", "<invo<invoke|>", "<invoke"],
    ["a head in a comment", "x<!-- <invoke> --></invoke|>", "</invoke"],
    ["a head in a CDATA section", "x<![CDATA[ <invoke> ]]]></invoke|>", "</invoke"],
    ["a section's marker in lower case", "<![cdata[<invoke>]]></invoke|>", "</invoke"],
    ["a comment in a section", "<![CDATA[<!--]]></invoke|>", "</invoke"],
    ["a section in a comment", "<!--<![CDATA[--></invoke|>", "</invoke"],
    ["an open section", "<![CDATA[ <invoke> ]] >", undefined],
    ["no head", "nothing < here", undefined],
  ])("%s", (_rule, marked, found) => expectFound(heads, marked, found));

  test("a comment is as long as a tag may be, then heads count again", () => {
    expectFound(heads, `<!--${"x".repeat(SIEVE_LIMITS.tag)}<invoke|>`, "<invoke");
  });

  test("a section has no end of its own", () => {
    expectFound(heads, `<![CDATA[${"x".repeat(2 * SIEVE_LIMITS.tag)}<invoke>]]></invoke|>`, "</invoke");
  });
});

describe("TagRest", () => {
  interface Tag {
    name?: string;
    selfClosing?: true;
  }

  test.each<Row<Tag>>([
    ["no attribute", ">|x", {}],
    ["double quotes", ' name="a">|', { name: "a" }],
    ["single quotes", " name='a'>|", { name: "a" }],
    ["a quote of the other kind inside", ` name='a"b'>|`, { name: 'a"b' }],
    ["blanks around the equals sign", ' name\n=\t"a">|', { name: "a" }],
    ["blanks before the end", ' name="a" \r\n>|', { name: "a" }],
    ["case of attributes does not count, that of values does", ' NaMe="A">|', { name: "A" }],
    ["self-closing", ' name="a"/>|', { name: "a", selfClosing: true }],
    ["self-closing with blanks", ' name="a" / >|', { name: "a", selfClosing: true }],
    ["self-closing without attribute", "/>|", { selfClosing: true }],
    ["a slash that closes nothing", ' name="a" / x="b">|', { name: "a" }],
    ["a slash in a value", ' name="a/">|', { name: "a/" }],
    ["further attributes", ' id="1" name="a" x>|', { name: "a" }],
    ["an angle in a value", ' x="a>b" name="c>">|', { name: "c>" }],
    ["attributes without a blank between", ' x="1"name="a"y="2">|', { name: "a" }],
    ["blanks around a name", ' name=" a\n">|', { name: "a" }],
    ["blanks inside a name", ' name="a b">|', { name: "a b" }],
    ["entities", ' name="a&amp;&#98;&lt;">|', { name: "a&b<" }],
    ["an ampersand that begins no entity", ' name="a&b">|', { name: "a&b" }],
    ["the first name counts", ' name="a" name="b">|', { name: "a" }],
    ["an empty name is no name", ' name="">|', {}],
    ["a name of blanks is no name", ' name=" ">|', {}],
    ["an empty first name counts", ' name="" name="b">|', {}],
    ["an unquoted name is no name", " name=a>|", {}],
    ["an unquoted first name counts", ' name=a name="b">|', {}],
    ["a name without a value is no name", " name>|", {}],
    ["a first name without a value counts", ' name name="b">|', {}],
    ["another attribute's name", ' xname="a" name2="b" data-name="c">|', {}],
    ["characters beyond ASCII", ' name="é😀">|', { name: "é😀" }],
  ])("%s", (_rule, marked, { name, selfClosing = false }) => {
    const { input, taken } = readMark(marked);
    const decision = decide(input, tagRest);
    expect(decision).toMatchObject({ decided: true, taken, facts: { ok: true, selfClosing } });
    expect(decision.facts.name).toBe(name);
    holdsLaws(input, tagRest);
  });

  test.each([
    ["between attributes", ' name="a" |<b>'],
    ["in a value", ' name="a|<b">'],
    ["at once", "|<"],
  ])("a raw angle never stands in a tag: %s", (_where, marked) => {
    const { input, taken } = readMark(marked);
    expect(decide(input, tagRest)).toMatchObject({ decided: true, taken, back: "<", facts: { ok: false } });
  });

  test.each([
    ["a word behind a quote", ' name="a"ls| -la > x', "-"],
    ["such a word at the tag's end", ' name="a"x|>', ">"],
    ["what begins no attribute", ' name="a" |[ b ]>', "["],
    ["a quote without an attribute", ' name="a" echo |"b" > c', '"'],
    ["what belongs to no attribute's name", ' name="a" b|;>', ";"],
  ])("what is no attribute never stands in a tag: %s", (_what, marked, back) => {
    const { input } = readMark(marked);
    expect(decide(input, tagRest)).toMatchObject({ decided: true, back, facts: { ok: false } });
    holdsLaws(input, tagRest);
  });

  test.each(["", " ", ' name="a', " name=", ' name="a" /'])("more is needed behind %j, or the end", (input) => {
    expect(decide(input, tagRest)).toMatchObject({ decided: false, facts: { ended: false } });
    expect(decideAtEnd(input, tagRest)).toMatchObject({ decided: true, back: "", facts: { ok: false, ended: true } });
  });

  test("a tag has a cap; behind it scanning goes on", () => {
    const tag = (length: number) => ` name="a" x="${"y".repeat(length - ' name="a" x="">'.length)}">`;
    const { tag: cap } = SIEVE_LIMITS;
    expect(decide(tag(cap), tagRest)).toMatchObject({ taken: tag(cap), facts: { ok: true, name: "a" } });
    expect(decide(tag(cap + 1), tagRest)).toMatchObject({ taken: tag(cap + 1), back: "", facts: { ok: false } });
    expect(decide(`${tag(cap + 1)}x`, tagRest).taken).toBe(tag(cap + 1));
  });
});

describe("SpanEnd", () => {
  test.each<[rule: string, open: number[], marked: string, closed: boolean]>([
    ["a run of the open length", [1], "x`| y", true],
    ["at once", [2], "``| y", true],
    ["any run that stands open", [1, 3], "x ```|y", true],
    ["a run of another length", [1], "x `` y", false],
    ["a shorter run", [2], "x ` y", false],
    ["a run at the end of the line", [1], "x`|\n", true],
    ["a run on the next line", [1], "x\n|`y", false],
    ["a lone CR ends the line", [1], "x\r|`y", false],
    ["the run may still go on", [1], "x`", false],
  ])("%s", (_rule, open, marked, closed) => {
    const { input, decided } = readMark(marked);
    expect(decide(input, spanEnd(open))).toMatchObject({ decided, taken: "", facts: { closed } });
    holdsLaws(input, spanEnd(open));
  });

  test("at the end of the reply a run is over", () => {
    expect(decideAtEnd("x`", spanEnd([1])).facts).toEqual({ closed: true });
    expect(decideAtEnd("x``", spanEnd([1])).facts).toEqual({ closed: false });
  });

  test("a run that begins within the cap counts, one that begins behind it does not", () => {
    const text = (length: number) => "x".repeat(length);
    const { codeSpan: cap } = SIEVE_LIMITS;
    expect(decide(`${text(cap - 1)}\`\`y`, spanEnd([2])).facts).toEqual({ closed: true });
    expect(decide(`${text(cap)}\`\`y`, spanEnd([2])).facts).toEqual({ closed: false });
  });

  test("a run longer than any that stands open is not read on", () => {
    const run = "`".repeat(2 * SIEVE_LIMITS.codeSpan);
    expect(decide(run, spanEnd([1]))).toMatchObject({ decided: true, facts: { closed: false } });
  });

  test("what was read before counts and does not go back", () => {
    const behind = (text: string) => () => {
      const trial = spanEnd([2])();
      (trial.scan as SpanEnd).pass(text);
      return trial;
    };
    expect(decide("` x", behind("y `"))).toMatchObject({ back: "` ", facts: { closed: true } });
    expect(decide("``", behind("y\n"))).toMatchObject({ decided: true, back: "", facts: { closed: false } });
  });
});

test("a name without quotes stands on one line", () => {
  const inEquals = () => tagRest({ equals: true });
  expect(decide("\n a b\n>", inEquals).facts).toMatchObject({ ok: true, name: "a b" });
  expect(decide('a\nif x; then echo "y" > z', inEquals)).toMatchObject({ back: "i", facts: { ok: false } });
});

describe("TagRest as other notations have it", () => {
  const equals = { equals: true } as const;
  const unquoted = { unquoted: true } as const;
  // Without the bars that such marks have: those mark places here.
  const ended = { name: "key", end: "<~sep~>" } as const;

  test.each<[rule: string, syntax: TagSyntax, marked: string, name?: string, selfClosing?: true]>([
    ["the name behind an equals sign", equals, "a>|x", "a"],
    ["blanks around it", equals, " a b\n>|", "a b"],
    ["quotes are part of it", equals, '"a">|', '"a"'],
    ["none", equals, ">|"],
    ["self-closing", equals, "a/>|", "a", true],
    ["a slash inside", equals, "a/b>|", "a/b"],
    ["without quotes", unquoted, " name=a>|", "a"],
    ["blanks around the equals sign", unquoted, " name = a x=b>|", "a"],
    ["with quotes all the same", unquoted, ' name="a b">|', "a b"],
    ["the first one counts", unquoted, " name=a name=b>|", "a"],
    ["a slash in it", unquoted, " name=/a/>|", "/a/"],
    ["another attribute and another end", ended, ' index="1" key="a"<~sep~>|', "a"],
    ["an angle is none", ended, ' key="a>b"<~sep~>|', "a>b"],
    ["an unquoted name is none", ended, " key=a<~sep~>|"],
    ["self-closing before such an end", ended, ' key="a"/<~sep~>|', "a", true],
  ])("%s", (_rule, syntax, marked, name, selfClosing = false as never) => {
    const { input, taken } = readMark(marked);
    const decision = decide(input, () => tagRest(syntax));
    expect(decision).toMatchObject({ decided: true, taken, facts: { ok: true, selfClosing } });
    expect(decision.facts.name).toBe(name);
    holdsLaws(input, () => tagRest(syntax));
  });

  test.each<[rule: string, syntax: TagSyntax, marked: string]>([
    ["an opener behind an equals sign", equals, "a|<b>"],
    ["what only begins like the end", ended, ' key="a"|<~se>'],
    ["half an end, then the end", ended, " x|<~s<~sep~>"],
    ["the end in quotes", ended, ' key="a|<~sep~>"'],
  ])("not ok: %s", (_rule, syntax, marked) => {
    const { input, taken } = readMark(marked);
    expect(decide(input, () => tagRest(syntax))).toMatchObject({ decided: true, taken, facts: { ok: false } });
    holdsLaws(input, () => tagRest(syntax));
  });
});

describe("the laws of scans on generated texts", () => {
  const markup = soupOf(
    ["<invoke", "</invoke", "<!--", "-->", "<![CDATA[", "]]>", "<", ">", "/", " ", "\n", "-", "]", "x"],
    12,
  );
  const attributes = soupOf(["name", "=", '"', "'", " ", "\n", "/", "<", ">", "a", "&amp;", "\ud83d\ude00"], 14);
  const backticks = soupOf(["`", "``", "```", "x", " ", "\n", "\r"], 12);

  test.each<[scan: string, texts: fc.Arbitrary<string>, begin: () => Trial<unknown>]>([
    ["OneOf, blanks skipped", markup, oneOf(compileHeads(["<invoke", "</invoke"].map(tag)))],
    ["OneOf, anything skipped", markup, oneOf(compileHeads(["<invoke", "</invoke"].map(tag), { skips: "anything" }))],
    ["TagRest", attributes, tagRest],
    ["SpanEnd", backticks, spanEnd([1, 3])],
  ])("%s", (_scan, texts, begin) => {
    fc.assert(
      fc.property(texts, (text) => holdsLaws(text, begin)),
      { numRuns: 150 },
    );
  });
});

function expectFound(heads: ReturnType<typeof compileHeads>, marked: string, found: string | undefined) {
  const { input, decided, taken } = readMark(marked);
  const decision = decide(input, oneOf(heads));
  expect(decision.decided).toBe(decided);
  if (decided) expect(decision.taken === taken, `goes on behind ${decision.taken.slice(-40)}`).toBe(true);
  expect(decision.facts.found).toBe(found);
  if (input.length < 100) holdsLaws(input, oneOf(heads));
}

function oneOf(heads: ReturnType<typeof compileHeads>) {
  return () => {
    const scan = new OneOf(heads);
    return { scan, facts: () => ({ found: scan.found, ended: scan.ended, rest: scan.rest }) };
  };
}

function tagRest(syntax?: TagSyntax) {
  const scan = new TagRest(syntax);
  const facts = () => ({ ok: scan.ok, name: scan.name, selfClosing: scan.selfClosing, ended: scan.ended });
  return { scan, facts };
}

function spanEnd(open: number[]) {
  return () => {
    const scan = new SpanEnd(new OpenRuns(open));
    return { scan, facts: () => ({ closed: scan.closed }) };
  };
}
