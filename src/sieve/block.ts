import { SIEVE_LIMITS } from "../limits.ts";
import type { StageEvent } from "../reply.ts";
import type { Opening, SievePlan } from "./plan.ts";
import type { BlockReport, Tally } from "./report.ts";
import { TentativeCall } from "./tentative-call.ts";

/** Where a block stands: what it takes to announce a call of it early. */
export interface Standing {
  readonly opening: Opening;
  readonly channel: "text" | "reasoning";
  /** A backtick run stands open on its line (sieve.md A2). */
  readonly inSpan: boolean;
}

/**
 * A block on trial. It records raw text and lets each call wait, until the moment that one readable predicate
 * (`#mayAnnounce`) gives: early emission, code spans, missing wrappers, reasoning and undeclared names only move that
 * moment. A grammar knows nothing of levels or of giving back; it reads, and asks here what the mode allows.
 */
export class Block {
  readonly standing: Standing;
  /** Calls whose own end was seen and that were not dropped. */
  calls = 0;
  /** A call of it is out: what stands cannot become text any more. */
  announced = false;
  /** More raw text than may be held. */
  overflow = false;

  readonly #plan: SievePlan;
  readonly #tally: Tally;
  readonly #emit: (event: StageEvent) => void;
  readonly #calls: TentativeCall[] = [];
  readonly #repairs: string[] = [];
  #dropped = 0;
  #rejected = 0;
  #sawSyntax = false;

  #current: TentativeCall | undefined;
  /** Ended calls that wait: those that a later one has to wait for, those sure to stand, and what they hold. */
  #undecided = 0;
  #standing = 0;
  #waiting = 0;

  #raw: string[] = [];
  #rawSize = 0;
  /** Where in `#raw` begins what stands behind the last call. */
  #tail = 0;
  #recording = true;

  constructor(standing: Standing, plan: SievePlan, tally: Tally, emit: (event: StageEvent) => void) {
    this.standing = standing;
    this.#plan = plan;
    this.#tally = tally;
    this.#emit = emit;
  }

  // ── what a grammar may ask and say ────────────────────────────────────────────────────────────────────────────────

  /** The wrapper was seen. */
  get wrapped(): boolean {
    return this.standing.opening.wrapped;
  }

  /** Repairs are allowed (sieve.md T4). */
  get mends(): boolean {
    return this.#plan.mode === "feature_match";
  }

  /** Anything else behind a good call may end the block there, its own end missing (sieve.md M2, G3, E1). */
  get mayEndEarly(): boolean {
    return this.announced || (this.mends && this.calls > 0);
  }

  /** No further call is allowed: the block counts as closed (decisions.md, parallel calls). */
  get full(): boolean {
    if (!this.wrapped && !this.mends) return false;
    return this.#tally.callsBefore(this.standing.channel) + this.#standing >= this.#plan.maxCalls;
  }

  /** The gateway's own stop string was this closer, and the upstream ended on it (sieve.md T1). */
  stoppedAt(closer: string): boolean {
    return this.#tally.endedByStop && this.#plan.gatewayStop.includes(closer);
  }

