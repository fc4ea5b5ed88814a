import { SIEVE_LIMITS } from "../limits.ts";
import { Block } from "./block.ts";
import { BlockScan } from "./block-scan.ts";
import { CARRIAGE_RETURN, isBlank, LINE_FEED } from "./characters.ts";
import { LongestMatch } from "./matcher.ts";
import type { Anchor, Hit, Opening } from "./notation.ts";
import { OpenRuns } from "./open-runs.ts";
import type { SievePlan } from "./plan.ts";
import { Tally } from "./report.ts";
import { trimBlanks } from "./values/value.ts";

const PLACE = { channel: "text", inSpan: false, beginsChannel: false, isExample: true } as const;

/**
 * Counts the fences that show a call, which is left alone there (sieve.md A1). What stands in a fence is read as A5 reads
 * it, up to the moment when its first call would be announced; then no more of that fence is looked at. All of it is text
 * that has gone out: nothing is held for it, and no event depends on it.
 */
export class FencedExamples {
  count = 0;
  /** Characters that were looked at once more than the text scan has. */
  again = 0;
  /** By which an example is read. */
  readonly #plan: SievePlan;
  readonly #matcher: LongestMatch<Hit, Opening>;
  /** What may be an example. */
  #scan: BlockScan | undefined;
  #fence: object | undefined;
  /** What the fence is has been seen. */
  #decided = false;
  /** Of what comes next, the held beginning of an opener included. */
  #anchor: Anchor = "start";

  constructor(plan: SievePlan) {
    // No more of it is read than of what is undecided.
    const limits = { ...plan.limits, block: Math.min(SIEVE_LIMITS.undecided, plan.limits.block) };
    this.#plan = { ...plan, earlyEmit: "low", limits };
    this.#matcher = new LongestMatch(plan.triggers.text);
  }

  /** `s[from..to)`, with which nothing can begin; it is part of what has begun. */
  skipped(s: string, from: number, to: number, fence: object | undefined) {
    if (fence === undefined || fence !== this.#fence) return;
    let i = from;
    while (i < to && !this.#decided) {
      if (this.#scan) i += this.#go(this.#scan, s.slice(i, to));
      else if (this.#matcher.held === "") break;
      else this.#read(s.charCodeAt(i++));
    }
    if (i < to) this.#anchor = "anywhere";
  }

  /** One more character. @param fence the one in which it stands, or that its line has opened */
  step(code: number, fence: object | undefined) {
    if (fence !== this.#fence) this.#enter(fence);
    if (fence && !this.#decided) this.#read(code);
  }

  #enter(fence: object | undefined) {
    this.#fence = fence;
    this.#scan = undefined;
    this.#matcher.take();
    this.#decided = false;
    this.#anchor = "start";
  }

  #read(code: number) {
    if (this.#scan) this.#go(this.#scan, String.fromCharCode(code));
    else if (this.#matcher.endsBefore(code)) this.#begin(String.fromCharCode(code));
    else {
      this.#pass(this.#matcher.step(code));
      const opening = this.#opens();
      if (opening) this.#matcher.find(opening);
      if (this.#matcher.complete) this.#begin("");
    }
  }

  /** A brace or a bracket alone stands all over code: it tells something only where the fence begins. */
  #opens(): Opening | undefined {
    const { hit } = this.#matcher;
    if (!hit?.call) return undefined;
    const { held, beforeHit } = this.#matcher;
    const at = trimBlanks(beforeHit) === "" ? this.#anchor : "anywhere";
    return held.length - beforeHit.length === 1 && at !== "start" ? undefined : hit.call[at];
  }

  /** @param next what was read behind the opener */
  #begin(next: string) {
    const found = this.#matcher.takeFound();
    if (!found) return;
    const { meaning: opening, before, matched, back } = found;
    this.#pass(before + matched);
    const onEvent = ({ type }: { type: string }) => {
      if (type !== "call-start" || this.#decided) return;
      this.#decided = true;
      this.count += 1;
    };
    // Nothing of it is counted as a block.
    const block = new Block(PLACE, opening.kind, this.#plan, new Tally(), onEvent);
    const scan = new BlockScan(block, opening.read(block, undefined), new OpenRuns());
    this.#scan = scan;
    if (scan.done) this.#over(scan);
    this.#readAll((opening.tag ? matched.slice(-1) : "") + back + next);
  }

  /** @returns how much of it was read */
  #go(scan: BlockScan, piece: string): number {
    const read = scan.eat(piece, 0);
    this.again += read;
    if (scan.done || this.#decided) this.#over(scan);
    return read;
  }

  /** The block is none, or its first call is known. What did not fit is looked at again, as the engine does. */
  #over(scan: BlockScan) {
    this.#scan = undefined;
    this.again += scan.again;
    // What follows may be part of it: of an object that is data, or of what is too long to be told.
    if (scan.end === "data" || scan.end === "overflow") this.#decided = true;
    if (this.#decided) return;
    this.#pass(scan.block.raw.text + scan.tail);
    this.#readAll(scan.back);
  }

  #readAll(text: string) {
    this.again += text.length;
    for (let i = 0; i < text.length && !this.#decided; i++) this.#read(text.charCodeAt(i));
  }

  #pass(text: string) {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (!isBlank(code)) this.#anchor = "anywhere";
      else if (this.#anchor !== "start" && (code === LINE_FEED || code === CARRIAGE_RETURN)) this.#anchor = "line";
    }
  }
}
