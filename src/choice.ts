import type { Conversation } from "./conversation.ts";
import type { Emit, Stage, StageEvent } from "./reply.ts";

export interface ChoiceStage extends Stage<StageEvent> {
  /** What of the choice the reply has not kept; of a missing call only its finish can tell. */
  unmet(): Unmet | undefined;
}

/** A required call did not come; a tool that was not named was called; a call came where none may. */
export type Unmet = "call-missing" | "other-tool" | "call-forbidden";

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
  const { mode, only } = toolChoice;
  const forbidden = mode === "none";
  let called = false;
  let ended = false;
  let finished = false;
  let broken: Unmet | undefined;

  return {
    push(event) {
      if (ended) return;
      switch (event.type) {
        case "call-start":
          called ||= !forbidden;
          if (forbidden) broken = "call-forbidden";
          else if (only && !only.includes(event.name)) broken = "other-tool";
          if (!forbidden) emit(event);
          return;
        case "call-arguments":
          if (!forbidden) emit(event);
          return;
        case "call-end":
          if (forbidden) return;
          emit(event);
          ended = !parallelToolCalls;
          if (ended) emit({ type: "finish", reason: "tool" });
          return;
        case "finish":
          finished = true;
          emit(event);
          return;
        default:
          emit(event);
      }
    },
    unmet: () => (finished && mode === "required" && !called ? "call-missing" : broken),
  };
}
