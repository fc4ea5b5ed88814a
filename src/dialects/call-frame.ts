import { commonStart } from "../common-start.ts";
import type { JsonObject } from "../conversation.ts";
import type { CallWriter } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";

/** What a notation writes around the arguments of its calls, which stand there in one piece. */
export interface CallFrame {
  /** Before the arguments of the first call. */
  begin(name: string): string;
  /** Between the arguments of a call and those of the next one; absent where a block of several calls is not so simple. */
  readonly next?: (name: string) => string;
  /** Behind the last ones. */
  readonly end: string;
  /** GBNF of the arguments, its first rule `arguments`; absent: they are a JSON object, spaced in any way. */
  readonly rules?: string;
}

/** Spelled in no notation by chance. */
const SAMPLE = { $SAMPLE: ["a", { b: "1" }], c: null };

/**
 * Taken from what the writer writes; the tests hold it against all that it may write. Undefined for a notation that writes
 * arguments one by one, unless it says itself how (`CallWriter.arguments`).
 */
export function frameOf(write: CallWriter): CallFrame | undefined {
  const own = write.arguments;
  const frame = own && frameAround(write, own.write);
  if (frame) return { ...frame, rules: own.rules };
  return frameAround(write, spacedJson) ?? frameAround(write, (input) => JSON.stringify(input));
}

function frameAround(write: CallWriter, spell: (input: JsonObject) => string): CallFrame | undefined {
  const sample = spell(SAMPLE);
  const around = (...names: string[]) => write.calls(names.map((name) => ({ name, input: SAMPLE }))).split(sample);
  const [, end] = around("a");
  if (end === undefined) return undefined;
  const begin = (name: string) => around(name)[0] ?? "";
  const next = (name: string) => around("a", name)[1] ?? "";
  // Some number their calls.
  const [, second, third] = around("a", "a", "a");
  return second === third ? { begin, next, end } : { begin, end };
}

/** What trailing characters a tokenizer would join to what comes next. */
const UNFINISHED = /[ \t<]+$/;

/**
 * What every call begins with, or every call of one tool: a model that goes on from there can hardly write anything else. It ends
 * where no token of the model's is cut in two. Empty where calls have nothing in common.
 */
export function beginningOf(write: CallWriter, name: string | undefined): string {
  const writings =
    name === undefined
      ? // Their first characters differ, so what the calls share ends before the name.
        ["a", "b"].map((each) => ({ name: each, input: SAMPLE }))
      : [{}, SAMPLE].map((input) => ({ name, input }));
  const [one = "", other = ""] = writings.map((call) => write.calls([call]));
  return commonStart(one, other).replace(UNFINISHED, "");
}
