import type { Block } from "../block.ts";
import { type BareNames, type Mark, mark, type Read, type Wrapper } from "../notation.ts";
import { compileHeads, type Heads, NAME } from "../one-of.ts";
import type { Part } from "../scan.ts";
import type { TentativeCall } from "../tentative-call.ts";
import { compileSurplus, surplusBrackets } from "./json-calls.ts";
import { encodedArguments, jsonArguments, type ObjectEnd, objectBegins, token } from "./json-members.ts";
import { lookAhead, readName, readOneOf } from "./tags.ts";
import { type CallEnd, noCall, wordAndObject, wrappedCalls } from "./wrapped-calls.ts";

/** How a call is written whose name stands outside its arguments, which are a JSON object behind it. */
export interface NamedJson {
  /** Stands before the name. */
  readonly type?: Mark;
  /** What may stand between the name and the arguments, blanks apart. */
  readonly separators?: readonly Mark[];
  /** One of them has to; else the object's brace may follow the name at once. */
  readonly separated?: true;
  /** Stands there before an id. */
  readonly id?: Mark;
  /** The object may stand in a code fence, which is part of the notation (sieve.md A3). */
  readonly fenced?: true;
  /** Reads arguments that are no object, where the form has some; what they begin with is still to be read. */
  readonly otherwise?: (block: Block, name: string) => Part<CallEnd>;
  readonly bareNames?: BareNames;
}

const OBJECT = mark("{");
/** Arguments that are encoded once more; a quote alone ends the sentence that mentions a call. */
export const STRING = mark('"{');
const FENCE = mark("```");
const JSON_FENCE = mark("```json");

/** One call in a wrapper. */
export function namedCall(form: NamedJson): (wrapper: Wrapper) => Read {
  return (wrapper) => wrappedCalls(wrapper, { leads: [], read: callFromName(form, wrapper.closes) });
}

/** One call that ends with its object. */
export function unclosedCall(form: NamedJson): Read {
  const { separators = [], id, fenced, separated } = form;
  if (!separated) return namedCall(form)(UNWRAPPED);
  const call = callFromName(form, []);
  const behindName = compileHeads([], { peeks: [...separators, ...(id ? [id] : []), ...(fenced ? [FENCE] : [])] });

  return wrappedCalls(UNWRAPPED, {
    leads: [],
    *read(block) {
      const begins = yield* callBegins(block, form, behindName);
      return begins === "yes" ? yield* call(block) : noCall(block, { ended: begins === "cut" });
    },
  });
}

/**
 * Calls without any mark around them, one behind the other: a declared name, and behind it what else the form has. What
 * is none goes back.
 */
export function unmarkedCalls(form: NamedJson): Read {
  const { separators = [], fenced } = form;
  const call = callFromName(form, []);
  const behindName = compileHeads([], { peeks: [...separators, ...(fenced ? [FENCE] : []), OBJECT] });

  return wrappedCalls(UNWRAPPED, {
    leads: [NAME],
    *read(block) {
      if ((yield* callBegins(block, form, behindName, true)) !== "yes") return "none";
      const end = yield* call(block);
      if (end === "closed") return "ended";
      return end === "none" ? "bad" : end;
    },
  });
}

/**
 * Whether a name comes, with what has to stand behind it: without that it is no head of a call, and must not cost the
 * call behind it (sieve.md A6).
 */
function* callBegins(block: Block, form: NamedJson, behindName: Heads, declared = false): Part<"yes" | "no" | "cut"> {
  const { verdict = "no", name = "" } = (yield* lookAhead(beginningOfCall(behindName))) ?? {};
  return declared && !block.tools.declares(bareName(block, form, name)) ? "no" : verdict;
}

function* beginningOfCall(behindName: Heads): Part<{ verdict: "yes" | "no" | "cut"; name: string }> {
  const { name, ended } = yield* readName();
  if (name === "" || ended) return { verdict: ended ? "cut" : "no", name };
  const next = yield* readOneOf(behindName);
  return { verdict: next.found !== undefined ? "yes" : next.ended ? "cut" : "no", name };
}

const UNWRAPPED: Wrapper = { open: mark(""), closes: [] };

