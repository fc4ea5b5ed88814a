import { expect, test, vi } from "vitest";
import { SHADOW_LIMITS } from "../../src/limits.ts";
import type { NativeCall, StageEvent, UpstreamEvent } from "../../src/reply.ts";
import { createShadowedSieve, type ShadowReport } from "../../src/shadow.ts";
import { createSieveStage, type SieveOptions } from "../../src/sieve/index.ts";

const tools: SieveOptions["tools"] = [
  { name: "ping", parameters: { type: "object" } },
  { name: "say", parameters: { type: "object", properties: { word: { type: "string" } } } },
];
const invoke = (word: string) => `<invoke name="say"><parameter name="word">${word}</parameter></invoke>`;
const canonical = (...words: string[]) => `<tool_calls>${words.map(invoke).join("")}</tool_calls>`;
const hermes = (word: string) => `<tool_call>{"name": "say", "arguments": {"word": "${word}"}}</tool_call>`;
const repaired = (word: string) => hermes(word).replace("}}", ",}}");

const text = (...pieces: string[]): UpstreamEvent[] => pieces.map((piece) => ({ type: "text", text: piece }));
const STOP: UpstreamEvent = { type: "finish", reason: "stop" };
const FAILED: UpstreamEvent = { type: "error", error: { kind: "upstream-failed" } };
const native: NativeCall = { type: "native-call", name: "say", json: '{"word":"x"}' };

type Options = Partial<SieveOptions>;

/** @param pending fails where it is asked for */
function run(main: Options, shadow: Options, events: readonly UpstreamEvent[], pending = (): NativeCall[] => []) {
  const said: StageEvent[] = [];
  const plan = { sieve: { tools, ...main }, shadow: { tools, ...main, ...shadow } };
  const stage = createShadowedSieve(plan, (event) => void said.push(event), pending);
  for (const event of events) stage.push(event);
  return { said, report: stage.shadow?.report(), held: stage.shadow?.held() };
}

/** The events that there are without a shadow. */
function bare(main: Options, events: readonly UpstreamEvent[]): StageEvent[] {
  const said: StageEvent[] = [];
  const stage = createSieveStage({ tools, ...main }, (event) => void said.push(event));
  for (const event of events) stage.push(event);
  return said;
}

test("without a shadow there is the sieve and nothing else", () => {
  const stage = createShadowedSieve(
    { sieve: { tools }, shadow: undefined },
    () => {},
    () => [],
  );
  expect(Object.keys(stage)).toEqual(Object.keys(createSieveStage({ tools }, () => {})));
});

const FM = { mode: "feature_match" } as const;
const C = { mode: "canonical" } as const;
const END = { afterCalls: "end" } as const;

test.each<[what: string, Options, Options, UpstreamEvent[], ShadowReport]>([
  ["prose", C, FM, text("Hello ", "there."), { outcome: "same" }],
  ["the same call", C, FM, text("Hi ", canonical("a")), { outcome: "same" }],
  [
    "a call that the other one takes for text",
    C,
    FM,
    text(hermes("a")),
    { outcome: "different", calls: true, text: true },
  ],
  [
    "a call that is repaired",
    C,
    FM,
    text(repaired("a")),
    { outcome: "different", calls: true, text: true, repairs: true },
  ],
  [
    "a cut call, dropped by the other one",
    C,
    { malformed: "drop" },
    text("<tool_calls><inv"),
    { outcome: "different", text: true },
  ],
  [
    "an announced call that is cut, kept back by the other one",
    { ...C, malformed: "drop" },
    { earlyEmit: "off" },
    text(canonical("ab").slice(0, -25)),
    { outcome: "same" },
  ],
  [
    "a call behind one that both have",
    C,
    FM,
    text(canonical("a"), "\n", hermes("b")),
    { outcome: "different", calls: true, text: true },
  ],
  [
    "calls of reasoning",
    FM,
    { reasoningCalls: "never" },
    [{ type: "reasoning", text: canonical("a") }],
    { outcome: "different", calls: true },
  ],
  [
    "calls of reasoning before blanks, which are shown where no call is",
    FM,
    { reasoningCalls: "never" },
    [{ type: "reasoning", text: canonical("a") }, ...text("\n")],
    { outcome: "different", calls: true, text: true },
  ],
  ["a native call", C, FM, [native], { outcome: "same" }],
  [
    "text behind calls, which ends the other one",
    C,
    END,
    text(canonical("a"), "And", " so on."),
    { outcome: "different", text: true },
  ],
  [
    "blanks at the end, behind a call for one of them",
    C,
    FM,
    text(hermes("a"), " \n"),
    { outcome: "different", calls: true, text: true },
  ],
])("%s", (_what, main, shadow, events, wanted) => {
  const all = [...events, STOP];
  const { said, report, held } = run(main, shadow, all);
  expect(report).toEqual(wanted);
  expect(held).toBe(0);
  expect(said).toEqual(bare(main, all));
});

