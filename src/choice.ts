import type { Conversation } from "./conversation.ts";
import type { Emit, Stage, StageEvent } from "./reply.ts";

export interface ChoiceStage extends Stage<StageEvent> {
  /** A call was required, and none came. */
  missing(): boolean;
}

/**
 * Holds a reply against the client's `tool_choice` and `parallel_tool_calls`. Nothing is made up for them: a text-only
 * model cannot be forced, so a call of another tool than the named ones passes, and a missing call stays missing. What
 * can be kept is kept: no call where calls are forbidden, no second one where only one is allowed. The sieve keeps both
 * for what it finds in text; here they hold for an upstream's native calls, too.
 */
export function createChoice(
  { toolChoice, parallelToolCalls }: Pick<Conversation, "toolChoice" | "parallelToolCalls">,
  emit: Emit,
): ChoiceStage {
  const forbidden = toolChoice.mode === "none";
  let called = false;
  let ended = false;

  return {
    push(event) {
      if (ended) return;
      switch (event.type) {
        case "call-start":
        case "call-arguments":
          called ||= !forbidden;
          if (!forbidden) emit(event);
          return;
        case "call-end":
          if (forbidden) return;
          emit(event);
          ended = !parallelToolCalls;
          if (ended) emit({ type: "finish", reason: "tool" });
          return;
        default:
          emit(event);
      }
    },
    missing: () => toolChoice.mode === "required" && !called,
  };
}
