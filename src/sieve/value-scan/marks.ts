/** Spellings around a value, in lower case. Heads of tags are given without what ends the name: `</parameter`. */
export interface ValueMarks {
  /** Head of the tag that opens a value of this kind. */
  readonly open: string;
  readonly close: string;
  /** Heads of the call around the value. */
  readonly callOpen: string;
  readonly callClose: string;
  readonly cdata: string;
  /** Heads of which one stands behind a real closer. */
  readonly structure: readonly string[];
}

/** What a value scan hands its text to. */
export interface Sink {
  /** Told before the first piece: a CDATA value is typed otherwise than a bare one (sieve.md V6). */
  begin(kind: "cdata" | "bare"): void;
  /** @param written the piece with the marks of CDATA sections that were taken off it */
  text(piece: string, written: string): void;
  close(): void;
  /** It can hold no more: the value is given up. */
  readonly full: boolean;
}

/**
 * How a value came to its end. `at-head`, `at-call-close`: its own end tag was missed (V3); `cut`: the reply ended in
 * it; `full`: its sink could hold no more.
 */
export type Ending = "closed" | "at-head" | "at-call-close" | "cut" | "full";

/** One kind of value: reads from behind its first character on. */
export interface ValueReader {
  /** Passes over characters that mean nothing, hands them to the sink and returns where it stopped. */
  plain(s: string, at: number): number;
  step(code: number): void;
  finish(): void;
  readonly ending: Ending | undefined;
  /** Characters held until it is known what they are. */
  readonly held: number;
  readonly back: string;
}
