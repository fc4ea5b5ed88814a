import { Block } from "./block.ts";
import { BlockScan } from "./block-scan.ts";
import { ChannelScan } from "./channel-scan.ts";
import { FencedExamples } from "./fenced-examples.ts";
import type { Channels, Opening } from "./notation.ts";
import type { Outlet } from "./outlet.ts";
import { PassedObject } from "./passed-object.ts";
import type { Channel, SievePlan } from "./plan.ts";
import type { EndedBy, Tally } from "./report.ts";
import { TextScan } from "./text-scan.ts";

/** What is being read. */
type State =
  | { in: "text" }
  /** Reasoning that is marked in the text. */
  | { in: "channel"; scan: ChannelScan }
  | { in: "block"; scan: BlockScan }
  /** Text in which nothing is live, up to the end of its object. */
  | { in: "data"; scan: PassedObject }
  /** An announced call broke, or the sieve has ended the reply: the rest is dropped (sieve.md T3, W2, W3). */
  | { in: "nothing" };

/** Marked reasoning has ended, by a head of another channel or a mark that was taken for data of a block that was none. */
interface Left {
  /** What comes before the part of the chunk that was not read. */
  text: string;
  /** What follows is said. */
  readonly visible: boolean;
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
  /** Reads reasoning that is marked inside this engine's own text. */
  readonly #marked: Engine | undefined;
  /** It reads reasoning that is marked in a text, which a channel's head in it may end (sieve.md A4). */
  #isMarked = false;
  #left: Left | undefined;
  /** Where a mark stands, in the block that is being read, that would have ended the reasoning and was taken for data. */
  #passedEnd: { from: number; to: number } | undefined;
  /** Such a block was no call: nothing suspends reasoning any more, else the same text could be read again and again. */
  #misled = false;
  /** Of the text alone: what is shown in reasoning nobody was meant to run. */
  readonly #examples: FencedExamples | undefined;
  #text: TextScan;
  #state: State = { in: "text" };
  #replyEnded = false;
  #looks = 0;

  constructor(plan: SievePlan, tally: Tally, channel: Channel, outlet: Outlet, marked?: Engine) {
    this.#plan = plan;
    this.#tally = tally;
    this.#channel = channel;
    this.#outlet = outlet;
    this.#marked = marked;
    if (channel === "text") this.#examples = new FencedExamples(plan);
    this.#text = this.#createText();
    if (marked) marked.#isMarked = true;
  }

