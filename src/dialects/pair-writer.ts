import type { Json } from "../conversation.ts";
import type { CallWriter, WrittenCall } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";

/** How a notation writes a call whose arguments are pairs of a key and a value. */
export interface PairSpelling {
  /** Around all calls. */
  readonly block?: (calls: string) => string;
  /** @param ordinal from 1 on */
  readonly call: (name: string, pairs: string, ordinal: number) => string;
  readonly pair: (key: string, value: string, type: string) => string;
  /** Between two calls. */
  readonly separator: string;
  /** What no value may hold: values are text as it stands. */
  readonly marks: RegExp;
}

export function pairWriter({ block = (calls) => calls, call, pair, separator, marks }: PairSpelling): CallWriter {
  const written = ({ name, input }: WrittenCall, index: number) => {
    const pairs = Object.entries(input).map(([key, value]) => pair(key, text(value), typeOf(value)));
    return call(name, pairs.join(""), index + 1);
  };
  return {
    calls: (calls) => block(calls.map(written).join(separator)),
    carries: ({ input }) =>
      Object.entries(input).every(([key, value]) => isPlain(key) && isCarried(text(value), marks)),
  };
}

/** Strings as they stand, everything else as JSON: where no type stands beside it, only a schema can tell them apart. */
function text(value: Json): string {
  return typeof value === "string" ? value : spacedJson(value);
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** It can stand in any tag, or between two, without being escaped. */
const isPlain = (key: string) => key !== "" && key === key.trim() && !/[<>&"]|\/$/.test(key);

/** CDATA at the beginning of a value is taken off wherever it stands. */
const isCarried = (value: string, marks: RegExp) => !marks.test(value) && !/^\s*<!\[CDATA\[/i.test(value);