test("calls differ by their order, their names and where their arguments end", () => {
  // A repair alone: the same call in both.
  const pair = (one: string, two: string) => `<tool_calls>${one}${two}</tool_calls>`;
  const shadowOf = (written: string) => run(C, { undeclared: "text" }, [...text(written), STOP]).report;
  expect(shadowOf(pair(invoke("a"), invoke("b")))).toEqual({ outcome: "same" });
  expect(shadowOf(pair(invoke("a"), '<invoke name="nobody"></invoke>'))).toMatchObject({ calls: true });
});

test("calls differ by their names alone", () => {
  const written = `${canonical("a").replace("say", "nobody")} ${canonical("a")} ${canonical("a")}`;
  const main = { ...C, limits: { calls: 1, block: 1_000 } };
  expect(run(main, { undeclared: "text" }, [...text(written), STOP]).report).toMatchObject({ calls: true });
});

test("how the words are cut, and when a call is announced, differs in nothing", () => {
  const written = `Look: ${canonical("some words", "more")} done`;
  for (const size of [1, 3, written.length]) {
    const pieces = Array.from({ length: Math.ceil(written.length / size) }, (_, at) =>
      written.slice(at * size, (at + 1) * size),
    );
    expect(run(C, { earlyEmit: "off" }, [...text(...pieces), STOP]).report).toEqual({ outcome: "same" });
  }
});

test("one that has broken off has nothing to compare", () => {
  const events = text("Some ", hermes("a"));
  expect(run(C, FM, events).report).toEqual({ outcome: "incomplete" });
  const { report, said, held } = run(C, FM, [...events, FAILED]);
  expect([report, held]).toEqual([{ outcome: "incomplete" }, 0]);
  expect(said).toEqual(bare(C, [...events, FAILED]));
  // Even where the other one is through.
  const through = text(canonical("a"), "And", " so on.");
  expect(run(C, END, [...through, FAILED]).report).toEqual({ outcome: "incomplete" });
});

test("one that the sieve has ended is compared where the other one is through as well", () => {
  const one = { ...FM, maxCalls: 1 };
  const ends = (main: Options, shadow: Options, written: string) =>
    run(main, shadow, text(written, " and more")).report;
  expect(ends(one, C, canonical("a"))).toEqual({ outcome: "same" });
  expect(ends(one, C, hermes("a"))).toEqual({ outcome: "incomplete" });
  expect(ends({ ...C, ...END }, { afterCalls: "keep" }, canonical("a"))).toEqual({ outcome: "incomplete" });
});

test("one that is too long is given up at the cap", () => {
  const half = " word".repeat(SHADOW_LIMITS.read / 10 + 1);
  const events = text(`${hermes("a").slice(0, 30)}`, half, half, "end");
  const { said, report, held } = run(C, FM, [...events, STOP]);
  expect([report, held]).toEqual([{ outcome: "incomplete" }, 0]);
  expect(said).toEqual(bare(C, [...events, STOP]));
  // Reasoning and native calls are read, too.
  const thoughts: UpstreamEvent[] = [half, half].map((thought) => ({ type: "reasoning", text: thought }));
  expect(run(C, FM, [...thoughts, STOP]).report).toEqual({ outcome: "incomplete" });
  expect(run(C, FM, [...text(half), { ...native, json: half }, STOP]).report).toEqual({ outcome: "incomplete" });
});

test("one that fails is never asked again, and the reply is what it is", () => {
  const events = [...text(canonical("a"), " and", " more", ` ${canonical("b")}`), STOP];
  const pending = vi.fn(() => {
    throw new Error("broken");
  });
  const { said, report, held } = run(C, END, events, pending);
  expect([report, held]).toEqual([{ outcome: "failed" }, 0]);
  expect(pending).toHaveBeenCalledOnce();
  expect(said).toEqual(bare(C, events));
  const never = run(C, { dialects: ["morse"] }, events);
  expect([never.report, never.held]).toEqual([{ outcome: "failed" }, 0]);
  expect(never.said).toEqual(bare(C, events));
});

test("a stage behind that fails is no failure of the shadow's", () => {
  const emit = vi.fn(() => {
    throw new Error("behind");
  });
  const stage = createShadowedSieve({ sieve: { tools, ...C }, shadow: { tools, ...FM } }, emit, () => []);
  expect(() => stage.push({ type: "text", text: "Hello" })).toThrow("behind");
  expect(stage.shadow?.report()).toEqual({ outcome: "incomplete" });
});

test("C23: what the second reading holds is told while it reads", () => {
  const argument = `${hermes("").slice(0, -15)}${"word ".repeat(20_000)}`;
  const { held } = run(C, { ...FM, earlyEmit: "off" }, text(argument));
  expect(held).toBeGreaterThanOrEqual(argument.length);
  expect(run(C, FM, text("Nothing to hold.")).held).toBeLessThan(100);
});
