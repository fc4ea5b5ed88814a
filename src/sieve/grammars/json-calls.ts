import type { Block } from "../block.ts";
import { type Body, type Mark, mark, type Wrapper } from "../notation.ts";
import { compileHeads, type Heads } from "../one-of.ts";
import type { Part } from "../scan.ts";
import { type CallsEnd, JsonCalls, KEYS, type ObjectForm, withKeys } from "./call-list.ts";
import { beginningOfCalls, token } from "./json-members.ts";
import { lookAhead, readHead, readOneOf } from "./tags.ts";
import { beginsEnvelope, envelopeCalls, readEnvelope } from "./tool-calls-object.ts";
import { type CallEnd, type CallForm, wrappedCalls } from "./wrapped-calls.ts";

export interface JsonCallOptions {
  readonly object?: ObjectForm;
  /** The first bracket is a part of the opener. */
  readonly begun?: "{" | "[";
  /** There is but one object or one list. */
  readonly further?: false;
}

const LEADS = [mark("{"), mark("[")];
const SURPLUS = ["]", "}"].map(mark);

/** Calls as JSON objects, one behind the other or in lists, in whatever wrapper. */
export const jsonBody: Body = {
  source: "json",
  roams: true,
  leads: LEADS,
  in: (wrapper) => wrappedCalls(wrapper, jsonCalls(wrapper)),
};

const usual = withKeys(KEYS);

/** One call as a JSON object, or a list of them. */
export function jsonCalls(wrapper: Wrapper, options: JsonCallOptions = {}): CallForm {
  const { object = usual, begun, further = true } = options;
  const closers = compileHeads(wrapper.closes);
  const surplus = compileSurplus(wrapper.closes);

  return {
    leads: further ? LEADS : [],
    separators: further ? ",;" : "",
    *read(block) {
      if ((yield* lookAhead(beginningOfCalls())) === "no") return "none";
      const { text } = yield* token();
      const isEnvelope = text === "{" && (yield* lookAhead(beginsEnvelope()));
      return yield* isEnvelope ? envelope(block) : readFrom(block, text);
    },
    ...(begun && { begun: (block: Block) => readFrom(block, begun) }),
  };

  function* readFrom(block: Block, bracket: string): Part<CallEnd> {
    // Behind calls that nothing closes there may be text as well, and data in it.
    const isMeant = wrapper.closes.length > 0 || !block.mayEndEarly;
    const calls = new JsonCalls(block, object, isMeant);
    return yield* endOf(block, calls, yield* calls.read(bracket));
  }

  /** The object in which the vendor's own messages have their calls; the wrapper goes on behind it. */
  function* envelope(block: Block): Part<CallEnd> {
    const calls = envelopeCalls(block);
    return yield* endOf(block, calls, yield* readEnvelope(block, calls));
  }

  function* endOf(block: Block, calls: JsonCalls, end: CallsEnd): Part<CallEnd> {
    switch (end) {
      case "closed":
        block.endPart();
        if (!block.full) yield* surplusBrackets(block, surplus);
        return "ended";
      case "open":
      case "between":
        return yield* openAt(block, calls, end);
      case "bad":
        return calls.bad();
      case "none":
        return block.mayEndEarly && !calls.inCall ? "ended" : "none";
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
    // What stands among calls that something closes was meant as one, too; else it is text (sieve.md G3, E1).
    if (end === "between") return wrapper.closes.length > 0 && (yield* lookAhead(isItem())) ? "bad" : "ended";
    return next.ended ? "cut" : calls.bad();
  }
}

/** Something of which JSON is made: it may be an item of a list. */
function* isItem(): Part<boolean> {
  const { kind, ended } = yield* token();
  return kind !== "other" && !ended;
}

/** Brackets behind a call, but for those that what closes the wrapper begins with. */
export function compileSurplus(closes: readonly Mark[]): Heads {
  const peeks = closes.filter((close) =>
    SURPLUS.some(({ spelling }) => close.spelling.startsWith(spelling) && close.spelling !== spelling),
  );
  return compileHeads(SURPLUS, { peeks });
}

/** Surplus brackets behind a complete call, as small models write them (sieve.md T4). */
export function* surplusBrackets(block: Block, heads: Heads): Part<void> {
  for (let first = true; ; first = false) {
    const { found } = yield* readOneOf(heads);
    if (!SURPLUS.some(({ spelling }) => spelling === found)) return;
    if (first) block.repaired("surplus-brace");
    block.endPart();
  }
}
