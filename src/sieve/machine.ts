import { SIEVE_LIMITS } from "../limits.ts";
import type { Emit, FinishEvent, Stage, StageEvent } from "../reply.ts";
import { Engine, type Outlet } from "./engine.ts";
import { Parking } from "./parking.ts";
import type { SievePlan } from "./plan.ts";
import { type SieveReport, Tally } from "./report.ts";

export interface Machine extends Stage<StageEvent> {
  report(): SieveReport;
  readonly tally: Tally;
}

/**
 * The sieve as a stage: an engine for the text, with one behind it for reasoning that is marked in the text, an engine
 * for the upstream's own reasoning channel, and the parking of calls found in either. Each channel has a machine of its
 * own, so none can touch a block that is open in another.
 */
export function createMachine(plan: SievePlan, emit: Emit): Machine {
  const tally = new Tally();
  const parking = new Parking(tally, emit);
  /** What must not go out between the fragments of an open call. */
  let waiting: StageEvent[] = [];
  let waitingSize = 0;

  const reasoningOutlet: Outlet = {
    text: (text) => parking.reasoning(text),
    event: outside,
    stands: (block) => parking.call(block),
    ends() {},
  };
  const textOutlet: Outlet = {
    text: (text) => outside({ type: "text", text }),
    event: outside,
    stands(block) {
      tally.blocks.push(block.report("call"));
      block.announce();
    },
    ends() {
      tally.ended = true;
      parking.outside();
      emit({ type: "finish", reason: "tool" });
    },
  };

  const marked = new Engine(plan, tally, "reasoning", reasoningOutlet);
  const text = new Engine(plan, tally, "text", textOutlet, marked);
  const reasoning = new Engine(plan, tally, "reasoning", reasoningOutlet);
  let inReasoning = false;

  function outside(event: StageEvent) {
    if (parking.held > 0 && isVisible(event)) parking.outside();
    emit(event);
  }

  function leaveReasoning() {
    if (inReasoning) reasoning.leave();
    inReasoning = false;
  }

  /** Reasoning and native calls that come while a call is open wait for its end. */
  function besides(event: StageEvent) {
    if (text.dead) return;
    if (text.callIsOpen) {
      if (event.type === "reasoning") waitingSize += event.text.length;
      if (waitingSize <= SIEVE_LIMITS.parked) waiting.push(event);
    } else if (event.type === "reasoning") {
      inReasoning = true;
      reasoning.push(event.text);
    } else {
      leaveReasoning();
      outside(event);
    }
  }

  function release() {
    if (waiting.length === 0 || text.callIsOpen) return;
    const events = waiting;
    waiting = [];
    waitingSize = 0;
    for (const event of events) besides(event);
  }

  function end() {
    text.end();
    release();
    reasoning.end();
    parking.end();
  }

  function finish(event: FinishEvent) {
    tally.endedByStop = event.reason === "stop";
    end();
    if (!tally.ended) emit(tally.cut ? { ...event, cutBlock: true } : event);
  }

  return {
    tally,
    push(event) {
      if (tally.ended) return;
      switch (event.type) {
        case "text":
          if (event.text === "") return;
          leaveReasoning();
          text.push(event.text);
          release();
          break;
        case "reasoning":
        case "call-start":
        case "call-arguments":
        case "call-end":
          besides(event);
          break;
        case "usage":
          emit(event);
          return;
        case "finish":
          finish(event);
          return;
        case "error":
          end();
          emit(event);
          return;
        default:
          event satisfies never;
      }
      const held = text.held + parking.held + waitingSize + (inReasoning ? reasoning.held : 0);
      if (held > tally.heldMax) tally.heldMax = held;
    },
    end() {},
    report() {
      const { blocks, heldMax, sawToolCallSyntax, cut, ended } = tally;
      return { blocks, looks: text.looks + reasoning.looks, heldMax, sawToolCallSyntax, cut, ended };
    },
  };
}

/** Something that shows that what was parked in reasoning was only thought of (sieve.md A4). */
function isVisible(event: StageEvent): boolean {
  return event.type === "call-start" || (event.type === "text" && /[^ \t\r\n]/.test(event.text));
}