  /** Begins a call; undefined when what is written is no name (sieve.md N3). */
  begin(name: string): TentativeCall | undefined {
    const tool = this.#plan.tools.resolve(name);
    if (!tool) return undefined;
    const call = new TentativeCall(tool, this.#emit, {
      certain: (certain) => this.#announceEarly(certain),
      repaired: (repair) => this.repair(repair),
      uncoercible: () => {
        this.#tally.uncoercible += 1;
      },
    });
    this.#calls.push(call);
    this.#current = call;
    if (this.announced) this.#stopRecording();
    if (this.mends) this.sawSyntax();
    return call;
  }

  /** The call's own closer was seen. */
  end(call: TentativeCall) {
    call.end();
    this.calls += 1;
    if (!call.onWire) {
      if (call.tool.declared || this.#plan.undeclared === "pass") this.#undecided += 1;
      if (this.#stands(call, false)) this.#standing += 1;
      this.#waiting += call.waiting;
    }
    this.#current = undefined;
    this.passed();
  }

  /** A bad sibling: dropped, if it is not out (sieve.md G3). */
  bad(call: TentativeCall | undefined) {
    this.#dropped += 1;
    call?.drop();
    this.#current = undefined;
    if (this.announced) this.#stopRecording();
  }

  /** What stands behind here is no longer part of a call, good or bad. */
  passed() {
    if (this.announced) this.#forgetRaw();
    this.#recording = true;
    this.#tail = this.#raw.length;
  }

  repair(name: string) {
    this.#repairs.push(name);
  }

  /** The model meant to call (sieve.md G6); in code and in reasoning that is known only when the calls go out. */
  sawSyntax() {
    this.#sawSyntax = true;
    if (!this.standing.inSpan && this.standing.channel === "text") this.#tally.sawToolCallSyntax = true;
  }

  /** A sibling that the end of the reply has cut. */
  cut() {
    this.#tally.cut = true;
  }

  // ── what the engine does with it ──────────────────────────────────────────────────────────────────────────────────

  eaten(piece: string) {
    if (!this.#recording || piece === "") return;
    this.#raw.push(piece);
    this.#rawSize += piece.length;
    if (this.#rawSize > SIEVE_LIMITS.block && !this.announced) this.overflow = true;
  }

  /** Takes back the last characters: they are no part of the block. */
  uneat(length: number) {
    let left = this.#recording ? length : 0;
    while (left > 0) {
      const last = this.#raw.pop();
      if (last === undefined) return;
      this.#rawSize -= Math.min(left, last.length);
      if (last.length > left) this.#raw.push(last.slice(0, last.length - left));
      left -= last.length;
    }
  }

  /** All of it, as long as no call is out. */
  get text(): string {
    return this.#raw.join("");
  }

  /** What stands behind its last call. */
  get tail(): string {
    return this.#raw.slice(this.#tail).join("");
  }

  /** The same, which is from now on no part of the block. */
  takeTail(): string {
    const { tail } = this;
    this.uneat(tail.length);
    return tail;
  }

  get held(): number {
    const current = this.#current;
    return this.#rawSize + this.#waiting + (current ? current.waiting + current.arguments.held : 0);
  }

  /** A call is out and open: it stays so, and ends the reply (sieve.md T3). */
  get openOnWire(): boolean {
    return this.#current?.onWire === true;
  }

  /**
   * Drops what the policies drop, now that the block is over; false when nothing stands.
   * @param closed its own end was seen, and not just something else behind a good call
   */
  judge(closed: boolean): boolean {
    for (const call of this.#calls) {
      if (call.state !== "tentative") continue;
      if (call.ended && this.#stands(call, closed)) continue;
      if (call.ended && this.#plan.undeclared === "text" && this.standing.channel === "text") this.#reject(call);
      if (call.ended) this.#dropped += 1;
      call.drop();
    }
    this.calls = this.#calls.filter((call) => call.state !== "dropped").length;
    return this.calls > 0;
  }

  /** Lets out, in order, every call that stands. */
  announce() {
    if (this.#sawSyntax) this.#tally.sawToolCallSyntax = true;
    for (const call of this.#calls) if (call.state === "tentative") this.#announce(call);
    this.#undecided = this.#standing = this.#waiting = 0;
  }

  report(outcome: "call" | "malformed" | "truncated"): BlockReport {
    const { dialect, source } = this.standing.opening;
    const rejected = outcome === "malformed" && this.#rejected > 0;
    return {
      source,
      dialect,
      outcome: rejected ? "rejected" : outcome,
      calls: outcome === "call" || this.announced ? this.calls : 0,
      dropped: this.#dropped,
      repairs: [...this.#repairs],
    };
  }

  // ── the moment of announcement ────────────────────────────────────────────────────────────────────────────────────

  /** All that sieve.md E, A2, M2, N1 and the policies have to say about announcing a call before its block is over. */
  #mayAnnounce(call: TentativeCall): boolean {
    const { earlyEmit, mode, undeclared } = this.#plan;
    const { declared } = call.tool;
    if (earlyEmit === "off" || this.standing.inSpan || this.standing.channel === "reasoning") return false;
    if (!this.wrapped) return declared && earlyEmit === "low" && mode === "feature_match";
    return declared || (earlyEmit === "low" && undeclared === "pass");
  }

  /** Calls are announced in order: one waits for those before it, except for those that the policy drops (E). */
  #announceEarly(call: TentativeCall) {
    if (call.state === "tentative" && this.#undecided === 0 && this.#mayAnnounce(call)) this.#announce(call);
  }

  #announce(call: TentativeCall) {
    call.announce();
    this.#tally.delivered += 1;
    if (this.announced) return;
    this.announced = true;
    this.#stopRecording();
    this.#recording = call.ended;
  }

  /** Policies on undeclared names: sieve.md N1, M2, A4. */
  #stands(call: TentativeCall, closed: boolean): boolean {
    if (call.tool.declared) return true;
    if (this.standing.channel === "reasoning" || this.#plan.undeclared === "text") return false;
    return this.wrapped || closed;
  }

  #reject(call: TentativeCall) {
    this.#rejected += 1;
    this.#tally.rejectedToolNames.push(call.tool.name);
  }

  /** What is read now belongs to a call, good or bad, of a block that cannot become text any more. */
  #stopRecording() {
    this.#recording = false;
    this.#forgetRaw();
  }

  #forgetRaw() {
    this.#raw = [];
    this.#rawSize = this.#tail = 0;
  }
}
