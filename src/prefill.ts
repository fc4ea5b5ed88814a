import { UPSTREAM_LIMITS } from "./limits.ts";
import type { Emit, Stage, StageEvent, UpstreamEvent } from "./reply.ts";

const isBlank = (text: string) => text.trimStart() === "";

/**
 * The stage before the sieve where the model was given the beginning of its answer: the sieve reads it as if the model had
 * written it, in whatever channel the answer goes on; reasoning of blanks alone is none. Some servers repeat it, and some models
 * begin anew, maybe in a new line: one copy is taken off. Held is at most as much as was given, and blanks before it, while the
 * answer may still turn out to begin with that copy.
 */
export function createPrefill(prefill: string, emit: (event: UpstreamEvent) => void): Stage<UpstreamEvent> {
  let channel: "text" | "reasoning" | undefined;
  let held = "";
  let settled = false;

  /** What the answer begins with, if that may be the copy. */
  function begun(): string | undefined {
    const said = held.trimStart();
    return held.length - said.length > UPSTREAM_LIMITS.blanks ? undefined : said;
  }

  function settle() {
    if (settled || channel === undefined) return;
    settled = true;
    const said = begun();
    emit({ type: channel, text: said?.startsWith(prefill) ? said : prefill + held });
  }

  function mayRepeat(): boolean {
    const said = begun();
    return said !== undefined && said.length < prefill.length && prefill.startsWith(said);
  }

  return {
    push(event) {
      if (settled || event.type === "usage") return emit(event);
      if (event.type !== "text" && event.type !== "reasoning") {
        settle();
        return emit(event);
      }
      if (channel === undefined && event.type === "reasoning" && isBlank(event.text)) return emit(event);
      channel ??= event.type;
      if (event.type === channel) held += event.text;
      if (event.type !== channel || !mayRepeat()) settle();
      if (event.type !== channel) emit(event);
    },
  };
}

/**
 * The stage behind the sieve: where no call came of the prefill, it comes out of the sieve as text. The model did not say it, so
 * the client must not see it: that beginning is taken off. Where the sieve has dropped it, text that looks like a part of it is
 * the model's own.
 */
export function createUnsaid(prefill: string, emit: Emit): Stage<StageEvent> {
  /** What may yet turn out to be the beginning; undefined once that is settled. */
  let held: { type: "text" | "reasoning"; text: string } | undefined = { type: "text", text: "" };

  function settle() {
    const waiting = held;
    held = undefined;
    const said = waiting?.text.startsWith(prefill) ? waiting.text.slice(prefill.length) : waiting?.text;
    if (waiting && said) emit({ type: waiting.type, text: said });
  }

  return {
    push(event) {
      if (held === undefined || event.type === "usage") return emit(event);
      const isText = event.type === "text" || event.type === "reasoning";
      if (isText && held.text === "" && isBlank(event.text)) return emit(event);
      if (!isText || (held.text !== "" && event.type !== held.type)) {
        settle();
        return emit(event);
      }
      held = { type: event.type, text: held.text + event.text };
      if (held.text.length >= prefill.length || !prefill.startsWith(held.text)) settle();
    },
  };
}
