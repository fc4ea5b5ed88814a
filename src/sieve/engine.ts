import type { StageEvent } from "../reply.ts";
import { Block } from "./block.ts";
import { ChannelScan } from "./channel-scan.ts";
import type { Channel, Opening, SievePlan } from "./plan.ts";
import type { Tally } from "./report.ts";
import type { Grammar, Scan, Verdict } from "./scan.ts";
import { SpanEnd } from "./span-end.ts";
import { TextScan } from "./text-scan.ts";

/** Where an engine's results go. */
export interface Outlet {
  text(text: string): void;
  /** An event of a call that is announced. */
  event(event: StageEvent): void;
  /** A block is over and its calls stand; in reasoning they wait elsewhere (sieve.md A4). */
  stands(block: Block): void;
  /** The reply ends here (sieve.md W2, W3, parallel calls). */
  ends(): void;
}

/**
 * The sieve's loop, for one channel: feeds the scan that runs, asks the grammar for the next one when it has decided,
 * and settles the block when the grammar has. Only what a scan gives back is ever looked at again, so the whole is
 * linear; and the engine, not a grammar, records what was eaten, so no byte can be lost or doubled.
 */
export class Engine {
  readonly #plan: SievePlan;
  readonly #tally: Tally;
  readonly #channel: Channel;
  readonly #outlet: Outlet;
  readonly #reasoning: Engine | undefined;
  #text: TextScan;

  #scan: Scan;
  #block: Block | undefined;
  #grammar: Grammar | undefined;
  /** Lengths of the backtick runs that stood open where the block began. */
  #openRuns: ReadonlySet<number> = new Set();
  /** How the block ended, kept while the end of the code span around it is looked for. */
  #verdict: "accepted" | "unclosed" = "accepted";
  #replyEnded = false;
  /** An announced call broke, or the sieve has ended the reply: the rest is dropped (sieve.md T3, W2, W3). */
  #dead = false;
  #looks = 0;

  /** @param reasoning reads reasoning that is marked inside this engine's own text */
  constructor(plan: SievePlan, tally: Tally, channel: Channel, outlet: Outlet, reasoning?: Engine) {
    this.#plan = plan;
    this.#tally = tally;
    this.#channel = channel;
    this.#outlet = outlet;
    this.#reasoning = reasoning;
    this.#text = this.#createText();
    this.#scan = reasoning && plan.startsInReasoning ? this.#channelScan(reasoning) : this.#text;
  }

  get held(): number {
    const { held } = this.#text;
    return this.#scan === this.#text ? held : held + this.#scan.held + (this.#block?.held ?? 0);
  }

  get looks(): number {
    const scan = this.#scan === this.#text ? 0 : this.#scan.looks;
    return this.#looks + this.#text.looks + scan + (this.#reasoning?.looks ?? 0);
  }

  /** Nothing that comes can count any more. */
  get dead(): boolean {
    return this.#dead;
  }

  /** An announced call is open: nothing else may go out before its end. */
  get callIsOpen(): boolean {
    return this.#block?.openOnWire === true;
  }

