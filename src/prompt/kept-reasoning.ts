import type { Turn } from "../conversation.ts";
import type { UpstreamMessage } from "./messages.ts";
import { groupTurns, resultsOf } from "./turns.ts";

/** Of which earlier answers the reasoning is kept; `loop`: those of the current tool loop. */
export type KeptReasoning = "none" | "loop" | "all";

export function keepReasoning(turns: readonly Turn[], kept: KeptReasoning): readonly Turn[] {
  switch (kept) {
    case "none":
      return dropReasoning(turns);
    case "loop":
      return keepLoopReasoning(turns);
    case "all":
      return turns;
    default:
      return kept satisfies never;
  }
}

/**
 * Since the user last spoke: a model that goes on calling needs to know what it was about. What comes along with results is
 * no new question: agents add reminders there.
 */
function keepLoopReasoning(turns: readonly Turn[]): Turn[] {
  const groups = groupTurns(turns);
  const spoke = groups.findLastIndex(({ role, turns }) => role === "user" && resultsOf(turns).length === 0);
  return groups.flatMap(({ turns }, index) => (index > spoke ? turns : dropReasoning(turns)));
}

function dropReasoning(turns: readonly Turn[]): Turn[] {
  return turns.map((turn) => ({ ...turn, parts: turn.parts.filter(({ type }) => type !== "reasoning") }));
}

/**
 * The same messages with reasoning in front of the text, in the marks that it was written in.
 * @param quote what is done to it before, so that nothing in it ends it
 */
export function inlineReasoning(
  messages: readonly UpstreamMessage[],
  quote: (text: string) => string = (text) => text,
): UpstreamMessage[] {
  return messages.map((message) => {
    if (message.role !== "assistant" || message.reasoning === undefined) return message;
    const { reasoning, content, ...rest } = message;
    return { ...rest, content: `<think>${quote(reasoning)}</think>\n\n${content}` };
  });
}
