import {
  BACKTICK,
  CARRIAGE_RETURN,
  CLOSE_PAREN,
  FULL_STOP,
  isBlank,
  isDigit,
  LINE_FEED,
  NUMBER_SIGN,
  SPACE,
  TAB,
  TILDE,
} from "./characters.ts";
import { CodeSpans } from "./code-spans.ts";
import { Containers } from "./containers.ts";
import type { OpenRuns } from "./open-runs.ts";

/** What a blank makes a list marker of. */
const BULLETS = "-*+";

/** A run of backticks or tildes. */
interface Run {
  mark: number;
  length: number;
}

/**
 * - `prefix`: only blanks, quote marks and list markers so far: `> 1. `
 * - `marker`: in what a blank would make a list marker: `-`, `12.`
 * - `run`: in the run of backticks or tildes that the line's content begins with
 * - `text`: behind that
 */
type Place = "prefix" | "marker" | "run" | "text";

/**
 * Where in Markdown the visible text stands (sieve.md A1, A2): fences as CommonMark has them, in block quotes and list
 * items too, and the code spans of the current line. It never looks ahead: whether a line opened or closed a fence is
 * settled at the line's end, and until then no trigger is live on a line that begins like an opener. So nothing is ever
 * held for it.
 */
export class Markdown {
  /** Only a line break or a backtick can change anything now. */
  quiet = false;

  #place: Place = "prefix";
  #previous = 0;
  readonly #spans = new CodeSpans();

  /** The open fence, with the number of block quotes it stands in: the end of one ends the fence. */
  #fence: (Run & { quotes: number }) | undefined;
  /** The run that this line's content begins with, and what came behind it. */
  #first: Run | undefined;
  #blankBehind = true;
  #backtickBehind = false;

  readonly #containers = new Containers();
  #marker: "bullet" | "digits" | "ordered" = "bullet";
  #digits = 0;
  #indentedCode = false;
  /** The line before was text of a paragraph: one that goes on need not take up its containers (a lazy line). */
  #inParagraph = false;
  /** This line begins like a heading. */
  #heading = false;

