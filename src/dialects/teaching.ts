import type { CallWriter, ResultWriter, TaughtDialect, Teaching } from "./dialect.ts";

/** What is to be said of a notation besides the rules that hold in all of them. */
export interface Lesson {
  /** How values are written: one of the rules below, or the notation's own. */
  readonly values: string;
  /** What calls that do not depend on each other do: the end of that sentence. */
  readonly several: string;
  /** The form shows a text apart from other values: they are written differently. */
  readonly typed?: true;
}

/** Text as it stands between tags. */
export const TEXT = `- A string stands between its tags as it is: no quotes, no escaping, as many lines as needed.
- A number, boolean, null, array or object is written as JSON.`;

export const JSON_CALLS =
  "- A call is valid JSON: in a string, quotes and backslashes are escaped, and a line break is `\\n`.";

const keywords = (written: string) =>
  `- Arguments are keywords, their values ${written}: in a string, quotes and backslashes are escaped, and a line break is \`\\n\`.`;

export const PYTHON = keywords("Python literals");
export const KEYWORDS = keywords("JSON");

export const IN_LIST = "go in the same list";
export const IN_OWN_TAGS = "follow each other, each in tags of its own";
export const inBlock = (each: string) => `go in the same block, one ${each} each`;

/** Stands for a value while the form is written: every notation writes a number as it is. */
const NUMBER = 12_345;

/**
 * Makes of a notation one that can be taught. The rules are the same for all, each an answer to a fault that models are
 * known for; the form is written by the notation's own writer, so it is exact to the byte. The tag of results is not
 * named: a model that knows it writes results of its own.
 */
export function taught(
  calls: CallWriter,
  results: ResultWriter["results"],
  lesson: Lesson,
): Pick<TaughtDialect, "write" | "teach"> {
  const teach: Teaching = {
    before: "<tools>\n",
    // Not before it is asked for: what the writer needs may stand further down in its file.
    get after() {
      return `\n</tools>\n\n${rules(calls, lesson)}`;
    },
  };
  return { write: { ...calls, results }, teach };
}

function rules(write: CallWriter, { values, several, typed }: Lesson): string {
  const [reply, note] = write.first
    ? ["Begin your reply with the calls", "Nothing stands before the calls; they are"]
    : ["End your reply with the calls", "You may write a short note before the calls. They are"];
  return `## How to call tools
${reply}, in exactly this form:

${form(write, typed)}

${values}
- Copy tool and parameter names exactly. Give every required parameter a real value; leave out optional ones you do not need. If you lack a required value, ask for it instead of calling.
- Calls that do not depend on each other ${several}. A call that needs an earlier result waits for that result.
- ${note} never put in a code fence or in your thinking.
- Stop right after the last call. The results come in the next message; never write them yourself.
- When no tool is needed, answer without a call.`;
}

/** `$TOOL` is no name (sieve.md N3), so whoever repeats the form calls nothing. */
function form(write: CallWriter, typed?: true): string {
  const input = typed ? { $TEXT_PARAMETER: "$TEXT", $OTHER_PARAMETER: NUMBER } : { $PARAMETER: NUMBER };
  return write.calls([{ name: "$TOOL", input }]).replace(`${NUMBER}`, () => (typed ? "$JSON" : "$VALUE"));
}
