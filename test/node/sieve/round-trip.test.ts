import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/conversation.ts";
import { canonical } from "../../../src/dialects/canonical.ts";
import { parseToolCallsDetailed } from "../../../src/sieve/index.ts";
import { randomChunks } from "../../chunking.ts";
import { isReadRight } from "../../json-keys.ts";
import { LEVELS } from "./case-files.ts";
import { outcomeOf } from "./run.ts";

/** P3: what we write reads back, to the character. Strings are made of what could end, nest or disguise a value. */

const piece = fc.constantFrom(
  ..."]]> ]] ] <![CDATA[ <![ </parameter> </invoke> </tool_calls> <tool_calls> <!-- --> &amp; & &#65; ``` ` <think> </think> null 0042 true".split(
    " ",
  ),
  ...[
    '<invoke name="x">',
    '<parameter name="b">',
    '<parameter name="path">',
    " ",
    "\n",
    "\r\n",
    "\t",
    "",
    "日本",
    "👩‍👩‍👧",
    "\ud83d",
    "x",
    '{"a":1}',
  ],
);
const hostile = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
  fc.string({ unit: "binary" }),
);

const key = fc.oneof(
  fc.constantFrom("b", "path", "-n", "a.b", "ключ", 'q"x', "a<b", "a&amp;b", "x>y", "<![CDATA["),
  fc
    .string({ minLength: 1, unit: "grapheme-ascii" })
    .filter((name) => name === name.trim() && name !== "__proto__" && isReadRight(name)),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    ...[hostile, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0)],
    ...[fc.boolean(), fc.constant(null), fc.array(tie("value"), { maxLength: 3 })],
    fc.dictionary(key, tie("value"), { maxKeys: 3 }),
  ),
})).value;

/** Without a schema every value is carried by its form alone. */
const undeclared = fc.record({
  name: fc.constantFrom("zz", "ns.f-1:x/y", "поиск"),
  input: fc.dictionary(key, json, { maxKeys: 4 }),
});

const text = { type: "string" };
const TYPES = {
  text: [text, hostile],
  maybe: [{ type: ["string", "null"] }, fc.option(hostile)],
  count: [{ type: "integer" }, fc.maxSafeInteger()],
  ratio: [{ type: "number" }, fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0)],
  on: [{ type: "boolean" }, fc.boolean()],
  tags: [{ type: "array", items: text }, fc.array(hostile, { maxLength: 3 })],
  options: [{ type: "object" }, fc.dictionary(key, json, { maxKeys: 3 })],
  either: [{ anyOf: [text, { type: "integer" }] }, fc.oneof(hostile, fc.integer())],
  any: [{}, json],
} satisfies Record<string, [JsonObject, fc.Arbitrary<unknown>]>;

const column = <T>(pick: (type: [JsonObject, fc.Arbitrary<unknown>]) => T) =>
  Object.fromEntries(
    Object.entries(TYPES).map(([name, type]) => [name, pick(type as [JsonObject, fc.Arbitrary<unknown>])]),
  );

const tools = [{ name: "declared", parameters: { type: "object", properties: column(([schema]) => schema) } }];
const declared = fc.record({
  name: fc.constant("declared"),
  input: fc.record(
    column(([, arbitrary]) => arbitrary),
    { requiredKeys: [] },
  ),
});

const calls = fc.array(fc.oneof(undeclared, declared), { minLength: 1, maxLength: 3 }) as fc.Arbitrary<
  { name: string; input: JsonObject }[]
>;

test("P3: read(write(calls)) == calls", () => {
  const law = fc.property(calls, (written) => {
    const read = parseToolCallsDetailed(`So:\n\n${canonical.write.calls(written)}\nThen.`, { tools });
    expect(read.calls).toEqual(written);
    expect(read.text).toBe("So:\n\n\nThen.");
  });
  fc.assert(law, { numRuns: 1000 });
});

const prose = fc.constantFrom(
  "I look at both files.",
  "Use `<tool_calls>` for it.",
  "It was a < b.",
  "- one\n- two",
  "> quoted",
);

test("calls come through among prose and examples, and nothing else does", () => {
  const part = fc.oneof(
    prose.map((shown) => ({ shown, meant: [] })),
    calls.map((written) => ({ shown: `\`\`\`\`xml\n${safe(canonical.write.calls(written))}\n\`\`\`\``, meant: [] })),
    calls.map((meant) => ({ shown: "", meant })),
  );
  const law = fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
    const reply = parts.map(({ shown, meant }) => (shown === "" ? canonical.write.calls(meant) : shown)).join("\n\n");
    const read = parseToolCallsDetailed(reply, { tools });
    expect(read.calls).toEqual(parts.flatMap(({ meant }) => meant));
    expect(withoutBlanks(read.text)).toBe(withoutBlanks(parts.map(({ shown }) => shown).join("")));
  });
  fc.assert(law, { numRuns: 500 });
});

/** An example without a line that could end its fence. */
const safe = (example: string) => example.replaceAll("`", "'");
const withoutBlanks = (text: string) => text.replace(/[ \t\r\n]+/g, "");

test("P3, P1: at every level, however it is cut", () => {
  const law = fc.property(calls, fc.constantFrom(...LEVELS), fc.nat(), (written, earlyEmit, seed) => {
    const chunks = randomChunks(canonical.write.calls(written), seed);
    const reply = outcomeOf({ text: chunks }, { tools, mode: "canonical", earlyEmit });
    expect(reply.calls.map((call) => ({ name: call.name, input: JSON.parse(call.arguments) }))).toEqual(written);
    expect(reply.text).toBe("");
  });
  fc.assert(law, { numRuns: 500 });
});
