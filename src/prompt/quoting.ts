import type { Dialect } from "../dialects/dialect.ts";
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

/** A reserved spelling: its bracket, then the rest; a `/` between the two is always allowed. */
export interface QuotedMark {
  readonly bracket: "<" | "[";
  readonly rest: string;
  /** `rest` is in lower case, and stands for every ASCII case. */
  readonly anyCase: boolean;
}

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
];

/**
 * Compiles the spellings of the armed notations, and those of the usual chat templates, into one matcher each for both
 * kinds of text. Spellings that do not begin with a bracket are left out: those notations are read only at a line start,
 * with a declared name behind, and have no place for a quote.
 */
export function createQuoting(dialects: readonly Pick<Dialect, "reserved" | "results">[]): Quoting {
  const template = toMarks(TEMPLATE_TOKENS, false);
  const results = toMarks(
    dialects.flatMap((dialect) => dialect.results ?? []),
    true,
  );
  const reasoning = toMarks(
    REASONING_MARKS.map(({ open }) => open),
    true,
  );
  const others = toMarks(
    dialects.flatMap((dialect) => dialect.reserved ?? []),
    true,
  );
  const typed = [...template, ...results];
  const answer = [...typed, ...reasoning];
  const marks = [...answer, ...others];

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
 * Tags count from their head on, whatever ends it, so a spelling loses its `>`. A second bracket ends a mark, or one
 * mark's quote could stand inside another mark.
 */
function toMarks(spellings: readonly string[], anyCase: boolean): QuotedMark[] {
  return spellings.flatMap((spelling) => {
    const parts = /^([<[])\/?([^<[]+)/.exec(anyCase ? spelling.toLowerCase().replace(/>$/, "") : spelling);
    if (!parts) return [];
    return [{ bracket: parts[1] as "<" | "[", rest: parts[2] as string, anyCase }];
  });
}

/** Brackets that need a quote behind them: each looks ahead over its own run of `~` only, so the work is linear. */
function matcher(ahead: (bracket: "<" | "[") => string): RegExp {
  return new RegExp(`<(?=${ahead("<")})|\\[(?=${ahead("[")})`, "g");
}

function alternatives(marks: readonly QuotedMark[], bracket: "<" | "["): string {
  const patterns = marks.filter((mark) => mark.bracket === bracket).map(pattern);
  return `\\/?(?:${[...new Set(patterns)].join("|")})`;
}

function pattern({ rest, anyCase }: QuotedMark): string {
  return rest.replace(/[a-z]|[^\w\s]/g, (character) => {
    if (!/[a-z]/.test(character)) return `\\${character}`;
    return anyCase ? `[${character}${character.toUpperCase()}]` : character;
  });
}
