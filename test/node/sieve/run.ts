import type { FinishReason, ReplyEvent } from "../../../src/reply.ts";
import { createFold, createReduce } from "../../../src/reply.ts";
import { createSieve } from "../../../src/sieve/index.ts";

export type SieveOptions = Parameters<typeof createSieve>[0];
type SieveReport = ReturnType<ReturnType<typeof createSieve>["report"]>;

export interface ModelText {
  text: readonly string[];
  /** Sent by the upstream in its own field, before the text. */
  reasoning?: readonly string[] | undefined;
  upstreamFinish?: FinishReason | undefined;
}

/** A reply with its fragments joined: everything that may not depend on the chunking (sieve.md P1). */
export interface Outcome {
  /** Neighbouring fragments joined, so that the order of text and calls is compared too. */
  events: JoinedEvent[];
  text: string;
  reasoning: string;
  calls: { name: string; arguments: string }[];
  /** An announced call that broke or was cut (T3). */
  open: { name: string; arguments: string } | undefined;
  finish: FinishReason | undefined;
  report: Omit<SieveReport, "looks" | "heldMax">;
}

type JoinedEvent =
  | { type: "text" | "reasoning"; text: string }
  | { type: "call"; name: string; arguments: string; ended: boolean };

/** Runs the sieve and what stands behind it; throws where an event breaks the grammar of design.md's ReplyEvent. */
export function runSieve(model: ModelText, options: SieveOptions): Outcome & { looks: number; heldMax: number } {
  const { events: deltas, report } = collect(model, options);
  const { looks, heldMax, ...rest } = report;
  const events = joinEvents(deltas);
  const calls = events.filter((event) => event.type === "call");
  const textOf = (type: "text" | "reasoning") =>
    events.map((event) => (event.type === type ? event.text : "")).join("");
  const withoutState = ({ name, arguments: json }: (typeof calls)[number]) => ({ name, arguments: json });
  const open = calls.find((call) => !call.ended);
  return {
    events,
    text: textOf("text"),
    reasoning: textOf("reasoning"),
    calls: calls.filter((call) => call.ended).map(withoutState),
    open: open && withoutState(open),
    finish: finishOf(deltas, model.upstreamFinish ?? "stop", rest.cut),
    report: rest,
    looks,
    heldMax,
  };
}

/** The result without what it cost: what two chunkings must agree on. */
export function outcomeOf(model: ModelText, options: SieveOptions): Outcome {
  const { looks: _looks, heldMax: _heldMax, ...outcome } = runSieve(model, options);
  return outcome;
}

function collect(model: ModelText, options: SieveOptions): { events: ReplyEvent[]; report: SieveReport } {
  const sieve = createSieve(options);
  const events: ReplyEvent[] = [];
  for (const chunk of model.reasoning ?? []) events.push(...sieve.push(chunk, "reasoning"));
  for (const chunk of model.text) events.push(...sieve.push(chunk));
  events.push(...sieve.end(model.upstreamFinish ?? "stop"));
  const whole = model.text.join("").isWellFormed() && (model.reasoning ?? []).join("").isWellFormed();
  if (whole) for (const event of events) checkWellFormed(event);
  return { events, report: sieve.report() };
}

/** P6: a client may write each delta as UTF-8 on its own. */
function checkWellFormed(event: ReplyEvent) {
  const delta = event.type === "text" || event.type === "reasoning" ? event.text : "json" in event ? event.json : "";
  if (!delta.isWellFormed()) throw new Error(`a delta holds half a surrogate pair: ${JSON.stringify(event)}`);
}

/** Calls never interleave, are numbered in order, and an open one is the last thing of the reply. */
function joinEvents(deltas: readonly ReplyEvent[]): JoinedEvent[] {
  const joined: JoinedEvent[] = [];
  let index = -1;
  let open: (JoinedEvent & { type: "call" }) | undefined;
  const fail = (event: ReplyEvent): never => {
    throw new Error(`against the event grammar: ${JSON.stringify(event)} after ${JSON.stringify(joined.at(-1))}`);
  };
  for (const event of deltas) {
    switch (event.type) {
      case "text":
      case "reasoning": {
        if (open || event.text === "") fail(event);
        const last = joined.at(-1);
        if (last?.type === event.type) last.text += event.text;
        else joined.push({ type: event.type, text: event.text });
        break;
      }
      case "call-start":
        index += 1;
        if (open || event.index !== index || event.id !== `call_${index}`) fail(event);
        open = { type: "call", name: event.name, arguments: "", ended: false };
        joined.push(open);
        break;
      case "call-arguments":
        if (!open || event.index !== index) return fail(event);
        open.arguments += event.json;
        break;
      case "call-end":
        if (!open || event.index !== index || !isObject(JSON.parse(open.arguments))) return fail(event);
        open.ended = true;
        open = undefined;
        break;
      case "usage":
      case "finish":
      case "error":
        return fail(event);
      default:
        event satisfies never;
    }
  }
  return joined;
}

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

function finishOf(events: readonly ReplyEvent[], reason: FinishReason, cut: boolean): FinishReason | undefined {
  const fold = createFold();
  const reduce = createReduce({ newId: (index) => `call_${index}` }, (event) => fold.push(event));
  for (const event of events) reduce.push(event);
  reduce.push({ type: "finish", reason, ...(cut && { cutBlock: true as const }) });
  return fold.reply().finish?.reason;
}
