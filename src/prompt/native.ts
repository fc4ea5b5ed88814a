import type { CallPart, Conversation, ImagePart, ResponseFormat, ResultPart, Turn } from "../conversation.ts";
import { textOfOrphan, textOfResult } from "../dialects/result-frames.ts";
import { formatLine } from "./format-line.ts";
import type { MessageCall, UpstreamMessage } from "./messages.ts";
import { matchResults } from "./results.ts";
import {
  appendToLastQuestion,
  callsOf,
  groupTurns,
  joinContent,
  joinParagraphs,
  reasoningOf,
  resultsOf,
  shownContent,
  shownText,
  textPart,
} from "./turns.ts";

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
    open = callsOf(turns).map(send);
    const calls = open.map(({ call: { name, input }, id }): MessageCall => ({ id, name, input }));
    const content = joinParagraphs(turns.map(({ parts }) => shownText(parts)));
    const reasoning = reasoningOf(turns);
    return [{ role, content, ...(calls.length > 0 && { calls }), ...(reasoning !== "" && { reasoning }) }];
  });
}

/**
 * The results of these calls, each as strict servers demand it, and then what else the user said. Images of results stand
 * there, too: most servers take nothing but text in a result, and nothing between two of them.
 */
function renderAnswers(
  sent: readonly SentCall[],
  turns: readonly Turn[],
  isKnown: (id: string) => boolean,
): UpstreamMessage[] {
  const calls = sent.map(({ call }) => call);
  const { byCall, orphans } = matchResults(calls, resultsOf(turns), isKnown);
  const images: ImagePart[] = [];
  const read = ({ name = "", failed, parts }: ResultPart) =>
    ({ name, status: failed ? "error" : "ok", text: shownText(parts, images) }) as const;
  const answers = sent.map(({ id }, index): UpstreamMessage => {
    const told = byCall[index]?.map((result) => textOfResult(read(result))) ?? [];
    // The client cannot repair its history any more: a result that never came is told as missing.
    const content = told.length === 0 ? textOfResult({ status: "missing", text: "" }) : told.join("\n\n");
    return { role: "tool", callId: id, content };
  });
  // A result without its call is refused as a call without a result is; so it becomes text.
  const unasked = orphans.map((orphan) => textPart(textOfOrphan(read(orphan))));
  const content = joinContent([...unasked, ...images, ...turns.flatMap(({ parts }) => shownContent(parts))]);
  return content === "" && answers.length > 0 ? answers : [...answers, { role: "user", content }];
}
