import { describe, expect, test } from "vitest";
import { SIEVE_LIMITS } from "../../../src/limits.ts";
import type { StageEvent, UpstreamEvent } from "../../../src/reply.ts";
import { createSieveStage } from "../../../src/sieve/index.ts";
import { forEveryChunking } from "../../chunking.ts";
import { LEVELS, MODES } from "./case-files.ts";

/** Reasoning and native calls that the upstream sends in fields of their own, between the pieces of the text. */

const tools = [{ name: "a", parameters: { type: "object", properties: { b: { type: "string" } } } }];
const OPEN = '<tool_calls><invoke name="a"><parameter name="b">x';
const CLOSE = "</parameter></invoke></tool_calls>";
const PING = '<tool_calls><invoke name="a"/></tool_calls>';

const text = (text: string): UpstreamEvent => ({ type: "text", text });
const reasoning = (text: string): UpstreamEvent => ({ type: "reasoning", text });
const native: UpstreamEvent[] = [{ type: "native-call", name: "get", json: "{}" }];

interface Given {
  rule: string;
  before: UpstreamEvent[];
  /** The text behind, cut in every way. */
  last: string;
  /** In the order of the parts: text, (reasoning), name{arguments}. */
  gives: string;
  /** Without early emission, where no call is open before its block is over: what came beside it goes first. */
  off?: string;
  afterCalls?: "keep" | "end";
}

const GIVEN: readonly Given[] = [
  {
    rule: "E: reasoning beside an open call waits for its end, and text behind that is an answer",
    before: [text(OPEN), reasoning(PING)],
    last: `${CLOSE}hi`,
    gives: `a{"b":"x"}(${PING})hi`,
    off: `(${PING})a{"b":"x"}hi`,
  },
  {
    rule: "A4: a native call is an answer too",
    before: [reasoning(PING), ...native],
    last: "",
    gives: `(${PING})get{}`,
  },
  {
    rule: "E: a native call beside an open call waits for its end",
    before: [text(OPEN), reasoning("r"), ...native],
    last: `${CLOSE}hi`,
    gives: 'a{"b":"x"}(r)get{}hi',
    off: '(r)a{"b":"x"}get{}hi',
  },
  {
    rule: "A4: text behind reasoning ends what is open in it",
    before: [reasoning('<tool_calls><invoke name="a'), text("hi"), reasoning(`"/></tool_calls>`)],
    last: "",
    gives: '(<tool_calls><invoke name="a)hi("/></tool_calls>)',
  },
  {
    rule: "W2: behind a call and reasoning",
    before: [text(PING), reasoning("r")],
    last: "<tool_results>42",
    gives: "a{}(r)",
  },
  {
    rule: "W3: behind a call and reasoning",
    before: [text(PING), reasoning("r")],
    last: "visible",
    gives: "a{}(r)",
    afterCalls: "end",
  },
  {
    rule: "W4: behind a call and reasoning",
    before: [text(PING), reasoning("r")],
    last: "</tool_calls >So",
    gives: "a{}(r)So",
  },
  {
    rule: "A4: a closer of reasoning in the text behind it is consumed",
    before: [reasoning("r")],
    last: "</think>\nHi </think>",
    gives: "(r)\nHi </think>",
  },
];

for (const mode of MODES) {
  describe.each(GIVEN)(`${mode}: $rule`, ({ before, last, gives, off = gives, afterCalls = "keep" }) => {
    test.each(LEVELS)("early emission %s", (earlyEmit) => {
      const result = forEveryChunking(last, last, (chunks) => {
        const events: StageEvent[] = [];
        const sieve = createSieveStage({ tools, mode, earlyEmit, afterCalls }, (event) => events.push(event));
        for (const event of [...before, ...chunks.map(text)]) sieve.push(event);
        sieve.push({ type: "finish", reason: "stop" });
        return inOneLine(events);
      });
      expect(result).toBe(earlyEmit === "off" ? off : gives);
    });
  });
}

describe("what waits beside an open call", () => {
  const reply = (size: number, piece: number) => {
    const events: StageEvent[] = [];
    const sieve = createSieveStage({ tools, mode: "canonical" }, (event) => events.push(event));
    sieve.push(text(OPEN));
    for (let at = 0; at < size; at += piece) sieve.push(reasoning("r".repeat(Math.min(piece, size - at))));
    for (const event of [...native, text(`${CLOSE}hi`)]) sieve.push(event);
    sieve.push({ type: "usage", usage: { input: 1, output: 1 } });
    sieve.push({ type: "finish", reason: "stop" });
    return { events, report: sieve.report() };
  };
  const pieces = [1_000, 65_536, 2_000_000];

  test.each(pieces)("goes out behind it, in pieces of %i characters", (piece) => {
    const size = SIEVE_LIMITS.waiting - 2;
    const { events } = reply(size, piece);
    expect(inOneLine(events) === `a{"b":"x"}(${"r".repeat(size)})get{}hi`, "nothing is lost").toBe(true);
    expect(events.at(-1)).toEqual({ type: "finish", reason: "stop" });
  });

  test.each(pieces)("ends the reply in an error where it is too much, in pieces of %i characters", (piece) => {
    const { events, report } = reply(SIEVE_LIMITS.waiting + 1, piece);
    expect(inOneLine(events)).toBe('a{"b":"x');
    expect(events.at(-1)).toMatchObject({ type: "error", error: { kind: "upstream-failed" } });
    expect(report.ended).toBe(true);
  });
});

/** Parts joined, as `Given.gives` has them. */
function inOneLine(events: readonly StageEvent[]): string {
  const pieces = events.map((event) => {
    switch (event.type) {
      case "text":
        return event.text;
      case "reasoning":
        return `(${event.text})`;
      case "call-start":
        return event.name;
      case "call-arguments":
        return event.json;
      case "call-end":
      case "usage":
      case "finish":
      case "error":
        return "";
      default:
        return event satisfies never;
    }
  });
  return pieces.join("").replaceAll(")(", "");
}
