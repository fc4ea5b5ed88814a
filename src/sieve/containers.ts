import { SIEVE_LIMITS } from "../limits.ts";
import { GREATER, TAB } from "./characters.ts";

const TAB_STOP = 4;

/**
 * The block quotes and list items that a line of Markdown stands in, as CommonMark has them: each line takes up the
 * containers that are open one by one, by `>` or by its indent, and closes those that it does not.
 */
export class Containers {
  /** Outermost first; a list item is the width of what stands before its content. */
  readonly #open: ("quote" | number)[] = [];
  /** How many of them this line has taken up. */
  #taken = 0;
  /** Columns of the line so far, and where the content of the innermost container taken up begins. */
  #column = 0;
  #base = 0;
  #behindQuote = false;
  /** Column behind a list marker whose content is still to come. */
  #markerEnd: number | undefined;

  /** Columns in front of the line's content, within the containers that it has taken up. */
  get indent(): number {
    return this.#column - this.#base;
  }

  /** Quotes that the line has taken up. */
  get quotes(): number {
    let quotes = 0;
    for (let i = 0; i < this.#taken; i++) if (this.#open[i] === "quote") quotes += 1;
    return quotes;
  }

  /** Quotes that the line has not taken up, and ends if its content begins here. */
  get quotesAhead(): boolean {
    return this.#open.indexOf("quote", this.#taken) >= 0;
  }

  /** A space or a tab in front of the content. */
  blank(code: number) {
    this.#column += code === TAB ? TAB_STOP - (this.#column % TAB_STOP) : 1;
    // The first one behind `>` belongs to the mark.
    if (this.#behindQuote) this.#base += 1;
    this.#behindQuote = false;
  }

  /**
   * The next character that is no blank; true when it is a quote's mark, false when the line's content begins.
   * @param inFence the end of a list item does not close a fence in it (sieve.md A1), and a fence opens no quote
   */
  enter(code: number, inFence: boolean): boolean {
    this.#behindQuote = false;
    this.#settleItem(this.#column);
    for (; this.#taken < this.#open.length; this.#taken++) {
      const container = this.#open[this.#taken] ?? 0;
      if (container === "quote") {
        if (code !== GREATER || this.indent > 3) break;
        this.#takeQuote();
        return true;
      }
      if (this.indent >= container) this.#base += container;
      else if (!inFence) break;
    }
    if (inFence || code !== GREATER || this.indent > 3 || this.#taken >= SIEVE_LIMITS.containers) return false;
    this.close();
    this.#open.push("quote");
    this.#takeQuote();
    return true;
  }

  /** A character of what may be a list marker. */
  pass() {
    this.#column += 1;
  }

  /** The marker was one: its item begins with the line's content, or a blank behind the marker. */
  openItem() {
    this.#markerEnd = this.#column;
  }

  /** The containers that this line has not taken up have ended. A paragraph's further lines need not take them up. */
  close() {
    this.#open.length = this.#taken;
  }

  /** @param empty the line had no content: it closes quotes, but no items */
  lineEnds(empty: boolean) {
    this.#settleItem(undefined);
    const ended = empty ? this.#open.indexOf("quote", this.#taken) : -1;
    if (ended >= 0) this.#open.length = ended;
    this.#taken = this.#column = this.#base = 0;
    this.#behindQuote = false;
  }

  /**
   * The content of an item begins one to four columns behind its marker; with more in between it is indented code, and with
   * none on its line it comes later.
   */
  #settleItem(content: number | undefined) {
    const end = this.#markerEnd;
    this.#markerEnd = undefined;
    if (end === undefined || this.#taken >= SIEVE_LIMITS.containers) return;
    const begins = content !== undefined && content - end <= TAB_STOP ? content : end + 1;
    this.close();
    this.#open.push(begins - this.#base);
    this.#taken += 1;
    this.#base = begins;
  }

  #takeQuote() {
    this.#taken += 1;
    this.#column += 1;
    this.#base = this.#column;
    this.#behindQuote = true;
  }
}
