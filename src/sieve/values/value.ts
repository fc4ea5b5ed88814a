import { isBlank } from "../characters.ts";

/**
 * How a value was written.
 * - `string`: as what is a string in its notation: in CDATA, or a JSON string without its quotes and escapes.
 * - `bare`: as text that may mean anything.
 * - `json`: as any other value of a notation with types: the text is valid JSON, and no string.
 */
export type Origin = "string" | "bare" | "json";

/**
 * The same before the value was seen: a `literal` is what its notation says is JSON, such as `string="false"`. Models do
 * not always keep to it, so what it is turns out at its end.
 */
export type Claim = Origin | "literal";

/** A complete value, before it has a type. */
export interface Value {
  readonly text: string;
  readonly origin: Origin;
  /** The elements that the value consists of; undefined when there is anything else in it. */
  readonly elements: readonly Element[] | undefined;
}

/** `<name>…</name>` inside a value. */
export interface Element {
  readonly name: string;
  readonly value: Value;
}

/** Without blanks at both ends. No regular expression: `/\s+$/` looks again at every run of blanks inside. */
export function trimBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** Without the line break at its beginning, and only then without one at its end (sieve.md V4). */
export function trimLineBreaks(text: string): string {
  const from = leadingLineBreak(text);
  if (from === 0) return text;
  const to = text.endsWith("\r\n") ? -2 : text.endsWith("\n") ? -1 : text.length;
  return text.slice(from, to);
}

/** Characters of the line break that the text begins with; CR LF is one. */
export function leadingLineBreak(text: string): number {
  if (text.startsWith("\n")) return 1;
  return text.startsWith("\r\n") ? 2 : 0;
}
