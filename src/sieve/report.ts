import { SIEVE_LIMITS } from "../limits.ts";
import type { Repair } from "./repairs.ts";

/** The family of a notation, as the numbers name it. */
export type BlockSource = "canonical" | "xml" | "json" | "markup" | "textkv" | "native";

/** What became of one block. */
export interface BlockReport {
  source: BlockSource;
  dialect: string;
  /** `rejected` by the policy `undeclared: "text"`; of all that is not a `call`, the bytes are text or dropped. */
  outcome: "call" | "malformed" | "truncated" | "rejected";
  /** Calls that were delivered. */
  calls: number;
  /** Siblings that were bad, cut or dropped by a policy. */
  dropped: number;
  /** Names of the closed list of repairs (sieve.md T4), in the order they were made. */
  repairs: Repair[];
}

/** Why the sieve ended a reply itself: sieve.md W2, W3, the most calls that are allowed. */
export type EndedBy = "invented-results" | "after-calls" | "max-calls";

/** What is known of a reply besides its events. */
export interface SieveReport {
  /** The first `SIEVE_LIMITS.reports` of them. */
  blocks: BlockReport[];
  /** Characters looked at, those looked at twice counted twice (sieve.md P5). */
  looks: number;
  /** The most characters that were held at the end of any push. */
  heldMax: number;
  /** Whether it was meant to call, be there a call or not (sieve.md G6). */
  sawToolCallSyntax: boolean;
  /** A block that the end of the reply cut was released or dropped (sieve.md T5). */
  cut: boolean;
  /**
   * A call that was announced could not be read on, and the rest of the reply is dropped (sieve.md T3); or one of the upstream's own could
   * not be read. Then `cut` is set, too.
   */
  brokeOff: boolean;
  /** The sieve has ended the reply: what comes is swallowed. */
  ended: boolean;
  /** Why; absent where it has not, or what came beside an open call was too much. */
  endedBy?: EndedBy;
  /** Calls that stood in reasoning alone, and went out because the answer held nothing else (sieve.md A4). */
  fromReasoning: number;
  /** Values that could not be brought to their schema's type and stayed text (sieve.md V6). */
  uncoercible: number;
  /** Fences of the text that show a call, and were left alone for being code (sieve.md A1). */
  fencedExamples: number;
  /** Tools that the policy `undeclared: "text"` has turned away. */
  rejectedToolNames: string[];
}

/** What is known of the reply so far, all channels together. */
export class Tally {
  readonly blocks: BlockReport[] = [];
  heldMax = 0;
  sawToolCallSyntax = false;
  cut = false;
  brokeOff = false;
  ended = false;
  endedBy: EndedBy | undefined;
  fromReasoning = 0;
  uncoercible = 0;
  readonly rejectedToolNames: string[] = [];
  /** An announced call broke: nothing follows it (sieve.md T3). */
  broken = false;
  /** The upstream has ended the reply with `stop`. */
  endedByStop = false;
  /** Calls that went out. */
  delivered = 0;
  /** Calls parked in reasoning (sieve.md A4). */
  parked = 0;

  /** Calls that count before a new block; what is parked in reasoning is no call for the text outside (A4). */
  callsBefore(channel: "text" | "reasoning"): number {
    return channel === "text" ? this.delivered : this.delivered + this.parked;
  }

  settled(block: BlockReport) {
    if (this.blocks.length < SIEVE_LIMITS.reports) this.blocks.push(block);
  }

  rejected(name: string) {
    if (this.rejectedToolNames.length < SIEVE_LIMITS.reports) this.rejectedToolNames.push(name);
  }
}
