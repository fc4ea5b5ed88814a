import { describe, expect, test } from "vitest";
import { SIEVE_LIMITS } from "../../../src/limits.ts";
import type { FinishReason } from "../../../src/reply.ts";
import { chunksOf } from "../../chunking.ts";
import { PING } from "./rules/rule-case.ts";
import { runSieve, type SieveOptions } from "./run.ts";

/** Each cap of the sieve: what comes of an input that just keeps it, and of one that is a character, a call … over. */

const text = { type: "string" };
const tools = [
  {
    name: "a",
    parameters: {
      type: "object",
      properties: { b: text, count: { type: "integer" }, tags: { type: "array", items: text } },
    },
  },
  { name: "ping" },
];

interface Outcome {
  /** Arguments of each call. */
  calls?: string[];
  text?: string;
  reasoning?: string;
  finish?: FinishReason | undefined;
}

interface Cap {
  cap: keyof typeof SIEVE_LIMITS;
  what: string;
  /** An input that has `size` of what is capped. */
  input(size: number): string;
  kept(input: string): Outcome;
  over(input: string): Outcome;
  /** Characters that may be held besides what the cap allows. */
  besides?: number;
  options?: Partial<SieveOptions>;
}

const of = (size: number, unit = "x") => unit.repeat(Math.max(0, size));
const blockOf = (value: string, parameter = "b") =>
  `<tool_calls><invoke name="a"><parameter name="${parameter}">${value}</parameter></invoke></tool_calls>`;
const b = (value: string) => [JSON.stringify({ b: value })];
const asText = (input: string): Outcome => ({ calls: [], text: input, finish: "stop" });
const tag = (size: number) => `<tool_calls x="${of(size - ' x="">'.length)}">`;

const CAPS: Cap[] = [
  {
    cap: "tag",
    what: "a tag; at the cap scanning goes on behind what was read",
    input: (size) => tag(size) + PING.slice("<tool_calls>".length),
    kept: () => ({ calls: ["{}"], text: "" }),
    over: () => ({ calls: ["{}"], text: tag(SIEVE_LIMITS.tag + 1) }),
  },
  {
    cap: "blanks",
    what: "blanks that a value begins with; at the cap they are data",
    input: (size) => blockOf(`${of(size, " ")}<![CDATA[x]]>`),
    kept: () => ({ calls: b("x") }),
    over: () => ({ calls: b(`${of(SIEVE_LIMITS.blanks + 1, " ")}x`) }),
  },
  {
    cap: "blanks",
    what: "blanks behind a possible closer; at the cap they are data",
    input: (size) => blockOf(`x</parameter>${of(size, " ")}`).replace("</parameter></invoke>", "</invoke>"),
    kept: () => ({ calls: b("x") }),
    over: asText,
    options: { earlyEmit: "off" },
  },
  {
    cap: "between",
    what: "blanks between two tags, with the head behind them; at the cap scanning goes on behind what was read",
    input: (size) => `<tool_calls>x${PING.replace("><", `>${of(size - "<invoke ".length, " ")}<`)}`,
    kept: () => ({ calls: ["{}"], text: "<tool_calls>x" }),
    over: asText,
  },
  {
    cap: "codeSpan",
    what: "how far behind a block a closing run is waited for; then it is a call",
    input: (size) => `\`${PING}${of(size - 1)}\``,
    kept: asText,
    over: () => ({ calls: ["{}"], text: `\`${of(SIEVE_LIMITS.codeSpan)}\`` }),
    besides: 2 * PING.length,
  },
  {
    cap: "entities",
    what: "a bare value from its first entity on; then nothing is decoded",
    input: (size) => blockOf(`&lt;${of(size - "&lt;".length)}`),
    kept: () => ({ calls: b(`<${of(SIEVE_LIMITS.entities - "&lt;".length)}`) }),
    over: () => ({ calls: b(`&lt;${of(SIEVE_LIMITS.entities + 1 - "&lt;".length)}`) }),
  },
  {
    cap: "section",
    what: "a section inside a bare value; then its marker is data",
    input: (size) => blockOf(`y<![CDATA[${of(size - "]]>".length)}]]>`),
    kept: () => ({ calls: b(`y${of(SIEVE_LIMITS.section - "]]>".length)}`) }),
    // The one character more is the last of its closer, and that is forgiven.
    over: () => ({ calls: b(`y<![CDATA[${of(SIEVE_LIMITS.section + 2 - "]]>".length)}]]>`) }),
  },
  {
    cap: "parked",
    what: "a call in reasoning with the text behind it; then all of it is reasoning",
    input: (size) => `<think>${PING}${of(size - PING.length)}</think>`,
    kept: () => ({ calls: ["{}"], text: "", reasoning: of(SIEVE_LIMITS.parked - PING.length), finish: "tool" }),
    over: (input) => ({
      calls: [],
      text: "",
      reasoning: input.slice("<think>".length, -"</think>".length),
      finish: "stop",
    }),
  },
  {
    cap: "whiteSpace",
    what: "white space behind a call; then it goes out",
    input: (size) => PING + of(size, " "),
    kept: () => ({ calls: ["{}"], text: "" }),
    over: () => ({ calls: ["{}"], text: of(SIEVE_LIMITS.whiteSpace + 1, " ") }),
  },
  {
    cap: "block",
    what: "a block that is not announced; then it is text",
    input: (size) => blockOf(`<![CDATA[${of(size - blockOf("<![CDATA[]]>").length)}]]>`),
    kept: (input) => ({
      calls: b(input.slice(blockOf("<![CDATA[").indexOf("</"), -"]]></parameter></invoke></tool_calls>".length)),
    }),
    over: asText,
    options: { earlyEmit: "off" },
    // The arguments, in case it is a call.
    besides: SIEVE_LIMITS.block,
  },
  {
    cap: "value",
    what: "a value that cannot stream; then its call stays open, and the reply ends in `length`",
    input: (size) => blockOf(of(size, "1"), "count"),
    kept: () => ({ calls: [`{"count":${of(SIEVE_LIMITS.value, "1")}}`], finish: "tool" }),
    over: () => ({ calls: [], text: "", finish: "length" }),
  },
  {
    cap: "value",
    what: "repeats that may be items; then their call stays open",
    input: (size) => {
      const halves = [Math.floor(size / 2), Math.ceil(size / 2)].map((half) => of(half));
      return blockOf(halves.join('</parameter><parameter name="tags">'), "tags");
    },
    kept: () => ({ calls: [JSON.stringify({ tags: [of(SIEVE_LIMITS.value / 2), of(SIEVE_LIMITS.value / 2)] })] }),
    over: () => ({ calls: [], text: "", finish: "length" }),
  },
  {
    cap: "parameters",
    what: "parameters of a call; with more of them it is none",
    input: (size) => {
      const parameters = Array.from({ length: size }, (_, index) => `<parameter name="p${index}"/>`);
      return `<tool_calls><invoke name="a">${parameters.join("")}</invoke></tool_calls>`;
    },
    kept: () => {
      const names = Array.from({ length: SIEVE_LIMITS.parameters }, (_, index) => [`p${index}`, ""]);
      return { calls: [JSON.stringify(Object.fromEntries(names))] };
    },
    over: asText,
    options: { earlyEmit: "off" },
    besides: SIEVE_LIMITS.block,
  },
  {
    cap: "calls",
    what: "calls of one reply; a block that begins behind the last of them is text",
    input: (size) => `${of(SIEVE_LIMITS.calls - 1, PING)}.${of(size - SIEVE_LIMITS.calls + 1, PING)}`,
    kept: () => ({ calls: Array(SIEVE_LIMITS.calls).fill("{}"), text: ".", finish: "tool" }),
    over: () => ({ calls: Array(SIEVE_LIMITS.calls).fill("{}"), text: `.${PING}`, finish: "tool" }),
  },
  {
    cap: "calls",
    what: "calls of one block are all its own",
    input: (size) => `<tool_calls>${of(size, '<invoke name="ping"/>')}</tool_calls>`,
    kept: () => ({ calls: Array(SIEVE_LIMITS.calls).fill("{}") }),
    over: () => ({ calls: Array(SIEVE_LIMITS.calls + 1).fill("{}"), text: "" }),
  },
];

