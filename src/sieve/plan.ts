import type { ToolNames } from "../tools.ts";
import type { Block } from "./block.ts";
import type { BlockSource } from "./report.ts";
import type { Grammar } from "./scan.ts";
import type { Triggers } from "./triggers.ts";

/** What an opener in the text leads to. */
export interface Opening {
  readonly dialect: string;
  readonly source: BlockSource;
  /** The opener is a wrapper: what stands in it was meant as calls. */
  readonly wrapped: boolean;
  /** The opener is the head of a tag: the character behind its name goes to the grammar. */
  readonly tag: boolean;
  readonly read: (block: Block) => Grammar;
}

/** What a trigger in the text means. */
export type Hit =
  | { does: "call"; opening: Opening }
  /** A channel's marker. */
  | { does: "reasoning"; opens: boolean }
  /** The model begins to invent the answer (sieve.md W2). */
  | { does: "results" }
  /** A closer without its opener: surplus right behind a block (sieve.md W4). */
  | { does: "closer" };

export type Channel = "text" | "reasoning";
export type Mode = "off" | "canonical" | "feature_match";
export type EarlyEmit = "high" | "low" | "off";

/** All that is decided once per reply. Frozen; the grammars never read it, `Block` asks it for them. */
export interface SievePlan {
  readonly mode: Mode;
  readonly earlyEmit: EarlyEmit;
  readonly tools: ToolNames;
  readonly undeclared: "pass" | "text";
  readonly malformed: "text" | "drop";
  readonly reasoningCalls: "when_answer_empty" | "never";
  readonly afterCalls: "keep" | "end";
  /** At the closer of the last allowed call the reply ends (decisions.md, parallel calls). */
  readonly maxCalls: number;
  /** A block that begins behind so many calls is text. */
  readonly callLimit: number;
  readonly startsInReasoning: boolean;
  /** Stop strings that the gateway itself has set (sieve.md T1). */
  readonly gatewayStop: readonly string[];
  readonly triggers: Readonly<Record<Channel, Triggers<Hit>>>;
  /** What ends a reasoning channel that was opened in the text. */
  readonly channelEnds: Triggers<true>;
}
