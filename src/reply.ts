import type { GatewayError } from "./errors.ts";

/**
 * What is answered: one event list for every protocol, streaming or not.
 *
 * Grammar: `(text | reasoning | call-start call-arguments* call-end | usage)* (call-start call-arguments* usage?)?
 * (finish | error)`. Calls never interleave, `index` counts 0, 1, 2 … over the whole reply, and an announced call that
 * breaks stays open and is the last thing before the end (sieve.md T3).
 */
export type ReplyEvent =
  /** Never call markup, never empty. */
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | { type: "call-start"; index: number; id: string; name: string }
  /** A fragment; all fragments of a call joined are the JSON of its arguments object. */
  | { type: "call-arguments"; index: number; json: string }
  | { type: "call-end"; index: number }
  | { type: "usage"; usage: Usage }
  | FinishEvent
  | { type: "error"; error: GatewayError };

/** The same events on their way through the stages, before `reduce` numbers the calls. */
export type StageEvent =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  /** `native`: the upstream's own, not found in its text. */
  | { type: "call-start"; name: string; native?: true }
  | { type: "call-arguments"; json: string }
  | { type: "call-end" }
  | { type: "usage"; usage: Usage }
  | FinishEvent
  | { type: "error"; error: GatewayError };

/** A whole call of the upstream's own, as it was sent: its arguments may be cut, or no JSON. */
export interface NativeCall {
  type: "native-call";
  name: string;
  json: string;
}

/** What an upstream says, before the sieve has read it: all calls that are known by then are its own. */
export type UpstreamEvent = Exclude<StageEvent, { type: `call-${string}` }> | NativeCall;

export interface FinishEvent {
  type: "finish";
  reason: FinishReason;
  /** The client's stop string that ended the reply, where the upstream says which. */
  stopSequence?: string;
  /** A block was cut by the end of the reply and went out as text or was dropped (sieve.md T5). */
  cutBlock?: true;
}

export type FinishReason = "stop" | "tool" | "length" | "filter" | "context";

/** Tokens. */
export interface Usage {
  /** Of the prompt, cached ones included. */
  input: number;
  cached?: number;
  /** Of the answer, reasoning included. */
  output: number;
  reasoning?: number;
  /** Counted by us because the upstream did not say. */
  estimated?: true;
}

/**
 * Every stage has this shape: synchronous, pure, with its `emit` bound once when it is made. The end of a reply is an
 * event, too: `finish` or `error`.
 */
export interface Stage<In> {
  push(event: In): void;
}

export type Emit = (event: StageEvent) => void;

/** What a reply has come to. */
interface ReplyOutcome {
  /** Calls that ended. */
  calls: number;
  usage: Usage | undefined;
  /** The finish that the client is told, or the kind of the failure; absent while it goes on. */
  ending: FinishReason | GatewayError["kind"] | undefined;
}

export interface ReduceStage extends Stage<StageEvent> {
  outcome(): ReplyOutcome;
}

/**
 * The last stage: numbers calls, gives ids, fixes the finish (sieve.md T5) and lets nothing through that the event
 * grammar forbids.
 */
export function createReduce(
  options: {
    newId: (index: number) => string;
    /** For a reply that a stage ends before the upstream has said what it cost. */
    usage?: () => Usage;
  },
  emit: (event: ReplyEvent) => void,
): ReduceStage {
  let index = -1;
  let open = false;
  let ending: ReplyOutcome["ending"];
  let usage: Usage | undefined;
  /** It has not gone out yet. */
  let usageWaits = false;

  function flushUsage() {
    if (usage && usageWaits) emit({ type: "usage", usage });
    usageWaits = false;
  }

  function count(counted: Usage | undefined) {
    usage = counted;
    usageWaits = true;
  }

  function finish(event: FinishEvent) {
    if (!usage) count(options.usage?.());
    flushUsage();
    const reason = finishReason(event, index + 1, open);
    ending = reason;
    emit(reason === event.reason ? event : { ...event, reason });
  }

  function fail(error: GatewayError) {
    ending = error.kind;
    flushUsage();
    emit({ type: "error", error });
  }

  return {
    push(event) {
      if (ending !== undefined) return;
      switch (event.type) {
        case "text":
        case "reasoning":
          if (!open && event.text !== "") emit(event);
          return;
        case "call-start":
          // Its fragments would join those of the open call: wrong JSON, and nobody would know.
          if (open) return fail({ kind: "internal", detail: "a call inside a call" });
          open = true;
          index += 1;
          emit({ type: "call-start", index, id: options.newId(index), name: event.name });
          return;
        case "call-arguments":
          if (open) emit({ type: "call-arguments", index, json: event.json });
          return;
        case "call-end":
          if (!open) return;
          open = false;
          emit({ type: "call-end", index });
          flushUsage();
          return;
        case "usage":
          count(event.usage);
          if (!open) flushUsage();
          return;
        case "finish":
          finish(event);
          return;
        case "error":
          fail(event.error);
          return;
        default:
          event satisfies never;
      }
    },
    outcome: () => ({ calls: index + (open ? 0 : 1), usage, ending }),
  };
}

