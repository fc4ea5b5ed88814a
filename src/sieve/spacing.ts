import { SIEVE_LIMITS } from "../limits.ts";
import type { Emit, Stage, StageEvent } from "../reply.ts";
import { isBlank } from "./characters.ts";

/**
 * White space around calls (sieve.md W1), and nothing else: held until something visible follows, dropped where only a
 * call stands before it, dropped at the end of a reply that holds a call.
 */
export function createSpacing(emit: Emit): Stage<StageEvent> {
  let held = "";
  let sawCall = false;
  let sawText = false;
  /** Too much of it was there to be held: all goes out until something visible comes. */
  let flows = false;

  function hold(blanks: string) {
    if (blanks === "") return;
    if (flows) return emit({ type: "text", text: blanks });
    held += blanks;
    if (held.length <= SIEVE_LIMITS.whiteSpace) return;
    flows = true;
    emit({ type: "text", text: take() });
  }

  function take(): string {
    const blanks = held;
    held = "";
    return blanks;
  }

  function text(event: { type: "text"; text: string }) {
    const { text } = event;
    let end = text.length;
    while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--;
    if (end === 0) return hold(text);
    const leading = sawCall && !sawText ? leadingBlanks(text) : 0;
    const drops = sawCall && !sawText && !flows && held.length + leading <= SIEVE_LIMITS.whiteSpace;
    sawText = true;
    flows = false;
    // The usual case by far: nothing held, nothing to hold. The event goes on as it is.
    if (held === "" && end === text.length && !drops) return emit(event);
    const before = take();
    const visible = text.slice(0, end);
    emit({ type: "text", text: drops ? visible.slice(leading) : before + visible });
    hold(text.slice(end));
  }

  return {
    push(event) {
      switch (event.type) {
        case "text":
          return text(event);
        case "call-start":
          sawCall = true;
          return emit(event);
        case "finish":
        case "error": {
          const blanks = take();
          if (!sawCall && blanks !== "") emit({ type: "text", text: blanks });
          return emit(event);
        }
        default:
          return emit(event);
      }
    },
  };
}

function leadingBlanks(text: string): number {
  let at = 0;
  while (isBlank(text.charCodeAt(at))) at++;
  return at;
}
