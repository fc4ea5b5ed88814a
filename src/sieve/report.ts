/** The family of a notation, as the numbers name it. */
export type BlockSource = "canonical" | "xml" | "json" | "markup" | "textkv" | "native";

/** What became of one block. */
export interface BlockReport {
  source: BlockSource;
  dialect: string;
  outcome: "call" | "malformed" | "truncated" | "rejected";
  calls: number;
  /** Siblings that were bad, cut or dropped by a policy. */
  dropped: number;
  /** Names of the closed list of repairs (sieve.md T4), in the order they were made. */
  repairs: string[];
}

export interface SieveReport {
  blocks: BlockReport[];
  /** Characters looked at, those looked at twice counted twice (sieve.md P5). */
  looks: number;
  /** The most characters that were held at the end of any push. */
  heldMax: number;
  sawToolCallSyntax: boolean;
  /** A block that the end of the reply cut was released or dropped (sieve.md T5). */
  cut: boolean;
  /** The sieve has ended the reply: what comes is swallowed. */
  ended: boolean;
}

/** What is counted over one whole reply, all channels together. */
export class Tally {
  readonly blocks: BlockReport[] = [];
  heldMax = 0;
  sawToolCallSyntax = false;
  cut = false;
  ended = false;
  /** Calls that went out. */
  delivered = 0;
  /** Calls parked in reasoning (sieve.md A4). */
  parked = 0;
  uncoercible = 0;
  /** The upstream ended the reply with `stop`. */
  endedByStop = false;
  readonly rejectedToolNames: string[] = [];

  /** Calls that count before a new block; what is parked in reasoning is no call for the text outside (A4). */
  callsBefore(channel: "text" | "reasoning"): number {
    return channel === "text" ? this.delivered : this.delivered + this.parked;
  }
}
