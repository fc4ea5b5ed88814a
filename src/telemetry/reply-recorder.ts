import type { ChoiceStage } from "../choice.ts";
import type { Conversation } from "../conversation.ts";
import { type GatewayError, toGatewayError } from "../errors.ts";
import type { Plan } from "../plan.ts";
import type { ReduceStage, Usage } from "../reply.ts";
import type { ShadowReport } from "../shadow.ts";
import type { Mode, SieveReport } from "../sieve/index.ts";
import type { Egress } from "../stream/egress.ts";
import type { Outcome } from "../stream/pump.ts";
import type { Decode } from "../upstreams/decode.ts";
import { countBlocks, type ReplyReport } from "./reply-report.ts";

/** The stages of a reply that know what became of it. */
export interface Stages {
  readonly decode: Pick<Decode, "usage">;
  readonly sieve: { report(): SieveReport; held(): number; readonly shadow?: { report(): ShadowReport } };
  readonly choice: Pick<ChoiceStage, "unmet">;
  readonly reduce: Pick<ReduceStage, "outcome">;
}

/** What is noted of one attempt to get a reply. */
export interface AttemptRecord {
  /** The upstream has begun to answer well, and its reply goes through these stages. */
  answered(stages: Stages): void;
  /** It never did. */
  unanswered(thrown: unknown): void;
  /** What of it can be sent; given back as it is. */
  taken(text: string): string;
  /** It was the one that the client got, and is over. Gives the report, where there was none before. */
  over(outcome: Outcome): ReplyReport | undefined;
}

/**
 * Collects the report of one exchange from what its parts know anyhow, once, when it is over: nothing is counted while a
 * reply streams.
 */
export interface ReplyRecorder {
  /** One more upstream is asked. */
  asks(egress: Pick<Egress, "requests" | "retried">): void;
  begin(plan: Plan): AttemptRecord;
  /** A required call did not come, and is asked for once more. */
  asksForCall(): void;
  /** Names of fields that the upstream has refused. */
  dropped(fields: readonly string[]): void;
  /** It failed before the first byte. */
  failed(thrown: unknown): void;
  /**
   * Tokens that have been used so far, by the upstream's count or by our estimate: those of every attempt that was answered, and
   * the prompt of one that was not, unless it was refused: then nothing was done for it.
   */
  used(): number;
}

/** What is known of an exchange from its beginning. */
interface Asked {
  readonly protocol: { readonly name: ReplyReport["wire"] };
  readonly request: { readonly conversation: Pick<Conversation, "stream"> };
  readonly config: { readonly tenant?: string; readonly toolcall: { readonly mode: Mode } };
  readonly rollout?: ReplyReport["rollout"];
  readonly key?: string | undefined;
  readonly requestId: string;
  readonly modelLabel: string;
  /** When the request came, in milliseconds. */
  readonly arrived: number;
  readonly route: string;
  readonly signal: AbortSignal;
}

/**
 * @param onReport told once what became of it
 * @param now milliseconds
 */
