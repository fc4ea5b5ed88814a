import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "../../../../src/json.ts";
import { JsonString, type StringRepair } from "../../../../src/sieve/json-scan/string.ts";
import type { Quote } from "../../../../src/sieve/json-scan/token.ts";
import { chunksOf } from "../../../chunking.ts";
import { decide, decideAtEnd, holdsLaws, readMark, type Trial } from "../scan-law.ts";
import { soupOf } from "../values/damage.ts";
import { stringToken } from "../values/json-texts.ts";
import { picking } from "../values/picking.ts";
import { Recorder } from "./recorder.ts";

interface ReadString {
  text: string;
  ending: JsonString["ending"];
  closed: number;
  repairs: readonly StringRepair[];
  held: number;
}

function string(quote: Quote): () => Trial<ReadString> {
  return () => {
    const sink = new Recorder();
    const scan = new JsonString(quote, sink);
    return {
      scan,
      facts: () => ({
        text: sink.written,
        ending: scan.ending,
        closed: sink.closed,
        repairs: [...scan.repairs],
        held: scan.held,
      }),
    };
  };
}

type Row = [rule: string, marked: string, text: string, repairs?: StringRepair[]];

function expectString(quote: Quote, [, marked, text, repairs = []]: Row) {
  const { input, taken } = readMark(marked);
  const decision = decide(input, string(quote));
  expect(decision.taken).toBe(taken);
  const all = quote === "'" ? ["single-quotes", ...repairs] : repairs;
  expect(decision.facts).toEqual({ text, ending: "closed", closed: 1, repairs: all, held: 0 });
  holdsLaws(input, string(quote));
}

describe("JsonString", () => {
  test.each<Row>([
    ["nothing", '"|,', ""],
    ["text", 'a < b & c"| ', "a < b & c"],
    ["an apostrophe", `it's"|`, "it's"],
    ["every escape of JSON", String.raw`\"\\\/\b\f\n\r\t"|`, '"\\/\b\f\n\r\t'],
    ["a code unit", String.raw`\u00e9\u00E9"|`, "éé"],
    ["a pair", String.raw`\ud83d\ude00"|`, "😀"],
    ["half a pair", String.raw`\ud83d"|`, "\ud83d"],
    ["an escaped backslash before the quote", String.raw`a\\"|"`, "a\\"],
    ["an escaped escape", String.raw`\\n"|`, "\\n"],
    ["a raw pair", '😀"|', "😀"],
    ["what JSON allows raw", '\u007f\u2028\u2029"|', "\u007f\u2028\u2029"],
    ["a raw line break", 'a\r\nb"|', "a\r\nb", ["control-character"]],
    ["a raw tab and zero", '\t\u0000"|', "\t\u0000", ["control-character"]],
    ["a pattern", String.raw`\d+\.\w"|`, "\\d+\\.\\w", ["lone-backslash"]],
    ["a path", String.raw`C:\Users\me"|`, "C:\\Users\\me", ["lone-backslash"]],
    ["an escaped apostrophe", String.raw`it\'s"|`, "it\\'s", ["lone-backslash"]],
    ["too few digits", String.raw`\u12g"|`, "\\u12g", ["lone-backslash"]],
    ["no digits before the end", String.raw`\u"|`, "\\u", ["lone-backslash"]],
    ["too few digits before an escape", String.raw`\u123\n"|`, "\\u123\n", ["lone-backslash"]],
    ["too few digits before a code unit", String.raw`\u00\u0041"|`, "\\u00A", ["lone-backslash"]],
    ["a line that goes on", '\\\n"|', "\\\n", ["lone-backslash", "control-character"]],
    ["other escapes of Python", String.raw`\x41\0"|`, "\\x41\\0", ["lone-backslash"]],
  ])("in quotes: %s", (...row) => expectString('"', row));

  test.each<Row>([
    ["nothing", "'|,", ""],
    ["quotes", `say "hi"'|`, 'say "hi"'],
    ["escaped apostrophes", String.raw`it\'s'|`, "it's"],
    ["escaped quotes", String.raw`\"a\"'|`, '"a"'],
    ["escapes of JSON", String.raw`\\\n\u00e9'|`, "\\\né"],
    ["a lone backslash", String.raw`\d'|`, "\\d", ["lone-backslash"]],
    ["too few digits before the end", String.raw`\u12'|`, "\\u12", ["lone-backslash"]],
  ])("in apostrophes: %s", (...row) => expectString("'", row));

  test.each([
    ["in the text", "ab", "ab"],
    ["in an escape", "ab\\", "ab"],
    ["in a code unit", "ab\\u00", "ab"],
  ])("the reply ends %s: what was surely said stays said, and the value is not closed", (_where, input, text) => {
    expect(decideAtEnd(input, string('"')).facts).toMatchObject({ text, ending: "cut", closed: 0 });
  });

  test("reads what JSON.parse reads, however it is written", () => {
    const law = fc.property(fc.string({ unit: "binary" }), fc.gen(), (text, gen) => {
      const written = stringToken(text, new Set(), picking(gen));
      expect(JSON.parse(written)).toBe(text);
      const { taken, facts } = decide(written.slice(1), string('"'));
      expect(taken).toBe(written.slice(1));
      expect(facts).toEqual({ text, ending: "closed", closed: 1, repairs: [], held: 0 });
    });
    fc.assert(law, { numRuns: 300 });
  });

  test("is mended exactly where JSON.parse refuses it", () => {
    const pieces = ["\\", "\\", '"', "'", "u", "00", "4", "n", "d", "\n", "\ud83d", "\ude00"];
    const law = fc.property(soupOf(pieces, 10), (soup) => {
      const { taken, facts } = decide(soup, string('"'));
      if (facts.ending !== "closed") return;
      const json = parseJson(`"${taken}`);
      if (json === undefined) expect(facts.repairs).not.toEqual([]);
      else expect(facts).toMatchObject({ text: json, repairs: [] });
    });
    fc.assert(law, { numRuns: 2_000 });
  });

  test("one piece per chunk, however many escapes stand in it", () => {
    const sink = new Recorder();
    const scan = new JsonString('"', sink);
    const chunks = chunksOf(String.raw`a\nb\"c\\d`.repeat(50), 64);
    for (const chunk of chunks) scan.eat(chunk, 0);
    expect(sink.pieces.length).toBe(chunks.length);
  });
});
