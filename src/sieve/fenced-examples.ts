import type { BlockScan } from "./block-scan.ts";
import { CARRIAGE_RETURN, isBlank, LINE_FEED } from "./characters.ts";
import { LongestMatch } from "./matcher.ts";
import type { Anchor, Hit, Opening } from "./notation.ts";
import type { Triggers } from "./triggers.ts";
import { trimBlanks } from "./values/value.ts";

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
  readonly #try: TryExample;
  readonly #matcher: LongestMatch<Hit, Opening>;
  /** What may be an example. */
  #scan: BlockScan | undefined;
  #fence: object | undefined;
  /** What the fence is has been seen. */
  #decided = false;
  /** Of what comes next. */
  #anchor: Anchor = "start";

  constructor(triggers: Triggers<Hit>, tryExample: TryExample) {
    this.#matcher = new LongestMatch(triggers);
    this.#try = tryExample;
  }

  /** Something has begun in this fence that the next character may be a part of. */
  reads(fence: object | undefined): boolean {
    return fence !== undefined && fence === this.#fence && (this.#scan !== undefined || this.#matcher.held !== "");
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
    if (this.#matcher.endsBefore(code)) this.#begin();
    if (this.#decided) return;
    if (this.#scan) return this.#go(this.#scan, code);
    this.#pass(this.#matcher.step(code));
    const { hit } = this.#matcher;
    const opening = hit?.call?.[trimBlanks(this.#matcher.beforeHit) === "" ? this.#anchor : "anywhere"];
    if (opening) this.#matcher.find(opening);
    if (this.#matcher.complete) this.#begin();
  }

  #begin() {
    const found = this.#matcher.takeFound();
    if (!found) return;
    const { meaning, before, matched, back } = found;
    this.#pass(before);
    const scan = this.#try(meaning, () => {
      if (!this.#decided) this.count += 1;
      this.#decided = true;
    });
    const own = meaning.tag ? matched.length - 1 : matched.length;
    scan.block.raw.add(matched, 0, own);
    this.#scan = scan;
    if (scan.done) this.#over(scan);
    this.#readAll(matched.slice(own) + back);
  }

  #go(scan: BlockScan, code: number) {
    this.again += 1;
    scan.eat(String.fromCharCode(code), 0);
    if (scan.done || this.#decided) this.#over(scan);
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
