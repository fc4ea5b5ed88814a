import { once } from "../../once.ts";
import { Ahead } from "../ahead.ts";
import type { ArgumentStructure } from "../argument-scan/argument-end.ts";
import type { Block } from "../block.ts";
import { LineRest } from "../line-rest.ts";
import { NameScan } from "../name-scan.ts";
import { type Body, type Lead, mark, type Read, type Wrapper } from "../notation.ts";
import { compileHeads, NAME, type OneOf } from "../one-of.ts";
import { CALL_IN_CALL, CALLS_IN_LINES, CALLS_IN_LIST, pythonValue } from "../python-scan.ts";
import type { Part } from "../scan.ts";
import type { TentativeCall } from "../tentative-call.ts";
import { jsonCalls } from "./json-calls.ts";
import { readName, readOneOf } from "./tags.ts";
import { type CallEnd, type CallForm, wrappedCalls } from "./wrapped-calls.ts";

/** What a notation has besides `name(key=value, …)`. */
export interface PythonForm {
  /** May stand behind a name (sieve.md N2). */
  readonly suffix?: string;
  /** A call may be printed: `print(name(…))`. */
  readonly printed?: true;
  /** Nothing stands around the calls: what looks like one may be code, a link or a mention. */
  readonly bare?: true;
}

const LIST = mark("[");
const LEADS: readonly Lead[] = [LIST, NAME];
const NOTHING: Wrapper = { open: mark(""), closes: [] };
/** More of a line is not looked at. */
const LONGEST_LINE = 256;

const heads = once(() => ({
  list: compileHeads([LIST], { peeks: [NAME] }),
  item: compileHeads([mark("]")], { peeks: [NAME, mark("{")] }),
  behindItem: compileHeads([mark(","), mark("]")]),
  open: compileHeads([mark("(")]),
  argument: compileHeads([mark(")")], { peeks: [NAME] }),
  // A comparison assigns nothing.
  assign: compileHeads([mark("="), mark("==")]),
  behindValue: compileHeads([mark(","), mark(")")]),
  close: compileHeads([mark(")")]),
}));

/** Calls as Python writes them, in a list or in lines. */
export const pythonBody: Body = {
  source: "markup",
  leads: LEADS,
  in: (wrapper) => {
    const list = listOfCalls(wrapper, {});
    return wrappedCalls(wrapper, {
      leads: LEADS,
      *read(block) {
        const next = yield* readOneOf(heads().list);
        return yield* next.found === LIST.spelling ? list(block) : oneCall(block, CALLS_IN_LINES, {});
      },
    });
  },
};

/** A list of calls with nothing around it, from behind its first bracket on. */
export function bareList(): Read {
  const begun = listOfCalls(NOTHING, { bare: true });
  return wrappedCalls(NOTHING, { leads: [], read: begun, begun });
}

/** One call a line. */
export function pythonLines(form: PythonForm = {}): Body {
  const lines: CallForm = { leads: [NAME], read: (block) => oneCall(block, CALLS_IN_LINES, form) };
  return { source: "markup", leads: lines.leads, in: (wrapper) => wrappedCalls(wrapper, lines) };
}

/** The same with nothing around them. */
export function bareLines(): Read {
  return pythonLines({ bare: true }).in(NOTHING);
}

/** From behind the first bracket on. */
function listOfCalls(wrapper: Wrapper, form: PythonForm): (block: Block) => Part<CallEnd> {
  // Models that can be told to write JSON instead write it in the same list.
  const json = jsonCalls(wrapper, { begun: "[" });

  return function* (block) {
    for (let first = true; ; first = false) {
      const next = yield* readOneOf(heads().item);
      if (next.found === "{" && first && json.begun) return yield* json.begun(block);
      if (next.found === "]" && !first) return over(block);
      const end = next.found === NAME ? yield* oneCall(block, CALLS_IN_LIST, form) : noCall(block, next);
      if (end === "none" && !first) return "bad";
      if (end !== "ended" || block.full) return end;
      const behind = yield* readOneOf(heads().behindItem);
      if (behind.found === ",") continue;
      if (behind.found === "]") return over(block);
      if (!behind.ended) block.repaired("missing-brace");
      return "ended";
    }
  };
}

