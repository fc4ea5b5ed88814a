import { LINE_FEED } from "./characters.ts";
import type { OpenRuns } from "./open-runs.ts";
import { SpanEnd } from "./span-end.ts";

/**
 * Whether the code span closes in which a block began, while the block is read (sieve.md A2). Only what stands outside of
 * the block's values counts, since backticks are data in those; and what is given back and read again counts once.
 */
export class SpanWatch {
  readonly #end: SpanEnd;
  /** Characters read since the block began, less those that were given back; and how far they were looked at. */
  #read = 0;
  #seen = 0;

  constructor(open: OpenRuns) {
    this.#end = new SpanEnd(open);
  }

  /** Nothing that follows can close the span. */
  get done(): boolean {
    return this.#end.done;
  }

  get closed(): boolean {
    return this.#end.closed;
  }

  /** The block is read so much further, or less far where characters were given back. */
  moved(by: number) {
    this.#read += by;
  }

  /** @returns whether the next character, which is not read yet, shows that the span has closed before it */
  closesBefore(code: number, inValue: boolean): boolean {
    if (this.#read < this.#seen) return false;
    this.#seen = this.#read + 1;
    if (inValue && code !== LINE_FEED) return false;
    this.#end.pass(String.fromCharCode(code));
    return this.closed;
  }

  finish() {
    this.#end.finish();
  }
}
