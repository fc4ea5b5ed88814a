import { describe, expect, test } from "vitest";
import { SIEVE_LIMITS } from "../../../src/limits.ts";
import { chunksOf } from "../../chunking.ts";
import type { Level } from "./case-files.ts";
import { LEVELS } from "./case-files.ts";
import type { SieveOptions } from "./run.ts";
import { runSieve } from "./run.ts";

const text = { type: "string" };
const tools = [
  { name: "a", parameters: { type: "object", properties: { b: text, note: { type: ["string", "null"] } } } },
  {
    name: "set",
    parameters: { type: "object", properties: { count: { type: "integer" }, tags: { type: "array", items: text } } },
  },
];

const EXAMPLE = '<tool_calls><invoke name="a"><parameter name="b">no</parameter></invoke></tool_calls>';
const CLOSE = "</parameter></invoke></tool_calls>";
const MORE_THAN_A_VALUE = "1".repeat(SIEVE_LIMITS.value + 100);
const open = (name: string, parameter: string) => `<tool_calls><invoke name="${name}"><parameter name="${parameter}">`;

/** Whole, and in chunks: short ones, and about as long as a network read. */
function inChunks(input: string, options: Partial<SieveOptions>) {
  const cuts = [[input], chunksOf(input, 64), chunksOf(input, 16_384)];
  const [whole, ...rest] = cuts.map((chunks) => {
    const { heldMax, looks, ...outcome } = runSieve({ text: chunks }, { tools, mode: "canonical", ...options });
    expect(looks, "P5").toBeLessThanOrEqual(4 * input.length);
    return { outcome, heldMax };
  });
  if (!whole) throw new Error("there is always the whole text");
  for (const { outcome } of rest) expect(JSON.stringify(outcome) === JSON.stringify(whole.outcome), "P1").toBe(true);
  return { ...whole.outcome, heldMax: Math.max(whole.heldMax, ...rest.map(({ heldMax }) => heldMax)) };
}

describe("C22: a value that cannot stream, beyond its cap", () => {
  const values: [what: string, value: string][] = [
    ["an example behind it", ""],
    ["an example behind a closer that is data", `</parameter> so: ${EXAMPLE}</parameter>.`],
    ["an example as a nested value", `<parameter name="x">y</parameter></invoke>${EXAMPLE}`],
  ];
  const options: [level: Level, undeclared: boolean][] = [
    ["off", false],
    ["high", true],
  ];
  for (const [level, undeclared] of options) {
    test.each(values)(`is read to its true end: %s, early emission ${level}`, (_, more) => {
      const input = `${open(undeclared ? "zz" : "set", "count")}${MORE_THAN_A_VALUE}${more}${CLOSE} tail`;
      const { calls, text, report } = inChunks(input, { earlyEmit: level });
      expect(calls).toEqual([]);
      expect(text === input, "the block is text").toBe(true);
      expect(report.blocks.map(({ outcome }) => outcome)).toEqual(["malformed"]);
      expect(report.cut).toBe(false);
    });
  }

  test.each(["high", "low"] as const)("leaves its announced call open, early emission %s", (earlyEmit) => {
    const input = `${open("set", "count")}${MORE_THAN_A_VALUE}${CLOSE}${EXAMPLE}`;
    const { calls, open: call, text, finish } = inChunks(input, { earlyEmit });
    expect([calls, call?.name, text, finish]).toEqual([[], "set", "", "length"]);
  });

  test.each(LEVELS)("is a value at the cap, early emission %s", (earlyEmit) => {
    const digits = "1".repeat(SIEVE_LIMITS.value);
    const { calls } = inChunks(`${open("set", "count")}${digits}${CLOSE}`, { earlyEmit });
    expect(calls.map((call) => call.arguments === `{"count":${digits}}`)).toEqual([true]);
  });
});

test.each(LEVELS)("C22: a block beyond its cap, early emission %s: no example behind it runs", (earlyEmit) => {
  const value = `<![CDATA[${"x".repeat(SIEVE_LIMITS.block + 100)}]]>`;
  const input = `${open("zz", "b")}${value}${CLOSE}${EXAMPLE}`;
  const { calls, text } = inChunks(input, { earlyEmit, undeclared: "text" });
  expect(calls).toEqual([]);
  expect(text === input).toBe(true);
});

