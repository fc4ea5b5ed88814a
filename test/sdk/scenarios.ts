import { expect } from "vitest";
import type { JsonObject } from "../../src/conversation.ts";
import { canonical } from "../../src/dialects/canonical.ts";
import { estimateTokens } from "../../src/tokens.ts";
import { fill, HOSTILE } from "../hostile-text.ts";
import { chunk, DONE, event, type Script, says } from "../scripted-upstream/script.ts";
import type { Ability, Finish, Question } from "./question.ts";

/** What the model says to a question, and what every client has to make of it. */
export interface Scenario {
  of: string;
  script: Script;
  asks?: Omit<Partial<Question>, "model">;
  /** Where a client lacks one of these, it cannot be asked of it. */
  needs?: readonly Ability[];
  expected: Expected;
  /** What the prompt that goes upstream ends with, behind the question itself. */
  line?: string;
}

export interface Expected {
  text?: string;
  /** Where the client shows it. */
  reasoning?: string;
  calls?: [name: string, input: JsonObject][];
  /** Where the client keeps it. */
  order: string;
  finish: Finish;
  /** The tool of a call that was cut: a body is without it, and a stream ends in it. */
  cutCall?: string;
  stopSequence?: string;
  usage?: { input: unknown; output: unknown; cached?: number; reasoning?: number };
}

const PARIS = { name: "get_weather", input: { city: "Paris" } };
const OSLO = { name: "get_weather", input: { city: "Oslo", days: 3 } };
const PING = { name: "ping", input: {} };
const paris = canonical.write.calls([PARIS]);
const two = canonical.write.calls([PARIS, OSLO]);
const called = ({ name, input }: { name: string; input: JsonObject }): [string, JsonObject] => [name, input];

const CUT = '<tool_calls>\n<invoke name="get_weather">\n<parameter name="city"><![CDATA[Par';

const RECORD = {
  zip: "00501",
  code: "42",
  count: 42,
  ratio: 0.5,
  active: true,
  tags: ["7", "true"],
  scores: [1, 2.5],
  owner: { name: "null", age: 30 },
};

/** A call in which every value is written the same way, whatever its type. */
const record = (write: (text: string) => string) => {
  const parameters = Object.entries(RECORD).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `<parameter name="${name}">${write(text)}</parameter>`;
  });
  return `<tool_calls>\n<invoke name="save_record">\n${parameters.join("\n")}\n</invoke>\n</tool_calls>`;
};

const counted = (usage: object): Script => ({
  steps: [{ send: chunk({ content: "Hi." }) }, { send: chunk({}, "stop") + event({ choices: [], usage }) + DONE }],
});

const content = fill(HOSTILE, 100_000);

const texts: Scenario[] = [
  {
    of: "text",
    script: says("Plain <b>text</b>, naïve 天气 😀.\n", { size: 1 }),
    expected: { text: "Plain <b>text</b>, naïve 天气 😀.\n", order: "text", finish: "stop" },
  },
  { of: "nothing", script: says(""), expected: { order: "", finish: "stop" } },
];

const calls: Scenario[] = [
  {
    of: "text and a call",
    script: says(`Let me look.\n\n${paris}`, { size: 5 }),
    expected: { text: "Let me look.", calls: [called(PARIS)], order: "text call", finish: "tool" },
  },
  {
    of: "a call alone",
    script: says(paris, { size: 7 }),
    expected: { calls: [called(PARIS)], order: "call", finish: "tool" },
  },
  {
    of: "two parallel calls",
    script: says(two, { size: 3 }),
    expected: { calls: [called(PARIS), called(OSLO)], order: "call call", finish: "tool" },
  },
  {
    of: "a call without arguments",
    script: says(canonical.write.calls([PING]), { size: 4 }),
    expected: { calls: [called(PING)], order: "call", finish: "tool" },
  },
  {
    of: "text behind a call",
    script: says(`Let me look.\n\n${paris}\nThat is it.`, { size: 6 }),
    expected: {
      text: "Let me look.\n\n\nThat is it.",
      calls: [called(PARIS)],
      order: "text call text",
      finish: "tool",
    },
  },
  {
    of: "text between calls",
    script: says(`One: ${paris} Two: ${canonical.write.calls([OSLO])}`, { size: 9 }),
    expected: {
      text: "One:  Two:",
      calls: [called(PARIS), called(OSLO)],
      order: "text call text call",
      finish: "tool",
    },
  },
  {
    of: "a call of 100 KB",
    script: says(canonical.write.calls([{ name: "write_file", input: { path: "a.md", content } }]), { size: 997 }),
    expected: { calls: [["write_file", { path: "a.md", content }]], order: "call", finish: "tool" },
  },
];

const types: Scenario[] = [
  {
    of: "arguments by their types, as the model is taught to write them",
    script: says(canonical.write.calls([{ name: "save_record", input: RECORD }]), { size: 8 }),
    expected: { calls: [["save_record", RECORD]], order: "call", finish: "tool" },
  },
  {
    of: "arguments by their types, all of them plain",
    script: says(
      record((text) => text),
      { size: 8 },
    ),
    expected: { calls: [["save_record", RECORD]], order: "call", finish: "tool" },
  },
  {
    of: "arguments by their types, all of them in CDATA",
    script: says(
      record((text) => `<![CDATA[${text}]]>`),
      { size: 8 },
    ),
    expected: { calls: [["save_record", RECORD]], order: "call", finish: "tool" },
  },
];

