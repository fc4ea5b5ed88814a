import type { Block } from "../block.ts";
import type { JsonToken } from "../json-scan/token.ts";
import type { Part } from "../scan.ts";
import { type CallKeys, CallObject } from "./call-object.ts";
import { beginningBehindBrace, nextItem, notThere, type ObjectEnd, token } from "./json-members.ts";
import { lookAhead } from "./tags.ts";

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

/**
 * How an object of a list of calls is read.
 * @param isMeant what stands around it tells that it is a call, good or bad
 */
export type ObjectForm = (block: Block, isMeant: boolean) => ObjectReader;

/** How calls came to their end. `between`: what stands between two calls of a list is neither, or the reply ended there. */
export type CallsEnd = ObjectEnd | "between";

/** A call as a JSON object with its name and arguments under one of some keys. */
export function withKeys(keys: CallKeys): ObjectForm {
  return (block, isMeant) => new CallObject(block, isMeant ? keys : { ...keys, bare: true });
}

/** Reads one call or a list of them; each is complete at its own `}`. */
export class JsonCalls {
  readonly #block: Block;
  readonly #form: ObjectForm;
  readonly #isMeant: boolean;
  #named = false;
  /** The object that is being read. */
  #object: ObjectReader | undefined;

  constructor(block: Block, form: ObjectForm, isMeant = true) {
    this.#block = block;
    this.#form = form;
    this.#isMeant = isMeant;
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
    const object = this.#form(this.#block, this.#isMeant);
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
    return this.#named || (this.#isMeant && this.#block.calls > 0) ? "bad" : "none";
  }

  *#list(): Part<CallsEnd> {
    for (let before: JsonToken | undefined; ; ) {
      // What is neither goes back whole: whether it ends the calls is told by what stands around them.
      if (before && (yield* lookAhead(beginsFurther())) === false) return "between";
      const first = yield* nextItem(this.#block, "]", before, (_, { text }) => text === "{");
      if (typeof first === "string" || first.text !== "{") {
        const end = typeof first === "string" ? first : notThere(first);
        if (!before || end !== "cut") return end;
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

/** Looks behind a call of a list: a further one, or the list's bracket; false: it is surely neither. */
function* beginsFurther(): Part<boolean> {
  const next = yield* token();
  const { text, ended } = next.text === "," ? yield* token() : next;
  return text === "{" ? (yield* beginningBehindBrace()) !== "no" : text === "]" || ended;
}