describe.each(CAPS)("$cap: $what", ({ cap, input, kept, over, besides = 0, options }) => {
  // A section is judged a closer's length late, which changes nothing but the place.
  const more = cap === "section" ? 2 : 1;

  test.each([
    ["just kept", SIEVE_LIMITS[cap], kept],
    ["just over", SIEVE_LIMITS[cap] + more, over],
  ])("%s", (_side, size, expected) => {
    const whole = input(size);
    for (const chunk of [1, 4_096, whole.length]) {
      const reply = runSieve({ text: chunksOf(whole, chunk) }, { tools, mode: "canonical", ...options });
      const { calls, text, reasoning, finish } = reply;
      const given: Outcome = { calls: calls.map((call) => call.arguments), text, reasoning, finish };
      expectSame(given, expected(whole), `chunks of ${chunk}`);
      // Besides the cap, a tag may be held, and the chunk it ends in.
      expect(reply.heldMax).toBeLessThanOrEqual(SIEVE_LIMITS[cap] + besides + 2 * SIEVE_LIMITS.tag);
    }
  });
});

describe("reports", () => {
  const { reports: cap } = SIEVE_LIMITS;
  const reportOf = (input: string, options: Partial<SieveOptions> = {}) =>
    runSieve({ text: chunksOf(input, 4_096) }, { tools, mode: "canonical", ...options }).report;

  test.each([cap, cap + 1])("so many of %i blocks are told one by one", (size) => {
    const { blocks } = reportOf(of(size, "<tool_calls><invoke></invoke></tool_calls>"));
    expect(blocks.length).toBe(Math.min(size, cap));
  });

  test.each([cap, cap + 1])("so many of %i repairs of one block", (size) => {
    const { blocks } = reportOf(blockOf(`x${of(size, '</parameter><parameter name="b">y')}`));
    expect(blocks.map(({ repairs }) => repairs.length)).toEqual([Math.min(size, cap)]);
  });

  test.each([cap, cap + 1])("so many of %i rejected names", (size) => {
    const invokes = of(size, '<invoke name="zz"/>');
    const { rejectedToolNames } = reportOf(`<tool_calls>${invokes}</tool_calls>`, { undeclared: "text" });
    expect(rejectedToolNames.length).toBe(Math.min(size, cap));
  });
});

/** Long texts are compared without being printed. */
function expectSame(given: Outcome, expected: Outcome, label: string) {
  for (const key of Object.keys(expected) as (keyof Outcome)[]) {
    const [is, wanted] = [JSON.stringify(given[key]), JSON.stringify(expected[key])];
    if (is !== wanted) expect(`${key}: ${shorten(is)}`, label).toBe(`${key}: ${shorten(wanted)}`);
    expect(is === wanted, `${label}, ${key}`).toBe(true);
  }
}

const shorten = (json: string | undefined = "") =>
  json.length > 300 ? `${json.slice(0, 200)} … ${json.slice(-80)} (${json.length})` : json;