export function createReplyRecorder(
  asked: Asked,
  onReport: (report: ReplyReport) => void,
  now: () => number = Date.now,
): ReplyRecorder {
  // A clock may be set back, and no sum of times may fall.
  const span = (from: number, to: number) => Math.max(0, to - from);
  const since = (then: number) => span(then, now());
  const egresses: Pick<Egress, "requests" | "retried">[] = [];
  const dropped: string[] = [];
  const requests = () => egresses.reduce((sum, egress) => sum + egress.requests, 0);
  let asksForCall = false;
  const attempts: Noted[] = [];
  const latest = () => attempts.at(-1) ?? { requestsBefore: 0, begun: now(), ms: {} };
  let reported = false;

  function tokensOf({ plan, stages, refused, requestsBefore, requestsBehind = requests() }: Noted): number {
    const usage = usageOf(stages);
    if (usage) return usage.input + usage.output;
    return refused || requestsBehind === requestsBefore ? 0 : (plan?.promptTokens() ?? 0);
  }

  /** Behind each read: how long the sieve has held something without a break. */
  function noteHeld(noted: Noted) {
    if (noted.heldSince !== undefined) noted.ms.held = Math.max(noted.ms.held ?? 0, since(noted.heldSince));
    const holds = (noted.stages?.sieve.held() ?? 0) > 0;
    noted.heldSince = holds ? (noted.heldSince ?? now()) : undefined;
  }

  /** @param ending where the stages do not tell it */
  function report({ plan, stages, ms }: Noted, ending?: ReplyReport["outcome"]): ReplyReport | undefined {
    if (reported) return undefined;
    reported = true;
    const reply = stages?.reduce.outcome();
    const tokens = usageOf(stages);
    const { blocks, ...found } = stages?.sieve.report() ?? NOTHING_FOUND;
    const [first] = attempts;
    const made: ReplyReport = {
      requestId: asked.requestId,
      tenant: asked.config.tenant,
      key: asked.key,
      route: asked.route,
      wire: asked.protocol.name,
      model: asked.modelLabel,
      streaming: asked.request.conversation.stream,
      mode: asked.config.toolcall.mode,
      rollout: asked.rollout,
      told: plan?.told,
      outcome: ending ?? reply?.ending ?? "internal",
      calls: reply?.calls ?? 0,
      blocks: countBlocks(blocks),
      sawToolCallSyntax: found.sawToolCallSyntax,
      cut: found.cut && !found.brokeOff,
      brokeOff: found.brokeOff,
      callsFromReasoning: found.fromReasoning,
      uncoercible: found.uncoercible,
      fencedExamples: found.fencedExamples,
      heldCharacters: found.heldMax,
      endedBy: found.endedBy,
      shadow: stages?.sieve.shadow?.report(),
      choiceUnmet: stages?.choice.unmet(),
      upstreamRequests: requests(),
      passedOver: Math.max(0, egresses.length - 1),
      askedAgain: [
        ...egresses.flatMap(({ retried }) => retried ?? []),
        ...(asksForCall ? (["call-missing"] as const) : []),
      ],
      droppedFields: dropped,
      docs: plan?.docs?.level,
      docsOverBudget: plan?.docs?.fits === false,
      historyRepaired: plan?.history.repaired ?? 0,
      resultsCut: plan?.history.resultsCut ?? 0,
      tokens,
      ms: { asked: first && span(asked.arrived, first.begun), ...ms, whole: since(asked.arrived) },
    };
    onReport(made);
    return made;
  }

  // At once: behind a client that has left nothing more may run. To keep the Worker alive would let its upstream go on.
  asked.signal.addEventListener("abort", () => void report(latest(), "aborted"));

  return {
    asks: (egress) => void egresses.push(egress),
    begin(plan) {
      const noted: Noted = { plan, requestsBefore: requests(), begun: now(), ms: {} };
      const record: AttemptRecord = {
        answered(stages) {
          noted.stages = stages;
          noted.ms.upstream = since(noted.begun);
        },
        unanswered(thrown) {
          noted.refused = isRefusal(toGatewayError(thrown));
        },
        taken(text) {
          if (text !== "") noted.ms.firstOutput ??= since(asked.arrived);
          noteHeld(noted);
          return text;
        },
        over: (outcome) => report(noted, endingOf(outcome)),
      };
      const before = attempts.at(-1);
      if (before) before.requestsBehind = requests();
      attempts.push(noted);
      return record;
    },
    asksForCall() {
      asksForCall = true;
    },
    dropped(fields) {
      dropped.push(...fields);
    },
    failed(thrown) {
      // What there was to send has not gone out.
      const { firstOutput: _unsent, ...ms } = latest().ms;
      report({ ...latest(), ms }, asked.signal.aborted ? "aborted" : toGatewayError(thrown).kind);
    },
    used: () => attempts.reduce((sum, noted) => sum + tokensOf(noted), 0),
  };
}

/** What turns a request away before any work is done for it. */
const REFUSALS: ReadonlySet<GatewayError["kind"]> = new Set([
  "rate-limited",
  "quota-exhausted",
  "upstream-rejected",
  "upstream-overloaded",
  "context-length",
  "unknown-model",
  "unauthorized",
]);

function isRefusal(error: GatewayError): boolean {
  return REFUSALS.has(error.kind) || ("lasting" in error && error.lasting === true);
}

function endingOf(outcome: Outcome): ReplyReport["outcome"] | undefined {
  switch (outcome.ending) {
    case "finished":
      return undefined;
    case "client-gone":
      return "aborted";
    case "broken":
      return toGatewayError(outcome.cause).kind;
    default:
      return outcome satisfies never;
  }
}

function usageOf(stages: Stages | undefined): Usage | undefined {
  return stages && (stages.reduce.outcome().usage ?? stages.decode.usage());
}

/** Of one attempt. */
interface Noted {
  plan?: Plan;
  /** Requests to upstreams that had gone out before it, and until the next one. */
  requestsBefore: number;
  requestsBehind?: number;
  /** When, in milliseconds. */
  begun: number;
  /** Since when something is held. */
  heldSince?: number | undefined;
  stages?: Stages;
  refused?: boolean;
  ms: Omit<ReplyReport["ms"], "asked" | "whole">;
}

const NOTHING_FOUND: Omit<SieveReport, "looks" | "ended" | "rejectedToolNames"> = {
  blocks: [],
  sawToolCallSyntax: false,
  cut: false,
  brokeOff: false,
  fromReasoning: 0,
  uncoercible: 0,
  fencedExamples: 0,
  heldMax: 0,
};
