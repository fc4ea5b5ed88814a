import type { Part, Turn } from "../conversation.ts";
import { describeMedia } from "./media.ts";
import type { UpstreamMessage } from "./messages.ts";

/** Turns of one role without the other between them: one message. */
interface Group {
  role: Turn["role"];
  turns: Turn[];
}

/** An answer that says nothing is left out; an empty question is not, or the model would go on with its own answer. */
export function groupTurns(turns: readonly Turn[]): Group[] {
  const groups: Group[] = [];
  for (const turn of turns) {
    if (turn.role === "assistant" && !turn.parts.some(isShown)) continue;
    const last = groups.at(-1);
    if (last?.role === turn.role) last.turns.push(turn);
    else groups.push({ role: turn.role, turns: [turn] });
  }
  return groups;
}

function isShown(part: Part): boolean {
  return part.type === "tool-call" || part.type === "media" || (part.type === "text" && part.text !== "");
}

/** Text parts of one message are pieces of one text; anything else that is shown stands between paragraphs. */
export function shownText(parts: readonly Part[]): string {
  const paragraphs: string[][] = [[]];
  for (const part of parts) {
    switch (part.type) {
      case "text":
        paragraphs.at(-1)?.push(part.text);
        break;
      case "media":
        paragraphs.push([describeMedia(part)], []);
        break;
      case "tool-call":
      case "tool-result":
        paragraphs.push([]);
        break;
      case "reasoning":
        break;
      default:
        part satisfies never;
    }
  }
  return joinParagraphs(paragraphs.map((pieces) => pieces.join("")));
}

/** What the assistant thought in turns of one message. */
export function reasoningOf(turns: readonly Turn[]): string {
  return joinParagraphs(
    turns.flatMap(({ parts }) => parts.map((part) => (part.type === "reasoning" ? part.text : ""))),
  );
}

export function joinParagraphs(paragraphs: readonly string[]): string {
  return paragraphs.filter((paragraph) => paragraph !== "").join("\n\n");
}

/** What this turn alone asks for stands at the end of what the user has said last. */
export function appendToLastQuestion(messages: UpstreamMessage[], lines: string): void {
  const last = messages.findLast((message) => message.role === "user");
  if (last && lines !== "") last.content = joinParagraphs([last.content, lines]);
}
