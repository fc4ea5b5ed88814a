import type { JsonObject } from "../conversation.ts";
import type { Notation } from "../sieve/notation.ts";

/**
 * How models write calls: one notation, all its sides together. One file each; nothing else knows its spellings. Reading
 * is what the sieve asks of it.
 */
export interface Dialect extends Notation {
  readonly aliases: readonly string[];
  readonly write: Writer;
  readonly teach: Teaching;
  /** Every spelling that untrusted text must not hold unquoted (prompt/quoting.ts). */
  readonly reserved: readonly string[];
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

/** Writes history in the notation, so that it always reads back: `read(write(calls)) == calls`. */
export interface Writer {
  calls(calls: readonly WrittenCall[]): string;
  results(results: readonly WrittenResult[]): string;
}

/** What the model is told; `$TOOL` and the like are no names, so the text itself can never execute (sieve.md N3). */
export interface Teaching {
  /** Stands before the list of tools, and behind it. */
  before: string;
  after: string;
}
