import { jsonIdentity } from "./json-identity.ts";
import type { Emit, Stage, StageEvent } from "./reply.ts";

type CallStart = Extract<StageEvent, { type: "call-start" }>;
type CallArguments = Extract<StageEvent, { type: "call-arguments" }>;
type CallEnd = Extract<StageEvent, { type: "call-end" }>;

/** Characters of arguments that are kept to know twins by; a call beyond it goes out as it comes, and so does its twin. */
const MOST_KEPT = 1_000_000;

/**
 * A call that comes twice, native and in the text, goes out once (sieve.md M3): where one kind has delivered a call, a
 * call of the other kind and of the same name is held to its end, and dropped if its arguments are the same JSON value.
 * Each delivered call answers for one twin, so two equal native calls and one in the text are two.
 */
export function createTwins(emit: Emit): Stage<StageEvent> {
  const delivered = { native: new Unmatched(), sieved: new Unmatched() };
  let kept = 0;
  let call: OpenCall | undefined;

  function begin(start: CallStart) {
    const [own, other] = start.native ? (["native", "sieved"] as const) : (["sieved", "native"] as const);
    const held = delivered[other].has(start.name);
    call = { start, own: delivered[own], others: delivered[other], pieces: [], held };
    if (!held) emit(start);
  }

  function append(event: CallArguments) {
    if (call?.pieces) {
      kept += event.json.length;
      if (kept <= MOST_KEPT) call.pieces.push(event.json);
      else forget(call);
    }
    if (!call?.held) emit(event);
  }

  function forget(open: OpenCall) {
    release(open);
    delete open.pieces;
  }

  function release(open: OpenCall) {
    if (!open.held) return;
    open.held = false;
    emit(open.start);
    for (const json of open.pieces ?? []) emit({ type: "call-arguments", json });
  }

  function end(event: CallEnd) {
    const open = call;
    call = undefined;
    if (open?.pieces) {
      const whole = { name: open.start.name, json: open.pieces.join("") };
      if (open.held && open.others.take(whole)) return;
      release(open);
      open.own.add(whole);
    }
    emit(event);
  }

  return {
    push(event) {
      switch (event.type) {
        case "call-start":
          return begin(event);
        case "call-arguments":
          return append(event);
        case "call-end":
          return end(event);
        case "finish":
        case "error":
          // A call that was cut is nobody's twin.
          if (call) release(call);
          return emit(event);
        case "text":
        case "reasoning":
        case "usage":
          return emit(event);
        default:
          return event satisfies never;
      }
    },
  };
}

interface OpenCall {
  start: CallStart;
  own: Unmatched;
  others: Unmatched;
  /** Of its arguments; absent once they are too long to be compared. */
  pieces?: string[];
  held: boolean;
}

interface WholeCall {
  name: string;
  json: string;
}

/** Delivered calls of one kind that have met no twin yet. */
class Unmatched {
  readonly #names = new Map<string, number>();
  readonly #identities = new Map<string, number>();
  /** Not read yet: most replies have calls of one kind only. */
  #unread: WholeCall[] = [];

  has(name: string): boolean {
    return this.#names.has(name);
  }

  add(call: WholeCall) {
    count(this.#names, call.name, 1);
    this.#unread.push(call);
  }

  /** Whether there was such a call; then it is matched. */
  take(call: WholeCall): boolean {
    for (const delivered of this.#unread) count(this.#identities, identityOf(delivered), 1);
    this.#unread = [];
    const twin = identityOf(call);
    if (!this.#identities.has(twin)) return false;
    count(this.#identities, twin, -1);
    count(this.#names, call.name, -1);
    return true;
  }
}

/** What cannot be compared is like no other call, itself apart. */
function identityOf({ name, json }: WholeCall): string {
  return JSON.stringify([name, jsonIdentity(json) ?? { text: json }]);
}

function count(counts: Map<string, number>, key: string, by: 1 | -1) {
  const number = (counts.get(key) ?? 0) + by;
  if (number > 0) counts.set(key, number);
  else counts.delete(key);
}
