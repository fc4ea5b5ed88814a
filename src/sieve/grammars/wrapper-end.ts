import type { Block } from "../block.ts";
import { type Mark, spellingsOf, type Wrapper } from "../notation.ts";
import type { Grammar, Verdict } from "../scan.ts";
import { readHead } from "./tags.ts";

/** The closer as it is usually written. */
function closeOf({ closes: [usual] }: Pick<Wrapper, "closes">): string {
  return usual === undefined ? "" : written(usual);
}

/** What stands where the wrapper's closer is looked for: a spelling that was found, or a tag that is none. */
type Next = {
  readonly found?: string | undefined;
  readonly tag?: boolean;
  readonly ended: boolean;
  readonly rest?: string | undefined;
};

/** Behind a call: the wrapper's closer, or something else, or the end of the reply (sieve.md M2, E1). */
export function* wrapperEnds(block: Block, { closes }: Pick<Wrapper, "closes">, next: Next): Grammar {
  const head = next.found !== undefined && next.tag ? yield* readHead() : undefined;
  if (head ? head.ok : next.found !== undefined) return accepted(block);
  const ended = head?.ended ?? next.ended;
  if (ended && next.rest === "" && block.stopsAt(closeOf({ closes }))) return accepted(block);
  if (ended && (head || cutsCloser({ closes }, next.rest))) block.closerCut();
  if (!block.mayEndEarly) return ended ? "cut" : "broken";
  if (closes.length > 0) block.repaired("wrapper-close-missing");
  else if (!block.wrapped) block.repaired("wrapper-open-missing");
  return "unclosed";
}

/** The block's own end was seen; where that is all that was seen of its wrapper, a repair took place (M2, G6). */
export function accepted(block: Block): Verdict {
  if (!block.wrapped) {
    block.repaired("wrapper-open-missing");
    block.sawSyntax();
  }
  return "accepted";
}

/** What is left at the end of the reply, in lower case, is the beginning of the wrapper's closer. */
function cutsCloser({ closes }: Pick<Wrapper, "closes">, rest: string | undefined): boolean {
  if (!rest) return false;
  const marks = closes.flatMap((close) => spellingsOf(close).map((spelling) => ({ ...close, spelling })));
  return marks.some((close) => written(close).toLowerCase().startsWith(rest));
}

/** A closing mark without anything that need not stand in it. */
export function written({ spelling, tag }: Mark): string {
  return tag ? `${spelling}>` : spelling;
}
