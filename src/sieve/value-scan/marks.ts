import { once } from "../../once.ts";
import { CDATA_OPEN, COMMENT_OPEN } from "../markup.ts";
import { Matcher } from "../matcher.ts";
import { type Head, type Mark, mark, spellingsOf, tag } from "../notation.ts";
import { Triggers } from "../triggers.ts";
import { compileKey, type KeyMarks, type KeyTags } from "./key-element.ts";

/**
 * What the text of a value without CDATA is taken for.
 * - `markup`: CDATA sections in it are unwrapped, references decoded, one line break cut at both ends (sieve.md V2, V4, V5).
 * - `lines`: text as it stands, but for one line break at both ends.
 * - `verbatim`: text as it stands.
 */
export type TextStyle = "markup" | "lines" | "verbatim";

/** Spellings around a value. Each begins with `<`, so that nothing else in a value has to be looked at. */
export interface ValueTags {
  /** What opens a value of this kind, and what closes it. */
  readonly opens: readonly Head[];
  readonly closes: readonly Mark[];
  /** Where the name stands before the value, in a tag pair of its own. */
  readonly key?: KeyTags;
  /** What opens and closes the call around the value. */
  readonly callOpens?: readonly Head[];
  readonly callCloses?: readonly Mark[];
  /** What closes the wrapper around the calls. */
  readonly wrapperCloses?: readonly Mark[];
  readonly style: TextStyle;
  /** CDATA means nothing: the notation has its own ways to frame a text. */
  readonly noCdata?: true;
  /** Every closing tag ends the value, whatever stands behind it. */
  readonly endsAtOnce?: true;
  /** It is a name, a key or a type, and no data of the call. */
  readonly isLabel?: true;
}

/** What a spelling is to a value. */
export interface ValueMark extends Head {
  readonly is: "open" | "close" | "key" | "call-open" | "call-close" | "wrapper-close" | "section" | "comment";
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
export interface ValueMarks {
  readonly key: KeyMarks | undefined;
  readonly style: TextStyle;
  /** The text is data of the call, and not a part of its notation. */
  readonly data: boolean;
  /** A key opens a value by itself: its closing tag is the value's opening one. */
  readonly keyOpens: boolean;
  /** What means something in a bare value. */
  readonly inBare: () => Triggers<ValueMark>;
  /** What ends a CDATA section in a bare value early. */
  readonly inSection: () => Triggers<ValueMark>;
  /** What makes a nested section count, in a CDATA value. */
  readonly inCdata: () => Triggers<ValueMark>;
  /** What may stand behind a `]]>` that is more than data. */
  readonly behindSection: () => Triggers<ValueMark>;
  /** What makes a closing tag a real one; undefined where every one is. */
  readonly structure: (() => Follow) | undefined;
  /** What a value may begin with. */
  readonly atStart: () => Triggers<ValueMark>;
}

export function compileMarks({ key, style, noCdata, endsAtOnce, isLabel, ...tags }: ValueTags): ValueMarks {
  const open = are("open", tags.opens);
  const close = are("close", tags.closes);
  const keyOpen = are("key", key ? [tag(key.open)] : []);
  const callOpen = are("call-open", tags.callOpens);
  const callClose = are("call-close", tags.callCloses);
  const wrapperClose = are("wrapper-close", tags.wrapperCloses);
  const section = are("section", noCdata ? [] : [mark(CDATA_OPEN)]);
  const comment = are("comment", [mark(COMMENT_OPEN)]);
  const inside = style === "markup" ? section : [];
  const before = key ? keyOpen : open;
  const structure = once(() => compile([...before, ...callOpen, ...callClose, ...wrapperClose, ...comment]));
  return {
    key: key && compileKey(key),
    style,
    data: !isLabel,
    keyOpens: tags.opens.some(({ spelling }) => spelling === key?.close),
    inBare: once(() => compile([...open, ...close, ...keyOpen, ...callOpen, ...callClose, ...inside])),
    inSection: once(() => compile([...open, ...close])),
    inCdata: once(() => compile([...open, ...section])),
    behindSection: once(() => compile([...close, ...section])),
    structure: endsAtOnce ? undefined : () => new Matcher(structure()),
    atStart: once(() => compile(section)),
  };
}

function are(is: ValueMark["is"], heads: readonly Head[] = []): ValueMark[] {
  return heads.map((head) => ({ ...head, is }));
}

function compile(marks: readonly ValueMark[]): Triggers<ValueMark> {
  const words = marks.flatMap((each) =>
    spellingsOf(each).map((spelling) => ({ spelling, tag: each.tag, meaning: each })),
  );
  return new Triggers(words);
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
