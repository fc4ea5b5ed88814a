import { once } from "../../once.ts";
import { CDATA_OPEN, COMMENT_OPEN } from "../markup.ts";
import { compileWords, Matcher } from "../matcher.ts";
import type { Triggers } from "../triggers.ts";
import { compileKey, type KeyMarks, type KeyTags } from "./key-element.ts";

/**
 * What the text of a value is taken for, besides its end.
 * - `markup`: CDATA sections are unwrapped, references decoded, one line break cut at both ends (sieve.md V2, V4, V5).
 * - `lines`: text as it stands, but for one line break at both ends.
 * - `verbatim`: text as it stands.
 */
export type TextStyle = "markup" | "lines" | "verbatim";

/** Spellings around a value, in lower case. Heads of tags are given without what ends the name: `</parameter`. */
export interface ValueTags {
  /** Head of the tag that opens a value of this kind, and of the one that closes it. */
  readonly open: string;
  readonly close: string;
  /** Where the name stands before the value, in a tag pair of its own. */
  readonly key?: KeyTags;
  /** Heads of the call around the value. */
  readonly callOpen?: string;
  readonly callClose?: string;
  /** Head of the tag that closes the wrapper around the calls. */
  readonly wrapperClose?: string;
  /** `markup` unless given. */
  readonly style?: TextStyle;
  /** Every closing tag ends the value, whatever stands behind it. */
  readonly endsAtOnce?: true;
}

/** Looks at what stands behind a closing tag, character by character; a `Matcher` does. */
export interface Follow {
  /** Returns text as soon as it can be no structure any more. */
  step(code: number): string;
  /** Defined as soon as it is structure. */
  readonly hit: unknown;
}

/**
 * The spellings that each part of the reading looks for. Each is compiled when it is first asked for, and kept: few of
 * the notations ever come up in one process, and few of their values hold all of this.
 */
export interface ValueMarks extends Omit<ValueTags, "key"> {
  readonly key: KeyMarks | undefined;
  readonly style: TextStyle;
  /** What means something in a bare value. */
  readonly inBare: () => Triggers<string>;
  /** What ends a CDATA section in a bare value early. */
  readonly inSection: () => Triggers<string>;
  /** What makes a nested section count, in a CDATA value. */
  readonly inCdata: () => Triggers<string>;
  /** What may stand behind a `]]>` that is more than data. */
  readonly behindSection: () => Triggers<string>;
  /** What makes a closing tag a real one; undefined where every one is. */
  readonly structure: (() => Follow) | undefined;
  /** What a value may begin with. */
  readonly atStart: () => Triggers<string>;
}

export function compileMarks(tags: ValueTags): ValueMarks {
  const { open, close, key, callOpen, callClose, wrapperClose, style = "markup", endsAtOnce = false } = tags;
  const sections = style === "markup" ? [CDATA_OPEN] : [];
  const structure = once(() =>
    compileWords(given(key?.open ?? open, callOpen, callClose, wrapperClose), [COMMENT_OPEN]),
  );
  return {
    ...tags,
    key: key && compileKey(key),
    style,
    inBare: once(() => compileWords(given(open, close, key?.open, callOpen, callClose), sections)),
    inSection: once(() => compileWords([open, close])),
    inCdata: once(() => compileWords([open], sections)),
    behindSection: once(() => compileWords([close], sections)),
    structure: endsAtOnce ? undefined : () => new Matcher(structure()),
    atStart: once(() => compileWords([], sections)),
  };
}

const given = (...words: readonly (string | undefined)[]) => words.filter((word) => word !== undefined);

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
