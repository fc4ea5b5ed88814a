import { type Body, mark } from "../notation.ts";
import { compileHeads } from "../one-of.ts";
import { jsonBody, jsonCalls } from "./json-calls.ts";
import { readOneOf } from "./tags.ts";
import { wrappedCalls } from "./wrapped-calls.ts";
import { wrapperEnds } from "./wrapper-end.ts";

const FENCE = mark("```");
const fence = compileHeads([FENCE]);
const info = compileHeads([mark("json")], { peeks: jsonBody.leads });
const first = compileHeads([], { peeks: jsonBody.leads });

/** JSON that stands in a fence inside a wrapper: there the fence means nothing (sieve.md A3, T4). */
export const fencedJsonBody: Body = {
  source: "json",
  roams: true,
  leads: [FENCE],
  in(wrapper) {
    const inFence = { open: FENCE, closes: [FENCE] };
    const calls = wrappedCalls(inFence, jsonCalls(inFence));
    const closers = compileHeads(wrapper.closes);
    return function* (block) {
      yield* readOneOf(fence);
      yield* readOneOf(info);
      if ((yield* readOneOf(first)).found === undefined) return "misfit";
      block.repaired("fence-in-wrapper");
      const verdict = yield* calls(block, undefined);
      if (verdict !== "accepted") return verdict;
      block.endPart();
      return yield* wrapperEnds(block, wrapper, yield* readOneOf(closers));
    };
  },
};
