import { Matcher } from "./matcher.ts";
import type { Scan } from "./scan.ts";
import type { Triggers } from "./triggers.ts";
import type { Sink } from "./values/sinks.ts";

/** Text up to the first of some marks, which goes back, or to the end of the reply. */
export class TextUntil implements Scan {
  readonly again = 0;
  readonly data = true;
  done = false;
  back = "";
  /** The reply ended first. */
  ended = false;
  readonly #marks: Triggers<true>;
  readonly #matcher: Matcher<true>;
  readonly #sink: Sink;

  constructor(marks: Triggers<true>, sink: Sink) {
    this.#marks = marks;
    this.#matcher = new Matcher(marks);
    this.#sink = sink;
  }

  get held(): number {
    return this.#matcher.held.length;
  }

  eat(s: string, at: number): number {
    let text = "";
    let i = at;
    while (i < s.length && !this.done) {
      if (this.#matcher.held === "") {
        const to = this.#marks.skip(s, i);
        text += s.slice(i, to);
        i = to;
        if (i === s.length) break;
      }
      text += this.#matcher.step(s.charCodeAt(i++));
      if (this.#matcher.hit) this.#found();
    }
    if (text !== "") this.#sink.text(text);
    return i;
  }

  finish() {
    if (this.done) return;
    this.#sink.text(this.#matcher.take());
    this.ended = true;
    this.done = true;
  }

  #found() {
    this.back = this.#matcher.take();
    this.done = true;
  }
}
