import { isBlank } from "../characters.ts";
import { trimBlanks } from "../values/value.ts";

/** It is no YAML, or more of it than is read; never leaves this folder. */
export class NotYaml extends Error {}

/** What a plain scalar cannot begin with; a dash or a question mark only before a blank. */
const INDICATORS = "[]{},#&*!|>%@`\"'";

export function indentOf(line: string): number {
  let indent = 0;
  while (line[indent] === " ") indent += 1;
  return indent;
}

/** A key and what stands behind its colon; undefined when the line, without blanks around it, begins no member. */
export function entryOf(line: string): { key: string; rest: string } | undefined {
  const quote = line[0];
  if (quote === '"' || quote === "'") {
    const end = endOfQuote(line, quote);
    const key = quotedText(line.slice(0, end));
    return key !== undefined && endsKey(line, end) ? { key, rest: trimBlanks(line.slice(end + 1)) } : undefined;
  }
  if (quote === undefined || INDICATORS.includes(quote) || isItem(line)) return undefined;
  let colon = line.indexOf(":");
  while (colon >= 0 && !endsKey(line, colon)) colon = line.indexOf(":", colon + 1);
  return colon < 0 ? undefined : { key: trimBlanks(line.slice(0, colon)), rest: trimBlanks(line.slice(colon + 1)) };
}

export function isItem(line: string): boolean {
  return line === "-" || line.startsWith("- ");
}

function endsKey(line: string, colon: number): boolean {
  return line[colon] === ":" && (colon + 1 === line.length || isBlank(line.charCodeAt(colon + 1)));
}

/** The text of a scalar that is quoted from its first character to its last. */
export function quotedText(scalar: string): string | undefined {
  if (scalar.startsWith("'")) {
    return endOfQuote(scalar, "'") === scalar.length ? scalar.slice(1, -1).replaceAll("''", "'") : undefined;
  }
  if (!scalar.startsWith('"') || endOfQuote(scalar, '"') !== scalar.length) return undefined;
  try {
    // The escapes that YAML has besides JSON's are rare.
    return JSON.parse(scalar) as string;
  } catch {
    return undefined;
  }
}

/** It begins with a quote that does not end in its line: what follows is read by no one here. */
export function isUnclosed(scalar: string): boolean {
  const quote = scalar[0];
  return (quote === '"' || quote === "'") && endOfQuote(scalar, quote) < 0;
}

/** The place behind the closing quote; -1 when there is none. */
export function endOfQuote(text: string, quote: string, from = 0): number {
  for (let i = from + 1; i < text.length; i++) {
    if (quote === '"' && text[i] === "\\") i += 1;
    else if (text[i] !== quote) continue;
    else if (quote === "'" && text[i + 1] === quote) i += 1;
    else return i + 1;
  }
  return -1;
}
