/** Without these it would be another request, or none. */
const CORE = new Set(["model", "messages", "stream", "tools"]);

/** That a field is not taken at all: a value out of its range is the client's own affair, and no reason to drop it for all. */
const REFUSED = /un(?:supported|known|recogni[sz]ed)|not (?:supported|permitted)|\bextra(?:_|\b)|additional propert/i;

const TOOLS = /\btools?\b|\btool[-_ ](?:use|choice|call)|\bfunction[-_ ]call/i;
const WITHOUT = /\b(?:not|no)\b.{0,80}\bsupport|unsupported|\brequires? [`"']?--\w/i;

/**
 * Whether a refusal says that this server, or this model of it, takes no tools at all: `X does not support tools`,
 * `No endpoints found that support tool use`, `tools param requires --jinja flag`. Its status tells nothing: it is 400, 404
 * or 500. What says that of a field, such as `tool_choice`, is about the field alone.
 *
 * @param names of the fields that were sent
 */
export function refusesTools(text: string, names: readonly string[]): boolean {
  return clausesOf(text).some(
    (clause) => TOOLS.test(clause) && WITHOUT.test(clause) && refusedFields(clause, names).length === 0,
  );
}

/** The sentences and the objects of a refusal, whatever its shape. */
export function clausesOf(text: string): string[] {
  return text.split(/[.;](?=\s)|\}/);
}

/** Those that say that something is not taken. */
export function refusingClauses(text: string): string[] {
  return clausesOf(text).filter((clause) => REFUSED.test(clause));
}

/** `Unrecognized request argument supplied: seed`, as Azure and others list names without quotes. */
const LISTED =
  /\b(?:argument|param(?:eter)?|field|propert(?:y|ie))s?\b[^:"'`]{0,40}: *(\w+(?:, *\w+)*)(?= *(?:$|["'\\(]))/i;

/**
 * The fields of our own body that a refusal says are not taken: those that it quotes, as a word or as `param`, or lists at
 * its end, in the sentence or the object that says so. Any other bare word is none: `stop` and `user` stand in any English
 * text.
 *
 * @param text the refusal's body, of whatever shape
 * @param names of the fields that were sent
 */
export function refusedFields(text: string, names: readonly string[]): string[] {
  const named = refusingClauses(text).map((clause) => [
    ...[...clause.matchAll(/["'`](\w+)\\*["'`]/g)].map(([, word = ""]) => word),
    ...(LISTED.exec(clause)?.[1]?.split(/, */) ?? []),
  ]);
  // What is wrong inside of a message or a tool bears their names before its own.
  const refused = new Set(named.filter((words) => !words.some((word) => CORE.has(word))).flat());
  return names.filter((name) => refused.has(name));
}
