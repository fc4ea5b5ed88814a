import { commonStart } from "../common-start.ts";
import type { Json, JsonObject } from "../conversation.ts";
import type { CallWriter, WrittenCall } from "./dialect.ts";
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

/** Names that begin with different characters, so that what calls of the two share ends before the name. */
const [A, B] = ["a", "b"] as const;
/** Spelled in no notation by chance. */
const SAMPLE = { $SAMPLE: ["a", { b: "1" }], c: null };
const INPUTS: readonly JsonObject[] = [{}, SAMPLE, { b: 'x "y" \\ z', c: 2 }];

/**
 * Taken from what the writer writes, and held against it: undefined for a notation that writes arguments one by one, unless it
 * says itself how (`CallWriter.arguments`).
 */
export function frameOf(write: CallWriter): CallFrame | undefined {
  const own = write.arguments;
  const frame = own && frameAround(write, own.write);
  if (frame) return { ...frame, rules: own.rules };
  return frameAround(write, spacedJson) ?? frameAround(write, (input) => JSON.stringify(input));
}

function frameAround(write: CallWriter, spell: (input: Json & JsonObject) => string): CallFrame | undefined {
  const sample = spell(SAMPLE);
  const split = (name: string) => write.calls([{ name, input: SAMPLE }]).split(sample);
  const begin = (name: string) => split(name)[0] ?? "";
  const next = (name: string) => write.calls([A, name].map((each) => ({ name: each, input: SAMPLE }))).split(sample)[1];
  const frame = { begin, end: split(A)[1] ?? "" };

  const writes = (framed: CallFrame, calls: readonly WrittenCall[]) => {
    const [first, ...others] = calls.map(({ name, input }) => ({ name, json: spell(input) }));
    const rest = others.map(({ name, json }) => framed.next?.(name) + json);
    return write.calls(calls) === framed.begin(first?.name ?? "") + first?.json + rest.join("") + framed.end;
  };
  const each = [A, B].flatMap((name) => INPUTS.map((input) => ({ name, input })));
  if (!each.every((call) => writes(frame, [call]))) return undefined;
  const several = { ...frame, next: (name: string) => next(name) ?? "" };
  return writes(several, each) ? several : frame;
}

/** What trailing characters a tokenizer would join to what comes next. */
const UNFINISHED = /[ \t<]+$/;

/**
 * How every call begins, of one tool where it is named: what a model goes on with that is to write nothing else. It ends where a
 * tokenizer would not go on in the midst of a token. Empty where calls have nothing in common.
 */
export function beginningOf(write: CallWriter, name: string | undefined): string {
  const writings =
    name === undefined
      ? [A, B].map((each) => ({ name: each, input: SAMPLE }))
      : [{}, SAMPLE].map((input) => ({ name, input }));
  const [one = "", other = ""] = writings.map((call) => write.calls([call]));
  return commonStart(one, other).replace(UNFINISHED, "");
}
