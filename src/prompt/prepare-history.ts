import type { Conversation, Part, Turn } from "../conversation.ts";
import type { SieveOptions } from "../sieve/index.ts";
import { capResults, inlineDocuments } from "./fit-parts.ts";
import { repairHistory } from "./history-repair.ts";
import { type KeptReasoning, keepReasoning } from "./kept-reasoning.ts";
import { type ImageForm, showImages } from "./media.ts";

export interface HistoryOptions {
  sieve: SieveOptions;
  resultCharacters: number;
  reasoning: KeptReasoning;
  /** Forms of images that the upstream takes; none where its model does not see. */
  images: readonly ImageForm[];
}

/** A history that any renderer may write. */
export interface PreparedHistory {
  turns: Turn[];
  /** What the model does not get as it was sent; told to the client. */
  warnings: string[];
  /** Messages of the assistant that held calls or their markup as text. */
  repaired: number;
  /** Results that were longer than they may be. */
  resultsCut: number;
}

/** What is done to a history before it is written, whatever the form: in words or in the upstream's own. */
export function prepareHistory({ turns }: Pick<Conversation, "turns">, options: HistoryOptions): PreparedHistory {
  const warnings: string[] = [];
  // With calls off, markup is just text.
  const { repaired, ...history } =
    options.sieve.mode === "off" ? { turns, repaired: 0 } : repairHistory(turns, options.sieve);
  if (repaired > 0) {
    const messages = repaired === 1 ? "one message of the assistant" : `${repaired} messages of the assistant`;
    warnings.push(`history_repaired: ${messages} held tool calls or their markup as text`);
  }
  const readable = showImages(inlineDocuments(history.turns, options.resultCharacters), options.images);
  if (readable.some(({ parts }) => holdsMedia(parts))) {
    const which = options.images.length > 0 ? "some images or files" : "images and files";
    warnings.push(`${which} cannot be shown to this model: a placeholder stands for each`);
  }
  const reasoned = keepReasoning(readable, options.reasoning);
  const { turns: shown, cut } = capResults(reasoned, options.resultCharacters);
  return { turns: shown, warnings, repaired, resultsCut: cut };
}

function holdsMedia(parts: readonly Part[]): boolean {
  return parts.some((part) => part.type === "media" || (part.type === "tool-result" && holdsMedia(part.parts)));
}
