import type { GatewayError } from "./errors.ts";
import type { Renderer } from "./protocols/protocol.ts";
import { createFold, type FinishEvent, type ReplyEvent } from "./reply.ts";

/** What becomes of a reply's events: a stream or one body, made by the same renderer of the same events. */
export type Answer = StreamedAnswer | WholeAnswer;

interface AnswerState {
  push(event: ReplyEvent): void;
  /** `finish` or `error` came. */
  finished(): boolean;
  finish(): FinishEvent | undefined;
  /** Something was said that the client will get, so that it cannot be given another reply any more. */
  begun(): boolean;
  /** There is something in it to read: more than reasoning and blanks. */
  said(): boolean;
  /** The reply failed while a status could still say so. */
  failure(): GatewayError | undefined;
  /** What opens the wire's stream. */
  start(): string;
  /** The wire's text since the last call. */
  take(): string;
}

interface StreamedAnswer extends AnswerState {
  readonly streams: true;
  /** The response is on its way: from now on a failure is told in the stream. */
  sent(): void;
}

/** @param onFailure told of a failure that the client reads in the stream */
export function createStreamedAnswer(renderer: Renderer, onFailure: (error: GatewayError) => void): StreamedAnswer {
  // Written before any event, as it is read: a wire may number what it writes.
  const opening = renderer.start();
  let text = "";
  let begun = false;
  let said = false;
  let end: ReplyEvent | undefined;
  let failure: GatewayError | undefined;

  return {
    streams: true,
    push(given) {
      const event = wellFormed(given);
      const piece = renderer.event(event);
      text += piece;
      said ||= isReadable(event);
      if (event.type === "finish" || event.type === "error") end = event;
      // What a wire hides, such as reasoning that nobody asked for, is not said; nor are blanks, all that there may be.
      else begun ||= piece !== "" && (event.type !== "text" || isReadable(event));
      if (event.type !== "error") return;
      if (begun) onFailure(event.error);
      else failure = event.error;
    },
    finished: () => end !== undefined,
    finish: () => (end?.type === "finish" ? end : undefined),
    begun: () => begun,
    said: () => said,
    failure: () => failure,
    start: () => opening,
    take() {
      const taken = text;
      text = "";
      return taken;
    },
    sent() {
      begun = true;
    },
  };
}

interface WholeAnswer extends AnswerState {
  readonly streams: false;
  /** JSON. */
  body(): unknown;
}

export function createWholeAnswer(renderer: Renderer): WholeAnswer {
  const fold = createFold();
  return {
    streams: false,
    push: (event) => fold.push(wellFormed(event)),
    finished: () => fold.finish() !== undefined || fold.error() !== undefined,
    finish: fold.finish,
    begun: () => false,
    said: () => fold.reply().text.trim() !== "",
    failure: fold.error,
    start: () => "",
    take: () => "",
    body: () => renderer.body(fold.reply()),
  };
}

function isReadable(event: ReplyEvent): boolean {
  return event.type === "text" && event.text.trim() !== "";
}

/** Half a surrogate pair that the model left alone has no UTF-8: strict readers of JSON would refuse all of its event. */
function wellFormed(event: ReplyEvent): ReplyEvent {
  if (event.type !== "text" && event.type !== "reasoning") return event;
  return event.text.isWellFormed() ? event : { ...event, text: event.text.toWellFormed() };
}
