import type { ToolChoice } from "./conversation.ts";
import type { Emit, Stage, StageEvent } from "./reply.ts";

export interface ChoiceStage extends Stage<StageEvent> {
  /** A call was required, and none came. */
  missing(): boolean;
}

/**
 * Holds a reply against the client's `tool_choice`. Nothing is held back or made up for it: a text-only model cannot be
 * forced, so a call of another tool than the named ones passes, and a missing call stays missing (decisions.md,
 * tool_choice).
 */
export function createChoice({ mode }: ToolChoice, emit: Emit): ChoiceStage {
  let called = false;
  return {
    push(event) {
      called ||= event.type === "call-start";
      emit(event);
    },
    missing: () => mode === "required" && !called,
  };
}