  push(chunk: string) {
    let at = 0;
    while (at < chunk.length && !this.#dead) {
      const to = this.#scan.eat(chunk, at);
      this.#block?.eaten(chunk.slice(at, to));
      at = to;
      if (this.#block?.overflow) this.#overflow();
      else if (this.#scan.done) at = this.#advance(at);
    }
  }

  /** The reply has ended: whatever is open decides with what it holds. */
  end() {
    this.#replyEnded = true;
    while (this.#scan !== this.#text && !this.#dead) {
      this.#scan.finish();
      this.#advance(0);
    }
    this.#reasoning?.end();
    if (!this.#dead) this.#text.finish();
  }

  /** The channel was left: a block that is open in it is text of the channel (sieve.md A4). */
  leave() {
    if (this.#scan instanceof SpanEnd) {
      this.#scan.finish();
      this.#advance(0);
    }
    if (this.#block) this.#release(this.#block.text);
    this.#text.finish();
    this.#looks += this.#text.looks;
    this.#text = this.#createText();
    this.#scan = this.#text;
  }

  /** The scan has decided: takes the next one, then gives back what the decided one ate too much. */
  #advance(at: number): number {
    const scan = this.#scan;
    let { back } = scan;
    if (scan === this.#text) back = this.#found(this.#text);
    else {
      this.#looks += scan.looks;
      this.#block?.uneat(back.length);
      if (scan instanceof SpanEnd) this.#spanEnded(scan.closed);
      else if (scan instanceof ChannelScan) this.#toText("channel");
      else this.#resume();
    }
    // By index where it lies in this chunk; what lies before it is a chunk of its own. Never `back + rest`, which would
    // copy the whole chunk each time.
    if (back.length <= at) return at - back.length;
    this.push(back.slice(0, back.length - at));
    return 0;
  }

  /** @returns what belongs to the next scan */
  #found(text: TextScan): string {
    const { hit, matched } = text;
    switch (hit?.does) {
      case "call":
        return this.#open(hit.opening, matched);
      case "reasoning":
        if (hit.opens && this.#reasoning) this.#scan = this.#channelScan(this.#reasoning);
        else this.#toText("channel");
        return "";
      case "results":
        this.#endReply();
        return "";
      case "closer":
        this.#toText("call");
        return "";
      case undefined:
        return "";
      default:
        return hit satisfies never;
    }
  }

  #open(opening: Opening, matched: string): string {
    const back = opening.tag ? matched.slice(-1) : "";
    this.#openRuns = new Set(this.#text.markdown.openRuns());
    const standing = { opening, channel: this.#channel, inSpan: this.#openRuns.size > 0 };
    this.#block = new Block(standing, this.#plan, this.#tally, (event) => this.#outlet.event(event));
    this.#block.eaten(matched.slice(0, matched.length - back.length));
    this.#grammar = opening.read(this.#block);
    this.#resume();
    return back;
  }

  #resume() {
    const step = this.#grammar?.next();
    if (!step) return;
    if (step.done) this.#settle(step.value);
    else this.#scan = step.value;
  }

  #settle(verdict: Verdict) {
    const block = this.#block;
    if (!block) return;
    switch (verdict) {
      case "misfit":
        return this.#release(block.text);
      case "broken":
        return block.openOnWire ? this.#breakOff(block) : this.#fail(block);
      case "accepted":
      case "unclosed":
        this.#verdict = verdict;
        return block.standing.inSpan ? this.#awaitSpanEnd(block) : this.#stand(block);
      default:
        verdict satisfies never;
    }
  }

  #awaitSpanEnd(block: Block) {
    const span = new SpanEnd(this.#openRuns);
    // What stands behind the last call is part of the line, too; it was read already and does not go back.
    if (this.#verdict === "unclosed") span.pass(block.tail);
    this.#scan = span;
    if (span.done) this.#spanEnded(span.closed);
  }

  #spanEnded(closed: boolean) {
    const block = this.#block;
    if (!block) return;
    if (closed) this.#release(block.text);
    else this.#stand(block);
  }

  #stand(block: Block) {
    const closed = this.#verdict === "accepted";
    const tail = closed ? "" : block.takeTail();
    if (!block.judge(closed)) return this.#fail(block, tail);
    this.#toText("call");
    this.#outlet.stands(block);
    if (tail !== "") this.#text.pass(tail);
    if (this.#tally.delivered >= this.#plan.maxCalls) this.#endReply();
  }

  /** A block that is no call: text as a whole, and never searched again (sieve.md A6). */
  #fail(block: Block, tail = "") {
    const cut = this.#replyEnded;
    if (this.#channel === "text") {
      this.#tally.blocks.push(block.report(cut ? "truncated" : "malformed"));
      if (cut) this.#tally.cut = true;
    }
    this.#release(this.#plan.malformed === "drop" && this.#channel === "text" ? "" : block.text + tail);
  }

  /** An announced call that breaks stays open, and nothing follows it (sieve.md T3). */
  #breakOff(block: Block) {
    this.#tally.blocks.push(block.report(this.#replyEnded ? "truncated" : "malformed"));
    this.#tally.cut = true;
    this.#dead = true;
  }

  #overflow() {
    const block = this.#block;
    if (!block) return;
    this.#looks += this.#scan.looks;
    this.#text.silence();
    this.#fail(block);
  }

  #release(text: string) {
    this.#block = undefined;
    this.#grammar = undefined;
    this.#scan = this.#text;
    if (text !== "") this.#text.pass(text);
  }

  #toText(behind: "call" | "channel") {
    this.#block = undefined;
    this.#grammar = undefined;
    this.#scan = this.#text;
    this.#text.resume(behind);
  }

  #visibleBehindCall(): boolean {
    if (this.#plan.afterCalls === "keep" || this.#channel === "reasoning") return false;
    this.#endReply();
    return true;
  }

  #endReply() {
    this.#dead = true;
    this.#outlet.ends();
  }

  #createText(): TextScan {
    return new TextScan(this.#plan.triggers[this.#channel], {
      text: (text) => this.#outlet.text(text),
      visibleBehindCall: () => this.#visibleBehindCall(),
      mayCall: () => this.#tally.callsBefore(this.#channel) < Math.min(this.#plan.callLimit, this.#plan.maxCalls),
    });
  }

  #channelScan(reasoning: Engine): ChannelScan {
    return new ChannelScan(this.#plan.channelEnds, reasoning);
  }
}
