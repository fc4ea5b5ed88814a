import { callSpellings, channelSpellings, type Dialect } from "../dialects/dialect.ts";
import { REASONING_MARKS } from "../dialects/marks.ts";

/**
 * Reversible quoting of text that we did not write: `</tool_results>` becomes `<~/tool_results>`, so that a tool's
 * output can neither close our frames, nor begin a call, nor forge a turn.
 *
 * One `~` is put behind the bracket of every reserved spelling, also of one that is quoted already, and one is taken away
 * on the way back (`unquote.ts`). That makes it injective: what was there before, quoted or not, comes back. A visible
 * character survives every tokenizer and every copy that a model makes, which zero-width ones do not.
 */
export interface Quoting {
  /** For what nobody in the conversation typed: results, descriptions of tools, arguments of earlier calls. */
  quote(text: string): string;
  /** For what a person typed: only what forges turns or results is quoted, markup stays readable. */
  quoteTyped(text: string): string;
  /** For what the model itself wrote: chat templates part reasoning from its text by the marks of it. */
  quoteAnswer(text: string): string;
  /** What `quote` knows: the way back has to know the very same. */
  readonly marks: readonly QuotedMark[];
}

/** A reserved spelling: what it begins with, then the rest, with its `/` where it is a closer. */
export interface QuotedMark {
  readonly bracket: Bracket;
  readonly rest: string;
  /** `rest` is in lower case, and stands for every ASCII case. */
  readonly anyCase: boolean;
  /** It ends in a name, so it is another one where that goes on: `<tools` is not meant by `<toolset>`. */
  readonly whole: boolean;
}

/** The last one is how MiniMax's control tokens begin. */
const BRACKETS = ["<", "[", "]~"] as const;
type Bracket = (typeof BRACKETS)[number];

/** What tokenizers take for control tokens wherever it stands, spelled exactly so. */
const TEMPLATE_TOKENS = [
  "<|",
  "<｜",
  "<s>",
  "<bos>",
  "<eos>",
  "<pad>",
  "<unk>",
  "<start_of_turn>",
  "<end_of_turn>",
  // The inner bracket of `<<SYS>>`: a mark holds no second one.
  "<SYS>>",
  "[INST]",
  "[SYSTEM_PROMPT]",
  "[AVAILABLE_TOOLS]",
  "[TOOL_CALLS]",
  "[TOOL_RESULTS]",
  "[TOOL_CONTENT]",
  "[THINK]",
  "[e~",
  "]~b]",
  "]~!b",
];

/**
 * Compiles the spellings of the notations, and those of the usual chat templates, into one matcher each for both
 * kinds of text. Spellings that do not begin with a bracket are left out: those notations are read only at a line start,
 * with a declared name behind, and have no place for a quote.
 *
 * As much code as may be is left as it is, or the model reads `Vec<~Response>` in its files: what is not read is reserved as
 * it is spelled, but for its closer, and a closer that is reserved alone says nothing of its opener (`<input>`).
 */
export function createQuoting(dialects: readonly Dialect[]): Quoting {
  const template = toMarks([...TEMPLATE_TOKENS, ...dialects.flatMap(channelSpellings)], false, false);
  const results = toMarks(
    dialects.flatMap((dialect) => dialect.results ?? []),
    true,
  );
  const reasoning = toMarks(
    REASONING_MARKS.map(({ open }) => open),
    true,
  );
  const read = [...reasoning, ...toMarks(dialects.flatMap(callSpellings), true)];
  const inside = toMarks(
    dialects.flatMap((dialect) => dialect.reserved ?? []),
    false,
  );
  const marks = shortest([...template, ...results, ...read, ...inside]);
  const typed = shortest([...toMarks(TEMPLATE_TOKENS, false, false), ...results]);
  const answer = shortest([...typed, ...reasoning]);

  const quoting = (found: RegExp) => (text: string) => text.replace(found, "$&~");
  // What is quoted already takes one more in every text, or undoing it would change it.
  const only = (bare: readonly QuotedMark[]) =>
    matcher((bracket) => `(?:~+${alternatives(marks, bracket)}|${alternatives(bare, bracket)})`);
  return {
    quote: quoting(matcher((bracket) => `~*${alternatives(marks, bracket)}`)),
    quoteTyped: quoting(only(typed)),
    quoteAnswer: quoting(only(answer)),
    marks,
  };
}

/**
 * What an opener reserves its closer does, too. A second bracket ends a mark, or one mark's quote could stand inside
 * another mark. A tag in any case counts from its head on, whatever ends it, so it loses its `>`.
 *
 * @param anyCase in which openers count, and closers
 */
function toMarks(spellings: readonly string[], anyCase: boolean, closesAnyCase = true): QuotedMark[] {
  return spellings.flatMap((spelling) => {
    const [, bracket, slash, name = ""] = /^(<|\[|\]~)(\/?)([^<[]+)/.exec(spelling) ?? [];
    if (bracket === undefined) return [];
    const closer = toMark(bracket as Bracket, `/${name}`, closesAnyCase);
    return slash === "/" ? [closer] : [toMark(bracket as Bracket, name, anyCase), closer];
  });
}

/** Each once, and none that a shorter one stands for: `<|` does for all that begins so. */
function shortest(marks: readonly QuotedMark[]): QuotedMark[] {
  const kept: QuotedMark[] = [];
  for (const mark of marks.toSorted((a, b) => a.rest.length - b.rest.length)) {
    if (!kept.some((shorter) => standsFor(shorter, mark))) kept.push(mark);
  }
  return kept;
}

function standsFor(shorter: QuotedMark, { bracket, rest, anyCase }: QuotedMark): boolean {
  if (bracket !== shorter.bracket || (anyCase && !shorter.anyCase && /[a-z]/.test(shorter.rest))) return false;
  const spelled = shorter.anyCase ? rest.toLowerCase() : rest;
  return shorter.whole ? spelled === shorter.rest : spelled.startsWith(shorter.rest);
}

function toMark(bracket: Bracket, spelling: string, anyCase: boolean): QuotedMark {
  const rest = anyCase ? spelling.toLowerCase().replace(/>$/, "") : spelling;
  return { bracket, rest, anyCase, whole: isNameCharacter(rest.slice(-1)) };
}

const NAME = "\\w:.\\-";
const isName = new RegExp(`^[${NAME}]$`);

/** Of the names of tags; no text is none. */
export function isNameCharacter(character: string): boolean {
  return isName.test(character);
}

/** Brackets that need a quote behind them: each looks ahead over its own run of `~` only, so the work is linear. */
function matcher(ahead: (bracket: Bracket) => string): RegExp {
  return new RegExp(BRACKETS.map((bracket) => `${escaped(bracket)}(?=${ahead(bracket)})`).join("|"), "g");
}

function alternatives(marks: readonly QuotedMark[], bracket: Bracket): string {
  return `(?:${marks
    .filter((mark) => mark.bracket === bracket)
    .map(pattern)
    .join("|")})`;
}

function pattern({ rest, anyCase, whole }: QuotedMark): string {
  const letters = anyCase ? /[a-z]/g : /(?!)/g;
  return (
    escaped(rest).replace(letters, (letter) => `[${letter}${letter.toUpperCase()}]`) + (whole ? `(?![${NAME}])` : "")
  );
}

/** The text itself, in a regular expression. */
export function escaped(text: string): string {
  return text.replace(/[^\w\s]/g, "\\$&");
}
