import { trimBlanks } from "../values/value.ts";
import { indentOf } from "./line.ts";

/** A text on lines of its own, and the line behind it. */
export interface BlockScalar {
  readonly text: string;
  readonly end: number;
}

/**
 * A literal (`|`) or folded (`>`) scalar.
 * @param at the line behind its header
 * @param outside how far what it belongs to is indented
 */
export function blockScalar(header: string, lines: readonly string[], at: number, outside: number): BlockScalar {
  const given = /[1-9]/.exec(header)?.[0];
  const indent = given ? outside + Number(given) : Math.max(firstIndent(lines, at), outside + 1);
  let end = at;
  while (end < lines.length && belongs(lines[end] ?? "", indent)) end += 1;
  const content = lines.slice(at, end).map((line) => line.slice(indent));
  const body = header.startsWith(">") ? folded(content) : content.join("\n");
  return { text: chomped(body, header), end };
}

function firstIndent(lines: readonly string[], at: number): number {
  let i = at;
  while (i < lines.length && trimBlanks(lines[i] ?? "") === "") i += 1;
  return indentOf(lines[i] ?? "");
}

function belongs(line: string, indent: number): boolean {
  return trimBlanks(line) === "" || indentOf(line) >= indent;
}

/** A line break between two lines is a blank, but not around empty lines and those that are indented further. */
function folded(lines: readonly string[]): string {
  let text = lines[0] ?? "";
  for (let i = 1; i < lines.length; i++) {
    const [before = "", line = ""] = [lines[i - 1], lines[i]];
    const joins = before !== "" && line !== "" && !/^[ \t]/.test(before) && !/^[ \t]/.test(line);
    const skips = before === "" && line !== "" && i > 1;
    text += joins ? ` ${line}` : skips ? line : `\n${line}`;
  }
  return text;
}

/** One line break at the end, unless the header says otherwise. */
function chomped(text: string, header: string): string {
  if (header.includes("+")) return `${text}\n`;
  let to = text.length;
  while (to > 0 && text[to - 1] === "\n") to -= 1;
  const trimmed = text.slice(0, to);
  return header.includes("-") || trimmed === "" ? trimmed : `${trimmed}\n`;
}
