import type { Asking } from "./asking.ts";
import type { Conversation } from "./conversation.ts";

/** Tells the client what of its request the model does not get as it was meant. */
export function warningsOf(
  { sampling }: Conversation,
  { formatInWords, docs }: Asking,
  { stops, tokens = Number.POSITIVE_INFINITY }: { stops: number; tokens: number | undefined },
): string[] {
  const warnings: string[] = [];
  if (formatInWords) {
    const why = formatInWords === "calls" ? "enforced, it would forbid tool calls" : "the upstream does not enforce it";
    warnings.push(`the response format is asked for in words alone: ${why}`);
  }
  if ((sampling.stop?.length ?? 0) > stops) {
    warnings.push(`the upstream takes ${stops} stop strings at most: those behind them are left out`);
  }
  if ((sampling.maxTokens ?? 0) > tokens) warnings.push(`the answer has ${tokens} tokens at most`);
  if (docs?.fits === false) {
    warnings.push("the tools take more of the prompt than they may, though each has one line: none is left out");
  } else if (docs?.level === "shortened" || docs?.level === "brief") {
    warnings.push("descriptions of tools are cut: whole, they take more of the prompt than they may");
  }
  return warnings;
}
