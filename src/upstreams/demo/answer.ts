import type { Conversation, Part, Turn } from "../../conversation.ts";
import type { Writer } from "../../dialects/dialect.ts";
import { chooseTools } from "./choose-tools.ts";
import { makeArguments } from "./make-arguments.ts";
import { readWords } from "./words.ts";

/** Characters of a tool's result that are told. */
const EXCERPT = 200;

const INTRODUCTION =
  "I am the demo model of Toolsieve. I know nothing and only show how calls travel: declare some tools, ask for something, and I will call the ones whose names and descriptions fit your words.";

/** What a model might write next: always the same for the same conversation. */
export function writeAnswer(conversation: Conversation, write: Writer): string {
  const { tools, toolChoice, turns } = conversation;
  const results = resultsOf(turns.at(-1));
  const mayCall = tools.length > 0 && toolChoice.mode !== "none";
  if (mayCall && (results.length === 0 || toolChoice.mode === "required")) return writeCalls(conversation, write);
  return inFormat(conversation, results.length > 0 ? tellResults(results, turns) : INTRODUCTION);
}

/** The last thing that the user said, or that tools answered where nothing was said. */
export function lastWords(turns: readonly Turn[]): string {
  const last = turns.at(-1);
  if (last?.role === "user") {
    const text = textOf(last.parts);
    const results = resultsOf(last).map((result) => textOf(result.parts));
    if (text !== "" || results.length > 0) return text || results.join("\n");
  }
  const spoken = turns.findLast((turn) => turn.role === "user" && textOf(turn.parts) !== "");
  return spoken ? textOf(spoken.parts) : "";
}

function writeCalls({ tools, toolChoice, parallelToolCalls, turns }: Conversation, write: Writer): string {
  const words = readWords(lastWords(turns));
  const [best, second] = chooseTools(tools, toolChoice, words);
  if (!best) return INTRODUCTION;
  const calls = [{ name: best.name, input: makeArguments(best.parameters, words) }];
  // One more call where the user named a second tool, or a second thing to do the same with.
  const another = second ?? (words.has("name") || words.has("path") ? best : undefined);
  if (another && parallelToolCalls) calls.push({ name: another.name, input: makeArguments(another.parameters, words) });
  const note = calls.length === 1 ? "I will use a tool for this." : "I will use two calls for this.";
  return `${note}\n\n${write.calls(calls)}`;
}

type Result = Part & { type: "tool-result" };

/** Results stand in code spans: whatever a tool has sent, none of it can become a call. */
function tellResults(results: readonly Result[], turns: readonly Turn[]): string {
  const told = results.map((result) => {
    const name = result.name ?? nameOf(result.callId, turns) ?? "tool";
    const outcome = result.failed ? "failed with" : "answered";
    const line = `${name} ${outcome}: ${textOf(result.parts) || "nothing"}`.replace(/[\s`]+/g, " ");
    return `\`${line.length > EXCERPT ? `${line.slice(0, EXCERPT)} …` : line}\``;
  });
  return `Here is what came back. ${told.join("; ")}.`;
}

function nameOf(callId: string, turns: readonly Turn[]): string | undefined {
  for (const turn of turns.toReversed()) {
    for (const part of turn.parts) if (part.type === "tool-call" && part.id === callId) return part.name;
  }
  return undefined;
}

function inFormat({ responseFormat }: Conversation, sentence: string): string {
  if (!responseFormat) return sentence;
  if (responseFormat.type === "json") return JSON.stringify({ answer: sentence });
  return JSON.stringify(makeArguments(responseFormat.schema, readWords(sentence)));
}

function resultsOf(turn: Turn | undefined): Result[] {
  return turn?.role === "user" ? turn.parts.filter((part) => part.type === "tool-result") : [];
}

function textOf(parts: readonly Part[]): string {
  return parts
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("");
}
