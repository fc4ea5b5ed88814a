import { SIEVE_LIMITS } from "../limits.ts";
import type { Emit } from "../reply.ts";
import type { ToolNames } from "../tools.ts";
import type { Kind } from "./notation.ts";
import type { Channel, SievePlan } from "./plan.ts";
import { RawText } from "./raw-text.ts";
import type { Repair } from "./repairs.ts";
import type { Tally } from "./report.ts";
import type { Verdict } from "./scan.ts";
import { type CallHost, TentativeCall } from "./tentative-call.ts";

/** Where a block stands: what it takes to announce a call of it early. */
export interface Place {
  readonly channel: Channel;
  /** A backtick run stands open on its line (sieve.md A2). */
  readonly inSpan: boolean;
  /** A channel may begin here (sieve.md A4). */
  readonly beginsChannel: boolean;
  /** In a fence, where all that is asked is whether it would be a call (A1). */
  readonly isExample?: true;
}

/**
 * A block on trial. It records raw text and lets each call wait, until the moment that one readable predicate
 * (`#mayAnnounce`) gives: early emission, code spans, missing wrappers, reasoning and undeclared names only move that
 * moment. A grammar knows nothing of levels or of giving back; it reads, and asks here what the mode allows.
 */
export class Block implements CallHost {
  readonly place: Place;
  /** What is read stands in the one fence that the reply is (sieve.md A5). */
  inFence = false;
  /** The end that its grammar is told of is not the reply's but that of its channel (A4). */
  leaves = false;
  #kind: Kind;
  readonly raw = new RawText();
  readonly emit: Emit;

  readonly #plan: SievePlan;
  readonly #tally: Tally;
  /** Calls that are neither out nor dropped, in order; and the one that is being read. */
  #waiting: TentativeCall[] = [];
  #current: TentativeCall | undefined;
  /** Ended calls among those waiting: those that a later one has to wait for, those sure to stand, what they hold. */
  #blocking = 0;
  #sure = 0;
  #waitingSize = 0;

  #announced = 0;
  #ended = 0;
  #dropped = 0;
  /** Tools that the policy on undeclared names has turned away (sieve.md N1). */
  readonly #turnedAway: string[] = [];
  #begun = false;
  #sawSyntax = false;
  readonly #repairs: Repair[] = [];

  constructor(place: Place, kind: Kind, plan: SievePlan, tally: Tally, emit: Emit) {
    this.place = place;
    this.#kind = kind;
    this.#plan = plan;
    this.#tally = tally;
    this.emit = emit;
  }

  // ── what a grammar asks and says ──────────────────────────────────────────────────────────────────────────────────

  /** Of its opener, until what follows tells more. */
  get kind(): Kind {
    return this.#kind;
  }

  /** What follows has told which notation it is; in a fence every one of them has to be the whole reply. */
  identify(kind: Kind) {
    this.#kind = this.inFence ? { ...kind, evidence: "whole" } : kind;
  }

  /** The wrapper was seen: what stands in it was meant as calls. */
  get wrapped(): boolean {
    return this.kind.evidence !== "wrapper-missing";
  }

  /** Nothing else may stand in the reply: until it is over, whether it is one is open. */
  get whole(): boolean {
    return this.kind.evidence === "whole";
  }

  /** A call of it is out: what is read cannot become text any more. */
  get announced(): boolean {
    return this.#announced > 0;
  }

  /** Repairs are allowed (sieve.md T4). */
  get mends(): boolean {
    return this.#plan.mode === "feature_match";
  }

