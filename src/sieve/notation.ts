import type { Block } from "./block.ts";
import type { BlockSource } from "./report.ts";
import type { Grammar } from "./scan.ts";
import type { TagRest, TagSyntax } from "./tag-rest.ts";

/** A spelling that means something; ASCII case is folded. */
export interface Mark {
  readonly spelling: string;
  /** Further spellings of the very same, as special tokens have; it is known by the first one. */
  readonly also?: readonly string[];
  /** The head of a tag: counts only before a blank, `/` or `>`, and the rest of the tag is read behind it. */
  readonly tag: boolean;
}

export function tag(spelling: string): Mark {
  return { spelling, tag: true };
}

export function mark(spelling: string): Mark {
  return { spelling, tag: false };
}

/** One mark that is spelled in several ways; the first is the usual one. */
export function markOf([spelling = "", ...also]: readonly string[]): Mark {
  return { spelling, also, tag: false };
}

export function spellingsOf({ spelling, also = [] }: Mark): readonly string[] {
  return [spelling, ...also];
}

/** A mark that opens something, and how the rest of it is written where anything is to be read behind the spelling. */
export interface Head extends Mark {
  /** Absent: that of any tag, or nothing where it is none. */
  readonly syntax?: TagSyntax;
}

/** What the first thing behind an opener is, blanks apart: a spelling, or the first character of a name. */
export type Lead = Mark | "name";

/**
 * Reads a block from behind its opener on, or, where that has leads, from its lead on.
 * @param head the rest of the opener, where that is a tag with leads behind it
 */
export type Read = (block: Block, head: TagRest | undefined) => Grammar;

/** Where an opener may stand: a letter or a bracket alone says little in the middle of a sentence (sieve.md M5). */
export type Anchor = "anywhere" | "line" | "start";

/**
 * What an opener tells, and with it when a call may be announced (sieve.md E, M2, N1).
 * - `complete`: all that is needed.
 * - `wrapper-missing`: the wrapper around the calls is missing.
 * - `weak`: only a declared name makes it a call.
 * - `whole`: the same, and nothing else may stand in the reply.
 */
type Evidence = "complete" | "wrapper-missing" | "weak" | "whole";

export interface Opener extends Mark {
  readonly evidence: Evidence;
  /** `anywhere` unless given. */
  readonly at?: Anchor;
  /** Armed only where the notation is pinned, or only where it is not. */
  readonly pinned?: boolean;
  /** Means calls as soon as it is complete, be its first call good or bad (sieve.md G6). */
  readonly meant?: true;
  /** Absent: whatever follows, `read` begins right behind the opener. */
  readonly leads?: readonly Lead[];
  readonly read: Read;
}

/** What stands around calls. It tells nothing of how they are written: wrapper and body are independent. */
export interface Wrapper {
  readonly open: Mark;
  /** The first one is the usual one. None: the block ends behind its last call. */
  readonly closes: readonly Mark[];
  /** May hold further wrappers, one or more calls in each. */
  readonly nests?: true;
  readonly pinned?: true;
}

/** A way to write calls inside a wrapper, whoever's that is. */
export interface Body {
  readonly source: BlockSource;
  /** It turns up in wrappers of other notations, too. */
  readonly roams?: true;
  readonly leads: readonly Lead[];
  readonly in: (wrapper: Wrapper) => Read;
}

/** What may be left of a name once a notation's own parts are cut (sieve.md N2); the usual cut comes first. */
export type BareNames = (written: string) => readonly string[];

/** What the sieve has to know of a notation to find calls in it; a dialect has more sides than this. */
export interface Notation {
  readonly id: string;
  readonly source: BlockSource;
  readonly openers?: readonly Opener[];
  /**
   * Calls without any opener, as servers leave them that take special tokens out: read from the first visible character
   * of the reply on, where the notation is pinned. A misfit has to give back all that it was given.
   */
  readonly unmarked?: Read;
  readonly wrappers?: readonly Wrapper[];
  /** What stands in its wrappers, and may stand in those of others. */
  readonly bodies?: readonly Body[];
  /** The opener is a special token: it cannot be meant as a thought, so it suspends reasoning at once (sieve.md A4). */
  readonly suspendsReasoning?: "always" | "pinned";
  /** Closing marks besides those of the wrappers: one without its opener right behind a block is consumed (W4). */
  readonly closers?: readonly Mark[];
  /** Spellings that are the model inventing the answer, when they come first behind a call (sieve.md W2). */
  readonly results?: readonly string[];
  readonly channels?: Channels;
  /** How a name is cut that comes with the notation's own parts although a server has read the call (sieve.md M3). */
  readonly bareNames?: BareNames;
}

/** Marks that part a reply into what is said, what is thought, and nothing (sieve.md A4, W4). */
export interface Channels {
  /** Live only where the notation is pinned: the marks mean something else to others. */
  readonly pinned?: true;
  readonly reasoning?: readonly { readonly open?: string; readonly close: string }[];
  /** Opens what is visible: removed as the first visible thing of the reply, or first behind a block or channel. */
  readonly visible?: readonly string[];
  /**
   * Stop and turn tokens, and what closes a channel: removed right behind a block, at the very end of the reply, and
   * wherever a channel of the notation was seen before.
   */
  readonly strips?: readonly string[];
}

/** They part all of a reply, and do not only mark reasoning in it: behind the first one no mark of theirs is text. */
export function isFraming({ visible = [] }: Channels): boolean {
  return visible.length > 0;
}

/** An opener and all that may follow it, compiled. */
export interface Opening {
  readonly tag: boolean;
  readonly read: Read;
  /** What is known before the lead is. */
  readonly kind: Kind;
}

/** What kind of block it is, as far as is known. */
export interface Kind {
  readonly dialect: string;
  readonly source: BlockSource;
  readonly evidence: Evidence;
  readonly meant: boolean;
  readonly suspendsReasoning: boolean;
  /** Of its notation: a message that is none of its calls may be one of those. */
  readonly channels?: Channels | undefined;
}

/** All that a spelling in the text can mean; which of it counts depends on where it stands. */
export interface Hit {
  readonly call?: Readonly<Record<Anchor, Opening | undefined>>;
  /** A closer without its opener (sieve.md W4). */
  readonly closer?: Opening;
  /** The model begins to invent the answer (sieve.md W2). */
  readonly results?: true;
  readonly reasoning?: "opens" | "closes";
  readonly visible?: true;
  /** Whose mark it is that opens reasoning or what is visible. */
  readonly channels?: Channels;
  readonly strip?: true;
}
