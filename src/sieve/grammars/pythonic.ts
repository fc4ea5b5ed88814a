import type { ArgumentStructure } from "../argument-scan/argument-end.ts";
import type { Block } from "../block.ts";
import { LineRest } from "../line-rest.ts";
import { type Body, type Lead, mark, type Read, type Wrapper } from "../notation.ts";
import { compileHeads, NAME } from "../one-of.ts";
import { CALL_IN_CALL, CALLS_IN_LINES, CALLS_IN_LIST, PassedArguments, pythonValue } from "../python-scan.ts";
import type { Part } from "../scan.ts";
import { jsonCalls } from "./json-calls.ts";
import { objectBegins } from "./json-members.ts";
import { KeywordArguments } from "./keyword-arguments.ts";
import { lookAhead, readName, readOneOf } from "./tags.ts";
import { type CallEnd, noCall, wrappedCalls } from "./wrapped-calls.ts";

/** What a notation has besides `name(key=value, …)`. Only keywords are arguments: nothing tells what others are for. */
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
/** Of a line that goes on behind a call; more would be looked at again and again where many calls stand in one line. */
const MOST_BEHIND = 4;

/** What a literal begins with, in lower case. */
const LITERALS = [..."'\"[{(-0123456789", "true", "false", "none", "null"];

const heads = {
  list: compileHeads([LIST], { peeks: [NAME] }),
  item: compileHeads([mark("]")], { peeks: [NAME, mark("{")] }),
  behindItem: compileHeads([mark(","), mark("]")]),
  open: compileHeads([mark("(")]),
  close: compileHeads([mark(")")]),
  literal: compileHeads([], { peeks: LITERALS.map(mark) }),
  behindWord: compileHeads([mark(")")], { peeks: [NAME] }),
};

const inList = keywords(CALLS_IN_LIST);
const inLines = keywords(CALLS_IN_LINES);
const inCall = keywords(CALL_IN_CALL);

function keywords(structure: ArgumentStructure): KeywordArguments {
  return new KeywordArguments({ structure, value: (member) => pythonValue(structure, member) });
}

/** Calls as Python writes them, in a list or in lines. */
export const pythonBody: Body = {
  source: "markup",
  leads: LEADS,
  in: (wrapper) => {
    const list = listOfCalls(wrapper, {});
    return wrappedCalls(wrapper, {
      leads: LEADS,
      *read(block) {
        // A bracket that begins no calls may be a part of another opener, and goes back whole (sieve.md A6).
        if (!(yield* lookAhead(beginsCalls()))) return "none";
        const next = yield* readOneOf(heads.list);
        return yield* next.found === LIST.spelling ? list(block) : oneCall(block, inLines, {}, wrapper);
      },
    });
  },
};

/** A list of calls with nothing around it, from behind its first bracket on. */
export function bareList(): Read {
  return wrappedCalls(NOTHING, { leads: [], read: listOfCalls(NOTHING, { bare: true }) });
}

/** One call a line. */
export function pythonLines(form: PythonForm = {}): Body {
  const leads: readonly Lead[] = [NAME];
  const inside = (wrapper: Wrapper) =>
    wrappedCalls(wrapper, { leads, read: (block) => oneCall(block, inLines, form, wrapper) });
  return { source: "markup", leads, in: inside };
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
      const next = yield* readOneOf(heads.item);
      if (next.found === "{" && first && json.begun) return yield* json.begun(block);
      if (next.found === "]" && !first) return over(block);
      const end = next.found === NAME ? yield* oneCall(block, inList, form, wrapper) : noCall(block, next);
      // Once one call stands in a list that something closes, what else stands in it was meant as one, too.
      if (end === "none" && !first && !isOpen(wrapper)) return "bad";
      if (end !== "ended" || block.full) return end;
      const behind = yield* readOneOf(heads.behindItem);
      if (behind.found === ",") continue;
      if (behind.found === "]") return over(block);
      if (!behind.ended) block.repaired("missing-brace");
      return "ended";
    }
  };
}

/** Reads one call from its name on; it is complete at its bracket. Whatever stands around it, its name is declared (N1). */
function* oneCall(
  block: Block,
  keywords: KeywordArguments,
  form: PythonForm,
  wrapper: Wrapper | undefined,
): Part<CallEnd> {
  // Behind a call that nothing closes there may be text as well: what is no call ends the block whole (sieve.md E1).
  const mayBeText = form.bare || (block.mayEndEarly && wrapper && isOpen(wrapper));
  const begins = mayBeText ? yield* lookAhead(beginsCall(block, keywords, form)) : "call";
  if (begins === undefined || begins === "text") return "none";
  const written = yield* readName();
  if (written.name === "") return noCall(block, written);
  const open = yield* readOneOf(heads.open);
  if (open.found === undefined) return noCall(block, open);
  const name = declaredName(block, written.name, form);
  // Behind a call it is one as well, good or bad.
  if (begins === "code" && !block.mayEndEarly) return yield* passOver(block, "none");
  if (name !== undefined) return yield* declaredCall(block, keywords, name, wrapper);
  if (form.printed && written.name === "print") return yield* printedCall(block);
  return block.mayEndEarly ? "bad" : "none";
}

