import { CARRIAGE_RETURN, LINE_FEED } from "./characters.ts";
import type { Scan } from "./scan.ts";

/** The rest of a line and its end, which may be the reply's; CR LF is one. */
export class LineRest implements Scan {
  readonly again = 0;
  back = "";
  done = false;
  text = "";
  /** The line did not end within the cap. */
  overflowed = false;
  /** The reply ended in it. */
  ended = false;
  readonly #most: number;
  #behindReturn = false;

  constructor(most: number) {
    this.#most = most;
  }

  get held(): number {
    return this.text.length;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) this.#step(s.charCodeAt(i++));
    return i;
  }

  finish() {
    if (!this.done) this.ended = !this.#behindReturn;
    this.done = true;
  }

  #step(code: number) {
    if (code === LINE_FEED) this.done = true;
    else if (this.#behindReturn) this.#end(code);
    else if (code === CARRIAGE_RETURN) this.#behindReturn = true;
    else if (this.text.length === this.#most) {
      this.overflowed = true;
      this.#end(code);
    } else this.text += String.fromCharCode(code);
  }

  #end(code: number) {
    this.back = String.fromCharCode(code);
    this.done = true;
  }
}
