import { CDATA_OPEN, COMMENT_OPEN } from "../markup.ts";
import { compileWords } from "../matcher.ts";
import type { Triggers } from "../triggers.ts";

/** Spellings around a value, in lower case. Heads of tags are given without what ends the name: `</parameter`. */
export interface ValueTags {
  /** Head of the tag that opens a value of this kind, and of the one that closes it. */
  readonly open: string;
  readonly close: string;
  /** Heads of the call around the value. */
  readonly callOpen: string;
  readonly callClose: string;
  /** Head of the tag that closes the wrapper around the calls. */
  readonly wrapperClose: string;
}

/** The spellings that each part of the reading looks for. Compiled once for a notation. */
export interface ValueMarks extends ValueTags {
  /** What means something in a bare value. */
  readonly inBare: Triggers<string>;
  /** What ends a CDATA section in a bare value early. */
  readonly inSection: Triggers<string>;
  /** What makes a nested section count, in a CDATA value. */
  readonly inCdata: Triggers<string>;
  /** What may stand behind a `]]>` that is more than data. */
  readonly behindSection: Triggers<string>;
  /** What makes a closing tag a real one. */
  readonly structure: Triggers<string>;
  /** What a value may begin with. */
  readonly atStart: Triggers<string>;
}

export function compileMarks(tags: ValueTags): ValueMarks {
  const { open, close, callOpen, callClose, wrapperClose } = tags;
  return {
    ...tags,
    inBare: compileWords([open, close, callOpen, callClose], [CDATA_OPEN]),
    inSection: compileWords([open, close]),
    inCdata: compileWords([open], [CDATA_OPEN]),
    behindSection: compileWords([close], [CDATA_OPEN]),
    structure: compileWords([open, callOpen, callClose, wrapperClose], [COMMENT_OPEN]),
    atStart: compileWords([], [CDATA_OPEN]),
  };
}

/**
 * How a value came to its end. `at-head`, `at-call-close`: its own end tag was missed (V3); `cut`: the reply ended in it.
 */
export type Ending = "closed" | "at-head" | "at-call-close" | "cut";

/** Takes a piece of a value, and how it was written where a section's marks were taken off. */
export type Write = (piece: string, written?: string) => void;

/** One kind of value: reads from behind its first character on. */
export interface ValueReader {
  /** Passes over characters that mean nothing, hands them on and returns where it stopped. */
  plain(s: string, at: number): number;
  step(code: number): void;
  finish(): void;
  readonly ending: Ending | undefined;
  /** Characters held until it is known what they are. */
  readonly held: number;
  readonly again: number;
  readonly back: string;
}