/** Reads one call from its name on; it is complete at its bracket. Whatever stands around it, its name is declared (N1). */
function* oneCall(block: Block, structure: ArgumentStructure, form: PythonForm): Part<CallEnd> {
  if (form.bare) {
    const ahead = new Ahead(beginsCall(block));
    yield ahead;
    if (!ahead.result) return "none";
  }
  const written = yield* readName();
  if (written.name === "") return noCall(block, written);
  const open = yield* readOneOf(heads().open);
  if (open.found === undefined) return noCall(block, open);
  const name = declaredName(block, written.name, form);
  if (name !== undefined) return yield* argumentsOf(block, name, structure);
  return form.printed && written.name === "print" ? yield* printedCall(block, form) : "none";
}

/** Looks at a call with nothing around it, up to the place where it is certain to be one. */
function* beginsCall(block: Block): Part<boolean> {
  const { name } = yield* readName();
  if (!block.declares(name) || (yield* readOneOf(heads().open)).found === undefined) return false;
  const next = yield* nextArgument();
  if (next.is !== "closed") return next.is === "keyword";
  // Without arguments it could just as well be a mention, or the text of a link.
  const rest = new LineRest(LONGEST_LINE);
  yield rest;
  return /^[ \t]*(?:$|<|,|\](?!\())/.test(rest.text);
}

/** From behind the bracket that opens the arguments on. */
function* argumentsOf(block: Block, name: string, structure: ArgumentStructure): Part<CallEnd> {
  for (let call: TentativeCall | undefined; ; ) {
    const next = yield* nextArgument();
    if (next.is === "none" && !call) return noCall(block, next);
    call ??= block.begin(name);
    if (!call) return "none";
    const end = next.is === "keyword" ? yield* oneValue(block, call, next.name, structure) : behindArguments(next);
    if (end === "further") continue;
    if (end === "ended") block.end(call);
    return end;
  }
}

/** What stands where an argument or the end of the arguments should: a keyword, with what assigns a value to it. */
type Next =
  | { readonly is: "keyword"; readonly name: string }
  | { readonly is: "closed" | "none"; readonly ended: boolean };

function* nextArgument(): Part<Next> {
  const next = yield* readOneOf(heads().argument);
  if (next.found !== NAME) return { is: next.found === ")" ? "closed" : "none", ended: next.ended };
  const key = new NameScan("key", { skipsBlanks: true });
  yield key;
  const { found, ended } = yield* readOneOf(heads().assign);
  return found === "=" ? { is: "keyword", name: key.name } : { is: "none", ended };
}

function* oneValue(
  block: Block,
  call: TentativeCall,
  key: string,
  structure: ArgumentStructure,
): Part<"further" | "ended" | "bad" | "cut"> {
  const value = pythonValue(structure, call.arguments.member(key));
  yield value;
  for (const repair of value.repairs) block.repaired(repair);
  if (value.ending === "cut") return "cut";
  if (value.ending === "stray" || value.overflowed || call.overflowed) return "bad";
  const { found, ended } = yield* readOneOf(heads().behindValue);
  if (found === ",") return "further";
  return behindArguments({ is: found === ")" ? "closed" : "none", ended });
}

function behindArguments({ is, ended }: { is: "closed" | "none"; ended: boolean }): "ended" | "bad" | "cut" {
  if (is === "closed") return "ended";
  return ended ? "cut" : "bad";
}

/** From behind the bracket of `print(` on. */
function* printedCall(block: Block, form: PythonForm): Part<CallEnd> {
  const end = yield* oneCall(block, CALL_IN_CALL, form);
  if (end === "ended" && (yield* readOneOf(heads().close)).found !== undefined) return over(block);
  return end;
}

/** Behind the bracket that closes what stands around a call. */
function over(block: Block): CallEnd {
  block.endPart();
  return "ended";
}

function declaredName(block: Block, written: string, { suffix }: PythonForm): string | undefined {
  if (block.declares(written)) return written;
  const cut = suffix !== undefined && written.endsWith(suffix) ? written.slice(0, -suffix.length) : "";
  return block.declares(cut) ? cut : undefined;
}

/** Something else stands there, or the reply has ended. */
function noCall(block: Block, { ended }: Pick<OneOf, "ended">): CallEnd {
  return ended && block.maybeCut ? "cut" : "none";
}
