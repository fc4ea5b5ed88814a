import { VALUE_DEPTH } from "../../limits.ts";

/**
 * A list, tuple or dict as Python writes it, as JSON: `{'a': (1, None)}` is `{"a":[1,null]}`. Undefined when the whole
 * text, blanks at its ends apart, is nothing of the kind.
 *
 * Read more widely than Python does in two points that cannot be meant otherwise: JSON's own `true`, `false` and `null`,
 * and line breaks in any string; so JSON with a trailing comma or a raw line break is read here, too. Numbers keep their
 * digits.
 */
export function pythonToJson(text: string): string | undefined {
  const reader = new LiteralReader(text);
  if (!reader.container() || !reader.atEnd()) return undefined;
  const json = reader.json();
  // What stood in nothing but brackets is no tuple.
  return json.startsWith("[") || json.startsWith("{") ? json : undefined;
}

/**
 * Any value as Python writes it, a string, number or constant too, as JSON; undefined where the whole text, blanks at its
 * ends apart, is none.
 */
export function pythonValueToJson(text: string): string | undefined {
  const reader = new LiteralReader(text);
  return reader.value() && reader.atEnd() ? reader.json() : undefined;
}

const BLANKS = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const CONSTANT = /(?:True|False|None|true|false|null)(?![A-Za-z0-9_])/y;
const STRING_OPEN = /([rRuU]?)('''|"""|'|")/y;

const CONSTANTS: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
  ["true", "true"],
  ["false", "false"],
  ["null", "null"],
]);

/**
 * Recursive descent: each method reads on from `#at` and says whether it found what it is named after. Which one to call
 * is told by the first character alone; once one has failed, the text is no literal, and nothing else may be tried: what
 * the failed one has read would be lost in silence.
 */
class LiteralReader {
  readonly #text: string;
  readonly #json: string[] = [];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  json(): string {
    return this.#json.join("");
  }

  atEnd(): boolean {
    return this.#next() === undefined;
  }

  container(): boolean {
    if (this.#depth === VALUE_DEPTH) return false;
    this.#depth += 1;
    const found = this.#anyContainer();
    this.#depth -= 1;
    return found;
  }

  #anyContainer(): boolean {
    switch (this.#next()) {
      case "[":
        return this.#list();
      case "{":
        return this.#dict();
      case "(":
        return this.#tuple();
      default:
        return false;
    }
  }

  value(): boolean {
    const first = this.#next();
    if (first === undefined) return false;
    if ("[{(".includes(first)) return this.container();
    if ("'\"rRuU".includes(first)) return this.#string();
    return "-0123456789".includes(first) ? this.#number() : this.#constant();
  }

  #list(): boolean {
    return this.#take("[") && this.#write("[") && this.#members("]", "]", () => this.value());
  }

  #dict(): boolean {
    return (
      this.#take("{") &&
      this.#write("{") &&
      this.#members("}", "}", () => this.#key() && this.#take(":") && this.#write(":") && this.value())
    );
  }

  /** `()`, `(1,)` and `(1, 2)` are tuples; `(1)` is a 1 in brackets. */
  #tuple(): boolean {
    if (!this.#take("(")) return false;
    const open = this.#json.push("[") - 1;
    if (this.#take(")")) return this.#write("]");
    if (!this.value()) return false;
    if (this.#take(")")) {
      this.#json[open] = "";
      return true;
    }
    if (!this.#take(",")) return false;
    if (this.#take(")")) return this.#write("]");
    return this.#write(",") && this.#members(")", "]", () => this.value());
  }

  /** Behind the opener: members with commas between them, and perhaps behind the last one. */
  #members(close: string, json: string, member: () => boolean): boolean {
    for (let first = true; ; first = false) {
      if (this.#take(close)) return this.#write(json);
      if (!first) this.#write(",");
      if (!member()) return false;
      if (!this.#take(",")) return this.#take(close) && this.#write(json);
    }
  }

  #key(): boolean {
    const number = this.#match(NUMBER)?.[0];
    return number === undefined ? this.#string() : this.#write(`"${number}"`);
  }

  #number(): boolean {
    const number = this.#match(NUMBER)?.[0];
    return number !== undefined && this.#write(number);
  }

  #constant(): boolean {
    const json = CONSTANTS.get(this.#match(CONSTANT)?.[0] ?? "");
    return json !== undefined && this.#write(json);
  }

  /** Neighbours are one string. */
  #string(): boolean {
    const pieces: string[] = [];
    let found = false;
    for (;;) {
      this.#match(BLANKS);
      const open = this.#match(STRING_OPEN);
      if (!open) return found && this.#write(JSON.stringify(pieces.join("")));
      const [, prefix = "", quote = ""] = open;
      if (!this.#stringBody(quote, prefix.toLowerCase() === "r", pieces)) return false;
      found = true;
    }
  }

  #stringBody(quote: string, raw: boolean, pieces: string[]): boolean {
    const text = this.#text;
    let from = this.#at;
    for (let at = from; ; ) {
      const mark = nextMark(text, at);
      if (mark === undefined) return false;
      if (text.startsWith(quote, mark)) {
        pieces.push(text.slice(from, mark));
        this.#at = mark + quote.length;
        return true;
      }
      if (text[mark] !== "\\") at = mark + 1;
      else if (raw) at = mark + 2;
      else {
        const escaped = readEscape(text, mark);
        if (!escaped) return false;
        pieces.push(text.slice(from, mark), escaped.value);
        at = from = mark + escaped.length;
      }
    }
  }

  #take(mark: string): boolean {
    if (this.#next() !== mark) return false;
    this.#at += 1;
    return true;
  }

  /** The next character that is not blank; undefined at the end. */
  #next(): string | undefined {
    this.#match(BLANKS);
    return this.#text[this.#at];
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (!match) return undefined;
    this.#at += match[0].length;
    return match;
  }

  #write(json: string): true {
    this.#json.push(json);
    return true;
  }
}

const STRING_MARK = /[\\'"]/g;

/** The next backslash or quote. */
function nextMark(text: string, from: number): number | undefined {
  STRING_MARK.lastIndex = from;
  return STRING_MARK.exec(text)?.index;
}

const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["\n", ""],
]);

const OCTAL_ESCAPE = /\\([0-7]{1,3})/y;
const HEX_ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;

/** What stands for what at a backslash; undefined where Python would refuse it. An unknown escape is its own text. */
export function readEscape(text: string, at: number): { value: string; length: number } | undefined {
  const letter = text[at + 1];
  if (letter === undefined) return undefined;
  const simple = SIMPLE_ESCAPES.get(letter);
  if (simple !== undefined) return { value: simple, length: 2 };
  OCTAL_ESCAPE.lastIndex = HEX_ESCAPE.lastIndex = at;
  const octal = OCTAL_ESCAPE.exec(text);
  if (octal) return { value: String.fromCharCode(Number.parseInt(octal[1] ?? "", 8)), length: octal[0].length };
  if (!"xuUN".includes(letter)) return { value: `\\${letter}`, length: 2 };
  const hex = HEX_ESCAPE.exec(text);
  const point = Number.parseInt(hex?.[1] ?? hex?.[2] ?? hex?.[3] ?? "", 16);
  return hex && point <= 0x10ffff ? { value: String.fromCodePoint(point), length: hex[0].length } : undefined;
}
