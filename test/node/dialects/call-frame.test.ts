import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/conversation.ts";
import { beginningOf, frameOf } from "../../../src/dialects/call-frame.ts";
import { canonical } from "../../../src/dialects/canonical.ts";
import type { TaughtDialect } from "../../../src/dialects/dialect.ts";
import { callGrammar } from "../../../src/dialects/gbnf.ts";
import { spacedJson } from "../../../src/dialects/json-spacing.ts";
import { createSieve } from "../../../src/sieve/index.ts";
import { chunkings } from "../../chunking.ts";
import { hostileText } from "../prompt/hostile-text.ts";
import { matchesGrammar } from "./gbnf-matcher.ts";
import { TAUGHT, TAUGHT_BY_ID } from "./taught-dialects.ts";

const NAMES = ["Read", "a.b-c", "größe"];
const tools = NAMES.map((name) => ({ name }));
const name = fc.constantFrom(...NAMES);
const value = fc.letrec<{ any: JsonObject[string] }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2 },
    hostileText,
    fc.constantFrom(null, true, 0, -1.5e-7, 1e21, "", "]]>", "]", "<![CDATA[", "</parameter>\n", "a&amp;b"),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(hostileText, tie("any"), { maxKeys: 2 }),
  ),
})).any;
const input = fc.dictionary(fc.constantFrom("a", "b_c", "-n", "$x", "größe"), value, {
  maxKeys: 3,
}) as fc.Arbitrary<JsonObject>;
const calls = fc.array(fc.record({ name, input }), { minLength: 1, maxLength: 3 });

/** JSON has no -0. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value));

function read(dialect: TaughtDialect, chunks: readonly string[]) {
  const sieve = createSieve({ tools, dialects: [dialect.id] });
  const events = [...chunks.flatMap((chunk) => sieve.push(chunk)), ...sieve.end()];
  const found: { name: string; json: string }[] = [];
  let shown = "";
  for (const event of events) {
    if (event.type === "text") shown += event.text;
    if (event.type === "call-start") found.push({ name: event.name, json: "" });
    const last = found.at(-1);
    if (event.type === "call-arguments" && last) last.json += event.json;
  }
  return { shown, calls: found.map(({ name, json }) => ({ name, input: JSON.parse(json) })) };
}

test("what stands around the arguments of a call, and how every call begins", async () => {
  const lines = TAUGHT.map(({ id, write }) => {
    const frame = frameOf(write);
    const beginnings = { any: beginningOf(write, undefined), one: beginningOf(write, "$TOOL") };
    return `${id}: ${JSON.stringify({ ...beginnings, ...(frame && { begin: frame.begin("$TOOL"), next: frame.next?.("$TOOL"), end: frame.end }) })}`;
  });
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./call-frames.txt");
});

const framed = TAUGHT_BY_ID.flatMap(([id, dialect]) => {
  const frame = frameOf(dialect.write);
  return frame ? [[id, dialect, frame] as const] : [];
});

describe.each(framed)("%s", (_id, dialect, frame) => {
  /** All that a server may write that was told to write JSON. */
  const spellings = dialect.write.arguments
    ? [dialect.write.arguments.write]
    : [JSON.stringify, spacedJson, (value: JsonObject) => JSON.stringify(value, null, 2)];

  test("is a call in its frame, and nothing else, however it is spaced and cut", () => {
    fc.assert(
      fc.property(name, input, fc.constantFrom(...spellings), (name, input, spell) => {
        const text = frame.begin(name) + spell(input) + frame.end;
        const wanted = { shown: "", calls: [{ name, input: plain(input) }] };
        for (const { chunks } of chunkings(text, {}, 30)) expect(read(dialect, chunks)).toEqual(wanted);
      }),
      { numRuns: 20 },
    );
  });

  test("is what the notation writes around arguments, of one call and of several", () => {
    const [spell = JSON.stringify] = [dialect.write.arguments?.write, spacedJson, JSON.stringify].filter(
      (spell) => spell && dialect.write.calls([{ name: "Read", input: { a: [1, 2] } }]).includes(spell({ a: [1, 2] })),
    );
    fc.assert(
      fc.property(calls, (calls) => {
        const [first, ...others] = frame.next ? calls : calls.slice(0, 1);
        if (!first) return;
        const rest = others.map(({ name, input }) => frame.next?.(name) + spell(input));
        expect(frame.begin(first.name) + spell(first.input) + rest.join("") + frame.end).toBe(
          dialect.write.calls([first, ...others]),
        );
      }),
    );
  });

  test("writes what its grammar describes", () => {
    fc.assert(
      fc.property(calls, (calls) => {
        const one = calls.slice(0, 1);
        expect(matchesGrammar(callGrammar(frame, NAMES, { several: false }), dialect.write.calls(one))).toBe(true);
        const all = frame.next ? calls : one;
        expect(matchesGrammar(callGrammar(frame, NAMES, { several: true }), dialect.write.calls(all))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  const grammar = callGrammar(frame, ["Read"], { several: false });
  const written = dialect.write.calls([{ name: "Read", input: { a: ["x"] } }]);
  test.each([
    ["another tool", dialect.write.calls([{ name: "Write", input: {} }])],
    ["text before it", `I look.\n\n${written}`],
    ["text behind it", `${written} Done.`],
    ["a call that is cut", written.slice(0, -1)],
    [
      "a second call",
      dialect.write.calls([
        { name: "Read", input: {} },
        { name: "Read", input: {} },
      ]),
    ],
    ["a string that does not end", written.replace('"x"', '"x')],
    ["nothing", ""],
  ])("its grammar does not describe %s", (_what, text) => {
    expect(matchesGrammar(grammar, text)).toBe(false);
  });
});

test("what the canonical grammar lets a model write is read as a call", () => {
  const frame = frameOf(canonical.write);
  if (!frame) throw new Error("no frame");
  const grammar = callGrammar(frame, ["Read"], { several: false });
  const pieces = fc.constantFrom(
    "]",
    "]]",
    ">",
    "<![CDATA[",
    "</parameter>",
    "</invoke>",
    "a",
    "<",
    "&amp;",
    "\n",
    "é",
  );
  const text = fc.array(pieces, { maxLength: 8 }).map((all) => all.join(""));
  fc.assert(
    fc.property(text, (text) => {
      const whole = `${frame.begin("Read")}<parameter name="a"><![CDATA[${text}]]></parameter>\n${frame.end}`;
      fc.pre(matchesGrammar(grammar, whole));
      // Between two sections is nothing.
      const value = text.replaceAll("]]><![CDATA[", "");
      expect(value).not.toContain("]]>");
      expect(read(canonical, [whole])).toEqual({ shown: "", calls: [{ name: "Read", input: { a: value } }] });
    }),
    { numRuns: 500 },
  );
});
