import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFreeformReader } from "../../../../src/protocols/openai/freeform.ts";
import { forEveryChunking } from "../../../chunking.ts";

function read(fragments: readonly string[]): string {
  const reader = createFreeformReader();
  return fragments.map((fragment) => reader.push(fragment)).join("") + reader.end();
}

describe("the text of a freeform call", () => {
  test.each([
    ['{"input":"plain"}', "plain"],
    ['{ "input" : "spaced" }', "spaced"],
    ['{"input":""}', ""],
    ["{}", ""],
    ['{"in\\"put:":"odd key"}', "odd key"],
    ['{"patch":"other key"}', "other key"],
    ['{"input":"first","more":"ignored"}', "first"],
    ['{"explanation":"why","input":"*** Begin Patch"}', "*** Begin Patch"],
    ['{"x":1,"input":"patch"}', "patch"],
    ['{"x":1,"patch":"the only string"}', "the only string"],
    ['{"a":"one","b":"two"}', '{"a":"one","b":"two"}'],
    ['{"x":1}', '{"x":1}'],
    ['{"x":"why","input":7}', "7"],
    [String.raw`{"in\u0070ut":"escaped key"}`, "escaped key"],
    ['{"input":"\\"\\\\\\/\\b\\f\\n\\r\\t"}', '"\\/\b\f\n\r\t'],
    ['{"input":"\\u00e9 \\ud83d\\ude00 😀"}', "é 😀 😀"],
    ['{"input":42}', "42"],
    ['{"input":{"a":"b"}}', '{"a":"b"}'],
    ['{"input":["}"]}', '["}"]'],
  ])("%s", (json, text) => {
    expect(forEveryChunking(json, json, read)).toBe(text);
  });

  test("is what JSON.parse gives, however the JSON is cut", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(), (text, cut) => {
        const json = JSON.stringify({ input: text });
        const at = cut % json.length;
        expect(read([json.slice(0, at), json.slice(at)])).toBe(text);
      }),
    );
  });

  test("comes as it arrives", () => {
    const reader = createFreeformReader();
    expect(['{"inp', 'ut":"a', "b\\", 'n"', "}"].map((fragment) => reader.push(fragment))).toEqual([
      "",
      "a",
      "b",
      "\n",
      "",
    ]);
  });

  test("is the JSON itself where it is too long to be collected", () => {
    const json = JSON.stringify({ why: "x".repeat(1_000_000), input: "patch" });
    expect(read([json.slice(0, 500_000), json.slice(500_000)])).toBe(json);
  });
});
