import { LineRest } from "../line-rest.ts";
import { type Mark, mark, type Opening, type Read, spellingsOf } from "../notation.ts";
import { compileHeads } from "../one-of.ts";
import { readOneOf } from "./tags.ts";

/** A longer info string makes no fence of calls. */
const LONGEST_INFO = 64;

/**
 * A reply that is one fence with calls in it, and nothing else (sieve.md A5). Inside, every opener stands as at the
 * start of a reply.
 */
export function soleFence(
  fence: string,
  openers: readonly Mark[],
  openingOf: (spelling: string) => Opening | undefined,
): Read {
  // Inside, the fence's own run is its end and nothing else.
  const inFence = openers.filter((opener) => !spellingsOf(opener).some((spelling) => spelling.startsWith(fence)));
  const inside = compileHeads([...inFence, mark(fence)]);

  return function* (block) {
    const info = new LineRest(LONGEST_INFO);
    yield info;
    // A longer run of its characters opens a fence that a shorter one does not close.
    if (info.ended || info.overflowed || info.text.startsWith(fence.charAt(0))) return "misfit";
    block.inFence = true;
    for (let calls = false; ; calls = true) {
      const next = yield* readOneOf(inside);
      const opening = next.found === undefined || next.found === fence ? undefined : openingOf(next.found);
      if (!opening) {
        block.inFence = false;
        return next.found === fence && calls ? "accepted" : calls ? "broken" : "misfit";
      }
      const verdict = yield* opening.read(block, undefined);
      if (verdict !== "accepted" && verdict !== "unclosed") return verdict === "cut" ? "broken" : verdict;
    }
  };
}