  /** A trigger may be live here (A1). */
  get live(): boolean {
    return (this.#fence === undefined || this.#leavesQuote) && (this.#first?.length ?? 0) < 3;
  }

  /** The fence that is open: of two the second is another one. */
  get fence(): object | undefined {
    return this.#fence;
  }

  /** Lengths of the backtick runs that stand open on this line (A2). */
  get openRuns(): OpenRuns {
    return this.#spans.open;
  }

  /** Something that is no backtick, but is not told of, ends a run. */
  endRun() {
    this.#spans.endRun();
    this.#note();
  }

  /** Something stood here that is not told of: what was to be ended by the line's end, or by a blank, is not. */
  interrupt() {
    this.#spans.interrupt();
    if (this.#place === "marker" || this.#place === "run") this.#place = "text";
    this.#note();
  }

  step(code: number) {
    const previous = this.#previous;
    this.#previous = code;
    if (code === LINE_FEED && previous === CARRIAGE_RETURN) return;
    if (code === LINE_FEED || code === CARRIAGE_RETURN) this.#lineEnds();
    else if (this.#place === "text") this.#text(code);
    else if (this.#place === "prefix") this.#prefix(code);
    else if (this.#place === "run") this.#run(code);
    else this.#inMarker(code);
    this.#note();
  }

  /** Asked for every chunk, but changed only by a step: so it is kept. */
  #note() {
    this.quiet = this.#place === "text" && this.#spans.quiet && !(this.#first && this.#blankBehind);
  }

  #text(code: number) {
    if (!isBlank(code)) this.#blankBehind = false;
    if (code === BACKTICK) this.#backtickBehind = true;
    if (!this.#fence) this.#spans.step(code);
  }

  #prefix(code: number) {
    if (code === SPACE || code === TAB) this.#containers.blank(code);
    else if (!this.#containers.enter(code, this.#fence !== undefined)) this.#content(code);
  }

  /** The line's content begins. */
  #content(code: number) {
    if (this.#fence && this.#containers.quotes < this.#fence.quotes) this.#fence = undefined;
    this.#indentedCode = this.#containers.indent > 3;
    this.#place = "text";
    if (this.#indentedCode) this.#text(code);
    else if (code === BACKTICK || code === TILDE) {
      this.#place = "run";
      this.#first = { mark: code, length: 0 };
      this.#run(code);
    } else if (this.#fence) this.#text(code);
    else if (BULLETS.includes(String.fromCharCode(code))) this.#beginMarker("bullet", code);
    else if (isDigit(code)) this.#beginMarker("digits", code);
    else {
      this.#heading = code === NUMBER_SIGN;
      this.#text(code);
    }
  }

  /** The line has fewer quote marks than the open fence, if no more come: an empty line, or other content. */
  get #leavesQuote(): boolean {
    return this.#place === "prefix" && this.#containers.quotesAhead;
  }

  #beginMarker(marker: "bullet" | "digits", code: number) {
    this.#place = "marker";
    this.#marker = marker;
    this.#digits = 1;
    this.#containers.pass();
    this.#spans.step(code);
  }

  /** A bullet, or up to nine digits with `.` or `)`; only the blank or line end behind makes it a list marker. */
  #inMarker(code: number) {
    if ((code === SPACE || code === TAB) && this.#marker !== "digits") {
      this.#containers.openItem();
      this.#containers.blank(code);
      this.#place = "prefix";
      return;
    }
    const digit = isDigit(code) && ++this.#digits <= 9;
    if (this.#marker !== "digits" || !(digit || code === FULL_STOP || code === CLOSE_PAREN)) {
      this.#place = "text";
      this.#text(code);
      return;
    }
    if (!digit) this.#marker = "ordered";
    this.#containers.pass();
  }

  #run(code: number) {
    const first = this.#first;
    if (!first || code !== first.mark) {
      this.#place = "text";
      this.#text(code);
      return;
    }
    first.length += 1;
    if (!this.#fence) this.#spans.step(code);
  }

  #lineEnds() {
    this.#spans.endRun();
    if (this.#place === "marker" && this.#marker !== "digits") this.#containers.openItem();
    const isParagraph = this.#isParagraph();
    if (this.#place !== "prefix" && !(isParagraph && this.#inParagraph)) this.#containers.close();
    if (!this.#fence) this.#fence = this.#opened();
    else if (this.#leavesQuote || this.#closes(this.#fence)) this.#fence = undefined;
    this.#inParagraph = isParagraph;
    this.#containers.lineEnds(this.#place === "prefix");
    this.#spans.reset();
    this.#place = "prefix";
    this.#first = undefined;
    this.#blankBehind = true;
    this.#backtickBehind = this.#indentedCode = this.#heading = false;
  }

  /** Text, and neither a fence nor what begins something else. */
  #isParagraph(): boolean {
    if (this.#place !== "text" || this.#fence || this.#heading) return false;
    return (this.#first?.length ?? 0) < 3 && (!this.#indentedCode || this.#inParagraph);
  }

  #closes(fence: Run): boolean {
    const first = this.#first;
    return first !== undefined && first.mark === fence.mark && first.length >= fence.length && this.#blankBehind;
  }

  #opened(): (Run & { quotes: number }) | undefined {
    const first = this.#first;
    // The info string of a backtick fence holds no backtick; that of a tilde fence may hold anything.
    if (first && first.length >= 3 && (first.mark === TILDE || !this.#backtickBehind))
      return { ...first, quotes: this.#containers.quotes };
    const late = this.#indentedCode ? undefined : this.#spans.lateFence;
    return late === undefined ? undefined : { mark: BACKTICK, length: late, quotes: this.#containers.quotes };
  }
}
