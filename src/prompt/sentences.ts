/**
 * Where a sentence of a description ends: at its mark, unless the next word is in lower case or the mark belongs to
 * `e.g.` or to a number in a list; at the last character before a blank line or an item of a list. Each part looks ahead
 * over one run of blanks at most, so the work is linear.
 */
const SENTENCE_END =
  /(?<!\b(?:\d\d?|e\.g|i\.e|vs))[.!?]["'`)\]]*(?=\s+[^\s\p{Ll}])|[。！？]|\S(?=[ \t]*\r?\n(?:\r?\n|[ \t]*(?:[-*•#]|\d+[.)])))/gu;

/** How far behind a place it may take to see that a sentence ends there. */
const LOOK_AHEAD = 8;

/** The text up to its first end of a sentence; all of it where there is none. */
export function firstSentence(text: string): string {
  const [first] = text.matchAll(SENTENCE_END);
  return first ? text.slice(0, endOf(first)) : text;
}

/** The longest beginning of whole sentences that has no more than so many characters; empty where none is that short. */
export function wholeSentences(text: string, most: number): string {
  if (text.length <= most) return text;
  const ends = Array.from(text.slice(0, most + LOOK_AHEAD).matchAll(SENTENCE_END), endOf);
  return text.slice(0, ends.findLast((end) => end <= most) ?? 0);
}

function endOf(match: RegExpExecArray): number {
  return match.index + match[0].length;
}
