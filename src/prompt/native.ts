import type { CallPart, Conversation, ResponseFormat, ResultPart, Turn } from "../conversation.ts";
import { formatLine } from "./format-line.ts";
import type { MessageCall, UpstreamMessage } from "./messages.ts";
import { matchResults } from "./results.ts";
import { appendToLastQuestion, groupTurns, joinParagraphs, reasoningOf, shownText } from "./turns.ts";

/**
 * The conversation for an upstream that knows tools: calls and results are messages of its own, so nothing has to be told
 * in words, and nothing is quoted.
 *
 * As in the prompt for text models, a message depends on nothing behind it.
 *
 * @param format one that the upstream does not enforce, to be asked for in words
 */
export function renderNative(
  { system, turns }: Pick<Conversation, "system" | "turns">,
  format?: ResponseFormat,
): UpstreamMessage[] {
  const messages = renderTurns(turns);
  appendToLastQuestion(messages, formatLine(format));
  return system === "" ? messages : [{ role: "system", content: system }, ...messages];
}

/** A call, and the id that it goes upstream with. */
interface SentCall {
  call: CallPart;
  id: string;
}

function renderTurns(turns: readonly Turn[]): UpstreamMessage[] {
  /** Those that the client gave. */
  const ids = new Set<string>();
  let count = 0;
  let open: SentCall[] = [];

  function send(call: CallPart): SentCall {
    count += 1;
    ids.add(call.id);
    return { call, id: call.id || `call_at_${count}` };
  }

  return groupTurns(turns).flatMap(({ role, turns }): UpstreamMessage[] => {
    if (role === "user") {
      const messages = renderAnswers(open, turns, (id) => ids.has(id));
      open = [];
      return messages;
    }
    open = turns.flatMap(({ parts }) => parts.filter((part) => part.type === "tool-call").map(send));
    const calls = open.map(({ call: { name, input }, id }): MessageCall => ({ id, name, input }));
    const content = joinParagraphs(turns.map(({ parts }) => shownText(parts)));
    const reasoning = reasoningOf(turns);
    return [{ role, content, ...(calls.length > 0 && { calls }), ...(reasoning !== "" && { reasoning }) }];
  });
}

/** The results of these calls, each as strict servers demand it, and then what else the user said. */
function renderAnswers(
  sent: readonly SentCall[],
  turns: readonly Turn[],
  isKnown: (id: string) => boolean,
): UpstreamMessage[] {
  const results = turns.flatMap(({ parts }) => parts.filter((part) => part.type === "tool-result"));
  const calls = sent.map(({ call }) => call);
  const { byCall, orphans } = matchResults(calls, results, isKnown);
  const answers = sent.map(({ id }, index): UpstreamMessage => {
    return { role: "tool", callId: id, content: writeResults(byCall[index] ?? []) };
  });
  const texts = turns.map(({ parts }) => shownText(parts));
  // A result without its call is refused as a call without a result is; so it becomes text.
  const content = joinParagraphs([...orphans.map(writeOrphan), ...texts]);
  return content === "" && answers.length > 0 ? answers : [...answers, { role: "user", content }];
}

/** The client cannot repair its history any more: a result that never came is told as missing. */
function writeResults(results: readonly ResultPart[]): string {
  return results.length === 0 ? "[no result]" : results.map(writeResult).join("\n\n");
}

/** The form has no field that tells a failure. */
function writeResult({ failed, parts }: ResultPart): string {
  const text = shownText(parts);
  return failed ? `[error]\n${text}` : text;
}

function writeOrphan(result: ResultPart): string {
  return `[result${result.name ? ` of ${result.name}` : ""}]\n${writeResult(result)}`;
}
