import type { Read } from "../notation.ts";
import { readHead } from "./tags.ts";

/** Behind the head of a closing mark whose opener was never there, or belonged to a block that is over (sieve.md W4). */
export function surplusCloser(tag: boolean): Read {
  return function* () {
    return !tag || (yield* readHead()).ok ? "surplus" : "misfit";
  };
}
