import type { Conversation } from "../conversation.ts";
import type { Quoting } from "./quoting.ts";

/**
 * What `tool_choice` and `parallel_tool_calls` ask of this turn, in words; empty when they ask nothing. It stands at the
 * very end of the prompt: the list of tools keeps its bytes, and an upstream its cache.
 */
export function choiceLine({ toolChoice, parallelToolCalls }: Conversation, quoting: Quoting): string {
  const { mode, only = [] } = toolChoice;
  if (mode === "none") return "(Answer this turn without tool calls.)";
  const names = only.map((name) => `\`${quoting.quote(name)}\``).join(", ");
  const lines = mode === "required" ? [required(only.length, names)] : [];
  if (mode === "auto" && names !== "") lines.push(`(Only these tools may be called this turn: ${names}.)`);
  if (!parallelToolCalls) lines.push("(At most one tool call this turn.)");
  return lines.join("\n");
}

function required(count: number, names: string): string {
  if (count === 0) return "(This turn needs at least one tool call.)";
  return count === 1 ? `(This turn needs a call of ${names}.)` : `(This turn needs a call of one of ${names}.)`;
}
