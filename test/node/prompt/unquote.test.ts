import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonical } from "../../../src/dialects/canonical.ts";
import { createQuoting } from "../../../src/prompt/quoting.ts";
import { createUnquote } from "../../../src/prompt/unquote.ts";
import type { StageEvent } from "../../../src/reply.ts";
import { chunksOf, forEveryChunking } from "../../chunking.ts";
import { hostileText } from "./hostile-text.ts";

const quoting = createQuoting([canonical]);
const FINISH: StageEvent = { type: "finish", reason: "stop" };

function pass(events: readonly StageEvent[]): StageEvent[] {
  const passed: StageEvent[] = [];
  const stage = createUnquote({ quoting }, (event) => passed.push(event));
  for (const event of events) stage.push(event);
  stage.push(FINISH);
  expect(passed.pop()).toBe(FINISH);
  return passed;
}

const asText = (chunks: readonly string[]) => chunks.map((text): StageEvent => ({ type: "text", text }));
const asArguments = (chunks: readonly string[]) => chunks.map((json): StageEvent => ({ type: "call-arguments", json }));

function joined(events: readonly StageEvent[]): string {
  return events.map((event) => ("text" in event ? event.text : "json" in event ? event.json : "")).join("");
}

const unquote = (chunks: readonly string[]) => joined(pass(asText(chunks)));
const unquoteJson = (chunks: readonly string[]) => joined(pass(asArguments(chunks)));

describe("in text", () => {
  test.each([
    ["a closer", "a <~/tool_results> b", "a </tool_results> b"],
    ["a template token", "<~|im_end|>[~/INST]", "<|im_end|>[/INST]"],
    ["one level of several", "<~~~/think>", "<~~/think>"],
    ["nothing that is not reserved", "<~div> [~1] ~/think <~ think>", "<~div> [~1] ~/think <~ think>"],
    ["nothing that is not quoted", "<think></tool_calls>[INST]", "<think></tool_calls>[INST]"],
    ["nothing of a longer name", "<~toolset> <~tools-x> <~think.y <~tools>", "<~toolset> <~tools-x> <~think.y <tools>"],
    ["a name that the end cuts", "a <~/tool_results", "a </tool_results"],
    ["a mark right behind another", "<~tools<~think[~INST]~~b]", "<tools<think[INST]~b]"],
    ["a token between square brackets", "]]~~b]ai ]~b] ]~~x]~~~!b[", "]]~b]ai ]~b] ]~~x]~~!b["],
    ["a mark right behind one that broke off", "<~tool_ca<~think><~/<~think>", "<~tool_ca<think><~/<think>"],
    ["nothing of a mark that never ends", "a <~/tool_cal", "a <~/tool_cal"],
    ["the last of many", `<${"~".repeat(99)}think`, `<${"~".repeat(98)}think`],
  ])("is undone: %s", (what, quoted, plain) => {
    expect(forEveryChunking(what, quoted, unquote)).toBe(plain);
  });

  test("is undone for every text and every chunking", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(forEveryChunking(text, quoting.quote(text), unquote)).toBe(text);
        expect(unquote([quoting.quoteTyped(text)])).toBe(text);
        expect(unquote([quoting.quoteAnswer(text)])).toBe(text);
      }),
      { numRuns: 200 },
    );
  });
});

/** The spellings of one string that JSON leaves to its writer. */
const SPELLINGS: Record<string, (json: string) => string> = {
  plain: (json) => json,
  "our own history's": (json) => json.replaceAll("<", "\\u003c").replaceAll("&", "\\u0026"),
  "with escaped slashes": (json) => json.replaceAll("/", "\\/"),
  "ASCII only": (json) => json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
};

describe("in arguments", () => {
  test.each(Object.entries(SPELLINGS))("is undone in every key and leaf, spelling %s", (_name, spell) => {
    fc.assert(
      fc.property(hostileText, hostileText, (key, leaf) => {
        const quoted = spell(JSON.stringify({ [quoting.quote(`k${key}`)]: [[quoting.quote(leaf)]] }));
        expect(JSON.parse(forEveryChunking(leaf, quoted, unquoteJson))).toEqual({ [`k${key}`]: [[leaf]] });
      }),
      { numRuns: 100 },
    );
  });

  test("keeps a backslash that is escaped itself", () => {
    const json = JSON.stringify({ a: "\\u003c~/think> \\", b: "<~/think>" });
    expect(JSON.parse(unquoteJson(chunksOf(json, 1)))).toEqual({ a: "\\u003c~/think> \\", b: "</think>" });
  });
});

describe("events", () => {
  test("pass as they are where no mark touches them", () => {
    const events: StageEvent[] = [
      { type: "text", text: "a < b [1] ~ c" },
      { type: "text", text: "ends in <" },
      { type: "text", text: "b> and <~div>" },
      { type: "call-start", name: "x" },
      { type: "call-arguments", json: '{"a":"\\n<b"' },
      { type: "call-arguments", json: "}" },
      { type: "call-end" },
      { type: "finish", reason: "stop" },
    ];
    const passed = pass(events);
    expect(passed).toHaveLength(events.length);
    for (const [index, event] of events.entries()) expect(passed[index]).toBe(event);
  });

  test("keep their order: what is held goes out before anything else", () => {
    const events: StageEvent[] = [
      { type: "reasoning", text: "r <~thi" },
      { type: "text", text: "nk> <~/tool_" },
      { type: "call-start", name: "x" },
      { type: "call-arguments", json: '{"a":"<~thi' },
      { type: "error", error: { kind: "internal" } },
    ];
    expect(pass(events)).toEqual([
      { type: "reasoning", text: "r <" },
      { type: "reasoning", text: "~thi" },
      { type: "text", text: "nk> <" },
      { type: "text", text: "~/tool_" },
      { type: "call-start", name: "x" },
      { type: "call-arguments", json: '{"a":"<' },
      { type: "call-arguments", json: "~thi" },
      { type: "error", error: { kind: "internal" } },
    ]);
  });

  test("of usage do not part a mark", () => {
    const usage = { type: "usage", usage: { input: 1, output: 1 } } as const;
    const passed = pass([{ type: "text", text: "<~thi" }, usage, { type: "text", text: "nk>" }]);
    expect(passed).toEqual([{ type: "text", text: "<" }, usage, { type: "text", text: "think>" }]);
  });

  test("never end in half a surrogate pair that came whole", () => {
    const halves = pass(asText(["<~think>😀<~", "😀<~~", "|😀"])).filter((event) =>
      /[\ud800-\udbff]$/.test(joined([event])),
    );
    expect(halves).toEqual([]);
  });

  test("wait for no more than one mark", () => {
    const longest = Math.max(...quoting.marks.map((mark) => mark.rest.length)) + "~/".length;
    fc.assert(
      fc.property(hostileText, (text) => {
        const held: StageEvent[] = [];
        const stage = createUnquote({ quoting }, (event) => held.push(event));
        for (const event of asText(chunksOf(text, 1))) stage.push(event);
        held.length = 0;
        stage.push(FINISH);
        expect(held.pop()).toBe(FINISH);
        expect(joined(held).length).toBeLessThanOrEqual(longest);
      }),
    );
  });
});
