import type { MediaPart, Part, Turn } from "../conversation.ts";
import { isHighSurrogate } from "../sieve/characters.ts";
import { readDocument } from "./media.ts";
import { shownText } from "./turns.ts";

/** Documents that are text, as text: a model that reads nothing else can read those. */
export function inlineDocuments(turns: readonly Turn[], limit: number): Turn[] {
  return turns.map((turn) => ({ ...turn, parts: inline(turn.parts, limit) }));
}

function inline(parts: readonly Part[], limit: number): Part[] {
  const documents = parts.map((part) => (part.type === "media" ? documentText(part, limit) : undefined));
  return parts.map((part, index): Part => {
    if (part.type === "tool-result") return { ...part, parts: inline(part.parts, limit) };
    const document = documents[index];
    if (document === undefined) return part;
    const before = documents[index - 1] !== undefined || isText(parts[index - 1]) ? "\n\n" : "";
    return { type: "text", text: before + document + (isText(parts[index + 1]) ? "\n\n" : "") };
  });
}

function documentText(media: MediaPart, limit: number): string | undefined {
  const document = readDocument(media);
  const name = media.name ? `, ${media.name}` : "";
  return document === undefined ? undefined : `[file: ${media.mediaType}${name}]\n${shorten(document, limit)}`;
}

/** All else has paragraphs of its own, but for reasoning, which is not shown there. */
function isText(part: Part | undefined): boolean {
  return part?.type === "text" || part?.type === "reasoning";
}

/**
 * Results of tools, each no longer than so many characters, so that none of them can fill the model's context alone; and
 * how many of them were longer.
 */
export function capResults(turns: readonly Turn[], limit: number): { turns: Turn[]; cut: number } {
  let cut = 0;

  function cap(part: Part): Part {
    if (part.type !== "tool-result") return part;
    // Images stand behind a text that is cut: where they stood may be what is gone.
    const images = part.parts.filter(({ type }) => type === "image");
    const text = shownText(images.length === 0 ? part.parts : part.parts.filter(({ type }) => type !== "image"));
    if (text.length <= limit) return part;
    cut += 1;
    return { ...part, parts: [{ type: "text", text: shorten(text, limit) }, ...images] };
  }

  return { turns: turns.map((turn) => ({ ...turn, parts: turn.parts.map(cap) })), cut };
}

/** Head and tail: what a tool does comes first, what became of it last. It depends on this text alone. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let head = Math.ceil(limit / 2);
  let tail = text.length - Math.floor(limit / 2);
  // Half a surrogate pair is no character.
  if (isHighSurrogate(text.charCodeAt(head - 1))) head -= 1;
  if (isHighSurrogate(text.charCodeAt(tail - 1))) tail += 1;
  return `${text.slice(0, head)}\n[… ${inThousands(tail - head)} characters left out …]\n${text.slice(tail)}`;
}

function inThousands(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
