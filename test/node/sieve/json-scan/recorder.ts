import type { Sink } from "../../../../src/sieve/values/sinks.ts";

/** A sink that keeps what it gets. */
export class Recorder implements Sink {
  readonly full = false;
  readonly pieces: string[] = [];
  closed = 0;

  text(piece: string) {
    this.pieces.push(piece);
  }

  close() {
    this.closed += 1;
  }

  get written(): string {
    return this.pieces.join("");
  }
}
