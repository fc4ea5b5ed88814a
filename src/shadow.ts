import { SHADOW_LIMITS } from "./limits.ts";
import type { Plan } from "./plan.ts";
import {
  createReduce,
  type Emit,
  type NativeCall,
  type ReplyEvent,
  type StageEvent,
  type UpstreamEvent,
} from "./reply.ts";
import { createSieveStage, type SieveReport } from "./sieve/index.ts";
import type { Machine } from "./sieve/machine.ts";
import { createSpacing } from "./sieve/spacing.ts";

/** What another setting would have made of the same words. */
export interface ShadowReport {
  /**
   * `incomplete`: nothing is compared, since the reply broke off, was ended by the sieve where the other one would have read on, or
   * was too long to be read twice. `failed`: the second reading did, and nobody but this tells.
   */
  outcome: "same" | "different" | "incomplete" | "failed";
  /** What differs: the calls that come whole, by name and arguments; the text that the user sees; the repairs, and how often each. */
  calls?: true;
  text?: true;
  repairs?: true;
}

/** The sieve of an exchange, and what reads along behind it, if anything does. */
export interface ShadowedSieve extends Machine {
  readonly shadow?: Pick<Shadow, "report" | "held">;
}

/**
 * The sieve stage; under a plan with a shadow every event goes into a second sieve, too, of which nothing is used but what differs.
 * Whatever becomes of that one, the reply is none the wiser.
 */
export function createShadowedSieve(
  plan: Pick<Plan, "sieve" | "shadow">,
  emit: Emit,
  pending: () => readonly NativeCall[],
): ShadowedSieve {
  if (!plan.shadow) return createSieveStage(plan.sieve, emit, pending);
  const shadow = createShadow(plan.shadow, () => machine.report(), pending);
  const machine = createSieveStage(
    plan.sieve,
    (event) => {
      emit(event);
      shadow.said(event);
    },
    pending,
  );
  return {
    push(event) {
      machine.push(event);
      shadow.read(event);
    },
    report: machine.report,
    held: machine.held,
    shadow,
  };
}

interface Shadow {
  /** What the sieve made of the words. */
  said(event: StageEvent): void;
  /** What it was given; behind what it made of that. */
  read(event: UpstreamEvent): void;
  report(): ShadowReport;
  /** The most characters that the second sieve has held so far, as long as it reads. */
  held(): number;
}

function createShadow(
  options: NonNullable<Plan["shadow"]>,
  sieveReport: () => SieveReport,
  pending: () => readonly NativeCall[],
): Shadow {
  const ours = createOutcome();
  const theirs = createOutcome();
  let characters = 0;
  let second: Machine | undefined;
  /** Once it is there, nothing is read any more. */
  let result: ShadowReport | undefined;

  function settle(report: ShadowReport) {
    result = report;
    second = undefined;
  }

  function attempt<T>(work: (given: T) => void, given: T) {
    if (result) return;
    try {
      work(given);
    } catch {
      settle({ outcome: "failed" });
    }
  }

  function follow(event: UpstreamEvent) {
    characters += lengthOf(event);
    if (ours.ending() === "error" || characters > SHADOW_LIMITS.read) return settle({ outcome: "incomplete" });
    second?.push(event);
    if (ours.ending() === undefined) return;
    // Where the sieve has ended the reply before its own end, the other one has to be through as well.
    settle(theirs.ending() === "finish" ? compare() : { outcome: "incomplete" });
  }

  function compare(): ShadowReport {
    const differs = {
      ...(!ours.calls.equals(theirs.calls) && { calls: true as const }),
      ...(!ours.text.equals(theirs.text) && { text: true as const }),
      ...(repairsIn(sieveReport()) !== repairsIn(second?.report()) && { repairs: true as const }),
    };
    return { outcome: Object.keys(differs).length === 0 ? "same" : "different", ...differs };
  }

  attempt((given) => {
    second = createSieveStage(given, theirs.push, pending);
  }, options);

  return {
    said: (event) => attempt(ours.push, event),
    read: (event) => attempt(follow, event),
    report: () => result ?? { outcome: "incomplete" },
    held: () => second?.report().heldMax ?? 0,
  };
}

function lengthOf(event: UpstreamEvent): number {
  if (event.type === "native-call") return event.json.length;
  return "text" in event ? event.text.length : 0;
}

/** Each with how often it was made, blocks apart or not. */
function repairsIn(report: SieveReport | undefined): string {
  const counts = new Map<string, number>();
  for (const { repairs } of report?.blocks ?? []) {
    for (const name of repairs) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return JSON.stringify([...counts].toSorted());
}

/** What a client would get of a sieve's events, as far as it is compared. No word of it is kept. */
function createOutcome() {
  const text = new Digest();
  const calls = new Digest();
  /** With the open call, which may not end: then nothing follows it. */
  const withOpenCall = new Digest();
  let ending: "finish" | "error" | undefined;

  function note(event: ReplyEvent) {
    switch (event.type) {
      case "text":
        return text.add(event.text);
      case "call-start":
        withOpenCall.add(event.name);
        return withOpenCall.add(END);
      case "call-arguments":
        return withOpenCall.add(event.json);
      case "call-end":
        withOpenCall.add(END);
        return calls.become(withOpenCall);
      case "finish":
      case "error":
        ending = event.type;
        return;
      case "reasoning":
      case "usage":
        return;
      default:
        event satisfies never;
    }
  }

  const { push } = createSpacing(createReduce({ newId: () => "" }, note).push);
  return { text, calls, push, ending: () => ending };
}

/** Stands in no JSON, and in no name that anybody would choose. */
const END = "\0";

/** Of a text in pieces, however it is cut: its length, and two hashes of 32 bits. */
class Digest {
  #length = 0;
  #first = 0;
  #second = 0;

  add(text: string) {
    let first = this.#first;
    let second = this.#second;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      first = Math.imul(first, 0x01000193) ^ unit;
      second = Math.imul(((second << 5) | (second >>> 27)) ^ unit, 0x9e3779b1);
    }
    this.#first = first;
    this.#second = second;
    this.#length += text.length;
  }

  become(other: Digest) {
    this.#length = other.#length;
    this.#first = other.#first;
    this.#second = other.#second;
  }

  equals(other: Digest): boolean {
    return this.#length === other.#length && this.#first === other.#first && this.#second === other.#second;
  }
}
