import { CDATA_OPEN, COMMENT_OPEN } from "../markup.ts";
import { type Head, type Mark, mark } from "../notation.ts";
import { Triggers } from "../triggers.ts";

/** Spellings around a value. Each begins with `<`, so that nothing else in a value has to be looked at. */
export interface ValueTags {
  /** What opens a value of this kind, and what closes it. */
  readonly opens: readonly Head[];
  readonly closes: readonly Mark[];
  /** The same of the call around the value. */
  readonly callOpens: readonly Head[];
  readonly callCloses: readonly Mark[];
  /** What closes the wrapper around the calls. */
  readonly wrapperCloses: readonly Mark[];
  /** Text without CDATA is read as it stands: no entities, no sections inside it (sieve.md V5). */
  readonly raw: boolean;
  /** A line break at both ends of it belongs to the notation (V4). */
  readonly trims: boolean;
}

/** What a spelling is to a value. */
export interface ValueMark extends Head {
  readonly is: "open" | "close" | "call-open" | "call-close" | "wrapper-close" | "section" | "comment";
}

/** The spellings that each part of the reading looks for. Compiled once for a notation. */
export interface ValueMarks {
  readonly raw: boolean;
  readonly trims: boolean;
  /** What means something in a bare value. */
  readonly inBare: Triggers<ValueMark>;
  /** What ends a CDATA section in a bare value early. */
  readonly inSection: Triggers<ValueMark>;
  /** What makes a nested section count, in a CDATA value. */
  readonly inCdata: Triggers<ValueMark>;
  /** What may stand behind a `]]>` that is more than data. */
  readonly behindSection: Triggers<ValueMark>;
  /** What makes a closing tag a real one. */
  readonly structure: Triggers<ValueMark>;
  /** What a value may begin with. */
  readonly atStart: Triggers<ValueMark>;
}

export function compileMarks({ raw, trims, ...tags }: ValueTags): ValueMarks {
  const open = are("open", tags.opens);
  const close = are("close", tags.closes);
  const callOpen = are("call-open", tags.callOpens);
  const callClose = are("call-close", tags.callCloses);
  const wrapperClose = are("wrapper-close", tags.wrapperCloses);
  const section = are("section", [mark(CDATA_OPEN)]);
  const comment = are("comment", [mark(COMMENT_OPEN)]);
  return {
    raw,
    trims,
    inBare: compile([...open, ...close, ...callOpen, ...callClose, ...(raw ? [] : section)]),
    inSection: compile([...open, ...close]),
    inCdata: compile([...open, ...section]),
    behindSection: compile([...close, ...section]),
    structure: compile([...open, ...callOpen, ...callClose, ...wrapperClose, ...comment]),
    atStart: compile(section),
  };
}

function are(is: ValueMark["is"], heads: readonly Head[]): ValueMark[] {
  return heads.map((head) => ({ ...head, is }));
}

function compile(marks: readonly ValueMark[]): Triggers<ValueMark> {
  return new Triggers(marks.map((each) => ({ ...each, meaning: each })));
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
