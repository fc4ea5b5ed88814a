import type { Unmet } from "../choice.ts";
import type { GatewayError } from "../errors.ts";
import type { DocsLevel } from "../prompt/tool-docs.ts";
import type { Protocol } from "../protocols/protocol.ts";
import type { FinishReason, Usage } from "../reply.ts";
import type { ShadowReport } from "../shadow.ts";
import type { BlockReport, EndedBy, Mode, Repair } from "../sieve/index.ts";
import type { RetryReason } from "../stream/egress.ts";
import type { RolloutChoice } from "../tenants/rollout.ts";

/**
 * What became of one exchange, told once, when its reply is over: for the log, and for whatever counts. Every label is one
 * of a closed list and every other member a number: nothing in it was written by a client, a model or an upstream.
 */
export interface ReplyReport {
  requestId: string;
  /** The operator's own words: the tenant, absent for the gateway's own, and the id of the key, or how the hash of the gateway's begins. */
  tenant?: string | undefined;
  key?: string | undefined;
  /** The pattern of the path. */
  route: string;
  wire: Protocol["name"];
  /** What the operator, or our own table, calls the model (`models.ts`). */
  model: string;
  streaming: boolean;
  mode: Mode;
  /** Whether what is rolled out held for it; absent where nothing is, and where the request has set a switch itself. */
  rollout?: RolloutChoice | undefined;
  /** How the tools were told: the id of a notation, or `native`; absent where none were. */
  told?: string | undefined;
  /** The finish that the client was told, the kind of the failure, or that the client left before the end. */
  outcome: FinishReason | GatewayError["kind"] | "aborted";
  /** Calls that the client got whole. */
  calls: number;
  blocks: readonly BlockCount[];
  /** The model meant to call, be there a call or not (sieve.md G6). */
  sawToolCallSyntax: boolean;
  /** The reply's end cut a block or a native call (sieve.md T5). */
  cut: boolean;
  /** At a call that the client had been told of and that could not be read on (sieve.md T3), or one of the upstream's own that could not be read. */
  brokeOff: boolean;
  /** Calls that stood in reasoning alone (sieve.md A4). */
  callsFromReasoning: number;
  /** Values that could not be brought to their schema's type (sieve.md V6). */
  uncoercible: number;
  /** Code fences that show a call, and were left alone (sieve.md A1). */
  fencedExamples: number;
  /** The most characters that the sieve held. */
  heldCharacters: number;
  /** Why the gateway ended the reply before the model did. */
  endedBy?: EndedBy | undefined;
  /** What another setting would have made of the same words; absent where there was none. */
  shadow?: ShadowReport | undefined;
  /** What of `tool_choice` the reply, which came to an end, has not kept. */
  choiceUnmet?: Unmet | undefined;
  /** Requests to all upstreams together; none for the demo. */
  upstreamRequests: number;
  /** Upstreams that had failed before the last one was asked. */
  passedOver: number;
  /** What the further ones were for. */
  askedAgain: readonly (RetryReason | "call-missing")[];
  /** Names of fields of our own request that the upstream has just refused. */
  droppedFields: readonly string[];
  /** How much of the tools was told in words, and whether even that is more than the budget. */
  docs?: DocsLevel | undefined;
  docsOverBudget: boolean;
  /** Messages of the history whose calls were mended; results of tools that were cut. */
  historyRepaired: number;
  resultsCut: number;
  tokens?: Usage | undefined;
  /** Milliseconds, from the request on where nothing else is said. */
  ms: {
    /** Until an upstream was asked for the first time. */
    asked?: number | undefined;
    /** From when it was asked until it had begun to answer well. */
    upstream?: number | undefined;
    /** Until there was something to send; only of a stream. */
    firstOutput?: number | undefined;
    /** The longest that the sieve held something without a break; only of a stream, where it did. */
    held?: number | undefined;
    whole: number;
  };
}

/** Blocks that are alike, and what they had in common. */
export interface BlockCount extends Pick<BlockReport, "source" | "dialect" | "outcome"> {
  count: number;
  /** Calls that were delivered, siblings that were dropped. */
  calls?: number;
  dropped?: number;
  /** Of the blocks, those of which something was mended. */
  repaired?: number;
  /** How many of them needed each repair. */
  repairs?: { readonly [name in Repair]?: number };
}

/** Counts blocks by what they were and what became of them. */
export function countBlocks(blocks: readonly BlockReport[]): BlockCount[] {
  const counts = new Map<string, Counted>();
  for (const block of blocks) {
    const { source, dialect, outcome } = block;
    const key = [source, dialect, outcome].join(" ");
    const sum = counts.get(key) ?? {
      source,
      dialect,
      outcome,
      count: 0,
      calls: 0,
      dropped: 0,
      repaired: 0,
      repairs: {},
    };
    counts.set(key, sum);
    sum.count += 1;
    sum.calls += block.calls;
    sum.dropped += block.dropped;
    if (block.repairs.length > 0) sum.repaired += 1;
    for (const name of new Set(block.repairs)) sum.repairs[name] = (sum.repairs[name] ?? 0) + 1;
  }
  return [...counts.values()];
}

interface Counted extends Required<BlockCount> {
  repairs: { [name in Repair]?: number };
}
