import { VALUE_DEPTH } from "../../limits.ts";
import { isBlank } from "../characters.ts";
import { trimBlanks } from "../values/value.ts";
import { endOfQuote, NotYaml, quotedText } from "./line.ts";
import { plainJson, stringJson } from "./scalar.ts";

/** Counts the brackets that are open, line by line. */
export class Brackets {
  open = 0;
  #quote = "";
  /** The last character that is no blank: a quote begins a scalar behind one of these alone. */
  #before = "";

  add(line: string) {
    for (let i = 0; i < line.length; i++) {
      const character = line.charAt(i);
      if (this.#quote !== "") {
        if (character === "\\" && this.#quote === '"') i += 1;
        else if (character === this.#quote) this.#quote = "";
      } else if ("\"'".includes(character) && "[{,:".includes(this.#before)) this.#quote = character;
      else if ("[{".includes(character)) this.open += 1;
      else if ("]}".includes(character)) this.open -= 1;
      if (character !== " ") this.#before = character;
    }
  }
}

/** A flow collection, `[a, "b"]` or `{a: 1}`, as JSON. */
export function flowJson(text: string): string {
  const reader = new FlowReader(text);
  const json = reader.value("");
  if (!reader.ended) throw new NotYaml();
  return json;
}

class FlowReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get ended(): boolean {
    this.#skip();
    return this.#at === this.#text.length;
  }

  /** @param ends what ends a plain scalar here */
  value(ends: string): string {
    this.#skip();
    switch (this.#text[this.#at]) {
      case "[":
        return `[${this.#members("]", () => this.value(",]")).join(",")}]`;
      case "{":
        return `{${this.#members("}", () => this.#entry()).join(",")}}`;
      case '"':
      case "'":
        return stringJson(this.#quoted());
      default:
        return plainJson(this.#plain(ends));
    }
  }

  #members(close: string, read: () => string): string[] {
    this.#at += 1;
    this.#depth += 1;
    if (this.#depth > VALUE_DEPTH) throw new NotYaml();
    const members: string[] = [];
    for (;;) {
      this.#skip();
      if (this.#text[this.#at] === close) break;
      members.push(read());
      this.#skip();
      if (this.#text[this.#at] === ",") this.#at += 1;
      else if (this.#text[this.#at] !== close) throw new NotYaml();
    }
    this.#at += 1;
    this.#depth -= 1;
    return members;
  }

  #entry(): string {
    const quote = this.#text[this.#at];
    const key = quote === '"' || quote === "'" ? this.#quoted() : this.#plain(":,}");
    this.#skip();
    if (this.#text[this.#at] !== ":") throw new NotYaml();
    this.#at += 1;
    return `${stringJson(key)}:${this.value(",}")}`;
  }

  #quoted(): string {
    const end = endOfQuote(this.#text, this.#text.charAt(this.#at), this.#at);
    const text = end < 0 ? undefined : quotedText(this.#text.slice(this.#at, end));
    if (text === undefined) throw new NotYaml();
    this.#at = end;
    return text;
  }

  #plain(ends: string): string {
    const from = this.#at;
    while (this.#at < this.#text.length && !ends.includes(this.#text.charAt(this.#at))) this.#at += 1;
    return trimBlanks(this.#text.slice(from, this.#at));
  }

  #skip() {
    while (isBlank(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }
}
