import type { Sink } from "../values/sinks.ts";
import type { Write } from "./marks.ts";

/** What was read of a value in one chunk: it goes to the sink as one piece. */
export class Pieces {
  #text = "";
  /** The same as it was written, where that differs. */
  #written: string | undefined;

  readonly write: Write = (piece, written) => {
    if (written !== undefined) this.#written ??= this.#text;
    if (this.#written !== undefined) this.#written += written ?? piece;
    this.#text += piece;
  };

  flush(sink: Sink | undefined) {
    if (this.#text === "" && this.#written === undefined) return;
    sink?.text(this.#text, this.#written);
    this.#text = "";
    this.#written = undefined;
  }
}
