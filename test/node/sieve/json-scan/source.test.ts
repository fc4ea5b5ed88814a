import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonSource } from "../../../../src/sieve/json-scan/source.ts";
import { JsonString } from "../../../../src/sieve/json-scan/string.ts";
import { JsonToken } from "../../../../src/sieve/json-scan/token.ts";
import { chunksOf } from "../../../chunking.ts";
import { decide, decideAtEnd, holdsLaws, readMark, type Trial } from "../scan-law.ts";
import { soupOf } from "../values/damage.ts";
import { jsonTexts } from "../values/json-texts.ts";
import { Recorder } from "./recorder.ts";

interface ReadSource {
  source: string;
  kind: JsonSource["kind"];
  ending: JsonSource["ending"];
  closed: number;
}

function trial(begin: (sink: Recorder) => JsonSource): () => Trial<ReadSource> {
  return () => {
    const sink = new Recorder();
    const scan = begin(sink);
    return {
      scan,
      facts: () => ({ source: sink.written, kind: scan.kind, ending: scan.ending, closed: sink.closed }),
    };
  };
}

const source = trial((sink) => new JsonSource(sink));

/** The same from behind the first token, which was read before. */
function behindFirst(text: string): { rest: string; begin: () => Trial<ReadSource> } {
  const read = () => {
    const token = new JsonToken();
    const to = token.eat(`${text},`, 0) - token.back.length;
    return { token, to };
  };
  return { rest: text.slice(read().to), begin: trial((sink) => new JsonSource(sink, read().token)) };
}

describe("JsonSource", () => {
  test.each<[marked: string, kind: JsonSource["kind"]]>([
    ['{"a": [1, {}], "b": "}"}|}', "object"],
    ["[[], [ ]]|]", "array"],
    ["{}|", "object"],
    ['"a \\" ]"|"', "string"],
    [`'a \\' "'|`, "string"],
    ['"\\\\"|"', "string"],
    ['""|,', "string"],
    ["12|,", "word"],
    ["true|}", "word"],
    ["None|\n", "word"],
    ["a|\u00e9", "word"],
    [`["'", '"', "\\"]"]|`, "array"],
    ["{'a': 'it\\'s }', b: True,}|,", "object"],
    ['[\n"raw\nline"\t]|', "array"],
    ["[,:,]|", "array"],
  ])("%s", (marked, kind) => {
    const { input, taken } = readMark(marked);
    const whole = { source: taken, kind, ending: "closed", closed: 1 };
    const decision = decide(` \n${input}`, source);
    expect(decision.taken).toBe(` \n${taken}`);
    expect(decision.facts).toEqual(whole);
    holdsLaws(input, source);

    const { rest, begin } = behindFirst(input);
    expect(decide(rest, begin).facts).toEqual(whole);
    holdsLaws(rest, begin);
  });

  test.each<[rule: string, marked: string, read: string, kind: JsonSource["kind"]]>([
    ["no value", "|}", "", undefined],
    ["no value, either", "|,", "", undefined],
    ["nothing of JSON", "|<", "", undefined],
    ["a tag in an object", '{"a": 1 |</tool_call>', '{"a": 1 ', "object"],
    ["a bracket that is not its own", '{"b": [1, 2|}}', '{"b": [1, 2', "object"],
    ["a brace that is not its own", "[{|]", "[{", "array"],
    ["a letter of another script", "[a|\u00e9]", "[a", "array"],
    ["a comment", "[1 |// one", "[1 ", "array"],
  ])("what cannot stand there goes back: %s", (_rule, marked, read, kind) => {
    const { input, taken } = readMark(marked);
    const decision = decide(input, source);
    expect(decision.taken).toBe(taken);
    expect(decision.facts).toEqual({ source: read, kind, ending: "stray", closed: 0 });
    holdsLaws(input, source);
  });

  test.each<[input: string, kind: JsonSource["kind"]]>([
    ["", undefined],
    [" ", undefined],
    ["tru", undefined],
    ['"a', "string"],
    ['"a\\', "string"],
    ['{"a": 1', "object"],
    ["[[]", "array"],
  ])("the reply ends in it: %j", (input, kind) => {
    expect(decideAtEnd(input, source).facts).toMatchObject({ kind, ending: "cut", closed: 0 });
  });

  test("a word that the reply ended in is cut, by whomever it was read", () => {
    const token = new JsonToken();
    token.eat("tru", 0);
    token.finish();
    const begin = trial((sink) => new JsonSource(sink, token));
    expect(decideAtEnd("", begin).facts).toMatchObject({ ending: "cut", closed: 0 });
  });

  test("hands on whatever JSON there is, as it is written", () => {
    const law = fc.property(jsonTexts, ({ text }) => {
      const { taken, facts } = decide(`${text}, `, source);
      expect(taken).toBe(text);
      expect(facts.source).toBe(text.trimStart());
      expect(facts.ending).toBe("closed");
    });
    fc.assert(law, { numRuns: 300 });
  });

  test("ends a string where the scan for strings does", () => {
    const law = fc.property(soupOf(["\\", "\\", '"', "'", "u", "00", "n", "]", "\n"], 10), (soup) => {
      const string = decide(soup, () => {
        const scan = new JsonString('"', new Recorder());
        return { scan, facts: () => scan.ending };
      });
      const { taken, facts } = decide(`"${soup}`, source);
      expect(taken).toBe(`"${string.taken}`);
      expect(facts.ending).toBe(string.facts);
    });
    fc.assert(law, { numRuns: 1_000 });
  });

  test("brackets deeper than any value are still counted", () => {
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    expect(decide(`${deep}]`, source)).toMatchObject({ taken: deep, back: "", facts: { ending: "closed" } });
    // Of which kind they are is not kept: the value is none anyway.
    const mixed = `${"[".repeat(70)}{]${"]".repeat(70)}`;
    expect(decide(mixed, source)).toMatchObject({ taken: mixed, facts: { ending: "closed" } });
  });

  test("one piece per chunk", () => {
    const sink = new Recorder();
    const scan = new JsonSource(sink);
    const chunks = chunksOf(`[${'{"a":"\\n","b":[1,true]},'.repeat(50)}`, 64);
    for (const chunk of chunks) scan.eat(chunk, 0);
    expect(sink.pieces.length).toBe(chunks.length);
  });
});
