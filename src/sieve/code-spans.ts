import { BACKTICK, isBlank } from "./characters.ts";
import { OpenRuns } from "./open-runs.ts";

/** The backtick runs of one line of text (sieve.md A2), and whether its last run opens a fence in mid-line (A1). */
export class CodeSpans {
  /** Length of the run being read. */
  #run = 0;
  readonly open = new OpenRuns();
  /** Length of a run of three or more that closed no span, while at most an info word stands behind it. */
  #late: number | undefined;
  #info: "before" | "in" | "behind" = "before";

  get quiet(): boolean {
    return this.#run === 0 && this.#late === undefined;
  }

  /** At the line's end: length of the fence that the line opened behind other text. */
  get lateFence(): number | undefined {
    return this.#late;
  }

  step(code: number) {
    if (code === BACKTICK) {
      this.#late = undefined;
      this.#run += 1;
      return;
    }
    this.endRun();
    if (this.#late !== undefined) this.#infoWord(isBlank(code));
  }

  /** Something else than a backtick follows, or the line ends. */
  endRun() {
    if (this.#run > 0) this.#runEnds();
  }

  /** The last run does not end its line. */
  interrupt() {
    this.endRun();
    this.#late = undefined;
  }

  reset() {
    this.#late = undefined;
    this.open.clear();
  }

  /** A run closes the span that a run of its length opened, and with it whatever was opened inside; else it opens one. */
  #runEnds() {
    const length = this.#run;
    this.#run = 0;
    if (this.open.has(length)) return this.open.close(length);
    this.open.open(length);
    if (length < 3) return;
    this.#late = length;
    this.#info = "before";
  }

  #infoWord(blank: boolean) {
    if (this.#info === "before" && !blank) this.#info = "in";
    else if (this.#info === "in" && blank) this.#info = "behind";
    else if (this.#info === "behind" && !blank) this.#late = undefined;
  }
}
