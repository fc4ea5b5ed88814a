/** Characters of the user's text that are looked at: its end, where the question usually stands. */
const READ = 2_000;

/** What a text offers to be put into arguments. Each thing is given out once, so that two calls differ. */
export interface Words {
  /** In lower case, letters and digits only. */
  readonly all: ReadonlySet<string>;
  /** The text itself, its ends trimmed. */
  readonly text: string;
  take(kind: WordKind): string | undefined;
  /** Whether something of this kind is left. */
  has(kind: WordKind): boolean;
}

/** `object` is what a preposition points at, as in "the weather in paris". */
export type WordKind = "quoted" | "url" | "path" | "number" | "name" | "object" | "last";

/** One pattern per kind, applied in this order; what one has found is no longer there for the next. */
const PATTERNS: readonly [WordKind, RegExp][] = [
  ["url", /\bhttps?:\/\/[^\s"'<>)]+/g],
  ["quoted", /"([^"\n]+)"|“([^”\n]+)”|(?<!\w)'([^'\n]+)'(?!\w)|`([^`\n]+)`/g],
  ["path", /(?<![\w./~-])(?:[\w.~-]*\/[\w./~-]*\w|[\w-]+\.[a-z]\w{0,4})(?![\w/])/g],
  ["number", /(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*\w)/g],
  // Not the first word of a sentence: that one is a capital's anyway.
  ["name", /(?<=[\p{L}\d,;:)] )\p{Lu}[\p{L}\d'-]*(?: \p{Lu}[\p{L}\d'-]*)*/gu],
  ["object", /(?<=\b(?:in|at|of|for|from|about|to) )(?!(?:the|an?|my)\b)[\p{L}\d-]+/gu],
];

export function readWords(text: string): Words {
  const found = new Map<WordKind, string[]>();
  let rest = text.slice(-READ).trim();
  const whole = rest;
  for (const [kind, pattern] of PATTERNS) {
    const values: string[] = [];
    rest = rest.replace(pattern, (match, ...groups: unknown[]) => {
      const inner = groups.find((group, index) => index < 4 && typeof group === "string");
      values.push(kind === "quoted" ? String(inner) : match);
      return " ";
    });
    found.set(kind, values);
  }
  found.set("last", rest.match(/[\p{L}\d]+/gu)?.slice(-1) ?? []);

  return {
    all: new Set(splitWords(whole)),
    text: whole,
    take: (kind) => found.get(kind)?.shift(),
    has: (kind) => (found.get(kind)?.length ?? 0) > 0,
  };
}

/** `getWeather_v2` → get, weather, v2; a plural loses its `s`, so that "files" meets `file`. */
export function splitWords(text: string): string[] {
  const words =
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
      .toLowerCase()
      .match(/[\p{L}\d]+/gu) ?? [];
  return words.map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, "") : word));
}
