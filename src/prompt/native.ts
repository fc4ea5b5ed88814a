import type { CallPart, Conversation, ResultPart, Turn } from "../conversation.ts";
import type { MessageCall, UpstreamMessage } from "./messages.ts";
import { matchResults } from "./results.ts";
import { groupTurns, joinParagraphs, shownText } from "./turns.ts";

/**
 * The conversation for an upstream that knows tools: calls and results are messages of its own, so nothing has to be
 * told in words, and no text can be taken for a mark of ours.
 *
 * As in the prompt for text models, a message depends on nothing behind it.
 */
export function renderNative({ system, turns }: Pick<Conversation, "system" | "turns">): UpstreamMessage[] {
  const messages = renderTurns(turns);
  return system === "" ? messages : [{ role: "system", content: system }, ...messages];
}

function renderTurns(turns: readonly Turn[]): UpstreamMessage[] {
  const ids = new Set<string>();
  /** How many calls there were, for those that have no id. */
  let count = 0;
  let open: { call: CallPart; id: string }[] = [];

  function nameCall(call: CallPart): { call: CallPart; id: string } {
    count += 1;
    ids.add(call.id);
    return { call, id: call.id || `call_at_${count}` };
  }

  return groupTurns(turns).flatMap(({ role, turns }): UpstreamMessage[] => {
    const texts = turns.map((turn) => shownText(turn.parts));
    if (role === "assistant") {
      open = turns.flatMap(({ parts }) => parts.filter((part) => part.type === "tool-call").map(nameCall));
      const calls = open.map(({ call: { name, input }, id }): MessageCall => ({ id, name, input }));
      return [{ role, content: joinParagraphs(texts), ...(calls.length > 0 && { calls }) }];
    }
    const results = turns.flatMap(({ parts }) => parts.filter((part) => part.type === "tool-result"));
    const calls = open.map(({ call }) => call);
    const { byCall, orphans } = matchResults(calls, results, (id) => ids.has(id));
    const answers = open.map(({ id }, index): UpstreamMessage => {
      return { role: "tool", callId: id, content: writeResults(byCall[index] ?? []) };
    });
    open = [];
    // A result without its call is refused by strict servers, as a call without a result is; so it becomes text.
    const content = joinParagraphs([...orphans.map(writeOrphan), ...texts]);
    return content === "" && answers.length > 0 ? answers : [...answers, { role, content }];
  });
}

/** The client cannot repair its history any more: a result that never came is told as missing. */
function writeResults(results: readonly ResultPart[]): string {
  return results.length === 0 ? "[no result]" : results.map(writeResult).join("\n\n");
}

/** The form has no field that tells a failure. */
function writeResult({ failed, parts }: ResultPart): string {
  const text = shownText(parts);
  return failed ? ["[error]", text].join("\n") : text;
}

function writeOrphan(result: ResultPart): string {
  return `[result${result.name ? ` of ${result.name}` : ""}]\n${writeResult(result)}`;
}
