import type { ToolNames } from "../tools.ts";
import type { Block } from "./block.ts";
import type { BlockSource } from "./report.ts";
import type { Grammar } from "./scan.ts";
import type { Triggers } from "./triggers.ts";

/** What the sieve has to know of a notation to find calls in it; a dialect has more sides than this. */
export interface Notation {
  readonly id: string;
  readonly source: BlockSource;
  readonly openers: readonly Opener[];
  /** Spellings that are the model inventing the answer, when they come first behind a call (sieve.md W2). */
  readonly results: readonly string[];
  /** Heads of closing tags: one that comes without its opener right behind a block is consumed (sieve.md W4). */
  readonly closers: readonly string[];
}

interface Opener {
  /** ASCII case is folded. */
  readonly spelling: string;
  /** The head of a tag: counts only before a blank, `/` or `>`, which the grammar reads first. */
  readonly tag: boolean;
  /** What it tells (sieve.md E, M2): all that is needed, or that the wrapper around the calls is missing. */
  readonly evidence: "complete" | "wrapper-missing";
  readonly read: (block: Block) => Grammar;
}

/** An opener, and whose it is. */
export interface Opening extends Opener {
  readonly dialect: string;
  readonly source: BlockSource;
}

/** What a trigger in the text means. */
export type Hit =
  | { does: "call"; opening: Opening }
  /** A channel's marker. */
  | { does: "reasoning"; opens: boolean }
  /** The model begins to invent the answer (sieve.md W2). */
  | { does: "results" }
  /** A closer without its opener: surplus right behind a block (sieve.md W4). */
  | { does: "closer"; opening: Opening };

export type Channel = "text" | "reasoning";
export type Mode = "off" | "canonical" | "feature_match";
export type EarlyEmit = "high" | "low" | "off";

/** All that is decided once per reply. The grammars never read it: `Block` answers them. */
export interface SievePlan {
  readonly mode: Mode;
  readonly earlyEmit: EarlyEmit;
  readonly tools: ToolNames;
  readonly undeclared: "pass" | "text";
  readonly malformed: "text" | "drop";
  readonly afterCalls: "keep" | "end";
  /** At the closer of the last allowed call the reply ends (decisions.md, parallel calls). */
  readonly maxCalls: number;
  readonly startsInReasoning: boolean;
  /** Stop strings that the gateway itself has set (sieve.md T1). */
  readonly gatewayStop: readonly string[];
  readonly triggers: Readonly<Record<Channel, Triggers<Hit>>>;
  /** What ends a reasoning channel that was opened in the text. */
  readonly channelEnds: Triggers<true>;
}
