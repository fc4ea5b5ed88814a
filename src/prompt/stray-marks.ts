import { type Dialect, reservedSpellings } from "../dialects/dialect.ts";
import { Markdown } from "../sieve/markdown.ts";
import { escaped } from "./quoting.ts";

/** Takes marks out of a text; what is code in Markdown, or may be, stays as it is. */
export type TakeOut = (text: string) => string;

/**
 * Marks that belong to no block: tags that a broken call has left behind, and stop tokens. They stand where a line begins or ends;
 * in the midst of one they are spoken of, or are part of some code.
 *
 * @param written the notations that this model may have meant: elsewhere the same tags are somebody's XML
 * @param all of these only the stop tokens that nobody writes by hand
 */
export function createStrayMarks(written: readonly Dialect[], all: readonly Dialect[]): TakeOut {
  const stops = (dialects: readonly Dialect[]) => dialects.flatMap(({ channels }) => channels?.strips ?? []);
  const tags = written.flatMap(reservedSpellings);
  const exact = [...stops(written), ...stops(all).filter((token) => /[|｜]/.test(token))];
  const patterns = [...tags.filter((tag) => /^<\/?[^/]/.test(tag)).map(tagPattern), ...exact.map(escaped)];
  const mark = `(?:${[...new Set(patterns)].join("|")})`;
  const marks = new RegExp(`${mark}(?:\\s*${mark})*`, "g");
  return (text) => takeOut(text, marks);
}

/** A tag counts from its head to its `>`, or to where the text was cut, and its closer with it. */
function tagPattern(spelling: string): string {
  const name = escaped(spelling.replace(/^<\/?|>$/g, ""));
  if (spelling.endsWith(">")) return `<\\/?${name}>`;
  return `<\\/?${name}${/\w$/.test(spelling) ? "(?=[\\s\\/>]|$)" : ""}[^<>]*(?:>|$)`;
}

function takeOut(text: string, marks: RegExp): string {
  const markdown = new Markdown();
  const kept: string[] = [];
  let seen = 0;
  let from = 0;
  for (const { 0: run, index } of text.matchAll(marks)) {
    for (; seen < index; seen += 1) markdown.step(text.charCodeAt(seen));
    // No backtick: a run of them has ended.
    markdown.endRun();
    if (!markdown.live || markdown.openRuns.size > 0) continue;
    const end = index + run.length;
    const [begins, ends] = [isBreak(text[index - 1]), isBreak(text[end])];
    if (!begins && !ends) continue;
    kept.push(text.slice(from, index));
    // Where it had lines of its own, nothing is left of them.
    from = begins && ends ? Math.min(end + 1, text.length) : end;
  }
  return from === 0 ? text : kept.join("") + text.slice(from);
}

/** So are the ends of a text. */
function isBreak(character: string | undefined): boolean {
  return character === undefined || character === "\n";
}
