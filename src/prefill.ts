import { commonStart } from "./common-start.ts";
import type { Emit, Stage, StageEvent, UpstreamEvent } from "./reply.ts";

/**
 * The stage before the sieve where the model was given the beginning of its answer: the sieve reads it as if the model had
 * written it, in whatever channel the answer goes on. Some servers repeat it: one copy is taken off. Held is at most as much as
 * was given, while the answer may still turn out to begin with that copy.
 */
export function createPrefill(prefill: string, emit: (event: UpstreamEvent) => void): Stage<UpstreamEvent> {
  let channel: "text" | "reasoning" | undefined;
  let held = "";
  let settled = false;

  function settle() {
    if (settled || channel === undefined) return;
    settled = true;
    emit({ type: channel, text: held.startsWith(prefill) ? held : prefill + held });
  }

  return {
    push(event) {
      if (settled || event.type === "usage") return emit(event);
      if (event.type !== "text" && event.type !== "reasoning") {
        settle();
        return emit(event);
      }
      channel ??= event.type;
      if (event.type === channel) held += event.text;
      if (event.type !== channel || held.length >= prefill.length || !prefill.startsWith(held)) settle();
      if (event.type !== channel) emit(event);
    },
  };
}

/**
 * The stage behind the sieve: where no call came of the prefill, it comes out of the sieve as text. The model did not say it, so
 * the client must not see it: that beginning is taken off.
 */
export function createUnsaid(prefill: string, emit: Emit): Stage<StageEvent> {
  let rest = prefill;

  return {
    push(event) {
      if (rest === "" || event.type === "usage") return emit(event);
      if (event.type !== "text" && event.type !== "reasoning") {
        rest = "";
        return emit(event);
      }
      const ours = commonStart(rest, event.text);
      const said = event.text.slice(ours.length);
      rest = said === "" ? rest.slice(ours.length) : "";
      if (said !== "") emit({ ...event, text: said });
    },
  };
}
