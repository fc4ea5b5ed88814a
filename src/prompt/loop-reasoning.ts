import type { Turn } from "../conversation.ts";
import { groupTurns } from "./turns.ts";

/**
 * Keeps the reasoning of the current tool loop, of the turns since the user last spoke: a model that goes on calling needs to
 * know what it was about. What comes along with results is no new question: agents add reminders there.
 */
export function keepLoopReasoning(turns: readonly Turn[]): Turn[] {
  const groups = groupTurns(turns);
  const spoke = groups.findLastIndex(({ role, turns }) => role === "user" && !turns.some(holdsResult));
  return groups.flatMap(({ turns }, index) => (index > spoke ? turns : dropReasoning(turns)));
}

export function dropReasoning(turns: readonly Turn[]): Turn[] {
  return turns.map((turn) => ({ ...turn, parts: turn.parts.filter(({ type }) => type !== "reasoning") }));
}

function holdsResult({ parts }: Turn): boolean {
  return parts.some(({ type }) => type === "tool-result");
}
