import { isObject } from "../json.ts";
import { type Forcing, REASONING_FIELDS } from "./capabilities.ts";
import { list } from "./json-fields.ts";
import type { Refusal } from "./refusal.ts";
import { clausesOf, refusedFields, refusingClauses } from "./refusing-words.ts";

/**
 * What the refusal of a request teaches of a server, so that the same request may do better. Each lesson is a word among
 * the fields that are not sent: most are the name of a field, the others are made below. A refusal of the moment, of the
 * model or of the conversation's length teaches nothing.
 *
 * @param body the one that was refused
 */
export function lessonsOf({ error, text }: Refusal, body: Readonly<Record<string, unknown>>): string[] {
  if (error.kind !== "upstream-rejected" && error.kind !== "upstream-failed") return [];
  const { reasoning_effort: effort, ...fields } = body;
  const lessons = typeof effort === "string" && refusesEffort(text) ? [refusedEffort(effort)] : [];
  if (error.kind !== "upstream-rejected") return lessons;
  if (DEMANDS_REASONING.test(text)) lessons.push(REASONING_DEMANDED);
  const names = Object.keys(lessons.length > 0 ? fields : body);
  const renamed = names.filter((name) => refusesName(text, name));
  const dropped = refusedFields(text, names).filter((name) => !renamed.includes(name));
  return [...lessons, ...renamed.map(renaming), ...dropped, ...refusedReasoning(text, body.messages)];
}

/** That tools are refused: without them the request would be another one, so it is not repeated as it is. */
export const NATIVE_TOOLS = "native tools";

/** That a call was not to be forced in this way. */
export const forcedBy = (by: Forcing["by"]) => `a call forced by ${by}`;

/** The reasoning of earlier answers has to be told: every answer has the field, be it empty. */
export const REASONING_DEMANDED = "reasoning demanded";

/** DeepSeek's two wordings, and Moonshot's. */
const DEMANDS_REASONING =
  /missing [`'"]?reasoning_content\b|\breasoning_content\b[^.}]{0,80}(?:\bis missing\b|\bmust be (?:passed|provided|included))/i;

/** The reasoning of earlier answers is not taken, under this name. */
export const refusedReasoningField = (field: string) => `messages.${field}`;

/** `property 'reasoning' is unsupported`, `messages[1].reasoning: reasoning is not supported`, and a list of places. */
function refusedReasoning(text: string, messages: unknown): string[] {
  const clauses = refusingClauses(text);
  const sent = REASONING_FIELDS.filter((field) => list(messages).some((one) => isObject(one) && field in one));
  const refused = sent.filter((field) => {
    const named = new RegExp(`["'\`.]${field}\\b`);
    return clauses.some((clause) => named.test(clause));
  });
  return refused.map(refusedReasoningField);
}

/**
 * Of the levels of effort each is refused by itself: another one may well be taken, and with none the model thinks as much
 * as it does by default.
 */
export const refusedEffort = (effort: string) => `reasoning_effort ${effort}`;

const EFFORT = /reasoning[ _.]?effort/i;
const WRONG = /\bnot\b|\bun(?:supported|known|recogni[sz]ed)|\binvalid\b|\b(?:must|should) be\b|\bextra/i;
/** Ollama's words, which name no field. */
const NO_THINKING = /does not support thinking|think value .{0,20} is not supported|invalid reasoning value/i;

function refusesEffort(text: string): boolean {
  return clausesOf(text).some((clause) => (EFFORT.test(clause) && WRONG.test(clause)) || NO_THINKING.test(clause));
}

/** Fields that newer models have under another name. */
const INSTEAD: Readonly<Record<string, string>> = { max_tokens: "max_completion_tokens" };

const renaming = (name: string) => `${name} as ${INSTEAD[name]}`;

/** The name that a field goes upstream with. */
export function sentName(name: string, lessons: ReadonlySet<string>): string {
  return INSTEAD[name] !== undefined && lessons.has(renaming(name)) ? INSTEAD[name] : name;
}

/** `'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.` */
function refusesName(text: string, name: string): boolean {
  const instead = INSTEAD[name];
  return (
    instead !== undefined && text.includes(instead) && refusingClauses(text).some((clause) => clause.includes(name))
  );
}