const reasoned = says(`So.\n${paris}`, { reasoning: "Hm, Paris.", size: 2 });

const reasoning: Scenario[] = [
  {
    of: "reasoning that was asked for",
    script: reasoned,
    asks: { reasoning: true },
    expected: {
      text: "So.",
      reasoning: "Hm, Paris.",
      calls: [called(PARIS)],
      order: "reasoning text call",
      finish: "tool",
    },
    needs: ["reasoning"],
  },
  {
    of: "reasoning that was not asked for",
    script: reasoned,
    asks: { reasoning: false },
    expected: { text: "So.", calls: [called(PARIS)], order: "text call", finish: "tool" },
  },
  {
    of: "reasoning in the text",
    script: says("<think>Hm.</think>So.", { size: 3 }),
    asks: { reasoning: true },
    expected: { text: "So.", reasoning: "Hm.", order: "reasoning text", finish: "stop" },
    needs: ["reasoning"],
  },
];

const finishes: Scenario[] = [
  {
    of: "text that was cut",
    script: says("Once upon", { finish: "length" }),
    expected: { text: "Once upon", order: "text", finish: "length" },
  },
  {
    of: "a cut behind a call",
    script: says(`${paris}\n\n`, { finish: "length" }),
    expected: { calls: [called(PARIS)], order: "call", finish: "tool" },
  },
  {
    of: "a cut inside a call",
    script: says(`Wait.\n${CUT}`, { size: 4, finish: "length" }),
    expected: { text: "Wait.", order: "text", finish: "length", cutCall: "get_weather" },
  },
  {
    of: "a cut inside a second call",
    script: says(`${paris}\n${CUT}`, { size: 4, finish: "length" }),
    expected: { calls: [called(PARIS)], order: "call", finish: "length", cutCall: "get_weather" },
  },
  {
    of: "text up to the end of the context",
    script: says("Once upon", { finish: "model_context_window_exceeded" }),
    expected: { text: "Once upon", order: "text", finish: "context" },
  },
  {
    of: "text that was filtered",
    script: says("I must", { finish: "content_filter" }),
    expected: { text: "I must", order: "text", finish: "filter" },
  },
  {
    of: "text up to a stop string",
    script: {
      steps: [
        { send: chunk({ content: "One, two" }) },
        { send: event({ choices: [{ index: 0, delta: {}, finish_reason: "stop", stop_reason: "three" }] }) + DONE },
      ],
    },
    asks: { stop: "three" },
    expected: { text: "One, two", order: "text", finish: "stop-sequence", stopSequence: "three" },
    needs: ["stop"],
  },
];

const usage: Scenario[] = [
  {
    of: "usage",
    script: counted({
      prompt_tokens: 12,
      completion_tokens: 9,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 3 },
    }),
    expected: {
      text: "Hi.",
      order: "text",
      finish: "stop",
      usage: { input: 12, output: 9, cached: 4, reasoning: 3 },
    },
  },
  {
    of: "usage that the upstream does not count",
    script: says("Nobody counts this."),
    expected: {
      text: "Nobody counts this.",
      order: "text",
      finish: "stop",
      usage: { input: expect.toSatisfy((tokens) => tokens > 0), output: estimateTokens("Nobody counts this.") },
    },
  },
];

const choices: Scenario[] = [
  {
    of: "calls that are allowed",
    script: says(paris, { size: 3 }),
    asks: { choice: "auto" },
    expected: { calls: [called(PARIS)], order: "call", finish: "tool" },
  },
  {
    of: "calls that are forbidden",
    script: says(paris, { size: 3 }),
    asks: { choice: "none" },
    expected: { text: paris, order: "text", finish: "stop" },
  },
  {
    of: "a call that is required",
    script: says(paris, { size: 3 }),
    asks: { choice: "required" },
    expected: { calls: [called(PARIS)], order: "call", finish: "tool" },
    line: "(This turn needs at least one tool call.)",
  },
  {
    of: "a call that is required by name",
    script: says(canonical.write.calls([PING]), { size: 3 }),
    asks: { choice: { name: "ping" } },
    expected: { calls: [called(PING)], order: "call", finish: "tool" },
    line: "(This turn needs a call of `ping`.)",
  },
  {
    of: "one call at most",
    script: says(`So: ${two} And so on.`, { size: 4 }),
    asks: { parallel: false },
    expected: { text: "So:", calls: [called(PARIS)], order: "text call", finish: "tool" },
    line: "(At most one tool call this turn.)",
    needs: ["one-call"],
  },
];

export const SCENARIOS: readonly Scenario[] = [
  ...texts,
  ...calls,
  ...types,
  ...reasoning,
  ...finishes,
  ...usage,
  ...choices,
];
