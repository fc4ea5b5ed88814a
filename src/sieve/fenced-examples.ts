import type { BlockScan } from "./block-scan.ts";
import { CARRIAGE_RETURN, isBlank, LINE_FEED } from "./characters.ts";
import type { Anchor, Hit, Opening } from "./notation.ts";
import { Triggers } from "./triggers.ts";

/** Reads a block that may be an example, and says when a call of it would have been announced. */
export type TryExample = (opening: Opening, onCall: () => void) => BlockScan;

/**
 * Counts the fences that show a call, which is left alone there (sieve.md A1). What stands in a fence is read as A5 reads
 * it, up to the moment when its first call would be announced; then no more of that fence is looked at. All of it is text
 * that has gone out: nothing is held for it, and no event depends on it.
 */
export class FencedExamples {
  count = 0;
  /** Characters that were looked at once more than the text scan has. */
  again = 0;
  readonly #triggers: Triggers<Hit>;
  readonly #try: TryExample;
  #state = Triggers.ROOT;
  /** An opener, while a longer one may begin so; and what came behind it. */
  #found: Opening | undefined;
  #behind = "";
  /** What may be an example. */
  #scan: BlockScan | undefined;
  #fence: object | undefined;
  /** What the fence is has been seen. */
  #decided = false;
  /** Of what comes next, and of what may be an opener. */
  #anchor: Anchor = "start";
  #began: Anchor = "start";

  constructor(triggers: Triggers<Hit>, tryExample: TryExample) {
    this.#triggers = triggers;
    this.#try = tryExample;
  }

  /** `s[from..to)`, with which nothing can begin; it is part of what has begun. */
  skipped(s: string, from: number, to: number, fence: object | undefined) {
    if (fence === undefined || fence !== this.#fence) return;
    let i = from;
    while (i < to && !this.#decided) {
      if (this.#scan) i += this.#go(this.#scan, s.slice(i, to));
      else if (this.#state === Triggers.ROOT && !this.#found) break;
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
    this.#scan = this.#found = undefined;
    this.#state = Triggers.ROOT;
    this.#decided = false;
    this.#anchor = "start";
  }

  #read(code: number) {
    if (this.#scan) {
      this.#go(this.#scan, String.fromCharCode(code));
      return;
    }
    const triggers = this.#triggers;
    const before = triggers.depth(this.#state);
    const state = triggers.step(this.#state, code);
    const depth = triggers.depth(state);
    // The longest one that begins first counts, as everywhere.
    if (this.#found) {
      this.#behind += String.fromCharCode(code);
      if (depth <= before) return this.#begin(this.#found, this.#behind);
    }
    this.#state = state;
    if (depth === 1) this.#began = this.#anchor;
    else if (depth <= before) this.#began = "anywhere";
    this.#pass(code);
    const length = triggers.hitLength(state);
    const opening = length > 0 ? this.#opens(triggers.hit(state), length, depth) : undefined;
    if (opening) {
      this.#found = opening;
      this.#behind = opening.tag ? String.fromCharCode(code) : "";
    }
    if (this.#found && !triggers.extends(state)) this.#begin(this.#found, this.#behind);
  }

  /** A brace or a bracket alone stands all over code: it tells something only where the fence begins. */
  #opens(hit: Hit | undefined, length: number, depth: number): Opening | undefined {
    const at = length === depth ? this.#began : "anywhere";
    return length === 1 && at !== "start" ? undefined : hit?.call?.[at];
  }

  #begin(opening: Opening, behind: string) {
    this.#found = undefined;
    this.#state = Triggers.ROOT;
    const scan = this.#try(opening, () => {
      if (!this.#decided) this.count += 1;
      this.#decided = true;
    });
    this.#scan = scan;
    if (scan.done) this.#over(scan);
    this.#readAll(behind);
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
    const read = scan.block.raw.text + scan.tail;
    for (let i = 0; i < read.length; i++) this.#pass(read.charCodeAt(i));
    this.#readAll(scan.back);
  }

  #readAll(text: string) {
    this.again += text.length;
    for (let i = 0; i < text.length && !this.#decided; i++) this.#read(text.charCodeAt(i));
  }

  #pass(code: number) {
    if (!isBlank(code)) this.#anchor = "anywhere";
    else if (this.#anchor !== "start" && (code === LINE_FEED || code === CARRIAGE_RETURN)) this.#anchor = "line";
  }
}
