import { SIEVE_LIMITS } from "../limits.ts";
import { once } from "../once.ts";
import { isBlank, isHighSurrogate } from "./characters.ts";
import { CDATA_CLOSE, CDATA_OPEN, COMMENT_CLOSE, COMMENT_OPEN } from "./markup.ts";
import { LongestMatch } from "./matcher.ts";
import { type Lead, type Mark, mark, spellingsOf } from "./notation.ts";
import type { Scan } from "./scan.ts";
import { Triggers } from "./triggers.ts";

/** What is passed over whole, up to its closer. */
const CLOSERS: Readonly<Record<string, string>> = { [COMMENT_OPEN]: COMMENT_CLOSE, [CDATA_OPEN]: CDATA_CLOSE };

/** Says of a name that is about to begin what a spelling says of itself: no spelling is written so. */
export const NAME = "name";

/** What to find between the tags of a block. Compiled once for a notation. */
export interface Heads {
  readonly words: Triggers<Mark>;
  /** Spellings that are only looked at: they go back whole, and are read by whoever comes next. */
  readonly peeked: ReadonlySet<string>;
  /** A name may begin here, too; its first character goes back. */
  readonly name: boolean;
  /** Blanks and comments alone may stand before the head (sieve.md G2), or anything, comments and CDATA whole (G3). */
  readonly skips: "blanks" | "anything";
  /** Further characters that mean no more than a blank. */
  readonly separators: string;
}

export interface HeadOptions {
  readonly skips?: "blanks" | "anything";
  readonly separators?: string;
  readonly peeks?: readonly Lead[];
}

/** Costs nothing until it is first looked for: no process makes use of more than a few. */
export function compileHeads(marks: readonly Mark[], options: HeadOptions = {}): Heads {
  const { skips = "blanks", separators = "", peeks = [] } = options;
  const peeked = peeks.filter((lead) => lead !== NAME);
  const words = once(() => {
    const skipped = (skips === "blanks" ? [COMMENT_OPEN] : [COMMENT_OPEN, CDATA_OPEN]).map(mark);
    return compileTriggers([...marks, ...peeked, ...skipped]);
  });
  return {
    get words() {
      return words();
    },
    peeked: new Set(peeked.map(({ spelling }) => spelling)),
    name: peeked.length < peeks.length,
    skips,
    separators,
  };
}

function compileTriggers(marks: readonly Mark[]): Triggers<Mark> {
  return new Triggers(
    marks.flatMap((meaning) => spellingsOf(meaning).map((spelling) => ({ spelling, tag: meaning.tag, meaning }))),
  );
}

/** Skips what may stand between tags and finds the head of one of several tags. */
export class OneOf implements Scan {
  readonly again = 0;
  done = false;
  back = "";
  /** The spelling that was found, or `NAME`; undefined when something else stands there or the reply ended. */
  found: string | undefined;
  /** What was found is the head of a tag: the rest of the tag is still to be read. */
  tag = false;
  /** The reply ended first. */
  ended = false;

  readonly #heads: Heads;
  readonly #matcher: LongestMatch<Mark>;
  /** What closes the comment or section that is being passed over. */
  #closer = "";
  #matched = 0;
  #passed = 0;
  /** Blanks and comments so far. */
  #between = 0;

  constructor(heads: Heads) {
    this.#heads = heads;
    this.#matcher = new LongestMatch(heads.words);
  }

  get held(): number {
    return this.#matcher.held.length;
  }

  /** The beginning of a tag at the end of the reply, in lower case; undefined inside a comment. */
  get rest(): string | undefined {
    return this.#closer === "" ? this.#matcher.held.toLowerCase() : undefined;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) {
      if (this.#heads.skips === "anything" && this.#closer === "" && this.#matcher.held === "") {
        i = this.#heads.words.skip(s, i);
        if (i === s.length) break;
      }
      this.#step(s.charCodeAt(i++));
    }
    return i;
  }

  finish() {
    if (this.done) return;
    if (this.#matcher.endsBefore()) return this.#decideFound("");
    this.done = true;
    this.ended = true;
  }

  #step(code: number) {
    const blanks = this.#heads.skips === "blanks";
    // At the cap scanning goes on behind what was read.
    if (blanks && ++this.#between > SIEVE_LIMITS.between) return this.#decide(undefined, "");
    if (this.#closer !== "") return this.#pass(code);
    if (this.#matcher.endsBefore(code)) return this.#decideFound(String.fromCharCode(code));
    const began = this.#matcher.held !== "";
    const released = this.#matcher.step(code);
    if (blanks && released !== "" && (began || !this.#isBetween(code))) {
      return this.#somethingElse(released + this.#matcher.held);
    }
    const { hit } = this.#matcher;
    if (hit === undefined || (blanks && this.#matcher.beforeHit !== "")) return;
    const closer = CLOSERS[hit.spelling];
    if (closer !== undefined) {
      this.#matcher.take();
      this.#closer = closer;
      this.#matched = this.#passed = 0;
      return;
    }
    this.#matcher.find(hit);
    if (this.#matcher.complete) this.#decideFound("");
  }

  /** @param next what was read behind the held text */
  #decideFound(next: string) {
    const found = this.#matcher.takeFound();
    if (!found) return;
    const { meaning, matched, back } = found;
    this.tag = meaning.tag;
    const own = this.#heads.peeked.has(meaning.spelling) ? 0 : matched.length - (meaning.tag ? 1 : 0);
    this.#decide(meaning.spelling, matched.slice(own) + back + next);
  }

  #isBetween(code: number): boolean {
    return isBlank(code) || this.#heads.separators.includes(String.fromCharCode(code));
  }

  #somethingElse(text: string) {
    this.#decide(this.#heads.name && beginsName(text.charCodeAt(0)) ? NAME : undefined, text);
  }

  #pass(code: number) {
    const closer = this.#closer;
    this.#passed += 1;
    if (code === closer.charCodeAt(this.#matched)) this.#matched += 1;
    // A longer run of dashes or brackets still ends in the closer: `--->`, `]]]>`.
    else if (code !== closer.charCodeAt(0)) this.#matched = 0;
    if (this.#matched === closer.length) this.#closer = "";
    else if (closer === COMMENT_CLOSE && this.#passed >= SIEVE_LIMITS.tag) {
      this.#closer = "";
      if (this.#heads.skips === "blanks") this.#decide(undefined, "");
    }
  }

  #decide(found: string | undefined, back: string) {
    this.found = found;
    this.back = back;
    this.done = true;
  }
}

/** Letters and digits of any script: half a surrogate pair may begin one. */
function beginsName(code: number): boolean {
  if (code < 128) return /[A-Za-z0-9_]/.test(String.fromCharCode(code));
  return isHighSurrogate(code) || /[\p{L}\p{N}]/u.test(String.fromCharCode(code));
}
