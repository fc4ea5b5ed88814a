import type { CallPart, ResultPart } from "../conversation.ts";

/** The results of one turn, each under its call. */
interface Answers {
  /** One list per call; an empty one is a call without a result. */
  byCall: ResultPart[][];
  /** Results that no call of the turn asked for. */
  orphans: ResultPart[];
}

/**
 * Finds the call of every result: by its id; where it has none by its name, where it has no name either by order. Ids
 * come first, so that a result without one never takes the call of a result that has one.
 *
 * @param isKnown whether some call of the conversation has this id: where none has, the name tells
 */
export function matchResults(
  calls: readonly CallPart[],
  results: readonly ResultPart[],
  isKnown: (id: string) => boolean,
): Answers {
  const byCall: ResultPart[][] = calls.map(() => []);
  const orphans: ResultPart[] = [];
  const place = (result: ResultPart, index: number | undefined) => {
    const answers = index === undefined ? orphans : byCall[index];
    answers?.push(result);
  };

  const firstOfId = new Map(calls.map((call, index) => [call.id, index] as const).toReversed());
  const ofId = findOpen(calls, byCall, (call) => call.id);
  const ofName = findOpen(calls, byCall, (call) => call.name);
  const ofAny = findOpen(calls, byCall, () => "");
  for (const result of results) {
    // A second result of one call stands beside the first.
    if (isKnown(result.callId)) place(result, ofId(result.callId) ?? firstOfId.get(result.callId));
  }
  for (const result of results) {
    if (isKnown(result.callId)) continue;
    // By order alone only what says nothing at all: another id may well be that of a call that was cut away.
    place(result, result.name ? ofName(result.name) : result.callId === "" ? ofAny("") : undefined);
  }
  return { byCall, orphans };
}

/** The first call with this key that has no result yet. Each call is passed over once, however many results there are. */
function findOpen(calls: readonly CallPart[], byCall: readonly ResultPart[][], keyOf: (call: CallPart) => string) {
  const queues = new Map<string, number[]>();
  for (const [index, call] of [...calls.entries()].toReversed()) {
    const queue = queues.get(keyOf(call));
    if (queue) queue.push(index);
    else queues.set(keyOf(call), [index]);
  }
  return (key: string): number | undefined => {
    const queue = queues.get(key) ?? [];
    while (queue.length > 0 && byCall[queue.at(-1) ?? 0]?.length !== 0) queue.pop();
    return queue.at(-1);
  };
}
