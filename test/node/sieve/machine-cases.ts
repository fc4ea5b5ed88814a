import type { FinishReason, UpstreamEvent } from "../../../src/reply.ts";
import type { Mode } from "./case-files.ts";
import { block, PING } from "./rules/rule-case.ts";
import type { SieveOptions } from "./run.ts";

/** What an upstream sends, in the order it comes, and what the client gets: a line for each part of the reply. */
export interface MachineCase {
  rule: string;
  events: UpstreamEvent[];
  gives: string[];
  /** Where no call goes out before its block is over. */
  off?: string[];
  options?: Partial<SieveOptions>;
  modes?: readonly Mode[];
}

export const text = (text: string): UpstreamEvent => ({ type: "text", text });
export const reasoning = (text: string): UpstreamEvent => ({ type: "reasoning", text });
export const finish = (reason: FinishReason): UpstreamEvent => ({ type: "finish", reason });
export const usage: UpstreamEvent = { type: "usage", usage: { input: 1, output: 1 } };
const error: UpstreamEvent = { type: "error", error: { kind: "upstream-timeout" } };
export const native: UpstreamEvent[] = [{ type: "native-call", name: "get", json: "{}" }];

export const OPEN = '<tool_calls><invoke name="a"><parameter name="b">x';
export const CLOSE = "</parameter></invoke></tool_calls>";
/** A block that is parted in the head of its call. */
export const HALF = PING.slice(0, 20);
const OTHER_HALF = PING.slice(20);

