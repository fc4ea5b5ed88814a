import { once } from "../../once.ts";
import type { Block } from "../block.ts";
import { type Body, type Mark, mark, tag } from "../notation.ts";
import { compileHeads } from "../one-of.ts";
import type { Part } from "../scan.ts";
import type { TagRest } from "../tag-rest.ts";
import type { TentativeCall } from "../tentative-call.ts";
import { compileMarks, type TextStyle } from "../value-scan/marks.ts";
import { type ElementRules, readElements } from "./elements.ts";
import { jsonArguments } from "./json-members.ts";
import { readHead, readOneOf, readText } from "./tags.ts";
import { type CallEnd, wrappedCalls } from "./wrapped-calls.ts";

/**
 * Names of the elements of a notation such as `<call><name>n</name><arguments>…</arguments></call>`, in lower case.
 * Arguments are a JSON object or elements, with an element around them or none.
 */
export interface ElementNames {
  readonly style: TextStyle;
  /** Hold the name of the tool. */
  readonly names: readonly string[];
  /** Stand around the arguments, and name the tool in their tag. */
  readonly calls: readonly string[];
  /** Stand around the arguments. */
  readonly containers: readonly string[];
  /** Hold one argument, which their tag names. */
  readonly arguments: readonly string[];
}

/** Calls that name their tool in an element, or in the tag of one around the arguments. */
export function elementCalls(elements: ElementNames): Body {
  const leads = [...elements.names, ...elements.calls].map(opening);
  return {
    source: "xml",
    leads,
    in(wrapper) {
      const calls = once(() => new ElementCalls(elements, wrapper.closes));
      return wrappedCalls(wrapper, { leads, read: (block) => calls().named(block) });
    },
  };
}

/** Calls that name their tool in the wrapper's own tag; what that may be called is given. */
export function attributedCalls(elements: ElementNames, wrappers: readonly string[]): Body {
  return {
    source: "xml",
    leads: [...[...elements.arguments, ...elements.containers].map(opening), ...wrappers.map(closing)],
    in(wrapper) {
      const calls = once(() => new ElementCalls(elements, wrapper.closes));
      return wrappedCalls(wrapper, { leads: [], read: (block, head) => calls().attributed(block, head) });
    },
  };
}

const opening = (name: string) => tag(`<${name}`);
const closing = (name: string) => tag(`</${name}`);

/** How the arguments of a call ended. `whole`: they are complete, and the closing tag of what holds them is to come. */
type ArgumentsEnd = "closed" | "whole" | "bad" | "cut";

class ElementCalls {
  readonly #leads;
  /** By the tag that opens them. */
  readonly #names = new Map<string, ReturnType<typeof compileMarks>>();
  readonly #holders = new Map<string, Holder>();
  readonly #outer: Holder;

  constructor(elements: ElementNames, closes: readonly Mark[]) {
    const { names, calls, containers } = elements;
    this.#leads = compileHeads([...names, ...calls].map(opening));
    for (const name of names) this.#names.set(`<${name}`, compileName(name));
    for (const name of calls) this.#holders.set(`<${name}`, new Holder(elements, [closing(name)]));
    // What stands in one of these is an argument, whatever its name.
    for (const name of containers) {
      this.#holders.set(`<${name}`, new Holder({ ...elements, containers: [] }, [closing(name)]));
    }
    this.#outer = new Holder(elements, closes);
  }

  /** From the lead on. */
  *named(block: Block): Part<CallEnd> {
    const { found = "" } = yield* readOneOf(this.#leads);
    const head = yield* readHead();
    if (!head.ok) return head.ended && block.maybeCut ? "cut" : "none";
    const marks = this.#names.get(found);
    const holder = this.#holders.get(found);
    const name = marks ? yield* readText(marks) : head.name;
    const call = name === undefined ? undefined : block.begin(name);
    if (!call) return "none";
    if (!holder) return yield* this.#call(block, call);
    const end = head.selfClosing ? "closed" : yield* this.#arguments(block, call, holder);
    if (end === "bad" || end === "cut") return end;
    block.end(call);
    if (end === "whole") yield* holder.closes();
    return "ended";
  }

  /** @param head the rest of the wrapper's tag */
  *attributed(block: Block, head: TagRest | undefined): Part<CallEnd> {
    const call = head?.name === undefined ? undefined : block.begin(head.name);
    return call ? yield* this.#call(block, call) : "none";
  }

  *#call(block: Block, call: TentativeCall): Part<CallEnd> {
    const end = yield* this.#arguments(block, call, this.#outer);
    if (end === "bad" || end === "cut") return end;
    block.end(call);
    return end === "closed" ? "closed" : "ended";
  }

  *#arguments(block: Block, call: TentativeCall, holder: Holder): Part<ArgumentsEnd> {
    const next = yield* readOneOf(holder.first);
    const container = next.found === undefined ? undefined : this.#holders.get(next.found);
    if (container) {
      const head = yield* readHead();
      if (!head.ok) return "bad";
      const end = head.selfClosing ? "closed" : yield* this.#arguments(block, call, container);
      return end === "closed" ? "whole" : end;
    }
    if (next.found === "{") return yield* json(block, call, holder);
    if (next.found !== undefined) return (yield* readHead()).ok ? "closed" : "bad";
    const end = yield* readElements(call, holder.rules);
    return end === "bad" || end === "cut" ? end : yield* holder.closes();
  }
}

/** An element around arguments. */
class Holder {
  readonly rules: ElementRules;
  /** What may stand at its beginning, besides an argument. */
  readonly first;
  readonly #closes;

  constructor({ containers, arguments: named, style }: ElementNames, closes: readonly Mark[]) {
    const spelled = new Set(closes.map(({ spelling }) => spelling));
    this.rules = {
      style,
      accepts: () => true,
      closes: (name) => spelled.has(`</${name.toLowerCase()}`),
      named: new Set(named),
    };
    this.first = compileHeads([...containers.map(opening), ...closes], { peeks: [mark("{")] });
    this.#closes = compileHeads(closes);
  }

  /** Its closing tag. */
  *closes(): Part<"closed" | "bad" | "cut"> {
    const next = yield* readOneOf(this.#closes);
    if (next.found !== undefined && (yield* readHead()).ok) return "closed";
    return next.ended ? "cut" : "bad";
  }
}

/** Arguments as a JSON object: once it is balanced they are complete, the closing tag seen or not (sieve.md T4). */
function* json(block: Block, call: TentativeCall, holder: Holder): Part<ArgumentsEnd> {
  const end = yield* jsonArguments(block, call);
  if (end === "bad" || end === "cut") return end;
  const closed = yield* holder.closes();
  if (closed === "closed" && end === "open") block.repaired("missing-brace");
  if (closed !== "cut" || end === "open") return closed;
  block.repaired("call-close-missing");
  return "whole";
}

function compileName(name: string) {
  const ends = { opens: [opening(name)], closes: [closing(name)] };
  return compileMarks({ ...ends, style: "verbatim", endsAtOnce: true, isLabel: true });
}
