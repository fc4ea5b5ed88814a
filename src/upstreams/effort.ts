import type { Effort } from "../conversation.ts";

/** From the least on. */
const LEVELS: readonly Effort[] = ["minimal", "low", "medium", "high", "xhigh", "max"];

/**
 * The level that comes closest among those that a server takes, the lower one of two; undefined where it takes none that means
 * the same: who wants thinking never gets none at all, and the other way round.
 */
export function nearestEffort(effort: Effort, taken: readonly Effort[] = ["none", ...LEVELS]): Effort | undefined {
  if (taken.includes(effort)) return effort;
  if (effort === "none") return undefined;
  const distance = (level: Effort) => Math.abs(LEVELS.indexOf(level) - LEVELS.indexOf(effort));
  return LEVELS.filter((level) => taken.includes(level)).sort((one, other) => distance(one) - distance(other))[0];
}
