/** Characters of the user's text that are looked at: its end, where the question usually stands. */
const READ = 2_000;

/** What a text offers to be put into arguments. Each thing is given out once, so that two calls differ. */
export interface Words {
  /** In lower case, letters and digits only. */
  readonly all: ReadonlySet<string>;
  /** The text itself, its ends trimmed. */
  readonly text: string;
  /** The first find of the first of these kinds that has one left. */
  take(...kinds: WordKind[]): string | undefined;
  /** Whether something of this kind is left. */
  has(kind: WordKind): boolean;
}

/** `object` is what a preposition points at, as in "the weather in paris". */
type WordKind = "path" | "quoted" | "number" | "name" | "object" | "last";

/** Applied in this order; what one has found is no longer there for the next. Of a match with a group the group counts. */
const PATTERNS: readonly [WordKind, RegExp][] = [
  ["path", /[\w.~:-]*\/[\w./~?=&-]*\w|\b[\w-]+\.[a-z]\w{0,4}\b/g],
  ["quoted", /(?<!\w)["'“`]([^"'”`\n]+)["'”`](?!\w)/g],
  ["number", /(?<![\w.])-?\d+(?:\.\d+)?\b/g],
  // Not the first word of a sentence: that one is a capital's anyway.
  ["name", /(?<=[\p{L}\d,] )\p{Lu}[\p{L}\d-]*(?: \p{Lu}[\p{L}\d-]*)*/gu],
  ["object", /(?<=\b(?:in|at|of|for|from|about|to) )(?!(?:the|an?|my)\b)[\p{L}\d-]+/gu],
  ["last", /[\p{L}\d]+(?=\P{L}*$)/gu],
];

export function readWords(text: string): Words {
  const whole = text.slice(-READ).trim();
  const found: Partial<Record<WordKind, string[]>> = {};
  let rest = whole;
  for (const [kind, pattern] of PATTERNS) {
    found[kind] = [...rest.matchAll(pattern)].map(([match, group]) => group ?? match);
    rest = rest.replace(pattern, " ");
  }
  const has = (kind: WordKind) => (found[kind]?.length ?? 0) > 0;
  return {
    all: new Set(splitWords(whole)),
    text: whole,
    take(...kinds) {
      const kind = kinds.find(has);
      return kind && found[kind]?.shift();
    },
    has,
  };
}

/** `getWeather_v2` → get, weather, v2; a plural loses its `s`, so that "files" meets `file`. */
export function splitWords(text: string): string[] {
  const words = text.replace(/\p{Ll}(?=\p{Lu})/gu, "$& ").match(/[\p{L}\d]+/gu) ?? [];
  return words.map((word) => word.toLowerCase().replace(/(?<=..[^s])s$/, ""));
}
