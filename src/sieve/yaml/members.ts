import { VALUE_DEPTH } from "../../limits.ts";
import { trimBlanks } from "../values/value.ts";
import { blockScalar } from "./block-scalar.ts";
import { Brackets, flowJson } from "./flow.ts";
import { entryOf, indentOf, isItem, isUnclosed, NotYaml, quotedText } from "./line.ts";
import { json, jsonOf, stringJson, type YamlValue } from "./scalar.ts";

export interface YamlMember extends YamlValue {
  readonly key: string;
}

/**
 * The members of a mapping, in the part of YAML that models write: mappings, sequences, block scalars, flow collections,
 * quoted and plain scalars. Undefined for what is none, or more than that.
 */
export function yamlMembers(source: string): readonly YamlMember[] | undefined {
  try {
    return new YamlReader(source.replace(/\r?\n$/, "").split(/\r?\n/)).document();
  } catch (error) {
    if (error instanceof NotYaml) return undefined;
    throw error;
  }
}

/** Reads line by line: what belongs together is told by indentation. */
class YamlReader {
  readonly #lines: string[];
  #at = 0;
  #depth = 0;

  constructor(lines: string[]) {
    this.#lines = lines;
  }

  document(): readonly YamlMember[] {
    const members = this.#more() ? this.#mapping(this.#indent) : [];
    if (this.#more()) throw new NotYaml();
    return members;
  }

  get #line(): string {
    return this.#lines[this.#at] ?? "";
  }

  get #text(): string {
    return trimBlanks(this.#line);
  }

  get #indent(): number {
    return indentOf(this.#line);
  }

  /** Goes to the next line that says something. */
  #more(): boolean {
    while (this.#at < this.#lines.length && (this.#text === "" || this.#text.startsWith("#"))) this.#at += 1;
    return this.#at < this.#lines.length;
  }

  #mapping(indent: number): YamlMember[] {
    const members: YamlMember[] = [];
    while (this.#more() && this.#indent === indent) {
      const entry = entryOf(this.#text);
      if (!entry) throw new NotYaml();
      this.#at += 1;
      members.push({ key: entry.key, ...this.#value(entry.rest, indent, true) });
    }
    return members;
  }

  /** Of a key that is given twice the first value counts, as with parameters (sieve.md V8). */
  #object(indent: number): YamlValue {
    const members = new Map<string, string>();
    for (const { key, ...value } of this.#mapping(indent)) if (!members.has(key)) members.set(key, jsonOf(value));
    return json(`{${[...members].map(([key, value]) => `${stringJson(key)}:${value}`).join(",")}}`);
  }

  #sequence(indent: number): YamlValue {
    const items: string[] = [];
    while (this.#more() && this.#indent === indent && isItem(this.#text)) {
      const rest = this.#line.slice(indent + 1);
      const text = trimBlanks(rest);
      const begins = isItem(text) || entryOf(text) !== undefined;
      // Without its dash the line is the first one of what stands in the item.
      if (begins) this.#lines[this.#at] = `${" ".repeat(indent + 1)}${rest}`;
      else this.#at += 1;
      items.push(jsonOf(begins ? this.#below() : this.#value(text, indent, false)));
    }
    return json(`[${items.join(",")}]`);
  }

  /**
   * What stands behind a key or a dash, in its line or below it.
   * @param inMapping a sequence may stand below a key without being indented
   */
  #value(text: string, indent: number, inMapping: boolean): YamlValue {
    if (/^[|>][-+1-9]*$/.test(text)) {
      const scalar = blockScalar(text, this.#lines, this.#at, indent);
      this.#at = scalar.end;
      return { text: scalar.text, origin: "string" };
    }
    if (text !== "" && !text.startsWith("#")) return this.#inline(text, indent);
    if (!this.#more()) return json("null");
    const isBelow = this.#indent > indent || (this.#indent === indent && inMapping && isItem(this.#text));
    return isBelow ? this.#below() : json("null");
  }

  /** What stands on lines of its own. */
  #below(): YamlValue {
    this.#depth += 1;
    if (this.#depth > VALUE_DEPTH) throw new NotYaml();
    const indent = this.#indent;
    const text = this.#text;
    const value = isItem(text)
      ? this.#sequence(indent)
      : entryOf(text)
        ? this.#object(indent)
        : this.#scalarBelow(text);
    this.#depth -= 1;
    return value;
  }

  #scalarBelow(text: string): YamlValue {
    const indent = this.#indent - 1;
    this.#at += 1;
    return this.#inline(text, indent);
  }

  #inline(text: string, indent: number): YamlValue {
    if (text.startsWith("[") || text.startsWith("{")) return json(flowJson(this.#balanced(text)));
    if (isUnclosed(text)) throw new NotYaml();
    const quoted = quotedText(text);
    if (quoted !== undefined) return { text: quoted, origin: "string" };
    return { text: this.#plain(text, indent), origin: "bare" };
  }

  /** Its brackets may close on a later line, however that is indented. */
  #balanced(first: string): string {
    const brackets = new Brackets();
    brackets.add(first);
    const from = this.#at;
    while (brackets.open > 0 && this.#at < this.#lines.length) {
      brackets.add(this.#line);
      this.#at += 1;
    }
    return [first, ...this.#lines.slice(from, this.#at)].join("\n");
  }

  /** A plain scalar goes on as long as lines are indented: a line break is a blank, an empty line a line break. */
  #plain(first: string, indent: number): string {
    let text = withoutComment(first);
    let breaks = 0;
    for (; this.#at < this.#lines.length; this.#at++) {
      if (this.#text === "") breaks += 1;
      else if (this.#indent <= indent || this.#text.startsWith("#")) break;
      else if (entryOf(this.#text)) throw new NotYaml();
      else {
        text += (breaks > 0 ? "\n".repeat(breaks) : " ") + withoutComment(this.#text);
        breaks = 0;
      }
    }
    return text;
  }
}

function withoutComment(text: string): string {
  const at = text.indexOf(" #");
  return at < 0 ? text : trimBlanks(text.slice(0, at));
}
