import { once } from "../../once.ts";
import type { Block } from "../block.ts";
import { NameAhead } from "../name-ahead.ts";
import { type Mark, mark, type Read, type Wrapper } from "../notation.ts";
import { compileHeads, NAME } from "../one-of.ts";
import type { Part } from "../scan.ts";
import type { TentativeCall } from "../tentative-call.ts";
import { encodedArguments, jsonArguments, type ObjectEnd, token } from "./json-members.ts";
import { readName, readOneOf } from "./tags.ts";
import { type CallEnd, wrappedCalls } from "./wrapped-calls.ts";

/** How a call is written whose name stands outside its arguments, which are a JSON object behind it. */
export interface NamedJson {
  /** What may stand between the name and the arguments, blanks apart. */
  readonly separators?: readonly Mark[];
  /** One of them has to; else the object's brace may follow the name at once. */
  readonly separated?: true;
  /** Stands there before an id. */
  readonly id?: Mark;
  /** The object may stand in a code fence, which is part of the notation (sieve.md A3). */
  readonly fenced?: true;
  /** What may be left of a name once the notation's own parts are cut (sieve.md N2); the usual cut comes first. */
  readonly bareNames?: (written: string) => readonly string[];
}

const OBJECT = mark("{");
const STRING = mark('"');
const FENCE = mark("```");
const JSON_FENCE = mark("```json");

/** One call in a wrapper. */
export function namedCall(form: NamedJson): (wrapper: Wrapper) => Read {
  return (wrapper) => wrappedCalls(wrapper, { leads: [], read: callFromName(form, wrapper.closes) });
}

/** One call that ends with its object. */
export function unclosedCall(form: NamedJson): Read {
  return namedCall(form)(UNWRAPPED);
}

/**
 * Calls without any mark around them, one behind the other: a declared name, and behind it what else the form has. What
 * is none goes back.
 */
export function unmarkedCalls(form: NamedJson): Read {
  const { separators = [], fenced } = form;
  const call = callFromName(form, []);
  const behindName = once(() => compileHeads([], { peeks: [...separators, ...(fenced ? [FENCE] : []), OBJECT] }));

  return wrappedCalls(UNWRAPPED, {
    leads: [NAME],
    *read(block) {
      const ahead = new NameAhead(behindName());
      yield ahead;
      if (ahead.found === undefined || !block.declares(bareName(block, form, ahead.name))) return "none";
      const end = yield* call(block);
      if (end === "closed") return "ended";
      return end === "none" ? "bad" : end;
    },
  });
}

const UNWRAPPED: Wrapper = { open: mark(""), closes: [] };

/** Reads one call from its name on. Where nothing closes it, it ends with its object. */
function callFromName(form: NamedJson, closes: readonly Mark[]): (block: Block) => Part<CallEnd> {
  const { separators = [], separated, id, fenced } = form;
  const fences = fenced ? [FENCE, JSON_FENCE] : [];
  const passed = [...separators, ...(id ? [id] : []), ...fences];
  const toArguments = once(() => compileHeads(passed, { peeks: [OBJECT, STRING, ...closes] }));
  const behindFence = once(() => compileHeads(fences, { peeks: closes }));

  return function* (block) {
    const written = yield* readName();
    if (written.name === "") return noCall(block, written);
    const name = bareName(block, form, written.name);
    const seen = new Set<Mark>();
    for (;;) {
      const next = yield* readOneOf(toArguments());
      const between = passed.find(({ spelling }) => spelling === next.found);
      if (between && !seen.has(between)) {
        seen.add(between);
        if (between === id) yield* readName();
        continue;
      }
      const follows = !between && (!separated || separators.some((one) => seen.has(one)));
      if (next.found === undefined || !follows) return noCall(block, next);
      const isFenced = fences.some((one) => seen.has(one));
      if (next.found === OBJECT.spelling) return yield* withArguments(block, name, jsonArguments, isFenced);
      if (next.found === STRING.spelling) return yield* withArguments(block, name, argumentsInString, isFenced);
      return withoutArguments(block, name);
    }
  };

  function* withArguments(block: Block, name: string, read: ReadArguments, isFenced: boolean): Part<CallEnd> {
    const call = block.begin(name);
    if (!call) return "none";
    const end = yield* read(block, call);
    if (end === "bad" || end === "cut") return end;
    if (isFenced || end === "open") {
      const next = yield* readOneOf(behindFence());
      if (end === "open" && next.found === undefined) return next.ended ? "cut" : "bad";
      if (end === "open") block.repaired("missing-brace");
    }
    block.end(call);
    return closes.length > 0 ? "ended" : "closed";
  }

  /** The call's closer stands right behind its name: a weak form (sieve.md N1). */
  function withoutArguments(block: Block, name: string): CallEnd {
    const call = block.declares(name) ? block.begin(name) : undefined;
    if (!call) return "none";
    block.repaired("arguments-missing");
    block.end(call);
    return "ended";
  }
}

type ReadArguments = (block: Block, call: TentativeCall) => Part<ObjectEnd>;

function* argumentsInString(block: Block, call: TentativeCall): Part<ObjectEnd> {
  yield* token();
  return yield* encodedArguments(block, call, '"');
}

/** The name as written wins where it is declared (sieve.md N2). */
function bareName(block: Block, { bareNames }: NamedJson, written: string): string {
  const cut = bareNames?.(written) ?? [];
  return [written, ...cut].find((name) => block.declares(name)) ?? cut[0] ?? written;
}

/** Something else stands there, or the reply has ended. */
function noCall(block: Block, { ended }: { ended: boolean }): CallEnd {
  return ended && block.maybeCut ? "cut" : "none";
}
