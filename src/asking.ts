import type { Conversation, ResponseFormat } from "./conversation.ts";
import { DIALECTS } from "./dialects/all.ts";
import type { TaughtDialect } from "./dialects/dialect.ts";
import { once } from "./once.ts";
import { inlineReasoning } from "./prompt/kept-reasoning.ts";
import { renderNative } from "./prompt/native.ts";
import { renderPrompt, tellsTools } from "./prompt/prompt.ts";
import { createQuoting, type Quoting } from "./prompt/quoting.ts";
import { describeTools, type ToolDocs, type ToolDocsSettings } from "./prompt/tool-docs.ts";
import type { NativeTools, UpstreamRequest } from "./upstreams/upstream.ts";

/** What an upstream is asked, in words or in its own form. */
export interface Asking {
  readonly request: Pick<UpstreamRequest, "messages" | "native" | "responseFormat">;
  /** Absent where nothing is quoted: what looks quoted in the reply is the model's own. */
  readonly quoting?: Quoting;
  /** Why the response format is asked for in words alone: calls may come, or the upstream does not enforce such a one. */
  readonly formatInWords?: "calls" | "upstream";
  /** Absent where the model is told of no tools, or natively. */
  readonly docs?: ToolDocs;
  /** How the tools are told: the id of the notation, or `native`; absent where none are. */
  readonly told?: string;
}

// Compiled once, and not at the start: it depends on nothing but the dialects that exist, but those are many.
const quotingOfAll = once(() => createQuoting(DIALECTS));

/**
 * Of a model that writes text: tools, calls and results are told in the taught notation.
 * @param formats those that the upstream enforces
 * @param inline reasoning stands in the text of its answer
 */
export function askInWords(
  conversation: Conversation,
  dialect: TaughtDialect,
  settings: ToolDocsSettings,
  formats: Formats,
  inline = false,
): Asking {
  const { responseFormat, ...unformatted } = conversation;
  const quoting = quotingOfAll();
  const docs = tellsTools(conversation) ? describeTools(conversation.tools, settings, quoting) : undefined;
  // A grammar on the upstream's side would forbid the markup of a call.
  const calls = callableTools(conversation).length > 0;
  const enforced = responseFormat && !calls && formats.includes(responseFormat.type);
  const messages = renderPrompt(enforced ? unformatted : conversation, dialect, quoting, docs);
  return {
    ...(docs && { docs, told: dialect.id }),
    quoting,
    request: {
      messages: inline ? inlineReasoning(messages) : messages,
      ...(enforced && { responseFormat }),
    },
    ...(responseFormat && !enforced && { formatInWords: calls ? ("calls" as const) : ("upstream" as const) }),
  };
}

/**
 * Of an upstream that calls by itself: it is given the tools and the history in its own form.
 * @param formats those that it enforces
 * @param inline reasoning stands in the text of its answer
 */
export function askNatively(conversation: Conversation, formats: Formats, inline = false): Asking {
  const { parallelToolCalls: parallel, responseFormat } = conversation;
  const enforced = responseFormat && formats.includes(responseFormat.type);
  const tells = tellsTools(conversation);
  const messages = renderNative(conversation, enforced ? undefined : responseFormat);
  return {
    ...(tells && { told: "native" }),
    request: {
      messages: inline ? inlineReasoning(messages, quotingOfAll().quoteAnswer) : messages,
      ...(tells && { native: { ...chosenTools(conversation), parallel } }),
      ...(enforced && { responseFormat }),
    },
    ...(responseFormat && !enforced && { formatInWords: "upstream" as const }),
  };
}

type Formats = readonly ResponseFormat["type"][];

/** Tools that may be called in this turn; with none the sieve is off and markup is just text (sieve.md M1). */
export function callableTools({ tools, toolChoice }: Conversation): Conversation["tools"] {
  return toolChoice.mode === "none" ? [] : tools;
}

/** A set of several tools is told by the list itself: every server understands that, and few another way. */
function chosenTools({ tools, toolChoice }: Conversation): Omit<NativeTools, "parallel"> {
  const { mode, only = [] } = toolChoice;
  const [first, second] = only;
  if (first === undefined) return { tools, choice: { mode } };
  if (mode === "required" && second === undefined) return { tools, choice: { mode, only: first } };
  return { tools: tools.filter(({ name }) => only.includes(name)), choice: { mode } };
}
