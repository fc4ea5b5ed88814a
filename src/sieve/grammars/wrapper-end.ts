import type { Block } from "../block.ts";
import { type Mark, spellingsOf, type Wrapper } from "../notation.ts";
import type { OneOf } from "../one-of.ts";
import type { Grammar } from "../scan.ts";
import { readHead } from "./tags.ts";

/** The closer as it is usually written. */
export function closeOf({ closes: [usual] }: Wrapper): string {
  return usual === undefined ? "" : (written(usual)[0] ?? "");
}

/** Behind a call: the wrapper's closer, or something else, or the end of the reply (sieve.md M2, E1). */
export function* wrapperEnds(block: Block, wrapper: Wrapper, next: OneOf): Grammar {
  if (next.found !== undefined) {
    if (!next.tag) return "accepted";
    const head = yield* readHead();
    if (head.ok) return "accepted";
    if (head.ended) block.closerCut();
  } else if (next.ended && next.rest === "" && block.stopsAt(closeOf(wrapper))) return "accepted";
  else if (next.ended && next.rest && beginsCloser(wrapper, next.rest)) block.closerCut();
  if (block.mayEndEarly) {
    if (wrapper.closes.length > 0) block.repaired("wrapper-close-missing");
    return "unclosed";
  }
  return next.ended ? "cut" : "broken";
}

/** @param rest in lower case */
function beginsCloser({ closes }: Wrapper, rest: string): boolean {
  return closes.flatMap(written).some((close) => close.toLowerCase().startsWith(rest));
}

function written(mark: Mark): string[] {
  return spellingsOf(mark).map((spelling) => (mark.tag ? `${spelling}>` : spelling));
}