  /** Anything else behind a good call may end the block there, its own end missing (sieve.md M2, G3, E1). */
  get mayEndEarly(): boolean {
    return this.announced || (this.mends && this.#ended > 0);
  }

  /** No further call is allowed: the block counts as closed (decisions.md, parallel calls). */
  get full(): boolean {
    if (!this.wrapped && !this.mends) return false;
    return this.#tally.callsBefore(this.place.channel) + this.#sure >= this.#plan.maxCalls;
  }

  /** The upstream says that the reply came to its own end. */
  get endedByStop(): boolean {
    return this.#tally.endedByStop;
  }

  /** The upstream has stopped, and this closer may be why: the gateway had set it as a stop string (sieve.md T1). */
  stopsAt(closer: string): boolean {
    return this.#tally.endedByStop && this.#plan.gatewayStop.includes(closer);
  }

  /** The declared tools, as the model's names for them are looked up. */
  get tools(): ToolNames {
    return this.#plan.tools;
  }

  /**
   * The end of the reply may have cut what stands there: a call was begun, or the reply did not come to its own end. Else
   * it is a mention.
   */
  get maybeCut(): boolean {
    return this.#begun || !this.#tally.endedByStop;
  }

  /** Begins a call; undefined when what is written is no name, or one that such a block cannot call (N3, N1). */
  begin(name: string): TentativeCall | undefined {
    const tool = this.#plan.tools.resolve(name);
    if (!tool || (this.#needsDeclared && !tool.declared)) return undefined;
    this.#begun = true;
    const call = new TentativeCall(tool, this);
    this.#waiting.push(call);
    this.#current = call;
    if (this.announced) this.raw.forget();
    if (this.mends) this.sawSyntax();
    return call;
  }

  /** The call's own closer was seen. */
  end(call: TentativeCall) {
    call.end();
    this.#current = undefined;
    this.#ended += 1;
    if (!call.onWire) {
      if (call.tool.declared || this.#plan.undeclared === "pass") this.#blocking += 1;
      if (this.#stands(call, false)) this.#sure += 1;
      this.#waitingSize += call.waiting;
    }
    this.endPart();
  }

  /** A bad or cut sibling, which is not out (sieve.md G3): the one being read, if it had a name at all. */
  drop() {
    this.#dropped += 1;
    if (this.#current) this.#waiting.pop();
    this.#current = undefined;
    if (this.announced) this.raw.forget();
  }

  /** What was read so far was a call, good or bad; what comes is part of none yet. */
  endPart() {
    if (this.announced) this.raw.forget();
    this.raw.beginTail();
  }

  repaired(name: Repair) {
    if (this.#repairs.length < SIEVE_LIMITS.reports) this.#repairs.push(name);
  }

  /**
   * The model meant to call (sieve.md G6); in code, in reasoning and in what must be the whole reply that is known only
   * when the calls go out.
   */
  sawSyntax() {
    this.#sawSyntax = true;
    const undecided = this.place.inSpan || this.whole;
    if (!undecided && this.place.channel === "text") this.#tally.sawToolCallSyntax = true;
  }

  /**
   * The end of the reply has cut a call: it is dropped if one before it is out, else the block is no call (E1, T2). What
   * has begun before the end of a channel is just none of the block.
   */
  cutSibling(): Verdict {
    if (!(this.leaves ? this.mayEndEarly : this.announced)) return "cut";
    if (!this.leaves) this.#tally.cut = true;
    this.repaired("wrapper-close-missing");
    return "unclosed";
  }

  /** The end of the reply has cut the block's own closer behind a good call (sieve.md M2). */
  closerCut() {
    if (!this.mends) return;
    this.repaired("closer-cut");
    this.endPart();
  }

  // ── what the engine asks and does ──────────────────────────────────────────────────────────────────────────────────

  /** Characters. */
  get mostHeld(): number {
    return this.#plan.limits.block;
  }

  /** More raw text than may be held for a block of which no call is out. */
  get overflows(): boolean {
    const most = this.#isUndecided ? Math.min(SIEVE_LIMITS.undecided, this.mostHeld) : this.mostHeld;
    return !this.announced && this.raw.size > most;
  }

  /** Whether a call is meant at all is open: it may not hold up an answer for long. */
  get #isUndecided(): boolean {
    return this.whole || (this.kind.evidence === "weak" && !this.#sawSyntax);
  }

  /** Its reply has ended in it, and it is no mention: its wrapper alone tells that calls were meant, or it has begun one. */
  get isTruncated(): boolean {
    if (!this.#tally.endedByStop) return true;
    // Without a wrapper, in a reply that came to its own end, it was a mention rather than a call that was cut.
    return this.wrapped && (this.#begun || this.#sawSyntax);
  }

  get held(): number {
    const current = this.#current;
    return this.raw.size + this.#waitingSize + (current ? current.waiting + current.arguments.held : 0);
  }

  /** A call is out and open: it stays so, and ends the reply (sieve.md T3). */
  get openOnWire(): boolean {
    return this.#current?.onWire === true;
  }

  /** The policy on undeclared names has dropped calls of it: without others it is text, and not malformed (N1). */
  get isRejected(): boolean {
    return this.#turnedAway.length > 0;
  }

  /** Calls that are out, and those that will be. */
  get calls(): number {
    return this.#announced + this.#waiting.length;
  }

  /**
   * Drops what the policies drop, now that the block is over; false when nothing stands.
   * @param closed its own end was seen, and not just something else behind a good call
   */
  judge(closed: boolean): boolean {
    const allowed = this.#plan.maxCalls - this.#tally.callsBefore(this.place.channel);
    const standing: TentativeCall[] = [];
    for (const call of this.#waiting) {
      if (call.ended && this.#stands(call, closed) && standing.length < allowed) standing.push(call);
      else if (call.ended) this.#turnAway(call);
    }
    this.#waiting = standing;
    return this.calls > 0;
  }

  /** Lets out, in order, every call that waits. */
  announce() {
    if (this.#sawSyntax) this.#tally.sawToolCallSyntax = true;
    for (const call of this.#waiting) this.#announce(call);
    this.#waiting = [];
    this.#blocking = this.#sure = this.#waitingSize = 0;
  }

  /** What has become of it is known. */
  settled(outcome: "call" | "malformed" | "truncated") {
    const { dialect, source } = this.kind;
    this.#tally.settled({
      source,
      dialect,
      outcome: outcome === "malformed" && this.isRejected ? "rejected" : outcome,
      calls: outcome === "call" ? this.calls : this.#announced - (this.openOnWire ? 1 : 0),
      dropped: this.#dropped,
      repairs: [...this.#repairs],
    });
    for (const name of this.#turnedAway) this.#tally.rejected(name);
  }

  // ── the moment of announcement ────────────────────────────────────────────────────────────────────────────────────

  /** Calls are announced in order: one waits for those before it, except for those that the policy drops (E). */
  certain(call: TentativeCall) {
    if (call.onWire || this.#blocking > 0 || !this.#mayAnnounce(call)) return;
    this.#waiting.pop();
    this.#announce(call);
    if (this.#announced === 1) this.raw.forget();
  }

  /** A value stayed text (V6). */
  uncoercible() {
    this.#tally.uncoercible += 1;
  }

  /** All that sieve.md E, A2, M2, N1 and the policies have to say about announcing a call before its block is over. */
  #mayAnnounce({ tool }: TentativeCall): boolean {
    const { earlyEmit, undeclared } = this.#plan;
    if (earlyEmit === "off" || this.place.inSpan || this.#mayBeThought) return false;
    if (this.whole && !this.place.isExample) return false;
    if (!this.wrapped) return tool.declared && earlyEmit === "low" && this.mends;
    return tool.declared || (earlyEmit === "low" && undeclared === "pass");
  }

  get #needsDeclared(): boolean {
    return this.kind.evidence === "weak" || this.whole;
  }

  /** It has begun to call in a way that cannot be meant as a thought (sieve.md A4). */
  get suspendsReasoning(): boolean {
    return this.kind.suspendsReasoning && this.calls > 0;
  }

  /** It stands in reasoning, and its opener does not leave that. */
  get #mayBeThought(): boolean {
    return this.place.channel === "reasoning" && !this.kind.suspendsReasoning;
  }

  #announce(call: TentativeCall) {
    call.announce();
    this.#announced += 1;
    this.#tally.delivered += 1;
  }

  /** Policies on undeclared names: sieve.md N1, M2, A4. */
  #stands({ tool }: TentativeCall, closed: boolean): boolean {
    if (tool.declared) return true;
    if (this.#mayBeThought || this.#plan.undeclared === "text") return false;
    return this.wrapped || closed;
  }

  #turnAway(call: TentativeCall) {
    this.#dropped += 1;
    if (call.tool.declared || this.#plan.undeclared !== "text" || this.place.channel !== "text") return;
    if (this.#turnedAway.length < SIEVE_LIMITS.reports) this.#turnedAway.push(call.tool.name);
  }
}
