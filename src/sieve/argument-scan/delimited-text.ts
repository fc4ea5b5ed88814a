import { Matcher } from "../matcher.ts";
import type { Triggers } from "../triggers.ts";
import type { Write } from "../value-scan/marks.ts";
import type { LiteralReader } from "./argument-value.ts";

/** Text up to a mark that stands for nothing else: there are no escapes in it, and nothing in it means anything. */
export class DelimitedText implements LiteralReader {
  readonly back = "";
  readonly again = 0;
  closed = false;
  /** The delimiter behind it, as written. */
  closer = "";

  readonly #delimiter: Triggers<string>;
  readonly #matcher: Matcher<string>;
  readonly #write: Write;

  constructor(delimiter: Triggers<string>, write: Write) {
    this.#delimiter = delimiter;
    this.#matcher = new Matcher(delimiter);
    this.#write = write;
  }

  get held(): number {
    return this.#matcher.held.length;
  }

  plain(s: string, at: number): number {
    if (this.held > 0) return at;
    const to = this.#delimiter.skip(s, at);
    if (to > at) this.#write(s.slice(at, to));
    return to;
  }

  step(code: number) {
    const released = this.#matcher.step(code);
    if (released !== "") this.#write(released);
    if (this.#matcher.hit === undefined) return;
    this.closer = this.#matcher.take();
    this.closed = true;
  }

  /** No delimiter closed it. */
  finish() {}
}