export const MACHINE_CASES: Record<string, readonly MachineCase[]> = {
  "native calls and calls in text": [
    {
      rule: "a native call before",
      events: [...native, text(PING), finish("stop")],
      gives: ["get {}", "ping {}", "finish tool"],
    },
    {
      rule: "a native call behind",
      events: [text(`${PING}\n`), ...native, finish("tool")],
      gives: ["ping {}", "get {}", "finish tool"],
    },
    {
      rule: "text around both",
      events: [text("1 "), ...native, text(`2 ${PING} 3`), finish("stop")],
      gives: ["text 1", "get {}", "text  2", "ping {}", "text   3", "finish tool"],
    },
    {
      rule: "a native call beside an open one waits for its end",
      events: [text(OPEN), ...native, ...native, text(`${CLOSE}y`), finish("stop")],
      gives: ['a {"b":"x"}', "get {}", "get {}", "text y", "finish tool"],
    },
    {
      rule: "what waits is dropped where the open call is cut (T3)",
      events: [text(OPEN), ...native, reasoning("r"), finish("length")],
      gives: ['open a {"b":"x', "finish length"],
      off: [`text ${OPEN}`, "get {}", "reasoning r", "finish tool"],
    },
    {
      rule: "what waits goes out where our own stop string closes the call (T1)",
      events: [text(`${OPEN}</parameter>`), ...native, finish("stop")],
      gives: ['a {"b":"x"}', "get {}", "finish tool"],
      options: { gatewayStop: ["</invoke>"] },
      // In `canonical` the block is none unless a call of it went out before (E1).
      modes: ["feature_match"],
    },
  ],

  "reasoning in a field of its own": [
    {
      rule: "between two pieces of text",
      events: [text("a "), reasoning("r "), text("b"), finish("stop")],
      gives: ["text a", "reasoning r ", "text  b", "finish stop"],
    },
    {
      rule: "inside a tentative block, which goes on behind it",
      events: [text(HALF), reasoning("r"), text(OTHER_HALF), finish("stop")],
      gives: ["reasoning r", "ping {}", "finish tool"],
    },
    {
      rule: "inside what only began like an opener",
      events: [text("a <tool_"), reasoning("r"), text("x>"), finish("stop")],
      gives: ["text a", "reasoning r", "text  <tool_x>", "finish stop"],
    },
    {
      rule: "beside an open call",
      events: [text(OPEN), reasoning("r"), text(CLOSE), finish("stop")],
      gives: ['a {"b":"x"}', "reasoning r", "finish tool"],
      off: ["reasoning r", 'a {"b":"x"}', "finish tool"],
    },
    {
      rule: "a call in it and nothing else (A4)",
      events: [reasoning(`r ${PING} s`), finish("stop")],
      gives: ["reasoning r  s", "ping {}", "finish tool"],
    },
    {
      rule: "a call in it, and blanks outside",
      events: [reasoning(PING), text(" \n"), finish("stop")],
      gives: ["ping {}", "finish tool"],
    },
    {
      rule: "a call in it and text outside",
      events: [reasoning(PING), text(" \nx"), finish("stop")],
      gives: [`reasoning ${PING}`, "text  \nx", "finish stop"],
    },
    {
      rule: "a call in it and a call outside",
      events: [reasoning(PING), text(block("1")), finish("stop")],
      gives: [`reasoning ${PING}`, 'a {"b":"1"}', "finish tool"],
    },
    {
      rule: "a call in it and a native one",
      events: [reasoning(PING), ...native, finish("tool")],
      gives: [`reasoning ${PING}`, "get {}", "finish tool"],
    },
    {
      rule: "usage is nothing visible",
      events: [reasoning(`r${PING}`), usage, reasoning("s"), finish("stop")],
      gives: ["reasoning r", "usage", "reasoning s", "ping {}", "finish tool"],
    },
    {
      rule: "a block in it goes on behind usage and empty text",
      events: [reasoning(HALF), usage, text(""), reasoning(OTHER_HALF), finish("stop")],
      gives: ["usage", "ping {}", "finish tool"],
    },
    {
      rule: "a block in it ends with text",
      events: [reasoning(HALF), text("x"), reasoning(OTHER_HALF), finish("stop")],
      gives: [`reasoning ${HALF}`, "text x", `reasoning ${OTHER_HALF}`, "finish stop"],
    },
    {
      rule: "a block in it ends with a native call",
      events: [reasoning(HALF), ...native, reasoning(OTHER_HALF), finish("stop")],
      gives: [`reasoning ${HALF}`, "get {}", `reasoning ${OTHER_HALF}`, "finish tool"],
    },
    {
      rule: "and some that is marked in the text",
      events: [reasoning("r"), text("<think>s</think>x"), finish("stop")],
      gives: ["reasoning rs", "text x", "finish stop"],
    },
  ],

  "usage, finish and errors": [
    {
      rule: "usage inside an open call comes behind it",
      events: [text(OPEN), usage, text(`${CLOSE}y`), finish("stop")],
      gives: ['a {"b":"x"}', "usage", "text y", "finish tool"],
      off: ["usage", 'a {"b":"x"}', "text y", "finish tool"],
    },
    {
      rule: "usage inside an open call that is cut",
      events: [text(OPEN), usage, finish("stop")],
      gives: ['open a {"b":"x', "usage", "finish length"],
      off: ["usage", `text ${OPEN}`, "finish stop"],
    },
    {
      rule: "usage between halves of an opener",
      events: [text(HALF), usage, text(OTHER_HALF), finish("stop")],
      gives: ["usage", "ping {}", "finish tool"],
    },
    {
      rule: "the finish while a call is open",
      events: [text(`${PING}${OPEN}`), finish("length")],
      gives: ["ping {}", 'open a {"b":"x', "finish length"],
      off: ["ping {}", `text ${OPEN}`, "finish length"],
    },
    {
      rule: "an error while a call is open",
      events: [text(OPEN), error],
      gives: ['open a {"b":"x', "error upstream-timeout"],
      off: [`text ${OPEN}`, "error upstream-timeout"],
    },
    {
      rule: "an error while something is held",
      events: [text("a <tool_ca"), error],
      gives: ["text a <tool_ca", "error upstream-timeout"],
    },
    {
      rule: "a limit behind a whole call",
      events: [text(`${PING} and`), finish("length")],
      gives: ["ping {}", "text and", "finish tool"],
    },
    {
      rule: "a limit in the block behind a whole call",
      events: [text(`${PING}<tool_calls>`), finish("length")],
      gives: ["ping {}", "text <tool_calls>", "finish length"],
    },
    {
      rule: "nothing behind the finish or an error",
      events: [text("x"), finish("stop"), text(PING), ...native, usage, error],
      gives: ["text x", "finish stop"],
    },
  ],

  "the sieve ends the reply": [
    {
      rule: "at invented results (W2)",
      events: [text(`a ${PING}\n<tool_results>42`), text("x"), usage, ...native, reasoning("r"), finish("length")],
      gives: ["text a", "ping {}", "finish tool"],
    },
    {
      rule: "at invented results behind a call and reasoning",
      events: [text(PING), reasoning("r"), text("\n<tool_response>42"), finish("stop")],
      gives: ["ping {}", "reasoning r", "finish tool"],
    },
    {
      rule: "not at results behind text",
      events: [text(`${PING}x<tool_results>`), finish("stop")],
      gives: ["ping {}", "text x<tool_results>", "finish tool"],
    },
    {
      rule: "at text behind a block (W3)",
      events: [text(`a ${PING}\nb`), finish("length")],
      gives: ["text a", "ping {}", "finish tool"],
      options: { afterCalls: "end" },
    },
    {
      rule: "not at another block (W3)",
      events: [text(`${PING}\n${PING}\nb`), finish("length")],
      gives: ["ping {}", "ping {}", "finish tool"],
      options: { afterCalls: "end" },
    },
    {
      rule: "at the closer of the last allowed call",
      events: [text(`${PING.replace("/>", "/> <invoke name='a'></invoke>")}x`), usage, finish("length")],
      gives: ["ping {}", "finish tool"],
      options: { maxCalls: 1 },
    },
    {
      rule: "at the last allowed call of several blocks",
      events: [text(`${PING} 1 ${PING} 2 ${PING} 3`), finish("stop")],
      gives: ["ping {}", "text 1", "ping {}", "finish tool"],
      options: { maxCalls: 2 },
    },
    {
      rule: "not before the last allowed call",
      events: [text(`${PING} 1`), finish("stop")],
      gives: ["ping {}", "text 1", "finish tool"],
      options: { maxCalls: 2 },
    },
    {
      rule: "with what waited beside the call",
      events: [text(OPEN), reasoning("r"), text(`${CLOSE}<tool_results>`), finish("stop")],
      gives: ['a {"b":"x"}', "reasoning r", "finish tool"],
      off: ["reasoning r", 'a {"b":"x"}', "finish tool"],
    },
  ],
};
