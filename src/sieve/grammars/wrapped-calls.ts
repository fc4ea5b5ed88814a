import type { Block } from "../block.ts";
import type { Lead, Read, Wrapper } from "../notation.ts";
import { compileHeads } from "../one-of.ts";
import type { Grammar, Part } from "../scan.ts";
import type { TagRest } from "../tag-rest.ts";
import { objectBegins, token } from "./json-members.ts";
import { readOneOf } from "./tags.ts";
import { wrapperEnds } from "./wrapper-end.ts";

const OBJECT = "{";

/**
 * How the reading of one call, or of a list of calls, came to its end.
 * - `ended`: the last one was complete.
 * - `closed`: the same, and the wrapper's closer was read, too.
 * - `none`: what stands there is no call, and was not meant as one.
 * - `bad`: it was meant as a call and is none.
 * - `cut`: the reply ended in it.
 * - `data`: the first one is none, and the JSON object that it has begun is text in which nothing is live.
 */
export type CallEnd = "ended" | "closed" | "none" | "bad" | "cut" | "data";

/** Something else stands where a call should, or the reply has ended there. */
export function noCall(block: Block, { ended }: { readonly ended: boolean }): "cut" | "none" {
  return ended && block.maybeCut ? "cut" : "none";
}

/**
 * An object may stand behind a word that is no name of a call: as text it is read over, since an example in it must never
 * run; a brace alone costs nothing that follows (sieve.md A6).
 */
export function* wordAndObject(block: Block, next: { readonly found: string | undefined; readonly ended: boolean }) {
  if (next.found !== OBJECT || block.mayEndEarly || (yield* objectBegins()) !== "yes") return noCall(block, next);
  yield* token();
  return "data";
}

/** A way to write one call, or a list of calls. */
export interface CallForm {
  /** What a further call begins with. */
  readonly leads: readonly Lead[];
  /** What may stand between two calls, besides blanks. */
  readonly separators?: string;
  /**
   * Reads from the lead on.
   * @param head the rest of the wrapper's opener, for the first call in it
   */
  read(block: Block, head?: TagRest): Part<CallEnd>;
  /** The first call of a block, where the opener is a part of it already. */
  begun?(block: Block): Part<CallEnd>;
}

/** Calls in a wrapper, one behind the other, each from its lead on. */
export function wrappedCalls(wrapper: Wrapper, form: CallForm): Read {
  const { leads: peeks, separators = "" } = form;
  const between = compileHeads(wrapper.closes, { peeks, separators });
  const anywhere = compileHeads(wrapper.closes, { skips: "anything" });

  return function* (block, head) {
    for (let first = true; ; first = false) {
      const end = yield* first && form.begun ? form.begun(block) : form.read(block, first ? head : undefined);
      if (end === "closed") return "accepted";
      if (end === "data") return "data";
      if (end === "bad" || end === "cut") return yield* badCall(block, end);
      if (end === "none" && first && !block.mayEndEarly) return "misfit";
      // Behind a call something else ends the block, even where it looked like the lead of a further one.
      if (end === "none") return yield* wrapperEnds(block, wrapper, { ended: false });
      if (block.full) return "unclosed";
      const next = yield* readOneOf(between);
      const goesOn = next.found !== undefined && !wrapper.closes.some((close) => close.spelling === next.found);
      if (!goesOn) return yield* wrapperEnds(block, wrapper, next);
    }
  };

  /**
   * What is bad is dropped up to the wrapper's end, if a call before it stands; else the block is text (sieve.md G3).
   * Without a closer that is the rest of the reply: an example in a broken call must never run (A6).
   */
  function* badCall(block: Block, end: "bad" | "cut"): Grammar {
    if (block.openOnWire) return "broken";
    block.drop();
    if (end === "bad" && (wrapper.closes.length > 0 || !block.mayEndEarly)) {
      const next = yield* readOneOf(anywhere);
      if (next.found !== undefined) {
        const closed = yield* wrapperEnds(block, wrapper, next);
        return block.mayEndEarly ? closed : "broken";
      }
    }
    if (end === "cut" || wrapper.closes.length > 0) return block.cutSibling();
    block.endPart();
    return block.mayEndEarly ? "unclosed" : "broken";
  }
}
