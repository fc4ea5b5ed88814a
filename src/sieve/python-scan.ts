import { ArgumentEnd, type ArgumentStructure, MemberEnd } from "./argument-scan/argument-end.ts";
import {
  ArgumentValue,
  type Beginning,
  type Begun,
  type LiteralReader,
  type Repaired,
} from "./argument-scan/argument-value.ts";
import { decoded, mended, Quoted, verbatim } from "./argument-scan/quoted.ts";
import type { Scan } from "./scan.ts";
import { Triggers } from "./triggers.ts";
import type { Write } from "./value-scan/marks.ts";
import { ignored, type Member } from "./values/sinks.ts";

/** `[first(a='x'), second(b=1)]` */
export const CALLS_IN_LIST: ArgumentStructure = {
  assign: "=",
  close: ")",
  behind: "]<",
  next: { separator: ",", open: "(" },
};

/** One call a line, where nothing has to stand around them. */
export const CALLS_IN_LINES: ArgumentStructure = { assign: "=", close: ")", behind: "\r\n<`" };

/** The argument of another call: `print(first(a='x'))`. */
export const CALL_IN_CALL: ArgumentStructure = { assign: "=", close: ")", behind: ")" };

/**
 * The value of a keyword argument, up to what stands behind it: a string, written properly or without escapes (R22), or
 * anything else, up to the comma or bracket that ends it.
 */
export function pythonValue(structure: ArgumentStructure, member: Member): ArgumentValue {
  return new ArgumentValue(new PythonBeginning(structure), member);
}

const QUOTES = "'\"";
const ENDS = ",)]}";

class PythonBeginning implements Beginning {
  readonly #structure: ArgumentStructure;
  /** The prefix of a string, or the first letter of a word. */
  #prefix = "";

  constructor(structure: ArgumentStructure) {
    this.#structure = structure;
  }

  get held(): number {
    return this.#prefix.length;
  }

  step(code: number): Begun | undefined {
    const character = String.fromCharCode(code);
    const prefix = this.#prefix;
    if (QUOTES.includes(character)) {
      const raw = prefix.toLowerCase() === "r";
      const end = () => new ArgumentEnd(this.#structure);
      return {
        kind: "string",
        read: "",
        reader: (write, repaired) => new Quoted(character, raw, decoded(write), end, repaired),
      };
    }
    if (prefix === "" && ENDS.includes(character)) return "stray";
    if (prefix !== "" || !"rRuU".includes(character)) {
      return {
        kind: "literal",
        read: prefix + character,
        reader: (write, repaired) => new PythonSource(write, repaired),
      };
    }
    this.#prefix = character;
    return undefined;
  }
}

const STOPS = new Triggers<never>(
  [],
  Array.from(`${QUOTES}${ENDS}([{`, (character) => character.charCodeAt(0)),
);

/** A value that is no string: its source, up to a comma or bracket outside of all its own. */
class PythonSource implements LiteralReader {
  closed = false;
  back = "";

  readonly #write: Write;
  readonly #repaired: Repaired;
  #depth = 0;
  #string: Quoted | undefined;
  /** Before a quote it may be a prefix. */
  #last = "";
  #again = 0;

  constructor(write: Write, repaired: Repaired) {
    this.#write = write;
    this.#repaired = repaired;
  }

  get held(): number {
    return this.#string?.held ?? 0;
  }

  get again(): number {
    return this.#again + (this.#string?.again ?? 0);
  }

  plain(s: string, at: number): number {
    if (this.#string) return this.#string.plain(s, at);
    const to = STOPS.skip(s, at);
    if (to > at) this.#text(s.slice(at, to));
    return to;
  }

  step(code: number) {
    const character = String.fromCharCode(code);
    if (this.#string) this.#inString(this.#string, code);
    else if (QUOTES.includes(character)) this.#beginString(character);
    else if (this.#depth === 0 && ENDS.includes(character)) {
      this.back = character;
      this.closed = true;
    } else {
      if ("([{".includes(character)) this.#depth += 1;
      else if (")]}".includes(character)) this.#depth -= 1;
      this.#text(character);
    }
  }

  /** No bracket closed it. */
  finish() {}

  #text(piece: string) {
    this.#write(piece);
    this.#last = piece.slice(-1);
  }

  #beginString(quote: string) {
    const raw = this.#last.toLowerCase() === "r";
    const parts = raw ? verbatim(this.#write) : mended(this.#write);
    this.#last = "";
    this.#string = new Quoted(quote, raw, parts, () => new MemberEnd(), this.#repaired);
  }

  #inString(string: Quoted, code: number) {
    string.step(code);
    if (!string.closed) return;
    this.#again += string.again + string.back.length;
    this.#string = undefined;
    for (let i = 0; i < string.back.length; i++) this.step(string.back.charCodeAt(i));
  }
}

/** Source that nobody asks for, up to the bracket that closes what stands open and with it. */
export class PassedArguments implements Scan {
  readonly data = true;
  readonly back = "";
  ending: "closed" | "cut" | undefined;
  #source = begunSource();
  #again = 0;

  get done(): boolean {
    return this.ending !== undefined;
  }

  get held(): number {
    return this.#source.held;
  }

  get again(): number {
    return this.#again + this.#source.again;
  }

  eat(s: string, at: number): number {
    let i = at;
    while (i < s.length && !this.done) {
      const to = this.#source.plain(s, i);
      if (to > i) i = to;
      else this.#step(s.charCodeAt(i++));
    }
    return i;
  }

  finish() {
    this.ending ??= "cut";
  }

  #step(code: number) {
    this.#source.step(code);
    if (!this.#source.closed) return;
    if (this.#source.back === ")") this.ending = "closed";
    this.#again += this.#source.again;
    this.#source = begunSource();
  }
}

function begunSource(): PythonSource {
  return new PythonSource(
    (piece) => ignored.text(piece),
    () => {},
  );
}
