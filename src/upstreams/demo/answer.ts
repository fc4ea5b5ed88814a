import { type Conversation, type ResultPart, type Turn, textOf } from "../../conversation.ts";
import type { WrittenCall } from "../../dialects/dialect.ts";
import { chooseTools } from "./choose-tools.ts";
import { makeArguments } from "./make-arguments.ts";
import { readWords } from "./words.ts";

/** Characters of a tool's result that are told. */
const EXCERPT = 200;

const INTRODUCTION =
  "I am the demo model of Toolsieve. I know nothing and only show how calls travel: declare some tools, ask for something, and I will call those whose names and descriptions fit your words.";

export interface Answer {
  text: string;
  calls: WrittenCall[];
}

/** What a model might say next: always the same for the same conversation. */
export function makeAnswer(conversation: Conversation): Answer {
  const { tools, toolChoice, turns } = conversation;
  const results = resultsOf(turns.at(-1));
  const mayCall = tools.length > 0 && toolChoice.mode !== "none";
  if (mayCall && (results.length === 0 || toolChoice.mode === "required")) return makeCalls(conversation);
  return { text: inFormat(conversation, results.length > 0 ? tellResults(results) : INTRODUCTION), calls: [] };
}

/** The last thing that the user said, or that tools answered where nothing was said. */
export function lastWords(turns: readonly Turn[]): string {
  return turns.reduce((words, turn) => (turn.role === "user" && spoken(turn)) || words, "");
}

function spoken(turn: Turn): string {
  const results = resultsOf(turn).map((result) => textOf(result.parts));
  return textOf(turn.parts) || results.join("\n");
}

function makeCalls({ tools, toolChoice, parallelToolCalls, turns }: Conversation): Answer {
  const words = readWords(lastWords(turns));
  const [best, second] = chooseTools(tools, toolChoice, words);
  if (!best) return { text: INTRODUCTION, calls: [] };
  const calls = [{ name: best.name, input: makeArguments(best.parameters, words) }];
  // One more call where the user named a second tool, or a second thing to do the same with.
  const another = second ?? (words.has("name") || words.has("path") ? best : undefined);
  if (another && parallelToolCalls) calls.push({ name: another.name, input: makeArguments(another.parameters, words) });
  return { text: `I will use ${calls.length === 1 ? "a tool" : "two calls"} for this.`, calls };
}

/** Results stand in code spans: whatever a tool has sent, none of it can become a call. */
function tellResults(results: readonly ResultPart[]): string {
  const told = results.map(({ name = "tool", failed, parts }) => {
    const line = `${name} ${failed ? "failed with" : "answered"}: ${textOf(parts) || "nothing"}`;
    const plain = line.replace(/[\s`]+/g, " ");
    return `\`${plain.length > EXCERPT ? `${plain.slice(0, EXCERPT)} …` : plain}\``;
  });
  return `Here is what came back. ${told.join("; ")}.`;
}

function inFormat({ responseFormat }: Conversation, sentence: string): string {
  if (!responseFormat) return sentence;
  if (responseFormat.type === "json") return JSON.stringify({ answer: sentence });
  return JSON.stringify(makeArguments(responseFormat.schema, readWords(sentence)));
}

function resultsOf(turn: Turn | undefined): ResultPart[] {
  return turn?.role === "user" ? turn.parts.filter((part) => part.type === "tool-result") : [];
}
