import type { ToolNames } from "../tools.ts";
import type { ChannelEnd } from "./channel-scan.ts";
import type { BareNames, Channels, Hit, Opening } from "./notation.ts";
import type { Triggers } from "./triggers.ts";

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
  /** Never above those of `SIEVE_LIMITS`. */
  readonly limits: { readonly calls: number; readonly block: number };
  /** What the notations leave of a tool's name that an upstream has not cut (sieve.md N2). */
  readonly bareNames: readonly BareNames[];
  readonly startsInReasoning: boolean;
  /** Stop strings that the gateway itself has set (sieve.md T1). */
  readonly gatewayStop: readonly string[];
  readonly triggers: Readonly<Record<Channel, Triggers<Hit>>>;
  /** What may begin a block where the reply begins, without a trigger. */
  readonly unmarked: Opening | undefined;
  /** What ends reasoning that a mark of these channels has opened in the text, or where none has, the prompt (sieve.md A4). */
  readonly channelEnds: (channels?: Channels) => Triggers<ChannelEnd>;
}
