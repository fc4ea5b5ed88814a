import type { Conversation } from "../conversation.ts";
import type { TaughtDialect } from "../dialects/dialect.ts";
import { choiceLine } from "./choice-line.ts";
import { formatLine } from "./format-line.ts";
import { renderHistory } from "./history.ts";
import type { UpstreamMessage } from "./messages.ts";
import type { Quoting } from "./quoting.ts";
import type { ToolDocs } from "./tool-docs.ts";
import { appendToLastQuestion, callsOf, joinParagraphs, resultsOf } from "./turns.ts";

/**
 * The conversation as a text model reads it: the client's system text and behind it the tools and how to call them, then
 * the turns with calls and results as text, then what this turn's `tool_choice` and response format ask.
 *
 * Nothing in it comes from a clock, an id or chance, and all but the last line of a prompt is the beginning of the next
 * turn's, so that prefix caches hit.
 *
 * @param dialect the taught one: the history is written in what the model is told to write
 * @param quoting made from all armed dialects
 * @param docs the tools; undefined where the model is told of none (`tellsTools`)
 */
export function renderPrompt(
  conversation: Conversation,
  dialect: Pick<TaughtDialect, "teach" | "write">,
  quoting: Quoting,
  docs: ToolDocs | undefined,
): UpstreamMessage[] {
  const system = joinParagraphs([conversation.system, docs ? toolsText(docs, dialect) : ""]);
  const messages = renderHistory(conversation.turns, dialect.write, quoting);
  const choice = docs ? choiceLine(conversation, quoting) : "";
  appendToLastQuestion(messages, joinParagraphs([choice, formatLine(conversation.responseFormat, quoting.quote)]));
  return system === "" ? messages : [{ role: "system", content: system }, ...messages];
}

/** With calls forbidden the tools stay as long as the history uses them: it would make no sense to the model without. */
export function tellsTools({ tools, toolChoice, turns }: Conversation): boolean {
  if (tools.length === 0) return false;
  if (toolChoice.mode !== "none") return true;
  return callsOf(turns).length > 0 || resultsOf(turns).length > 0;
}

function toolsText({ heading, list }: ToolDocs, { teach }: Pick<TaughtDialect, "teach">): string {
  return `${heading}\n\n${teach.before}${list}${teach.after}`;
}
