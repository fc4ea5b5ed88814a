import {
  type CallPart,
  type Content,
  type ImagePart,
  type Part,
  type ResultPart,
  type TextPart,
  type Turn,
  textOf,
} from "../conversation.ts";
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

/**
 * Text parts of one message are pieces of one text; anything else that is shown stands between paragraphs.
 * @param images those of the message so far: an image is put behind them, and its number stands in its place
 */
export function shownText(parts: readonly Part[], images: ImagePart[] = []): string {
  const paragraphs: string[][] = [[]];
  for (const part of parts) {
    switch (part.type) {
      case "text":
        paragraphs.at(-1)?.push(part.text);
        break;
      case "media":
        paragraphs.push([describeMedia(part)], []);
        break;
      case "image":
        images.push(part);
        paragraphs.push([`[image ${images.length}]`], []);
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

/**
 * As `shownText`, with the images themselves in their places.
 * @param quote how untrusted text is kept from looking like what it is not
 */
export function shownContent(parts: readonly Part[], quote = (text: string) => text): (TextPart | ImagePart)[] {
  const content: (TextPart | ImagePart)[] = [];
  let from = 0;
  const addText = (end?: number) => content.push(textPart(quote(shownText(parts.slice(from, end)))));
  for (const [index, part] of parts.entries()) {
    if (part.type !== "image") continue;
    addText(index);
    content.push(part);
    from = index + 1;
  }
  addText();
  return content;
}

export function textPart(text: string): TextPart {
  return { type: "text", text };
}

/** Texts beside each other are paragraphs of one; without images it is a text. */
export function joinContent(parts: readonly (TextPart | ImagePart)[]): Content {
  const joined: (TextPart | ImagePart)[] = [];
  let paragraphs: string[] = [];
  // Joined once, at its end: a message may have thousands of paragraphs.
  const addText = () => {
    const text = joinParagraphs(paragraphs);
    if (text !== "") joined.push(textPart(text));
    paragraphs = [];
  };
  for (const part of parts) {
    if (part.type === "text") paragraphs.push(part.text);
    else {
      addText();
      joined.push(part);
    }
  }
  addText();
  return joined.some(({ type }) => type === "image") ? joined : textOf(joined);
}

export function callsOf(turns: readonly Turn[]): CallPart[] {
  return turns.flatMap(({ parts }) => parts.filter((part) => part.type === "tool-call"));
}

export function resultsOf(turns: readonly Turn[]): ResultPart[] {
  return turns.flatMap(({ parts }) => parts.filter((part) => part.type === "tool-result"));
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
  if (!last || lines === "") return;
  const said = typeof last.content === "string" ? [textPart(last.content)] : last.content;
  last.content = joinContent([...said, textPart(lines)]);
}
