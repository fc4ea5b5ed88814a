import type { Block } from "../block.ts";
import type { JsonToken } from "../json-scan/token.ts";
import { type Body, mark, type Wrapper } from "../notation.ts";
import { compileHeads } from "../one-of.ts";
import type { Part } from "../scan.ts";
import { type CallKeys, CallObject } from "./call-object.ts";
import { type ObjectEnd, token } from "./json-members.ts";
import { readHead, readOneOf } from "./tags.ts";
import { type CallEnd, type CallForm, wrappedCalls } from "./wrapped-calls.ts";

/** Keys that models are known to use where something around the object tells that a call is meant. */
export const KEYS: CallKeys = {
  names: new Set(["name", "tool_name", "tool", "function_name", "function"]),
  arguments: new Set(["arguments", "args", "parameters", "params", "input", "kwargs"]),
  nested: new Set(["function", "functionCall", "function_call", "tool_call"]),
};

/** How a list of calls came to its end. `between`: what stands between two calls of it is neither, or the reply ended. */
type ListEnd = ObjectEnd | "between";

const LEADS = [mark("{"), mark("[")];
const SURPLUS = compileHeads([mark("}"), mark("]")]);

/** Calls as JSON objects, one behind the other or in lists, in whatever wrapper. */
export const jsonBody: Body = {
  source: "json",
  roams: true,
  leads: LEADS,
  in: (wrapper) => wrappedCalls(wrapper, jsonCalls(wrapper)),
};

/** One call as a JSON object, or a list of them. */
export function jsonCalls(wrapper: Wrapper, keys = KEYS): CallForm {
  const closers = compileHeads(wrapper.closes);

  return {
    leads: LEADS,
    separators: ",;",
    *read(block) {
      const calls = new JsonCalls(block, keys);
      const end = yield* calls.read(yield* token());
      switch (end) {
        case "closed":
          if (!block.full) yield* surplusBrackets(block);
          return "ended";
        case "open":
        case "between":
          return yield* openAt(block, calls, end);
        case "bad":
          // Before a name was seen it may be a mention (sieve.md A6).
          return calls.named || block.calls > 0 ? "bad" : "none";
        case "cut":
          return "cut";
        default:
          return end satisfies never;
      }
    },
  };

  /** Brackets stand open: they may be missing only where the wrapper closes (sieve.md T4). */
  function* openAt(block: Block, calls: JsonCalls, end: "open" | "between"): Part<CallEnd> {
    const next = yield* readOneOf(closers);
    if (next.found !== undefined && (!next.tag || (yield* readHead()).ok)) {
      block.repaired("missing-brace");
      calls.complete();
      return "closed";
    }
    if (end === "between") return "ended";
    if (next.ended) return "cut";
    return calls.named || block.calls > 0 ? "bad" : "none";
  }
}

/** One or more surplus brackets behind a complete call, as small models write them (sieve.md T4). */
function* surplusBrackets(block: Block): Part<void> {
  for (let first = true; (yield* readOneOf(SURPLUS)).found !== undefined; first = false) {
    if (first) block.repaired("surplus-brace");
  }
}

/** Reads calls; each is complete at its own `}`. */
class JsonCalls {
  /** A name was seen in it. */
  named = false;
  readonly #block: Block;
  readonly #keys: CallKeys;
  #open: CallObject | undefined;

  constructor(block: Block, keys: CallKeys) {
    this.#block = block;
    this.#keys = keys;
  }

  /** @param first the token with which it begins */
  *read(first: JsonToken): Part<ListEnd> {
    return yield* first.text === "[" ? this.list() : this.object();
  }

  /** From behind the `{` on. */
  *object(): Part<ObjectEnd> {
    const object = new CallObject(this.#block, this.#keys);
    const end = yield* object.read();
    this.named ||= object.named;
    if (end === "closed") object.end();
    else this.#open = object;
    return end;
  }

  /** From behind the `[` on. */
  *list(): Part<ListEnd> {
    for (let first = true; ; first = false) {
      let next = yield* token();
      if (next.text === "]") return "closed";
      if (!first && next.text === ",") {
        next = yield* token();
        if (next.text === "]") {
          this.#block.repaired("trailing-comma");
          return "closed";
        }
      } else if (!first && next.text === "{") this.#block.repaired("missing-comma");
      if (next.text !== "{") return notInList(next, first);
      const end = yield* this.object();
      if (end !== "closed") return end;
      // No further call is allowed: the list counts as closed (decisions.md, parallel calls).
      if (this.#block.full) return "closed";
    }
  }

  /** What was missing behind it may be missing. */
  complete() {
    this.#open?.end();
  }
}

function notInList({ kind, ended }: JsonToken, first: boolean): ListEnd {
  const nothing = kind === "other" || (ended && kind === undefined);
  if (nothing && !first) return "between";
  return ended ? "cut" : "bad";
}
