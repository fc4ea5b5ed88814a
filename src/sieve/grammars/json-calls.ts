import type { Block } from "../block.ts";
import type { JsonToken } from "../json-scan/token.ts";
import { type Body, mark, type Wrapper } from "../notation.ts";
import { compileHeads } from "../one-of.ts";
import type { Part } from "../scan.ts";
import { type CallKeys, CallObject } from "./call-object.ts";
import { nextItem, notThere, type ObjectEnd, token } from "./json-members.ts";
import { readHead, readOneOf } from "./tags.ts";
import { type CallEnd, type CallForm, wrappedCalls } from "./wrapped-calls.ts";

/** Keys that models are known to use. */
export const KEYS: CallKeys = {
  names: new Set(["name", "tool_name", "tool", "function_name", "function"]),
  arguments: new Set(["arguments", "args", "parameters", "params", "input", "kwargs"]),
  nested: new Set(["function", "functionCall", "function_call", "tool_call"]),
};

/** Reads what stands in one object of a list of calls. */
export interface ObjectReader {
  /** A name was seen in it. */
  readonly named: boolean;
  /** Reads from behind the `{` on. */
  read(): Part<ObjectEnd>;
  /** The object is complete. `none`: it is no call, and nothing tells that one was meant. */
  end(): "closed" | "none";
}

/** How an object of a list of calls is read. */
export type ObjectForm = (block: Block) => ObjectReader;

export interface JsonCallOptions {
  readonly object?: ObjectForm;
  /** The first bracket is a part of the opener. */
  readonly begun?: "{" | "[";
  /** There is but one object or one list. */
  readonly further?: false;
}

/** How calls came to their end. `between`: what stands between two calls of a list is neither, or the reply ended there. */
type CallsEnd = ObjectEnd | "between";

const LEADS = [mark("{"), mark("[")];
const SURPLUS = compileHeads([mark("}"), mark("]")]);

/** Calls as JSON objects, one behind the other or in lists, in whatever wrapper. */
export const jsonBody: Body = {
  source: "json",
  roams: true,
  leads: LEADS,
  in: (wrapper) => wrappedCalls(wrapper, jsonCalls(wrapper)),
};

/** A call as a JSON object with its name and arguments under one of some keys. */
export function withKeys(keys: CallKeys): ObjectForm {
  return (block) => new CallObject(block, keys);
}

const usual = withKeys(KEYS);

/** One call as a JSON object, or a list of them. */
export function jsonCalls(wrapper: Wrapper, options: JsonCallOptions = {}): CallForm {
  const { object = usual, begun, further = true } = options;
  const closers = compileHeads(wrapper.closes);

  return {
    leads: further ? LEADS : [],
    separators: further ? ",;" : "",
    *read(block) {
      return yield* readFrom(block, (yield* token()).text);
    },
    ...(begun && { begun: (block: Block) => readFrom(block, begun) }),
  };

  function* readFrom(block: Block, bracket: string): Part<CallEnd> {
    const calls = new JsonCalls(block, object);
    const end = yield* calls.read(bracket);
    switch (end) {
      case "closed":
        block.endPart();
        if (!block.full) yield* surplusBrackets(block);
        return "ended";
      case "open":
      case "between":
        return yield* openAt(block, calls, end);
      case "bad":
        return calls.bad();
      case "none":
        return block.mayEndEarly ? "ended" : "none";
      case "cut":
        return "cut";
      default:
        return end satisfies never;
    }
  }

  /** Brackets stand open: they may be missing only where the wrapper closes (sieve.md T4). */
  function* openAt(block: Block, calls: JsonCalls, end: "open" | "between"): Part<CallEnd> {
    const next = yield* readOneOf(closers);
    if (next.found !== undefined && (!next.tag || (yield* readHead()).ok)) {
      block.repaired("missing-brace");
      return calls.complete() === "closed" ? "closed" : "none";
    }
    if (end === "between") return "ended";
    return next.ended ? "cut" : calls.bad();
  }
}

/** Surplus brackets behind a complete call, as small models write them (sieve.md T4). */
export function* surplusBrackets(block: Block): Part<void> {
  for (let first = true; (yield* readOneOf(SURPLUS)).found !== undefined; first = false) {
    if (first) block.repaired("surplus-brace");
    block.endPart();
  }
}

/** Reads one call or a list of them; each is complete at its own `}`. */
export class JsonCalls {
  readonly #block: Block;
  readonly #form: ObjectForm;
  #named = false;
  /** The object that is being read. */
  #object: ObjectReader | undefined;

  constructor(block: Block, form: ObjectForm) {
    this.#block = block;
    this.#form = form;
  }

  /** It stopped in the midst of a call. */
  get inCall(): boolean {
    return this.#object !== undefined;
  }

  /** From behind its first bracket on. */
  *read(bracket: string): Part<CallsEnd> {
    return yield* bracket === "[" ? this.#list() : this.object();
  }

  /** One call from behind its `{` on. */
  *object(): Part<ObjectEnd> {
    const object = this.#form(this.#block);
    this.#object = object;
    const end = yield* object.read();
    this.#named ||= object.named;
    return end === "closed" ? this.complete() : end;
  }

  /** What was missing behind it may be missing. */
  complete(): "closed" | "none" {
    const end = this.#object?.end() ?? "closed";
    this.#object = undefined;
    return end;
  }

  /** Before a name was seen, what looks like a call may be a mention (sieve.md A6). */
  bad(): "bad" | "none" {
    return this.#named || this.#block.calls > 0 ? "bad" : "none";
  }

  *#list(): Part<CallsEnd> {
    for (let before: JsonToken | undefined; ; ) {
      const first = yield* nextItem(this.#block, "]", before, (_, { text }) => text === "{");
      if (first === "closed") return first;
      if (typeof first === "string" || first.text !== "{") {
        const end = typeof first === "string" ? first : notThere(first);
        if (!before || end === "bad") return end;
        this.#block.endPart();
        return "between";
      }
      const end = yield* this.object();
      // Where no further call is allowed the list counts as closed (decisions.md, parallel calls).
      if (end !== "closed" || this.#block.full) return end;
      before = first;
    }
  }
}
