import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SIEVE_LIMITS } from "../../../src/limits.ts";
import type { StageEvent } from "../../../src/reply.ts";
import { createSpacing } from "../../../src/sieve/spacing.ts";
import { chunksOf } from "../../chunking.ts";

const usage = { input: 1, output: 1 };
const EVENTS: Record<string, StageEvent[]> = {
  CALL: [{ type: "call-start", name: "a" }, { type: "call-arguments", json: "{}" }, { type: "call-end" }],
  OPEN: [{ type: "call-start", name: "a" }],
  THOUGHT: [{ type: "reasoning", text: " r " }],
  USAGE: [{ type: "usage", usage }],
  STOP: [{ type: "finish", reason: "stop" }],
  ERROR: [{ type: "error", error: { kind: "upstream-failed" } }],
};

/** Words in capitals are events, everything else is text. */
const eventsOf = (words: readonly string[]) =>
  words.flatMap((word) => EVENTS[word] ?? [{ type: "text" as const, text: word }]);

function space(words: readonly string[]): StageEvent[] {
  const out: StageEvent[] = [];
  const stage = createSpacing((event) => out.push(event));
  for (const event of eventsOf(words)) stage.push(event);
  return out;
}

describe("white space around calls (sieve.md W1)", () => {
  test.each<[rule: string, input: string[], output: string[]]>([
    ["text goes on as it is", ["Hi", "STOP"], ["Hi", "STOP"]],
    ["blanks in it too", ["a \n b", "STOP"], ["a \n b", "STOP"]],
    ["blanks at its end wait for the text behind", ["a ", "b"], ["a", " b"]],
    ["and come out with it", ["a", " ", "\n", "b"], ["a", " \nb"]],
    ["at the beginning of the reply they wait too", [" ", "\n", "a"], [" \na"]],
    ["at the end of a reply without a call they go out", ["a \n", "STOP"], ["a", " \n", "STOP"]],
    ["a reply of blanks alone", [" \n", "STOP"], [" \n", "STOP"]],
    ["also where it fails", ["a ", "ERROR"], ["a", " ", "ERROR"]],
    ["at the end of a reply with a call they are dropped", ["a ", "CALL", "\n", "STOP"], ["a", "CALL", "STOP"]],
    ["behind text behind a call too", ["CALL", "a ", "STOP"], ["CALL", "a", "STOP"]],
    ["where it fails too", ["CALL", "\n", "ERROR"], ["CALL", "ERROR"]],
    ["before an open call", ["a ", "OPEN", "STOP"], ["a", "OPEN", "STOP"]],
    ["between text and text they stay, a call between or not", ["a ", "CALL", "\nb"], ["a", "CALL", " \nb"]],
    ["two calls between", ["a\n", "CALL", "\n", "CALL", "\nb"], ["a", "CALL", "CALL", "\n\n\nb"]],
    ["where only a call stands before the text they are dropped", ["CALL", "\n", " b"], ["CALL", "b"]],
    ["before the call and behind it", [" ", "CALL", "\n", "b"], ["CALL", "b"]],
    ["only those in front of the text", ["CALL", "\nb \n c"], ["CALL", "b \n c"]],
    ["only for the first text", ["CALL", "b", "\n", "c"], ["CALL", "b", "\nc"]],
    ["reasoning passes, and its blanks are its own", ["a ", "THOUGHT", "b"], ["a", "THOUGHT", " b"]],
    ["usage passes", ["a ", "USAGE", "STOP"], ["a", "USAGE", " ", "STOP"]],
    ["blanks are spaces, tabs, CR and LF alone", ["CALL", "\u00a0\v", "STOP"], ["CALL", "\u00a0\v", "STOP"]],
  ])("%s", (_rule, input, output) => {
    expect(space(input)).toEqual(eventsOf(output));
  });
});

describe("so many blanks are held, then they go out", () => {
  const blanks = (length: number) => " ".repeat(length);
  const { whiteSpace: cap } = SIEVE_LIMITS;

  test.each<[rule: string, input: string[], output: string]>([
    ["as many before a call", [blanks(cap), "CALL", "STOP"], ""],
    ["more before a call", [blanks(cap + 1), "CALL", "STOP"], blanks(cap + 1)],
    ["as many at the end of a reply with a call", ["CALL", "a", blanks(cap), "STOP"], "a"],
    ["more at the end of a reply with a call", ["CALL", "a", blanks(cap + 1), "STOP"], `a${blanks(cap + 1)}`],
    ["as many behind a call and before text", ["CALL", blanks(cap), "a", "STOP"], "a"],
    ["more behind a call and before text", ["CALL", blanks(cap + 1), "a", "STOP"], `${blanks(cap + 1)}a`],
    ["more in one piece with the text behind them", ["CALL", `${blanks(cap + 1)}a`, "STOP"], `${blanks(cap + 1)}a`],
    ["more between text", [`a${blanks(cap + 1)}b`, "STOP"], `a${blanks(cap + 1)}b`],
    ["after that they are held anew", ["CALL", "a", blanks(cap + 1), "b", " ", "STOP"], `a${blanks(cap + 1)}b`],
  ])("%s", (_rule, input, output) => {
    for (const size of [1, 4_096, Number.MAX_SAFE_INTEGER]) {
      expect(joined(space(cut(input, size))) === output, `text in pieces of ${size}`).toBe(true);
    }
  });
});

test("how the text is cut changes nothing", () => {
  const text = fc
    .array(fc.constantFrom(" ", "\n", "a", "b c"), { minLength: 1, maxLength: 6 })
    .map((all) => all.join(""));
  const words = fc.array(fc.oneof(text, fc.constantFrom("CALL", "THOUGHT", "USAGE")), { maxLength: 8 });
  const law = fc.property(words, fc.constantFrom("STOP", "ERROR"), (some, end) => {
    expect(withoutCuts(space(cut([...some, end], 1)))).toEqual(withoutCuts(space([...some, end])));
  });
  fc.assert(law, { numRuns: 500 });
});

test("what stands between visible characters is never changed, what is dropped are blanks", () => {
  const words = fc.array(fc.constantFrom(" ", "\n", "a", "b c", "CALL"), { maxLength: 10 });
  const law = fc.property(words, (some) => {
    const before = joined(eventsOf(some));
    const after = joined(space([...some, "STOP"]));
    expect(before.includes(after)).toBe(true);
    expect(after.trim()).toBe(before.trim());
    if (!some.includes("CALL")) expect(after).toBe(before);
  });
  fc.assert(law, { numRuns: 500 });
});

const cut = (words: readonly string[], size: number) =>
  words.flatMap((word) => (word in EVENTS ? [word] : chunksOf(word, size)));
const joined = (events: readonly StageEvent[]) =>
  events.map((event) => (event.type === "text" ? event.text : "")).join("");

function withoutCuts(events: readonly StageEvent[]): StageEvent[] {
  const out: StageEvent[] = [];
  for (const event of events) {
    const last = out.at(-1);
    if (event.type === "text" && last?.type === "text") last.text += event.text;
    else out.push({ ...event });
  }
  return out;
}
