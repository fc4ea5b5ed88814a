import { SIEVE_LIMITS } from "../../limits.ts";
import { isBlank } from "../characters.ts";
import { Matcher } from "../matcher.ts";
import type { Triggers } from "../triggers.ts";
import type { Write } from "../value-scan/marks.ts";
import { pythonValueToJson } from "../values/python.ts";
import { MemberEnd } from "./argument-end.ts";
import type { LiteralReader, Repaired } from "./argument-value.ts";
import { DelimitedText } from "./delimited-text.ts";
import { mended, protectedText, Quoted } from "./quoted.ts";

/**
 * A list or object whose keys stand bare and whose strings stand between delimiters, from its first bracket to its last.
 * What it hands on is the same as Python would write it: strings in quotes, keys and words that are no literals, too.
 */
export class NestedSource implements LiteralReader {
  readonly back = "";
  closed = false;

  readonly #delimiter: Triggers<string>;
  readonly #matcher: Matcher<string>;
  readonly #write: Write;
  readonly #repaired: Repaired;
  #depth = 0;
  /** A key, number, constant or string without quotes, which may have blanks inside. */
  #word = "";
  #blanks = "";
  #delimited: DelimitedText | undefined;
  #quoted: Quoted | undefined;
  #again = 0;

  constructor(delimiter: Triggers<string>, write: Write, repaired: Repaired) {
    this.#delimiter = delimiter;
    this.#matcher = new Matcher(delimiter);
    this.#write = write;
    this.#repaired = repaired;
  }

  get held(): number {
    const inside = (this.#delimited ?? this.#quoted)?.held ?? 0;
    return inside + this.#matcher.held.length + this.#word.length + this.#blanks.length;
  }

  get again(): number {
    return this.#again + (this.#quoted?.again ?? 0);
  }

  plain(s: string, at: number): number {
    return (this.#delimited ?? this.#quoted)?.plain(s, at) ?? at;
  }

  step(code: number) {
    if (this.#delimited) return this.#inDelimited(this.#delimited, code);
    if (this.#quoted) return this.#inQuoted(this.#quoted, code);
    const released = this.#matcher.step(code);
    for (const character of released) this.#character(character);
    if (this.#matcher.hit === undefined) return;
    this.#endWord(false);
    this.#write('"', this.#matcher.take());
    this.#delimited = new DelimitedText(this.#delimiter, protectedText(this.#write));
  }

  /** No bracket closed it. */
  finish() {}

  #character(character: string) {
    switch (character) {
      case "[":
      case "{":
        this.#depth += 1;
        return this.#punctuation(character);
      case "]":
      case "}":
        this.#depth -= 1;
        this.#punctuation(character);
        this.closed = this.#depth === 0;
        return;
      case ",":
      case ":":
        return this.#punctuation(character);
      default:
        return this.#inWord(character);
    }
  }

  #punctuation(character: string) {
    this.#endWord(character === ":");
    this.#write(character);
  }

  #inWord(character: string) {
    if (this.#word === "" && `"'`.includes(character)) {
      this.#repaired("string-delimiters");
      this.#quoted = new Quoted(character, false, mended(this.#write), () => new MemberEnd(), this.#repaired);
      return;
    }
    if (isBlank(character.charCodeAt(0))) {
      if (this.#word === "") this.#write(character);
      else this.#blanks += character;
    } else {
      this.#word += this.#blanks + character;
      this.#blanks = "";
    }
    // More than any value may hold: those who take it will say so.
    if (this.#word.length + this.#blanks.length > SIEVE_LIMITS.value) this.#endWord(false);
  }

  #endWord(isKey: boolean) {
    const word = this.#word;
    if (word === "") return;
    if (!isKey && pythonValueToJson(word) !== undefined) this.#write(word);
    else {
      if (!isKey) this.#repaired("string-delimiters");
      this.#write('"', "");
      protectedText(this.#write)(word);
      this.#write('"', "");
    }
    this.#write(this.#blanks);
    this.#word = this.#blanks = "";
  }

  #inDelimited(delimited: DelimitedText, code: number) {
    delimited.step(code);
    if (!delimited.closed) return;
    this.#write('"', delimited.closer);
    this.#delimited = undefined;
  }

  #inQuoted(quoted: Quoted, code: number) {
    quoted.step(code);
    if (!quoted.closed) return;
    this.#again += quoted.again + quoted.back.length;
    this.#quoted = undefined;
    for (let i = 0; i < quoted.back.length; i++) this.step(quoted.back.charCodeAt(i));
  }
}
