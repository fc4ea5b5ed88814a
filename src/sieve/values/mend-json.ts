import { VALUE_DEPTH } from "../../limits.ts";
import { JsonString, type StringRepair } from "../json-scan/string.ts";
import { JsonToken, type Quote } from "../json-scan/token.ts";
import { escapeJson, jsonSource, jsonTypeOf } from "./json.ts";
import { isJsonNumber } from "./number.ts";
import { Collected } from "./sinks.ts";

/** All that may be wrong with JSON and still be meant in one way only (sieve.md T4). */
export type JsonRepair =
  | StringRepair
  | "python-literal"
  | "trailing-comma"
  | "missing-comma"
  | "unquoted-key"
  | "missing-brace";

export interface Mended {
  readonly json: string;
  /** Each kind once, in the order in which they were first needed. */
  readonly repairs: readonly JsonRepair[];
}

/**
 * A complete value as JSON: the very same text where it is JSON (sieve.md V9), else mended by the closed list of repairs;
 * numbers keep their digits. Undefined for anything else, and for what is nested beyond `VALUE_DEPTH`.
 *
 * @param options.closesAtEnd brackets that stand open at the end may be closed: the end was seen, so nothing was cut. An
 *   open string never is.
 */
export function mendJson(source: string, options: { closesAtEnd?: boolean } = {}): Mended | undefined {
  if (jsonTypeOf(source)) return { json: jsonSource(source), repairs: [] };
  const reader = new LenientReader(source, options.closesAtEnd === true);
  return reader.whole() ? { json: reader.json(), repairs: [...reader.repairs] } : undefined;
}

const LITERALS: ReadonlyMap<string, string> = new Map([
  ["true", "true"],
  ["false", "false"],
  ["null", "null"],
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);

/**
 * Recursive descent over the tokens that the streaming notations are made of, so that a text means the same whether it
 * streams or not. Each method reads on from `#token` and says whether it found what it is named after; once one has
 * failed, the text cannot be mended.
 */
class LenientReader {
  readonly repairs = new Set<JsonRepair>();
  readonly #text: string;
  readonly #closesAtEnd: boolean;
  readonly #json: string[] = [];
  /** The token to be read, and where the text goes on behind it. */
  #token = new JsonToken();
  #at = 0;
  #depth = 0;

  constructor(text: string, closesAtEnd: boolean) {
    this.#text = text;
    this.#closesAtEnd = closesAtEnd;
  }

  json(): string {
    return this.#json.join("");
  }

  whole(): boolean {
    this.#advance();
    return this.#value() && this.#atEnd();
  }

  #value(): boolean {
    const { kind, text, quote } = this.#token;
    if (quote) return this.#string(quote);
    if (text === "{") return this.#container("{", "}", () => this.#member());
    if (text === "[") return this.#container("[", "]", () => this.#value());
    return kind === "word" && this.#word(text);
  }

  #container(open: string, close: string, member: () => boolean): boolean {
    if (this.#depth === VALUE_DEPTH) return false;
    this.#depth += 1;
    this.#advance();
    const found = this.#write(open) && this.#members(close, member);
    this.#depth -= 1;
    return found;
  }

  #members(close: string, member: () => boolean): boolean {
    for (let first = true; ; first = false) {
      if (this.#closes(close)) return first || this.#repaired("trailing-comma");
      if (!first) this.#write(",");
      if (!member()) return false;
      if (this.#closes(close)) return true;
      if (this.#token.text === ",") this.#advance();
      else if (!this.#missesComma()) return false;
    }
  }

  #closes(close: string): boolean {
    if (this.#token.text === close) this.#advance();
    else if (this.#closesAtEnd && this.#atEnd()) this.#repaired("missing-brace");
    else return false;
    return this.#write(close);
  }

  /**
   * Between two members that are set apart by blanks or a bracket. Without either, as in `"say "hi" now"`, a quote is
   * more likely to belong to the text.
   */
  #missesComma(): boolean {
    const apart = this.#token.behindBlanks || isBracket(this.#token.text) || isBracket(this.#json.at(-1));
    return apart && this.#repaired("missing-comma");
  }

  #member(): boolean {
    if (!this.#key() || this.#token.text !== ":") return false;
    this.#advance();
    return this.#write(":") && this.#value();
  }

  #key(): boolean {
    const { kind, text, quote } = this.#token;
    if (quote) return this.#string(quote);
    if (kind !== "word") return false;
    this.#advance();
    return this.#repaired("unquoted-key") && this.#write(`"${text}"`);
  }

  #word(text: string): boolean {
    const json = isJsonNumber(text) ? text : LITERALS.get(text);
    if (json === undefined) return false;
    if (json !== text) this.#repaired("python-literal");
    this.#advance();
    return this.#write(json);
  }

  #string(quote: Quote): boolean {
    let text = "";
    const sink = new Collected("bare", (value) => {
      text = value.text;
    });
    const scan = new JsonString(quote, sink);
    this.#at = scan.eat(this.#text, this.#at);
    if (!scan.done || scan.overflowed) return false;
    for (const repair of scan.repairs) this.#repaired(repair);
    this.#advance();
    return this.#write(`"${escapeJson(text)}"`);
  }

  #atEnd(): boolean {
    return this.#token.ended && this.#token.kind === undefined;
  }

  #advance() {
    const token = new JsonToken();
    this.#at = token.eat(this.#text, this.#at) - token.back.length;
    token.finish();
    this.#token = token;
  }

  #repaired(repair: JsonRepair): true {
    this.repairs.add(repair);
    return true;
  }

  #write(json: string): true {
    this.#json.push(json);
    return true;
  }
}

function isBracket(json: string | undefined): boolean {
  return json === "{" || json === "}" || json === "[" || json === "]";
}
