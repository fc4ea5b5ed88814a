import type { Grammar } from "../scan.ts";
import { TagRest } from "../scans.ts";

/** Behind the head of a closing tag whose opener was never there, or belonged to a block that is over (sieve.md W4). */
export function* surplusCloser(): Grammar {
  const rest = new TagRest();
  yield rest;
  return rest.ok ? "surplus" : "misfit";
}
