import { SIEVE_LIMITS } from "../limits.ts";
import type { Emit, FinishEvent, NativeCall, Stage, StageEvent, UpstreamEvent } from "../reply.ts";
import type { Block } from "./block.ts";
import { Engine } from "./engine.ts";
import { readNativeCall } from "./native-call.ts";
import type { Outlet } from "./outlet.ts";
import { Parking } from "./parking.ts";
import type { SievePlan } from "./plan.ts";
import { type EndedBy, type SieveReport, Tally } from "./report.ts";
import { trimBlanks } from "./values/value.ts";

/** What must not go out between the fragments of an open call. */
type Beside = Extract<UpstreamEvent, { type: "reasoning" | "native-call" }>;

export interface Machine extends Stage<UpstreamEvent> {
  report(): SieveReport;
  /** Characters that are held at this moment, all channels together. */
  held(): number;
}

/**
 * The sieve as a stage: an engine for the text, with one behind it for reasoning that is marked in the text, an engine
 * for the upstream's own reasoning channel, and the parking of calls found in either. Each channel has a machine of its
 * own, so none can touch a block that is open in another.
 *
 * @param pending the upstream's own calls that wait for the end of the answer, asked for where that is here
 */
export function createMachine(plan: SievePlan, emit: Emit, pending: () => readonly NativeCall[] = () => []): Machine {
  const tally = new Tally();
  const parking = new Parking(tally, emit);
  let waiting: Beside[] = [];
  let waitingSize = 0;

  const reasoningOutlet: Outlet = {
    text: (text) => parking.reasoning(text),
    event: callEvent,
    stands: (block) => (block.kind.suspendsReasoning ? stands(block) : parking.call(block)),
    settled() {},
    ends,
  };
  const textOutlet: Outlet = {
    text: (text) => outside({ type: "text", text }),
    event: callEvent,
    settled: release,
    stands,
    ends,
  };

  const marked = new Engine(plan, tally, "reasoning", reasoningOutlet);
  const text = new Engine(plan, tally, "text", textOutlet, marked);
  const reasoning = new Engine(plan, tally, "reasoning", reasoningOutlet);
  let inReasoning = false;
  let callIsOpen = false;
  /** Not where the upstream separates reasoning itself, whatever the route says. */
  let mayBeginInReasoning = plan.startsInReasoning;
  /** A call came behind the block that was cut: only one behind the last call counts (sieve.md T5). */
  let callBehindCut = false;
  /** The last native call is lost, and nobody sees anything of it. */
  let nativeLost = false;

  function outside(event: StageEvent) {
    if (parking.held > 0 && isVisible(event)) parking.outside();
    emit(event);
  }

  function callEvent(event: StageEvent) {
    outside(event);
    if (event.type === "call-start") callIsOpen = true;
    else if (event.type === "call-end") {
      callIsOpen = false;
      release();
    }
  }

  function ends(by: EndedBy) {
    tally.endedBy = by;
    parking.outside();
    for (const call of pending()) native(call);
    endReply(toldOfCut({ type: "finish", reason: "tool" }));
  }

  function stands(block: Block) {
    block.settled("call");
    block.announce();
  }

  function endReply(event: StageEvent) {
    tally.ended = true;
    emit(event);
  }

  function leaveReasoning() {
    if (inReasoning) reasoning.leave();
    inReasoning = false;
  }

  /** Reasoning waits for the end of an open call, a native call for that of a block, be anything of it out or not. */
  function besides(event: Beside) {
    if (text.dead) return;
    const isReasoning = event.type === "reasoning";
    if (isReasoning && event.text !== "") mayBeginInReasoning = false;
    // A call that is open in reasoning goes on there.
    const goesOn = isReasoning && inReasoning && reasoning.isSuspended;
    if (!goesOn && (callIsOpen || waiting.length > 0 || (text.inBlock && !isReasoning))) wait(event);
    else if (isReasoning) {
      inReasoning = true;
      reasoning.push(event.text);
    } else {
      leaveReasoning();
      text.interrupt();
      native(event);
    }
  }

  function native(call: NativeCall) {
    nativeLost = !readNativeCall(call, plan, tally, (event) =>
      outside(event.type === "call-start" ? { ...event, native: true } : event),
    );
    if (nativeLost) tally.cut = true;
    else callBehindCut ||= tally.cut;
  }

  function wait(event: Beside) {
    waitingSize += event.type === "reasoning" ? event.text.length : event.json.length;
    waiting.push(event);
    if (waitingSize <= SIEVE_LIMITS.waiting) return;
    endReply({ type: "error", error: { kind: "upstream-failed", detail: "too much came beside an open call" } });
  }

  function release() {
    if (waiting.length === 0 || callIsOpen) return;
    const events = waiting;
    waiting = [];
    waitingSize = 0;
    for (const event of events) besides(event);
    // The text went on behind them, so it ends what is open in reasoning, and its call is one outside.
    leaveReasoning();
    parking.outside();
  }

  function settle() {
    text.end();
    reasoning.end();
    parking.end();
  }

  function finish(event: FinishEvent) {
    tally.endedByStop = event.reason === "stop";
    settle();
    if (!tally.ended) emit(toldOfCut(event));
  }

  /** A cut block that was text is there to be seen; of a native call that is lost only the reason can tell (T3, T5). */
  function toldOfCut(event: FinishEvent): FinishEvent {
    if (nativeLost) return { ...event, reason: isGood(event) ? "length" : event.reason, cutBlock: true };
    return tally.cut && !callBehindCut ? { ...event, cutBlock: true } : event;
  }

  function held() {
    return text.held + parking.held + waitingSize + (inReasoning ? reasoning.held : 0);
  }

  function noteHeld() {
    const now = held();
    if (now > tally.heldMax) tally.heldMax = now;
  }

  return {
    push(event) {
      if (tally.ended) return;
      switch (event.type) {
        case "text":
          if (event.text === "") return;
          leaveReasoning();
          if (mayBeginInReasoning) text.beginInReasoning();
          mayBeginInReasoning = false;
          text.push(event.text);
          return noteHeld();
        case "reasoning":
        case "native-call":
          besides(event);
          return noteHeld();
        case "usage":
          return emit(event);
        case "finish":
          return finish(event);
        case "error":
          settle();
          if (!tally.ended) emit(event);
          return;
        default:
          return event satisfies never;
      }
    },
    report() {
      const { blocks, heldMax, sawToolCallSyntax, cut, brokeOff, ended, endedBy, fromReasoning, uncoercible } = tally;
      return {
        blocks,
        looks: text.looks + reasoning.looks,
        heldMax,
        sawToolCallSyntax,
        cut,
        brokeOff,
        ended,
        ...(endedBy && { endedBy }),
        fromReasoning,
        uncoercible,
        fencedExamples: text.fencedExamples,
        rejectedToolNames: tally.rejectedToolNames,
      };
    },
    held,
  };
}

/** Something that shows that what was parked in reasoning was only thought of (sieve.md A4). */
function isVisible(event: StageEvent): boolean {
  return event.type === "call-start" || (event.type === "text" && trimBlanks(event.text) !== "");
}

function isGood({ reason }: FinishEvent): boolean {
  return reason === "stop" || reason === "tool";
}
