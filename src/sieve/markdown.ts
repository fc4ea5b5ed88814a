import { SIEVE_LIMITS } from "../limits.ts";
import { BACKTICK, CARRIAGE_RETURN, GREATER, isBlank, isDigit, LINE_FEED, SPACE, TAB, TILDE } from "./characters.ts";
import { CodeSpans } from "./code-spans.ts";

/** What a blank makes a list marker of. */
const BULLETS = "-*+";
/** Columns from one tab stop to the next. */
const TAB_STOP = 4;

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
  #place: Place = "prefix";
  #previous = 0;
  readonly #spans = new CodeSpans();

  /** The open fence, with the number of block quotes it stands in: the end of one ends the fence. */
  #fence: (Run & { quotes: number }) | undefined;
  /** The run that this line's content begins with, and what came behind it. */
  #first: Run | undefined;
  #blankBehind = true;
  #backtickBehind = false;

  /** Columns in front of the next character, counted from the last quote mark. */
  #column = 0;
  #quotes = 0;
  #behindQuote = false;
  /** Content columns of the open list items, outermost first, and the number of quotes around them. */
  #items: number[] = [];
  #itemQuotes = 0;
  #marker: "bullet" | "digits" | "ordered" = "bullet";
  #digits = 0;
  #indentedCode = false;

  /** Only a line break or a backtick can change anything now. */
  get quiet(): boolean {
    return this.#place === "text" && this.#spans.quiet && !(this.#first && this.#blankBehind);
  }

  /** A trigger may be live here (A1). */
  get live(): boolean {
    return (this.#fence === undefined || this.#leavesQuote()) && (this.#first?.length ?? 0) < 3;
  }

  /** Lengths of the backtick runs that stand open on this line (A2). */
  get openRuns(): ReadonlySet<number> {
    return this.#spans.open;
  }

  /** Something that is no backtick, but is not told of, ends a run. */
  endRun() {
    this.#spans.endRun();
  }

  /** Something stood here that is not told of: what was to be ended by the line's end, or by a blank, is not. */
  interrupt() {
    this.#spans.interrupt();
    if (this.#place === "marker") this.#place = "text";
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
  }

  #text(code: number) {
    if (!isBlank(code)) this.#blankBehind = false;
    if (code === BACKTICK) this.#backtickBehind = true;
    if (!this.#fence) this.#spans.step(code);
  }

  #prefix(code: number) {
    if (code === SPACE || code === TAB) this.#blank(code);
    else if (
      code === GREATER &&
      this.#quotes < (this.#fence?.quotes ?? Number.POSITIVE_INFINITY) &&
      this.#indent() <= 3
    ) {
      this.#quotes += 1;
      this.#column = 0;
      this.#behindQuote = true;
    } else this.#content(code);
  }

  #blank(code: number) {
    const columns = code === TAB ? TAB_STOP - (this.#column % TAB_STOP) : 1;
    // The first blank behind `>` belongs to the mark.
    this.#column += this.#behindQuote ? columns - 1 : columns;
    this.#behindQuote = false;
  }

  /** The first character that is neither a blank nor a quote mark. */
  #content(code: number) {
    if (this.#leavesQuote()) this.#fence = undefined;
    if (!this.#fence) this.#leaveItems();
    this.#indentedCode = this.#indent() > 3;
    this.#place = "text";
    if (this.#indentedCode) this.#text(code);
    else if (code === BACKTICK || code === TILDE) {
      this.#place = "run";
      this.#first = { mark: code, length: 0 };
      this.#run(code);
    } else if (!this.#fence && BULLETS.includes(String.fromCharCode(code))) this.#beginMarker("bullet", code);
    else if (!this.#fence && isDigit(code)) this.#beginMarker("digits", code);
    else this.#text(code);
  }

  /** The line has fewer quote marks than the open fence, if no more come: an empty line, or other content. */
  #leavesQuote(): boolean {
    return this.#place === "prefix" && this.#quotes < (this.#fence?.quotes ?? 0);
  }

  /** Indent of the line's content within the list item that it belongs to. */
  #indent(): number {
    if (this.#quotes !== this.#itemQuotes) return this.#column;
    return this.#column - (this.#items.findLast((column) => column <= this.#column) ?? 0);
  }

  #leaveItems() {
    if (this.#quotes !== this.#itemQuotes) this.#items = [];
    this.#itemQuotes = this.#quotes;
    while ((this.#items.at(-1) ?? 0) > this.#column) this.#items.pop();
  }

  #beginMarker(marker: "bullet" | "digits", code: number) {
    this.#place = "marker";
    this.#marker = marker;
    this.#digits = 1;
    this.#column += 1;
    this.#spans.step(code);
  }

  /** A bullet, or up to nine digits with `.` or `)`; only the blank behind makes it a list marker. */
  #inMarker(code: number) {
    if ((code === SPACE || code === TAB) && this.#marker !== "digits") {
      if (this.#items.length < SIEVE_LIMITS.listItems) this.#items.push(this.#column + 1);
      this.#place = "prefix";
      this.#blank(code);
      return;
    }
    const digit = isDigit(code) && ++this.#digits <= 9;
    if (this.#marker !== "digits" || !(digit || code === 46 || code === 41)) {
      this.#place = "text";
      this.#text(code);
      return;
    }
    if (!digit) this.#marker = "ordered";
    this.#column += 1;
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
    if (!this.#fence) this.#fence = this.#opened();
    else if (this.#leavesQuote() || this.#closes(this.#fence)) this.#fence = undefined;
    this.#spans.reset();
    this.#place = "prefix";
    this.#first = undefined;
    this.#blankBehind = true;
    this.#backtickBehind = this.#behindQuote = this.#indentedCode = false;
    this.#column = this.#quotes = 0;
  }

  #closes(fence: Run): boolean {
    const first = this.#first;
    return first !== undefined && first.mark === fence.mark && first.length >= fence.length && this.#blankBehind;
  }

  #opened(): (Run & { quotes: number }) | undefined {
    const first = this.#first;
    // The info string of a backtick fence holds no backtick; that of a tilde fence may hold anything.
    if (first && first.length >= 3 && (first.mark === TILDE || !this.#backtickBehind))
      return { ...first, quotes: this.#quotes };
    const late = this.#indentedCode ? undefined : this.#spans.lateFence;
    return late === undefined ? undefined : { mark: BACKTICK, length: late, quotes: this.#quotes };
  }
}