describe("C22: what is held is bounded", () => {
  const more = 3_000_000;
  const ping = '<invoke name="a"/>';
  const fill = (unit: string) => unit.repeat(Math.ceil(more / unit.length));
  const given: [what: string, input: string, bound: number][] = [
    [
      "repeats of an array's parameter",
      `${open("set", "tags")}${fill(`x</parameter><parameter name="tags">`)}`,
      SIEVE_LIMITS.value,
    ],
    ["blanks of a value that may be null", `${open("a", "note")}${fill(" ")}`, 2 * SIEVE_LIMITS.blanks],
    ["blanks behind null", `${open("a", "note")}null${fill(" ")}`, 2 * SIEVE_LIMITS.blanks],
    ["a number", `${open("set", "count")}${fill("1")}`, SIEVE_LIMITS.value],
    ["references", `${open("a", "b")}${fill("&amp;")}`, SIEVE_LIMITS.entities],
    ["a section in a bare value", `${open("a", "b")}x<![CDATA[${fill("y ")}`, SIEVE_LIMITS.section],
    [
      "an undeclared sibling of a call that is out",
      `<tool_calls>${ping}${open("zz", "b").slice(12)}<![CDATA[${fill("y ")}`,
      SIEVE_LIMITS.block,
    ],
    ["a bad sibling of a call that is out", `<tool_calls>${ping}<invoke name="a">${fill("y ")}`, 0],
    ["comments behind a call that is out", `<tool_calls>${ping}${fill("<!-- x -->")}`, SIEVE_LIMITS.between],
    ["blanks behind a call that is out", `<tool_calls>${ping}${fill(" ")}`, SIEVE_LIMITS.between],
    ["blanks in a call that is out", `${open("a", "b")}</parameter>${fill(" ")}`, SIEVE_LIMITS.between],
    ["reasoning behind a parked call", `<think><tool_calls>${ping}</tool_calls>${fill("r ")}`, SIEVE_LIMITS.parked],
  ];

  test.each(given)("%s", (_, input, bound) => {
    const { heldMax } = runSieve({ text: chunksOf(input, 1_000) }, { tools, mode: "canonical", earlyEmit: "high" });
    expect(heldMax).toBeLessThanOrEqual(bound + 2 * SIEVE_LIMITS.tag);
  });

  test.each(LEVELS)("blocks that are not announced, early emission %s", (earlyEmit) => {
    const input = `${open("zz", "b")}<![CDATA[${fill("y ")}`;
    const { heldMax } = runSieve({ text: chunksOf(input, 1_000) }, { tools, mode: "canonical", earlyEmit });
    // The raw text, in case it is none, and the arguments, in case it is one.
    expect(heldMax).toBeLessThanOrEqual(2 * SIEVE_LIMITS.block + 2 * SIEVE_LIMITS.tag);
  });
});

describe("C22: blanks and comments between two tags", () => {
  const fill = (size: number) =>
    `\n${"<!-- x -->".repeat(Math.ceil(size / 10))}`.slice(0, size).replace(/<[^>]*$/, "\n");

  test.each(LEVELS)("fewer than the cap, early emission %s", (earlyEmit) => {
    const between = fill(SIEVE_LIMITS.between - 100);
    const input = `<tool_calls>${between}<invoke name="a">${between}</invoke>${between}</tool_calls>`;
    const { calls, text } = inChunks(input, { earlyEmit });
    expect([calls, text]).toEqual([[{ name: "a", arguments: "{}" }], ""]);
  });

  test.each(LEVELS)("more than the cap, early emission %s: scanning goes on behind what was read", (earlyEmit) => {
    const input = `<tool_calls>${fill(SIEVE_LIMITS.between + 100)}${EXAMPLE}`;
    const { calls, text } = inChunks(input, { earlyEmit });
    expect(calls.map(({ name }) => name)).toEqual(["a"]);
    expect(text === input.slice(0, -EXAMPLE.length).trimEnd()).toBe(true);
  });
});

describe("JSON", () => {
  const mode = "feature_match";
  const call = (size: number) => `{"name": "a", "arguments": {"b": "${"x".repeat(size)}"}}`;

  test("the whole reply is a call up to the cap of what is undecided", () => {
    const most = call(SIEVE_LIMITS.undecided - call(0).length);
    expect(inChunks(most, { mode }).calls.length).toBe(1);
    const more = `${most} `;
    const { calls, text } = inChunks(more, { mode });
    expect([calls, text === more]).toEqual([[], true]);
  });

  test("an object that cannot be a call is not held to its end", () => {
    const input = `{"role": "x", "content": "${"x".repeat(100_000)}"}`;
    const { text, heldMax } = inChunks(input, { mode });
    expect(text === input).toBe(true);
    expect(heldMax).toBeLessThan(64);
  });

  test.each(["llama3_json", "fenced_json"])("nor is data, where %s is pinned", (dialect) => {
    const object = `{"title": "x", "items": ["${"x".repeat(100_000)}"]}`;
    const input = dialect === "fenced_json" ? `\`\`\`json\n${object}\n\`\`\`` : object;
    const { text, heldMax } = inChunks(input, { mode, dialects: [dialect] });
    expect(text === input).toBe(true);
    expect(heldMax).toBeLessThan(64);
  });

  test("where it is pinned a call whose name does not come is undecided, too", () => {
    const input = (size: number) => `{"arguments": {"b": "${"x".repeat(size)}"}, "name": "a"}`;
    const most = input(SIEVE_LIMITS.undecided - input(0).length);
    const options = { mode, dialects: ["llama3_json"] } as const;
    expect(inChunks(most, options).calls.length).toBe(1);
    const more = input(2 * SIEVE_LIMITS.undecided);
    const { calls, text, heldMax } = inChunks(more, options);
    expect([calls, text === more]).toEqual([[], true]);
    expect(heldMax).toBeLessThan(3 * SIEVE_LIMITS.undecided);
  });

  test("and one whose name has come is not", () => {
    const options = { mode, dialects: ["llama3_json"], earlyEmit: "off" } as const;
    expect(inChunks(call(2 * SIEVE_LIMITS.undecided), options).calls.length).toBe(1);
  });

  test("a streamed argument is not held", () => {
    const input = `<tool_call>${call(SIEVE_LIMITS.value + 100)}</tool_call>`;
    const { calls, heldMax } = inChunks(input, { mode, earlyEmit: "high" });
    expect(calls.length).toBe(1);
    expect(heldMax).toBeLessThan(64);
  });

  test("arguments before the name, beyond the cap, are those of no call", () => {
    const input = `<tool_call>{"arguments": {"b": "${"x".repeat(SIEVE_LIMITS.value)}"}, "name": "a"}</tool_call>`;
    const { calls, text } = inChunks(input, { mode });
    expect([calls, text === input]).toEqual([[], true]);
  });
});
