import type { Mark, Opening, Read, Wrapper } from "../notation.ts";
import { compileHeads } from "../one-of.ts";
import { readOneOf } from "./tags.ts";
import { wrapperEnds } from "./wrapper-end.ts";

/**
 * A wrapper around wrappers, such as `<calls><call>…</call><call>…</call></calls>`: each of the inner ones is read as it
 * would be read alone.
 * @param openingOf what an inner wrapper's opener means; asked when one stands there, as the table is not complete before
 */
export function nestedWrappers(
  outer: Wrapper,
  inner: readonly Mark[],
  openingOf: (spelling: string) => Opening | undefined,
): Read {
  const heads = compileHeads([...inner, ...outer.closes]);

  return function* (block) {
    for (let first = true; ; first = false) {
      const next = yield* readOneOf(heads);
      const opening = next.found === undefined ? undefined : openingOf(next.found);
      if (!opening) return yield* wrapperEnds(block, outer, next);
      const verdict = yield* opening.read(block, undefined);
      if (verdict === "misfit" && !first) return block.mayEndEarly ? "unclosed" : "broken";
      // One that holds no call is dropped once another stands (sieve.md G3).
      const goesOn = verdict === "accepted" || (verdict === "broken" && !block.openOnWire);
      if (goesOn) block.endPart();
      else if (verdict !== "unclosed") return verdict;
      if (block.full) return "unclosed";
    }
  };
}
