import type { CallPart, ImagePart, ResultPart, Turn } from "../conversation.ts";
import { type TaughtDialect, type WrittenResult, writeReply } from "../dialects/dialect.ts";
import type { UpstreamMessage } from "./messages.ts";
import { quoteMembers } from "./quoted-json.ts";
import type { Quoting } from "./quoting.ts";
import { matchResults } from "./results.ts";
import {
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
 * The conversation so far as messages of alternating roles, with calls and results in the taught notation. A message
 * depends on what came before it and on nothing behind it, so that a conversation that goes on keeps its bytes.
 */
export function renderHistory(
  turns: readonly Turn[],
  write: TaughtDialect["write"],
  quoting: Quoting,
): UpstreamMessage[] {
  /** Names of all calls so far, for a result that comes turns too late. */
  const names = new Map<string, string>();
  let calls: CallPart[] = [];
  return groupTurns(turns).map(({ role, turns }) => {
    if (role === "user") {
      const results = resultsOf(turns);
      const images: ImagePart[] = [];
      const written = writeResults(calls, results, names, quoting, images);
      calls = [];
      const frame = textPart(written.length > 0 ? write.results(written) : "");
      const typed = turns.flatMap(({ parts }) => shownContent(parts, quoting.quoteTyped));
      return { role, content: joinContent([frame, ...images, ...typed]) };
    }
    const texts = turns.map((turn) => quoting.quoteAnswer(shownText(turn.parts)));
    calls = callsOf(turns);
    for (const call of calls) names.set(call.id, call.name);
    const written = calls.map(({ name, input }) => ({
      name: quoting.quote(name),
      input: quoteMembers(input, quoting),
    }));
    const content = writeReply(joinParagraphs(texts), written, write);
    const reasoning = quoting.quoteAnswer(reasoningOf(turns));
    return { role, content, ...(reasoning !== "" && { reasoning }) };
  });
}

/**
 * In the order of the calls, whatever the client's: the model is shown no ids to match them by.
 * @param images those that stand in the results are put there
 */
function writeResults(
  calls: readonly CallPart[],
  results: readonly ResultPart[],
  names: ReadonlyMap<string, string>,
  quoting: Quoting,
  images: ImagePart[],
): WrittenResult[] {
  const { byCall, orphans } = matchResults(calls, results, (id) => names.has(id));
  const body = ({ failed, parts }: ResultPart) =>
    ({ status: failed ? "error" : "ok", text: quoting.quote(shownText(parts, images)) }) as const;
  const answered = calls.flatMap(({ name }, index): WrittenResult[] => {
    const call = { ordinal: index + 1, name: quoting.quote(name) };
    const answers = byCall[index] ?? [];
    if (answers.length === 0) return [{ ...call, status: "missing", text: "" }];
    return answers.map((answer) => ({ ...call, ...body(answer) }));
  });
  const unasked = orphans.map((orphan): WrittenResult => {
    const name = names.get(orphan.callId) ?? orphan.name ?? "";
    return { name: quoting.quote(name), ...body(orphan) };
  });
  return [...answered, ...unasked];
}
