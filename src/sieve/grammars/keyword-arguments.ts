import { once } from "../../once.ts";
import type { ArgumentStructure } from "../argument-scan/argument-end.ts";
import type { ArgumentValue } from "../argument-scan/argument-value.ts";
import type { Block } from "../block.ts";
import { NameScan } from "../name-scan.ts";
import { type Mark, mark } from "../notation.ts";
import { compileHeads, NAME } from "../one-of.ts";
import type { Part } from "../scan.ts";
import type { TentativeCall } from "../tentative-call.ts";
import type { Member } from "../values/sinks.ts";
import { argumentMembers } from "./json-members.ts";
import { readOneOf } from "./tags.ts";
import { type CallEnd, noCall } from "./wrapped-calls.ts";

/** How arguments are written as bare keys with a value each, in brackets of some kind. */
export interface KeywordSyntax {
  readonly structure: Pick<ArgumentStructure, "assign" | "close">;
  readonly value: (member: Member) => ArgumentValue;
  /** Stand behind a call: where nothing has closed its arguments, they do (sieve.md T4). */
  readonly ends?: readonly Mark[];
  /** The whole object may be JSON. */
  readonly json?: true;
}

/** What stands where a key or the end of the arguments should; a key with what assigns a value to it. */
export type NextArgument =
  | { readonly is: "key"; readonly name: string }
  | { readonly is: "json" | "closed" | "none"; readonly ended: boolean };

type ArgumentEnding = "further" | "ended" | "bad" | "cut";

const QUOTE = mark('"');
/** What a key may begin with besides letters and digits: agents have tools with a parameter `-n`. */
const KEY_STARTS = ["-", "$", "."];
/** It assigns nothing. */
const COMPARISON = mark("==");

/** The arguments of a call from behind their first bracket on. */
export class KeywordArguments {
  readonly #syntax: KeywordSyntax;
  readonly #heads = once(() => this.#compile());

  constructor(syntax: KeywordSyntax) {
    this.#syntax = syntax;
  }

  /** The call begins with its first key, or with the end of its arguments; before that there is none. */
  *read(block: Block, name: string): Part<CallEnd> {
    for (let call: TentativeCall | undefined; ; ) {
      const next = yield* this.next();
      if (next.is === "none" && !call) return block.mayEndEarly && !next.ended ? "bad" : noCall(block, next);
      call ??= block.begin(name);
      if (!call) return "none";
      const end = yield* this.#argument(block, call, next);
      if (end === "further") continue;
      if (end === "ended") block.end(call);
      return end;
    }
  }

  *next(): Part<NextArgument> {
    const { argument, assign } = this.#heads();
    const next = yield* readOneOf(argument);
    if (next.found === QUOTE.spelling) return { is: "json", ended: false };
    const isKey = next.found === NAME || KEY_STARTS.includes(next.found ?? "");
    if (!isKey) return { is: next.found === undefined ? "none" : "closed", ended: next.ended };
    const key = new NameScan("key", { skipsBlanks: true });
    yield key;
    const { found, ended } = yield* readOneOf(assign);
    return found === undefined || found === COMPARISON.spelling ? { is: "none", ended } : { is: "key", name: key.name };
  }

  *#argument(block: Block, call: TentativeCall, next: NextArgument): Part<ArgumentEnding> {
    switch (next.is) {
      case "key":
        return yield* this.#value(block, call, next.name);
      case "json": {
        const end = yield* argumentMembers(block, call);
        return end === "closed" ? "ended" : end === "cut" ? "cut" : "bad";
      }
      case "closed":
        return "ended";
      case "none":
        return next.ended ? "cut" : "bad";
      default:
        return next satisfies never;
    }
  }

  *#value(block: Block, call: TentativeCall, key: string): Part<ArgumentEnding> {
    const value = this.#syntax.value(call.arguments.member(key));
    yield value;
    for (const repair of value.repairs) block.repaired(repair);
    if (value.ending === "cut") return "cut";
    if (value.ending === "stray" || value.overflowed || call.overflowed) return "bad";
    const { found, ended } = yield* readOneOf(this.#heads().behindValue);
    if (found === ",") return "further";
    if (found === undefined) return ended ? "cut" : "bad";
    if (this.#syntax.ends?.some(({ spelling }) => spelling === found)) block.repaired("missing-brace");
    return "ended";
  }

  #compile() {
    const { structure, ends, json } = this.#syntax;
    const closes = Array.from(structure.close, mark);
    return {
      argument: compileHeads(closes, { peeks: [NAME, ...KEY_STARTS.map(mark), ...(json ? [QUOTE] : [])] }),
      assign: compileHeads([...Array.from(structure.assign, mark), COMPARISON]),
      behindValue: compileHeads([mark(","), ...closes], { peeks: ends ?? [] }),
    };
  }
}
