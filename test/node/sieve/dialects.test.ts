import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/conversation.ts";
import { DIALECTS } from "../../../src/dialects/all.ts";
import { channelSpellings, type Dialect, reservedSpellings, type WrittenCall } from "../../../src/dialects/dialect.ts";
import { chunksOf, randomChunks } from "../../chunking.ts";
import { LEVELS } from "./case-files.ts";
import type { Outcome } from "./run.ts";
import { outcomeOf, runSieve } from "./run.ts";

/** There are many notations: what one run misses another one finds. */
const RUNS = 100;

/** What holds for every notation, for calls that fit their schema and that it can carry. */

const string = { type: "string" };
const PROPERTIES = {
  text: string,
  path: string,
  maybe: { type: ["string", "null"] },
  count: { type: "integer" },
  ratio: { type: "number" },
  on: { type: "boolean" },
  tags: { type: "array", items: string },
  options: { type: "object" },
};
const NAMES = ["set", "get_time", "ns.f-1"];
const tools = NAMES.map((name) => ({
  name,
  parameters: { type: "object", properties: name === "get_time" ? {} : PROPERTIES },
}));

const spellingsOf = (dialect: Dialect) => [...reservedSpellings(dialect), ...channelSpellings(dialect)];

/** Strings that could end, nest or disguise a value, those of the notation's own marks among them. */
function strings(dialect: Dialect): fc.Arbitrary<string> {
  const own = spellingsOf(dialect).flatMap((spelling) => [spelling, `${spelling}>`]);
  const foreign =
    "</parameter> <tool_call> ]]> <![CDATA[ <b> </b> <path> </path> &amp; & \" ' \\ { } [1] ``` null 0042 true";
  const piece = fc.oneof(
    fc.constantFrom(...foreign.split(" "), " ", "\n", "\r\n", "\t", "日本", "👩‍👩‍👧", "x", "key: 1", "- a", "\\n"),
    { weight: 1, arbitrary: fc.constantFrom(...own) },
  );
  return fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
    fc.string({ unit: "binary" }).map((text) => text.toWellFormed()),
  );
}

function calls(dialect: Dialect): fc.Arbitrary<WrittenCall[]> {
  const text = strings(dialect);
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0);
  const key = fc.constantFrom("a", "b_c", "ключ");
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      ...[text, fc.integer(), number, fc.boolean(), fc.constant(null), fc.array(tie("value"), { maxLength: 3 })],
      fc.dictionary(key, tie("value"), { maxKeys: 3 }),
    ),
  })).value;
  const input = fc.record(
    {
      text,
      path: text,
      // The four letters mean nothing else where a schema alone tells strings from the rest.
      maybe: fc.option(text.filter((value) => value.trim() !== "null")),
      count: fc.maxSafeInteger(),
      ratio: number,
      on: fc.boolean(),
      tags: fc.array(text, { maxLength: 3 }),
      options: fc.dictionary(key, json, { maxKeys: 3 }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>;
  const call = fc
    .tuple(fc.constantFrom(...NAMES), input)
    .map(([name, given]) => ({ name, input: name === "get_time" ? {} : given }));
  return fc
    .array(call, { minLength: 1, maxLength: 3 })
    .map((all) => all.filter((written) => dialect.write.carries?.(written) ?? true))
    .filter((all) => all.length > 0);
}

/** Text near the notation, and often a little wrong: its marks, names, values and what is none of it in any order. */
function soup(dialect: Dialect): fc.Arbitrary<string> {
  const spellings = spellingsOf(dialect).filter((spelling) => spelling !== "<");
  const marks = spellings.flatMap((spelling) => [spelling, `${spelling}>`, `${spelling} name="set">`]);
  const parts =
    '<set> </set> <text> </text> <tags> name="text"> set text get_time tags {"text": ["x\\n"]} { } : , " > < /> null [1] é'.split(
      " ",
    );
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("", ...marks) },
    { weight: 3, arbitrary: fc.constantFrom(...parts, " ", "\n", "\n\n", "the plan", "<![CDATA[", "]]>", "`", "&lt;") },
    { weight: 1, arbitrary: calls(dialect).map((all) => dialect.write.calls(all)) },
  );
  return fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));
}

const read = (text: string[], dialect: Dialect, earlyEmit: (typeof LEVELS)[number], upstreamFinish?: "length") =>
  outcomeOf({ text, upstreamFinish }, { tools, earlyEmit, dialects: [dialect.id] });

const inputs = (outcome: Outcome) =>
  outcome.calls.map(({ name, arguments: json }) => ({ name, input: JSON.parse(json) as JsonObject }));

describe.each(DIALECTS.map((dialect) => [dialect.id, dialect] as const))("%s", (_id, dialect) => {
  test("P3: read(write(calls)) == calls, however it is cut", () => {
    const law = fc.property(calls(dialect), fc.constantFrom(...LEVELS), fc.nat(), (written, level, seed) => {
      const text = dialect.write.calls(written);
      for (const chunks of [[text], randomChunks(text, seed)]) {
        const outcome = read(chunks, dialect, level);
        expect(inputs(outcome)).toEqual(written);
        expect(outcome.text.trim()).toBe("");
      }
    });
    fc.assert(law, { numRuns: RUNS });
  });

  test("T1, T3: whatever is cut off, no half of a call is a call", () => {
    const law = fc.property(calls(dialect), fc.constantFrom(...LEVELS), fc.nat(), (written, level, place) => {
      const text = dialect.write.calls(written);
      const outcome = read([text.slice(0, place % text.length)], dialect, level, "length");
      const whole = inputs(outcome);
      expect(whole).toEqual(written.slice(0, whole.length));
      const { open } = outcome;
      if (open) expect(written[whole.length]?.name).toBe(open.name);
    });
    fc.assert(law, { numRuns: RUNS });
  });

  test("P1, P2, P5: whatever stands there, every chunking gives the same at little cost", () => {
    const finish = fc.constantFrom("stop" as const, "length" as const);
    const law = fc.property(
      soup(dialect),
      fc.constantFrom(...LEVELS),
      finish,
      fc.nat(),
      (text, earlyEmit, end, seed) => {
        const run = (chunks: string[]) =>
          runSieve({ text: chunks, upstreamFinish: end }, { tools, earlyEmit, dialects: [dialect.id] });
        const { looks, heldMax: _, ...whole } = run([text]);
        expect(looks).toBeLessThanOrEqual(5 * text.length);
        for (const chunks of [chunksOf(text, 1), randomChunks(text, seed)]) {
          const { looks: cut, heldMax: _, ...outcome } = run(chunks);
          expect(outcome).toEqual(whole);
          expect(cut).toBeLessThanOrEqual(5 * text.length);
        }
        if (whole.report.blocks.length === 0 && !mayConsume(dialect, text)) expect(whole.text).toBe(text);
      },
    );
    fc.assert(law, { numRuns: 2 * RUNS });
  });
});

/** Marks are consumed where no call is, too. */
function mayConsume({ channels }: Dialect, text: string): boolean {
  if (channels?.reasoning || channels?.visible) return true;
  return ["think>", ...(channels?.strips ?? [])].some((spelling) =>
    text.toLowerCase().includes(spelling.toLowerCase()),
  );
}
