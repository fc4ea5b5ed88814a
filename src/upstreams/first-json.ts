import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, QUOTE } from "../json-structure.ts";

/**
 * The first JSON object, or string, of a text that comes in pieces. Finds its end and does not validate; what begins
 * otherwise has none. Each character is looked at once.
 */
export class FirstJson {
  #pieces: string[] = [];
  #state: "before" | "outside" | "string" | "escape" | "endless" | "ended" = "before";
  #depth = 0;
  /** What closes the open string: an apostrophe, too, as Python writes it. */
  #quote = QUOTE;

  /** Something is there, and it goes on. */
  get open(): boolean {
    return this.#state !== "before" && this.#state !== "ended";
  }

  get ended(): boolean {
    return this.#state === "ended";
  }

  get inString(): boolean {
    return this.#state === "string" || this.#state === "escape";
  }

  /** What came so far, up to the end. */
  get text(): string {
    if (this.#pieces.length > 1) this.#pieces = [this.#pieces.join("")];
    return this.#pieces[0] ?? "";
  }

  /** Returns what of the piece stands behind the end. */
  push(piece: string): string {
    let at = 0;
    for (; at < piece.length && this.#state !== "ended"; at += 1) this.#step(piece.charCodeAt(at));
    if (at > 0) this.#pieces.push(piece.slice(0, at));
    return piece.slice(at);
  }

  #step(code: number) {
    switch (this.#state) {
      case "string":
        if (code === BACKSLASH) this.#state = "escape";
        else if (code === this.#quote) this.#state = this.#depth > 0 ? "outside" : "ended";
        return;
      case "escape":
        this.#state = "string";
        return;
      case "outside":
        if (code === QUOTE || code === APOSTROPHE) this.#open(code);
        else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#depth += 1;
        else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.#close();
        return;
      case "before":
        this.#begin(code);
        return;
      case "endless":
      case "ended":
        return;
      default:
        this.#state satisfies never;
    }
  }

  #begin(code: number) {
    if (code <= SPACE) return;
    this.#state = code === QUOTE ? "string" : code === OPEN_BRACE ? "outside" : "endless";
    if (code === OPEN_BRACE) this.#depth = 1;
  }

  #open(quote: number) {
    this.#state = "string";
    this.#quote = quote;
  }

  #close() {
    this.#depth -= 1;
    if (this.#depth === 0) this.#state = "ended";
  }
}

const SPACE = 0x20;
const APOSTROPHE = 0x27;
