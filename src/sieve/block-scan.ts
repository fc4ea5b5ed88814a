import type { Block } from "./block.ts";
import type { OpenRuns } from "./open-runs.ts";
import type { Grammar, Scan, Verdict } from "./scan.ts";
import { SpanEnd } from "./span-end.ts";
import { SpanWatch } from "./span-watch.ts";

/**
 * - `empty`: its end was seen, but no call is left of it.
 * - `code`: the code span closes in which the block began (sieve.md A2).
 * - `overflow`: the block has grown over its cap.
 */
export type BlockEnd = Verdict | "empty" | "code" | "overflow";

/**
 * A block as one scan: runs its grammar on what comes and records that, until there is a verdict. A block in an open code
 * span ends early where that closes, and else its verdict waits for the end of the line.
 */
export class BlockScan implements Scan {
  done = false;
  back = "";
  again = 0;
  /** What has become of the block, once that is known. */
  end: BlockEnd | undefined;
  /** What was read behind its last call, and is none of it. */
  tail = "";
  readonly block: Block;
  readonly #grammar: Grammar;
  /** What reads the block; none where the grammar has come to its end. */
  #scan: Scan | undefined;
  readonly #openRuns: OpenRuns;
  readonly #span: SpanWatch | undefined;
  #spanEnd: SpanEnd | undefined;

  /** @param openRuns those of the line; Markdown does not move before the block ends */
  constructor(block: Block, grammar: Grammar, openRuns: OpenRuns) {
    this.block = block;
    this.#grammar = grammar;
    this.#openRuns = openRuns;
    this.#span = block.place.inSpan ? new SpanWatch(openRuns) : undefined;
    this.#resume();
  }

  get held(): number {
    return this.block.held + ((this.#spanEnd ?? this.#scan)?.held ?? 0);
  }

  get data(): boolean {
    return this.#scan?.data === true;
  }

  /** All that is open is the line on which it stands. */
  get isOver(): boolean {
    return this.#spanEnd !== undefined;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) i = this.#spanEnd ? this.#behind(this.#spanEnd, s, i) : this.#inside(s, i);
    return i;
  }

  finish() {
    this.#span?.finish();
    // Behind the block its line is what tells, which holds what was read there.
    if (!this.done && !this.#spanEnd && this.#span?.closed) this.#decide("code");
    while (!this.done) {
      const scan = this.#spanEnd ?? this.#scan;
      scan?.finish();
      if (this.#spanEnd) this.#lineEnds(this.#spanEnd);
      else this.#advance("", 0);
    }
  }

  #inside(s: string, at: number): number {
    const scan = this.#scan;
    let to = at;
    if (!scan || !this.#span || this.#span.done) to = scan?.eat(s, at) ?? at;
    else if (this.#span.closesBefore(s.charCodeAt(at), this.data)) {
      this.#decide("code");
      return at;
      // One by one, so that what stands behind the span is none of the block's.
    } else to += scan.eat(s.charAt(at), 0);
    this.#span?.moved(to - at);
    this.block.raw.add(s, at, to);
    if (this.block.overflows) this.#decide("overflow", scan?.again);
    else if (scan?.done) return this.#advance(s, to);
    return to;
  }

  /**
   * The scan has decided. Its token that did not fit is taken out of the block first, then the next scan is chosen, and
   * only then is the token given to that one.
   * @returns where in `s` to go on
   */
  #advance(s: string, at: number): number {
    const { back = "", again = 0 } = this.#scan ?? {};
    this.again += again;
    this.block.raw.remove(back.length);
    this.#span?.moved(-back.length);
    this.#resume();
    if (this.done) {
      this.back = back + this.back;
      return at;
    }
    // By index where it lies in this chunk; what lies before it is a chunk of its own. Never `back + rest`, which would
    // copy the whole chunk each time.
    this.again += back.length;
    if (back.length <= at) return at - back.length;
    const before = back.slice(0, back.length - at);
    const read = this.eat(before, 0);
    if (!this.done) return 0;
    this.back += before.slice(read) + s.slice(0, at);
    return at;
  }

  #resume() {
    const step = this.#grammar.next();
    this.#scan = step.done ? undefined : step.value;
    if (step.done) this.#settle(step.value);
  }

  #settle(verdict: Verdict) {
    const stands = verdict === "accepted" || verdict === "unclosed";
    if (verdict === "unclosed") this.tail = this.block.raw.takeTail();
    if (stands && !this.block.judge(verdict === "accepted")) return this.#decide("empty");
    if (!stands || !this.block.place.inSpan) return this.#decide(verdict);
    this.end = verdict;
    this.#spanEnd = new SpanEnd(this.#openRuns);
    // The tail is part of the line, too; it was read already and does not go back.
    this.again += this.tail.length;
    this.#spanEnd.pass(this.tail);
    if (this.#spanEnd.done) this.#lineEnds(this.#spanEnd);
  }

  /** Reads on behind the block, to the end of its line. */
  #behind(spanEnd: SpanEnd, s: string, at: number): number {
    const to = spanEnd.eat(s, at);
    if (spanEnd.done) this.#lineEnds(spanEnd);
    return to;
  }

  #lineEnds({ closed, back }: SpanEnd) {
    this.back = back;
    if (closed) this.end = "code";
    this.done = true;
  }

  #decide(end: BlockEnd, again = 0) {
    this.end = end;
    this.again += again;
    this.done = true;
  }
}