  /** The reply begins inside reasoning, which the prompt has opened. */
  beginInReasoning() {
    if (this.#marked) this.#enterChannel(this.#marked);
  }

  get held(): number {
    const state = this.#state;
    return this.#text.held + ("scan" in state ? state.scan.held : 0);
  }

  /** Characters looked at, those looked at twice counted twice (sieve.md P5). */
  get looks(): number {
    const running = "scan" in this.#state ? this.#state.scan.again : 0;
    return this.#looks + running + (this.#examples?.again ?? 0) + (this.#marked?.looks ?? 0);
  }

  /** Fences that show a call (sieve.md A1). */
  get fencedExamples(): number {
    return this.#examples?.count ?? 0;
  }

  /** Whatever comes is dropped. */
  get dead(): boolean {
    return this.#tally.broken || this.#state.in === "nothing";
  }

  /** A call is being read that cannot be meant as a thought: it suspends its channel (sieve.md A4). */
  get isSuspended(): boolean {
    return this.#state.in === "block" && this.#state.scan.block.suspendsReasoning && !this.#misled;
  }

  /**
   * Reads a mark that would end the reasoning, if it is data of a call that has suspended that. Outside of a value it is
   * none of the call's, unless notations close calls with it, too.
   * @returns false where it ends the channel
   */
  passEnd(mark: string, closesCalls: boolean): boolean {
    if (this.#state.in !== "block" || !this.isSuspended || !(this.#state.scan.data || closesCalls)) return false;
    const from = this.#state.scan.block.raw.size;
    this.#passedEnd ??= { from, to: from + mark.length };
    this.push(mark);
    return true;
  }

  /** A block is on trial. */
  get inBlock(): boolean {
    return this.#state.in === "block";
  }

  /** @returns how much of it was read: all, unless the channel ended in it */
  push(chunk: string): number {
    let at = 0;
    while (at < chunk.length && this.#left === undefined) {
      const state = this.#state;
      if (state.in === "nothing" || this.dead) return chunk.length;
      const scan = state.in === "text" ? this.#text : state.scan;
      const from = at;
      at = scan.eat(chunk, from);
      this.#looks += at - from;
      if (scan.done) at = this.#advance(at);
    }
    return at;
  }

  /** Whether the reasoning has ended in what was read. */
  takeLeft(): Left | undefined {
    const left = this.#left;
    this.#left = undefined;
    return left;
  }

  /** The reply has ended: whatever is open decides with what it holds. */
  end() {
    this.#replyEnded = true;
    while ("scan" in this.#state) {
      this.#state.scan.finish();
      this.#advance(0);
    }
    this.#marked?.end();
    if (!this.dead) this.#text.finish();
  }

  /** A call has come from elsewhere: what is held came before it, and can be no beginning of a block any more. */
  interrupt() {
    this.#text.release();
    this.#text.resume("call");
  }

  /** The channel is left: a block that is open in it is text of the channel, but for whole calls that suspend it (A4). */
  leave() {
    while (
      this.#state.in === "block" &&
      (this.#state.scan.isOver || this.#state.scan.block.mayEndEarly || this.isSuspended)
    ) {
      this.#state.scan.block.leaves = true;
      this.#state.scan.finish();
      this.#advance(0);
    }
    if (this.#state.in === "block") {
      const { block } = this.#state.scan;
      if (block.openOnWire) return this.#breakOff(block);
      this.#release(block.raw.text);
    }
    if (this.#state.in === "data") this.#state = { in: "text" };
    this.#text.release();
    this.#text = this.#createText();
  }

  /**
   * The scan has decided. What comes next is chosen first, and only then is the token that did not fit given to that.
   * @returns where in the chunk to go on
   */
  #advance(at: number): number {
    const state = this.#state;
    let back = "";
    if (state.in === "text") back = this.#found();
    else if (state.in !== "nothing") {
      ({ back } = state.scan);
      this.#looks += state.scan.again;
      if (state.in === "channel") this.#channelEnds(state.scan);
      else if (state.in === "data") this.#state = { in: "text" };
      else this.#settle(state.scan);
    }
    // By index where it lies in this chunk; what lies before it is a chunk of its own. Never `back + rest`, which would
    // copy the whole chunk each time.
    if (back.length <= at) return at - back.length;
    const before = back.slice(0, back.length - at);
    const read = this.push(before);
    if (this.#left) this.#left.text += before.slice(read);
    return 0;
  }

  /** A trigger in the text. @returns what belongs to the next scan */
  #found(): string {
    const found = this.#text.take();
    if (!found) return "";
    const { meaning, matched, back } = found;
    switch (meaning.does) {
      case "call":
      case "closer":
        return this.#open(meaning.opening, matched) + back;
      case "reasoning":
        if (meaning.opens && this.#marked) this.#enterChannel(this.#marked, meaning.opens);
        else this.#toText("channel");
        return back;
      case "visible":
        this.#text.beginVisible();
        return back;
      case "strip":
        this.#text.strip(matched);
        return back;
      case "results":
        this.#endReply("invented-results");
        return back;
      default:
        return meaning satisfies never;
    }
  }

  #open(opening: Opening, matched: string): string {
    const inSpan = this.#text.markdown.openRuns.size > 0;
    // Reasoning has no channels in it.
    const beginsChannel = this.#channel === "text" ? this.#text.beginsChannel : this.#isMarked;
    const place = { channel: this.#channel, inSpan, beginsChannel };
    const block = new Block(place, opening.kind, this.#plan, this.#tally, this.#outlet.event);
    const back = opening.tag ? matched.slice(-1) : "";
    block.raw.add(matched, 0, matched.length - back.length);
    this.#passedEnd = undefined;
    const scan = new BlockScan(block, opening.read(block, undefined), this.#text.markdown.openRuns);
    this.#state = { in: "block", scan };
    if (scan.done) this.#settle(scan);
    return back;
  }

  #settle({ block, end, tail }: BlockScan) {
    switch (end) {
      case undefined:
        return;
      case "code":
        return this.#release(block.raw.text + tail);
      case "overflow":
        this.#text.silence();
        return this.#fail(block, block.raw.text, false);
      case "misfit":
        return this.#release(block.raw.text);
      case "data":
        this.#release(block.raw.text);
        this.#state = { in: "data", scan: new PassedObject((text) => this.#pass(text)) };
        return;
      case "broken":
      case "cut":
        return block.openOnWire ? this.#breakOff(block) : this.#fail(block, block.raw.text, end === "cut");
      case "accepted":
      case "unclosed":
        return this.#stand(block, tail);
      case "empty":
        // In an open span it may be code: that is not waited for, as it is text either way, so no policy has rejected it.
        if (block.place.inSpan && block.isRejected) return this.#release(block.raw.text + tail);
        return this.#fail(block, block.raw.text + tail, false);
      case "surplus":
        this.#toText("call");
        return this.#outlet.settled();
      case "reasoning":
        if (this.#marked) this.#enterChannel(this.#marked, block.kind.channels);
        else this.#toText("channel");
        return this.#outlet.settled();
      case "visible":
        this.#toText("channel");
        if (this.#isMarked) this.#left = { text: "", visible: true };
        else this.#text.beginVisible();
        return this.#outlet.settled();
      default:
        return end satisfies never;
    }
  }

  #stand(block: Block, tail: string) {
    this.#toText("call");
    this.#outlet.stands(block);
    this.#pass(tail);
    this.#outlet.settled();
    if (this.#tally.delivered >= this.#plan.maxCalls) this.#endReply("max-calls");
  }

  /** A block that is no call: text as a whole, and never searched again (sieve.md A6). */
  #fail(block: Block, text: string, cut: boolean) {
    if (this.#channel === "reasoning") return this.#release(text);
    const truncated = cut && block.isTruncated;
    block.settled(truncated ? "truncated" : "malformed");
    if (truncated) this.#tally.cut = true;
    const hidden = this.#plan.malformed === "drop" && !block.isRejected && (truncated || !cut);
    if (!hidden) return this.#release(text);
    // What is dropped leaves a block's end behind, where reasoning may begin (A4), but no call (W2 to W4).
    this.#toText("channel");
    this.#outlet.settled();
  }

  /** An announced call that breaks stays open, and nothing follows it (sieve.md T3). */
  #breakOff(block: Block) {
    block.judge(false);
    block.settled(this.#replyEnded ? "truncated" : "malformed");
    this.#tally.cut = this.#tally.broken = true;
    if (!this.#replyEnded) this.#tally.brokeOff = true;
    this.#state = { in: "nothing" };
  }

  #release(text: string) {
    const end = this.#passedEnd;
    this.#state = { in: "text" };
    this.#pass(end ? text.slice(0, end.from) : text);
    if (end) {
      this.#left = { text: text.slice(end.to), visible: false };
      this.#misled = true;
      this.#passedEnd = undefined;
    }
    this.#outlet.settled();
  }

  #pass(text: string) {
    if (text === "") return;
    this.#looks += text.length;
    this.#text.pass(text);
  }

  #toText(behind: "call" | "channel") {
    this.#state = { in: "text" };
    this.#text.resume(behind);
  }

  #channelEnds({ beginsVisible }: ChannelScan) {
    this.#toText("channel");
    if (beginsVisible) this.#text.beginVisible();
  }

  /** @param channels whose mark has opened it; absent: the prompt has */
  #enterChannel(marked: Engine, channels?: Channels) {
    this.#text.beginReasoning(channels);
    this.#state = { in: "channel", scan: new ChannelScan(this.#plan.channelEnds(channels), marked) };
  }

  #endReply(by: EndedBy) {
    if (this.dead) return;
    this.#state = { in: "nothing" };
    this.#outlet.ends(by);
  }

  #createText(): TextScan {
    const ends = this.#plan.afterCalls === "end" && this.#channel === "text";
    const mostCalls = Math.min(this.#plan.limits.calls, this.#plan.maxCalls);
    const unmarked = this.#channel === "text" ? this.#plan.unmarked : undefined;
    const observer = {
      text: (text: string) => this.#outlet.text(text),
      visibleBehindCall: () => {
        if (ends) this.#endReply("after-calls");
        return ends;
      },
      mayCall: () => this.#tally.callsBefore(this.#channel) < mostCalls,
    };
    return new TextScan(this.#plan.triggers[this.#channel], observer, unmarked, this.#examples);
  }
}
