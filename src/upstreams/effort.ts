import { EFFORTS, type Effort } from "../conversation.ts";

/**
 * The level that comes closest among those that a server takes, the lower one of two; undefined where it takes none that means
 * the same: who wants thinking never gets none at all, and the other way round.
 */
export function nearestEffort(effort: Effort, taken: readonly Effort[] = EFFORTS): Effort | undefined {
  if (taken.includes(effort)) return effort;
  if (effort === "none") return undefined;
  const distance = (level: Effort) => Math.abs(EFFORTS.indexOf(level) - EFFORTS.indexOf(effort));
  const thinking = EFFORTS.filter((level) => level !== "none" && taken.includes(level));
  return thinking.sort((one, other) => distance(one) - distance(other))[0];
}
