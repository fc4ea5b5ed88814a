import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/conversation.ts";
import { findTaught } from "../../../src/dialects/all.ts";
import { parseToolCalls } from "../../../src/sieve/index.ts";
import { hostileText } from "../prompt/hostile-text.ts";

const raw = findTaught("canonical_raw");
if (!raw) throw new Error("cannot be taught");
const { write } = raw;

const value = (text: string) =>
  /<parameter name="a">(.*)<\/parameter>/s.exec(write.calls([{ name: "f", input: { a: text } }]))?.[1];

test.each([
  ["a < b && c > d", "a < b && c > d"],
  ["two\nlines\n", "two\nlines\n"],
  ["", ""],
  ["42", "<![CDATA[42]]>"],
  ["null", "<![CDATA[null]]>"],
  ["&lt;", "<![CDATA[&lt;]]>"],
  ["\nx", "<![CDATA[\nx]]>"],
  ["<a>1</a>", "<![CDATA[<a>1</a>]]>"],
  ["x</parameter>", "<![CDATA[x</parameter>]]>"],
])("%j is written %j", (text, written) => {
  expect(value(text)).toBe(written);
});

const looksLike = fc.constantFrom(
  "4",
  "true",
  "null",
  "[]",
  "{}",
  "",
  " ",
  " a ",
  '"x"',
  "-0",
  "1e5",
  "NaN",
  "\r\na",
  "&amp;",
  "<b/>",
);
const json: fc.Arbitrary<Json> = fc.oneof(
  hostileText,
  looksLike,
  fc.integer(),
  fc.constantFrom(null, true, []),
  fc.array(hostileText),
);

test("reads back, with a schema and without", () => {
  const input = fc.dictionary(fc.constantFrom("a", "b c", "d-e"), json, { maxKeys: 3 });
  fc.assert(
    fc.property(input, (given) => {
      // JSON has no -0, and a dictionary may have no prototype.
      const sent = JSON.parse(JSON.stringify(given)) as JsonObject;
      const text = write.calls([{ name: "f", input: sent }]);
      const typed = Object.fromEntries(
        Object.entries(sent).map(([key, value]) => [key, typeof value === "string" ? { type: "string" } : {}]),
      );
      for (const parameters of [{}, { type: "object", properties: typed }]) {
        expect(parseToolCalls(text, { tools: [{ name: "f", parameters }] })).toEqual([{ name: "f", input: sent }]);
      }
    }),
    { numRuns: 2_000 },
  );
});