/** Reads one call from its name on. Where nothing closes it, it ends with its object. */
function callFromName(form: NamedJson, closes: readonly Mark[]): (block: Block) => Part<CallEnd> {
  const { type, separators = [], separated, id, fenced, otherwise } = form;
  const fences = fenced ? [FENCE, JSON_FENCE] : [];
  const passed = [...separators, ...(id ? [id] : []), ...fences];
  const behindName = compileHeads(passed, { peeks: [OBJECT, ...(otherwise ? [] : [STRING]), ...closes] });
  const toName = compileHeads(type ? [type] : []);
  const behindObject = compileHeads(fences, { peeks: closes });
  const surplus = compileSurplus(closes);

  return function* (block) {
    if (type) yield* readOneOf(toName);
    const written = yield* readName();
    if (written.name === "") return noCall(block, written);
    const name = bareName(block, form, written.name);
    const { next, seen } = yield* toArguments();
    const isApart = type !== undefined || separators.length === 0 || separators.some((one) => seen.has(one));
    // Without what belongs between them they could stand in a sentence.
    if (!isApart && (separated || next.found === STRING.spelling || !block.tools.declares(name)))
      return yield* wordAndObject(block, next);
    const isFenced = fences.some((one) => seen.has(one));
    switch (next.found) {
      case OBJECT.spelling: {
        const begins = yield* objectBegins();
        if (begins === "yes") return yield* withArguments(block, name, jsonArguments, isFenced);
        return begins === "no" ? yield* noObject(block, name, next, isFenced) : noCall(block, { ended: true });
      }
      case STRING.spelling:
        return yield* withArguments(block, name, argumentsInString, isFenced);
      case undefined:
        return yield* noObject(block, name, next, isFenced);
      default:
        return withoutArguments(block, name);
    }
  };

  /** Up to what the arguments begin with, or to what closes a call that has none. */
  function* toArguments() {
    const seen = new Set<Mark>();
    for (;;) {
      const next = yield* readOneOf(behindName);
      const between = passed.find(({ spelling }) => spelling === next.found);
      if (!between) return { next, seen };
      // Twice is once too often.
      if (seen.has(between)) return { next: { found: undefined, ended: false }, seen: new Set<Mark>() };
      seen.add(between);
      if (between === id) yield* readName();
    }
  }

  function* noObject(block: Block, name: string, next: { ended: boolean }, isFenced: boolean): Part<CallEnd> {
    return otherwise && !isFenced && !next.ended ? yield* otherwise(block, name) : noCall(block, next);
  }

  function* withArguments(block: Block, name: string, read: ReadArguments, isFenced: boolean): Part<CallEnd> {
    const end = yield* argumentsOf(block, name, read, behindObject, isFenced);
    if (end !== "ended" || closes.length === 0) return end === "ended" ? "closed" : end;
    if (!isFenced && !block.full) yield* surplusBrackets(block, surplus);
    return "ended";
  }
}

/** The call's closer stands right behind its name: a weak form (sieve.md N1). */
export function withoutArguments(block: Block, name: string): "ended" | "none" {
  const call = block.tools.declares(name) ? block.begin(name) : undefined;
  if (!call) return "none";
  block.repaired("arguments-missing");
  block.end(call);
  return "ended";
}

type ReadArguments = (block: Block, call: TentativeCall) => Part<ObjectEnd>;

/**
 * A call whose name is known, from its arguments on.
 * @param behind what closes the call, by which brackets that stand open are closed, too; and the end of a fence
 */
export function* argumentsOf(
  block: Block,
  name: string,
  read: ReadArguments,
  behind: Heads,
  isFenced = false,
): Part<Exclude<CallEnd, "closed">> {
  const call = block.begin(name);
  if (!call) return "none";
  const end = yield* read(block, call);
  if (end === "bad" || end === "cut") return end;
  if (isFenced || end === "open") {
    const next = yield* readOneOf(behind);
    if (end === "open" && next.found === undefined) return next.ended ? "cut" : "bad";
    if (end === "open") block.repaired("missing-brace");
  }
  block.end(call);
  return "ended";
}

export function* argumentsInString(block: Block, call: TentativeCall): Part<ObjectEnd> {
  yield* token();
  return yield* encodedArguments(block, call, '"');
}

/** The name as written wins where it is declared (sieve.md N2). */
function bareName(block: Block, { bareNames }: NamedJson, written: string): string {
  const cut = bareNames?.(written) ?? [];
  return [written, ...cut].find((name) => block.tools.declares(name)) ?? cut[0] ?? written;
}
