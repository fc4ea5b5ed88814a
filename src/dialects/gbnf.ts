import type { CallFrame } from "./call-frame.ts";

/** Grammars in GBNF, as llama.cpp has it and others have taken it over. */

/** As in JSON: what both escape has the same escapes. */
const literal = (text: string) => JSON.stringify(text);
const oneOf = (texts: readonly string[]) => `(${texts.map(literal).join(" | ")})`;

/**
 * Rules of JSON, `object` and `value` among them. One blank at most stands where one may: a model that is free to write white
 * space may write nothing else any more.
 *
 * @param besides characters that no string holds unescaped, as a class has them
 */
export function jsonRules(besides = ""): string {
  return `object ::= "{" ws (member ("," ws member)*)? "}"
member ::= string ":" ws value
array ::= "[" ws (value ("," ws value)*)? "]"
value ::= object | array | string | number | "true" | "false" | "null"
string ::= "\\"" ([^"\\\\\\x00-\\x1F${besides}] | "\\\\" (["\\\\/bfnrt] | "u" hex hex hex hex))* "\\""
hex ::= [0-9a-fA-F]
number ::= "-"? ("0" | [1-9] [0-9]*) ("." [0-9]+)? ([eE] [-+]? [0-9]+)?
ws ::= " "?`;
}

/** A call of one of these tools, and behind it others, unless only one may come. */
export function callGrammar(frame: CallFrame, names: readonly string[], { several }: { several: boolean }): string {
  const { begin, next, end, rules = `arguments ::= object\n${jsonRules()}` } = frame;
  const others = several && next ? ` (${oneOf(names.map(next))} arguments)*` : "";
  return `root ::= ${oneOf(names.map(begin))} arguments${others} ${literal(end)}\n${rules}`;
}