/** Rule T5; the upstream's own word counts only where it does not contradict what was delivered. */
function finishReason(event: FinishEvent, calls: number, open: boolean): FinishReason {
  const { reason, cutBlock } = event;
  if (open) return "length";
  if (calls === 0) return reason === "tool" ? "stop" : reason;
  if (!cutBlock) return reason === "filter" || reason === "context" ? reason : "tool";
  return reason === "stop" || reason === "tool" ? "length" : reason;
}

/** A whole reply: what a protocol that does not stream answers with. */
export interface Reply {
  text: string;
  reasoning: string;
  calls: ReplyCall[];
  /** Text and ended calls in the order they came: several wires keep it. */
  parts: ReplyPart[];
  /** Announced and never ended (T3): no wire gives it, but what stood before it had ended by then. */
  openCall: { id: string; name: string } | undefined;
  finish: FinishEvent | undefined;
  usage: Usage | undefined;
}

interface ReplyCall {
  id: string;
  name: string;
  /** JSON. */
  arguments: string;
}

type ReplyPart = { type: "text" | "reasoning"; text: string } | { type: "call"; call: ReplyCall };

export interface Fold {
  push(event: ReplyEvent): void;
  finish(): FinishEvent | undefined;
  error(): GatewayError | undefined;
  reply(): Reply;
}

/** Folds events into a whole reply. A call that never ended is left out (sieve.md T3). */
export function createFold(): Fold {
  const parts: ({ type: "text" | "reasoning"; pieces: string[] } | { type: "call"; call: ReplyCall })[] = [];
  const calls: ReplyCall[] = [];
  let current: { id: string; name: string; json: string[] } | undefined;
  let finish: FinishEvent | undefined;
  let usage: Usage | undefined;
  let error: GatewayError | undefined;

  function append(type: "text" | "reasoning", text: string) {
    const last = parts.at(-1);
    if (last?.type === type) last.pieces.push(text);
    else parts.push({ type, pieces: [text] });
  }

  function end({ id, name, json }: { id: string; name: string; json: string[] }) {
    const call = { id, name, arguments: json.join("") };
    calls.push(call);
    parts.push({ type: "call", call });
  }

  return {
    push(event) {
      switch (event.type) {
        case "text":
        case "reasoning":
          append(event.type, event.text);
          return;
        case "call-start":
          current = { id: event.id, name: event.name, json: [] };
          return;
        case "call-arguments":
          current?.json.push(event.json);
          return;
        case "call-end":
          if (current) end(current);
          current = undefined;
          return;
        case "usage":
          usage = event.usage;
          return;
        case "finish":
          finish = event;
          return;
        case "error":
          error = event.error;
          return;
        default:
          event satisfies never;
      }
    },
    finish: () => finish,
    error: () => error,
    reply() {
      const whole = parts.map((part) =>
        part.type === "call" ? part : { type: part.type, text: part.pieces.join("") },
      );
      const joined = (type: "text" | "reasoning") =>
        whole.map((part) => (part.type === type ? part.text : "")).join("");
      return {
        text: joined("text"),
        reasoning: joined("reasoning"),
        calls,
        parts: whole,
        openCall: current,
        finish,
        usage,
      };
    },
  };
}
