import type { Block } from "../block.ts";
import { type Mark, spellingsOf, type Wrapper } from "../notation.ts";
import type { OneOf } from "../one-of.ts";
import type { Grammar } from "../scan.ts";
import { readHead } from "./tags.ts";

/** The closer as it is usually written. */
export function closeOf({ closes: [usual] }: Pick<Wrapper, "closes">): string {
  return usual === undefined ? "" : written(usual);
}

/** Behind a call: the wrapper's closer, or something else, or the end of the reply (sieve.md M2, E1). */
export function* wrapperEnds(block: Block, wrapper: Wrapper, next: OneOf): Grammar {
  if (next.found !== undefined) {
    if (!next.tag) return "accepted";
    const head = yield* readHead();
    if (head.ok) return "accepted";
    if (head.ended) block.closerCut();
  } else if (next.ended && next.rest === "" && block.stopsAt(closeOf(wrapper))) return "accepted";
  else if (next.ended && cutsCloser(wrapper, next.rest)) block.closerCut();
  if (block.mayEndEarly) {
    if (wrapper.closes.length > 0) block.repaired("wrapper-close-missing");
    return "unclosed";
  }
  return next.ended ? "cut" : "broken";
}

/** What is left at the end of the reply, in lower case, is the beginning of the wrapper's closer. */
export function cutsCloser({ closes }: Pick<Wrapper, "closes">, rest: string | undefined): boolean {
  if (!rest) return false;
  const marks = closes.flatMap((close) => spellingsOf(close).map((spelling) => ({ ...close, spelling })));
  return marks.some((close) => written(close).toLowerCase().startsWith(rest));
}

/** A closing mark without anything that need not stand in it. */
export function written({ spelling, tag }: Mark): string {
  return tag ? `${spelling}>` : spelling;
}
