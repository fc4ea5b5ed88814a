import type { JsonObject } from "../conversation.ts";
import { type Notation, spellingsOf } from "../sieve/notation.ts";

/**
 * How models write calls: one notation, all its sides together. One file each; nothing else knows its spellings. Reading
 * is what the sieve asks of it.
 */
export interface Dialect extends Notation {
  /** Further names of it, and of notations that are read in the very same way. */
  readonly aliases?: readonly string[];
  /** Models that write it, for people to read. */
  readonly models: string;
  readonly write: CallWriter;
  /** Spellings besides the openers, closers and channel marks that untrusted text must not hold unquoted. */
  readonly reserved?: readonly string[];
}

/** A notation that models can be taught. */
export interface TaughtDialect extends Dialect {
  readonly write: CallWriter & ResultWriter;
  readonly teach: Teaching;
  /** Further names of it whose models write it otherwise, though it is read in the very same way. */
  readonly variants?: Readonly<Record<string, Pick<TaughtDialect, "write" | "teach">>>;
}

export interface WrittenCall {
  name: string;
  input: JsonObject;
}

export interface WrittenResult {
  /** Position of the call in its turn, from 1; absent where no call is known for it. */
  ordinal?: number;
  name: string;
  status: "ok" | "error" | "missing";
  /** Quoted already. */
  text: string;
}

/** Writes calls in the notation, so that they always read back: `read(write(calls)) == calls`. */
export interface CallWriter {
  calls(calls: readonly WrittenCall[]): string;
  /** False for a call that the notation cannot carry, such as text that holds its own closer; absent: it carries all. */
  carries?(call: WrittenCall): boolean;
  /** What parts the calls from what is said before them; a blank line, where it is left out. */
  readonly joint?: string;
  /** They are read at the start of a reply alone: what is said beside them stands behind. */
  readonly first?: true;
  /** How the arguments of one call are written, and their GBNF, whose first rule is `arguments`; absent for a JSON object. */
  readonly arguments?: { write(input: JsonObject): string; readonly rules: string };
}

/** A whole reply: calls, and what is said beside them. */
export function writeReply(text: string, calls: readonly WrittenCall[], write: CallWriter): string {
  if (calls.length === 0) return text;
  const { joint = "\n\n", first } = write;
  const written = write.calls(calls);
  if (text === "") return written;
  return first ? `${written}\n\n${text}` : text + joint + written;
}

export interface ResultWriter {
  results(results: readonly WrittenResult[]): string;
}

/** What the model is told; `$TOOL` and the like are no names, so the text itself can never execute (sieve.md N3). */
export interface Teaching {
  /** Stands right before the list of tools, behind its heading (prompt/tool-docs.ts), and behind it. */
  readonly before: string;
  readonly after: string;
}

export function isTaught(dialect: Dialect): dialect is TaughtDialect {
  return "teach" in dialect;
}

/** Nothing of it is read unless it is asked for by name. */
export function isPinned({ openers = [], wrappers = [] }: Dialect): boolean {
  return [...openers, ...wrappers].every(({ pinned }) => pinned === true);
}

/** Of all that calls are made of. */
export function reservedSpellings(dialect: Dialect): string[] {
  return [...callSpellings(dialect), ...(dialect.reserved ?? [])];
}

/** Of what begins or ends calls, and blocks of them. */
export function callSpellings({ openers = [], wrappers = [], closers = [] }: Dialect): string[] {
  const around = wrappers.flatMap(({ open, closes }) => [open, ...closes]);
  return [...openers, ...around, ...closers].flatMap(spellingsOf);
}

export function channelSpellings({ channels = {} }: Dialect): string[] {
  const { reasoning = [], visible = [], strips = [] } = channels;
  const around = reasoning.flatMap(({ open, close }) => (open === undefined ? [close] : [open, close]));
  return [...around, ...visible, ...strips];
}