/** Nothing tells where the calls end. */
const isOpen = ({ closes }: Wrapper) => closes.length === 0;

/** Looks at what stands in a wrapper, up to the bracket of the first call; false: it is surely none. */
function* beginsCalls(): Part<boolean> {
  const list = yield* readOneOf(heads.list);
  if (list.found === LIST.spelling) {
    const item = yield* readOneOf(heads.item);
    if (item.found === "{") return (yield* objectBegins()) !== "no";
    if (item.found !== NAME) return item.ended;
  }
  const { ended } = yield* readName();
  const open = yield* readOneOf(heads.open);
  return open.found !== undefined || open.ended || ended;
}

/**
 * From behind its bracket on. Where it is bad nothing in it is live (sieve.md A6); it is dropped alone where nothing tells
 * what stands around it, as its end is known.
 */
function* declaredCall(
  block: Block,
  keywords: KeywordArguments,
  name: string,
  wrapper: Wrapper | undefined,
): Part<CallEnd> {
  const end = yield* keywords.read(block, name);
  if ((end !== "bad" && end !== "none") || block.openOnWire) return end;
  if (end === "none" && (yield* lookAhead(isMention())) !== "no") return end;
  const passed = yield* passOver(block, "bad");
  if (passed !== "bad" || !wrapper || !isOpen(wrapper)) return passed;
  block.drop();
  return over(block);
}

/** Reads on to the bracket that closes the arguments: whatever they are, they are data. */
function* passOver<End extends CallEnd>(block: Block, end: End): Part<End | "cut" | "none"> {
  const scan = new PassedArguments();
  yield scan;
  return scan.ending === "cut" ? noCall(block, { ended: true }) : end;
}

/**
 * Looks at a call that may be text, up to the place where it is certain to be one. `code`: a declared tool is called, but
 * not as a model calls it.
 */
function* beginsCall(
  block: Block,
  keywords: KeywordArguments,
  form: PythonForm,
): Part<"call" | "code" | "text" | "cut"> {
  const { name, ended } = yield* readName();
  if (ended) return block.tools.mayDeclare(name, form.suffix) ? "cut" : "text";
  if (declaredName(block, name, form) === undefined) return "text";
  const open = yield* readOneOf(heads.open);
  if (open.found === undefined) return open.ended ? "cut" : "text";
  const next = yield* keywords.next();
  if (next.is === "key") {
    // A variable as the value makes it code.
    const value = yield* readOneOf(heads.literal);
    return value.found !== undefined ? "call" : value.ended ? "cut" : "code";
  }
  if (next.is !== "closed") {
    const mention = next.ended ? "cut" : yield* isMention();
    return mention === "cut" ? "cut" : mention === "yes" ? "text" : "code";
  }
  // Without arguments it could just as well be a mention, or the text of a link.
  const rest = new LineRest(MOST_BEHIND);
  yield rest;
  return /^[ \t]*(?:$|<|,|\](?!\())/.test(rest.text) ? "call" : "text";
}

/** Looks behind the first word in brackets: a word alone there, or several, are prose, and hold no data. */
function* isMention(): Part<"yes" | "no" | "cut"> {
  const { found, ended } = yield* readOneOf(heads.behindWord);
  return found !== undefined ? "yes" : ended ? "cut" : "no";
}

/** From behind the bracket of `print(` on. What is printed is no `print(…)` itself. */
function* printedCall(block: Block): Part<CallEnd> {
  const end = yield* oneCall(block, inCall, {}, undefined);
  if (end === "ended" && (yield* readOneOf(heads.close)).found !== undefined) return over(block);
  return end;
}

/** Behind the bracket that closes what stands around a call. */
function over(block: Block): CallEnd {
  block.endPart();
  return "ended";
}

function declaredName(block: Block, written: string, { suffix }: PythonForm): string | undefined {
  if (block.tools.declares(written)) return written;
  const cut = suffix !== undefined && written.endsWith(suffix) ? written.slice(0, -suffix.length) : "";
  return block.tools.declares(cut) ? cut : undefined;
}
