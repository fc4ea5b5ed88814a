import { type Mark, mark, type Opener } from "../notation.ts";
import { KEYS, withKeys } from "./call-list.ts";
import type { CallKeys } from "./call-object.ts";
import { type JsonCallOptions, jsonBody, jsonCalls } from "./json-calls.ts";
import { wrappedCalls } from "./wrapped-calls.ts";

/** What a call may hold besides name and arguments. An answer in JSON that holds anything else is data. */
const BESIDES: ReadonlySet<string> = new Set(["id", "type", "index", "tool_call_id", "call_id"]);

/** Keys of a call that is the whole reply (sieve.md M5). */
const FEW_KEYS: CallKeys = {
  names: new Set(["name", "tool"]),
  arguments: new Set(["arguments", "args", "parameters", "params", "input"]),
  nested: new Set(),
  bare: true,
  besides: BESIDES,
};

/** Keys where the route asks for such a notation by name, behind a mark that tells that a call is meant. */
const BARE_KEYS: CallKeys = {
  names: new Set([...KEYS.names, "action"]),
  arguments: new Set([...KEYS.arguments, "action_input"]),
  nested: KEYS.nested,
  bare: true,
};

/** The same where a reply begins with a call, and nothing else tells that it is one. */
const START_KEYS: CallKeys = { ...BARE_KEYS, besides: BESIDES };

/** A reply that is one object or one list, and nothing else. */
export const wholeReply: readonly Opener[] = bareCalls({ object: withKeys(FEW_KEYS), further: false }).map(
  (opener) => ({ ...opener, evidence: "whole", pinned: false }) as const,
);

/** Objects and lists at the start of a reply; anything may stand behind them. */
export const startOfReply: readonly Opener[] = bareCalls({ object: withKeys(START_KEYS) }).map(
  (opener) => ({ ...opener, evidence: "weak", pinned: true }) as const,
);

function bareCalls(options: JsonCallOptions): Pick<Opener, "spelling" | "tag" | "at" | "leads" | "read">[] {
  const read = (begun: "{" | "[") => {
    const wrapper = { open: mark(begun), closes: [] };
    return wrappedCalls(wrapper, jsonCalls(wrapper, { ...options, begun }));
  };
  return [
    { ...mark("{"), at: "start", read: read("{") },
    { ...mark("["), at: "start", leads: [mark("{")], read: read("[") },
  ];
}

type Where = Pick<Opener, "at" | "evidence">;

/** The same behind a mark of which the beginning of a fence is a part, up to the fence's end. */
export function fencedCalls(opener: Mark, where: Where): Opener {
  return markedCalls(opener, where, [mark("```")]);
}

/** The same behind a mark that nothing closes. */
export function markedCalls(opener: Mark, where: Where, closes: readonly Mark[] = []): Opener {
  const wrapper = { open: opener, closes };
  const keys = where.evidence === "whole" ? START_KEYS : BARE_KEYS;
  const read = wrappedCalls(wrapper, jsonCalls(wrapper, { object: withKeys(keys) }));
  return { ...opener, ...where, pinned: true, leads: jsonBody.leads, read };
}
