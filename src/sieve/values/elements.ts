import { VALUE_DEPTH } from "../../limits.ts";
import { CDATA_CLOSE, CDATA_OPEN } from "../markup.ts";
import { decodeEscapedText } from "./entities.ts";
import { type Element, type Origin, trimBlanks, trimLineBreaks, type Value } from "./value.ts";

/**
 * The elements that a text consists of (sieve.md V6, V7), such as `<item>1</item><item>2</item>`; undefined when there
 * is anything but blanks between them, or when tags do not match.
 *
 * CDATA sections are passed over whole; a `<` that begins no tag is text of the element it stands in.
 */
export function readElements(source: string): readonly Element[] | undefined {
  const outer = new OpenElement("", 0, undefined);
  let current = outer;
  for (const token of tokens(source)) {
    switch (token.kind) {
      case "text":
        current.hasText = true;
        break;
      case "section":
        current.hasSections = true;
        break;
      case "open":
        current = new OpenElement(token.name, token.to, current);
        break;
      case "empty":
        current.children.push({ name: token.name, value: new ElementValue("") });
        break;
      case "close":
        if (token.name !== current.name || !current.parent) return undefined;
        current.parent.children.push({ name: token.name, value: current.close(source, token.from) });
        current = current.parent;
        break;
      default:
        token satisfies never;
    }
    // Here and not at the end, so that prose which holds a tag is given up at its first word.
    if (outer.hasText || outer.hasSections || current.depth > VALUE_DEPTH) return undefined;
  }
  return current === outer && outer.children.length > 0 ? outer.children : undefined;
}

class OpenElement {
  readonly name: string;
  readonly parent: OpenElement | undefined;
  readonly depth: number;
  readonly children: Element[] = [];
  hasText = false;
  hasSections = false;
  /** Where its content begins. */
  readonly #from: number;

  constructor(name: string, from: number, parent: OpenElement | undefined) {
    this.name = name;
    this.#from = from;
    this.parent = parent;
    this.depth = parent ? parent.depth + 1 : 0;
  }

  close(source: string, to: number): Value {
    const content = source.slice(this.#from, to);
    const hasElements = this.children.length > 0;
    if (this.hasSections && !this.hasText && !hasElements) return new ElementValue(content, "string");
    const elements = hasElements && !this.hasText && !this.hasSections ? this.children : undefined;
    return new ElementValue(content, "bare", elements);
  }
}

class ElementValue implements Value {
  readonly origin: Origin;
  readonly elements: readonly Element[] | undefined;
  readonly #content: string;

  constructor(content: string, origin: Origin = "bare", elements?: readonly Element[]) {
    this.#content = content;
    this.origin = origin;
    this.elements = elements;
  }

  /** Made when asked for: where the value is read as its elements, nobody needs their text in one piece. */
  get text(): string {
    if (this.origin === "string") return Array.from(this.#content.matchAll(SECTION), ([, text]) => text).join("");
    const text = trimLineBreaks(this.#content);
    // Nothing is decoded beside markup, a section included (sieve.md V2, V5); what decoding makes is no markup.
    return text.includes("<") ? text.replace(SECTION, "$1") : decodeEscapedText(text);
  }
}

type Token =
  /** Anything but blanks. */
  | { kind: "text"; to: number }
  | { kind: "section"; to: number }
  | { kind: "open" | "empty" | "close"; name: string; from: number; to: number };

const SECTION = /<!\[CDATA\[([\s\S]*?)\]\]>/gi;
/** A name and nothing else: a value could not keep attributes, so a tag that has some is text. */
const TAG = /<(\/?)([\p{L}_][\p{L}\p{M}\p{N}_.:-]*)[ \t\r\n]*(\/?)>/uy;

function* tokens(source: string): Generator<Token> {
  for (let at = 0; at < source.length; ) {
    const mark = source.indexOf("<", at);
    const end = mark < 0 ? source.length : mark;
    if (trimBlanks(source.slice(at, end)) !== "") yield { kind: "text", to: end };
    if (mark < 0) return;
    const token = tokenAt(source, mark);
    yield token;
    at = token.to;
  }
}

function tokenAt(source: string, from: number): Token {
  if (source.slice(from, from + CDATA_OPEN.length).toLowerCase() === CDATA_OPEN) {
    const end = source.indexOf(CDATA_CLOSE, from);
    // To the end of the source, or every further opener would look for a closer that is not there.
    return end < 0 ? { kind: "text", to: source.length } : { kind: "section", to: end + CDATA_CLOSE.length };
  }
  TAG.lastIndex = from;
  const [tag, closes, name, empty] = TAG.exec(source) ?? [];
  if (tag === undefined || name === undefined || (closes && empty)) return { kind: "text", to: from + 1 };
  return { kind: closes ? "close" : empty ? "empty" : "open", name, from, to: from + tag.length };
}
