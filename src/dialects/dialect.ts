import type { JsonObject } from "../conversation.ts";
import type { Block } from "../sieve/block.ts";
import type { BlockSource } from "../sieve/report.ts";
import type { Grammar } from "../sieve/scan.ts";

/** How models write calls: one notation, all its sides together. One file each; nothing else knows its spellings. */
export interface Dialect {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly source: BlockSource;
  readonly openers: readonly Opener[];
  /** Spellings that are the model inventing the answer, when they come first behind a call (sieve.md W2). */
  readonly results: readonly string[];
  /** Closers without their opener: consumed right behind a block (sieve.md W4). */
  readonly closers: readonly string[];
  readonly write: Writer;
  readonly teach: Teaching;
  /** Every spelling that untrusted text must not hold unquoted (prompt/quoting.ts). */
  readonly reserved: readonly string[];
}

export interface Opener {
  /** ASCII case is folded. */
  readonly spelling: string;
  /** A tag's head: counts only before a blank, `/` or `>`. */
  readonly tag: boolean;
  /** The opener is the wrapper: what stands in it was meant as calls. */
  readonly wrapped: boolean;
  readonly read: (block: Block) => Grammar;
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
  before(docs: "signatures" | "schemas"): string;
  after: string;
}
