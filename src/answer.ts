import type { GatewayError } from "./errors.ts";
import type { Renderer } from "./protocols/protocol.ts";
import { createFold, type ReplyEvent } from "./reply.ts";

/** What becomes of a reply's events: a stream or one body, made by the same renderer from the same events. */
export interface Answer {
  readonly streams: boolean;
  push(event: ReplyEvent): void;
  finished(): boolean;
  /** Something was said that the client will get, so that it cannot be given another reply any more. */
  begun(): boolean;
  /** The reply failed before anything was said: it can be answered with a status of its own. */
  error(): GatewayError | undefined;
  /** The wire's text since the last call. */
  take(): string;
  respond(stream: () => ReadableStream<Uint8Array>): Response;
}

/** @param onFailure told of a failure that the client reads in the stream */
export function createStreamedAnswer(renderer: Renderer, onFailure: (error: GatewayError) => void): Answer {
  let text = "";
  let begun = false;
  let finished = false;
  let error: GatewayError | undefined;

  return {
    streams: true,
    push(event) {
      text += renderer.event(event);
      if (event.type === "finish" || event.type === "error") finished = true;
      else if (event.type !== "usage") begun = true;
      if (event.type !== "error") return;
      if (begun) onFailure(event.error);
      else error = event.error;
    },
    finished: () => finished,
    begun: () => begun,
    error: () => error,
    take() {
      const taken = text;
      text = "";
      return taken;
    },
    respond: (stream) =>
      new Response(stream(), {
        headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
      }),
  };
}

export function createWholeAnswer(renderer: Renderer): Answer {
  const fold = createFold();
  let finished = false;

  return {
    streams: false,
    push(event) {
      fold.push(event);
      if (event.type === "finish" || event.type === "error") finished = true;
    },
    finished: () => finished,
    begun: () => false,
    error: fold.error,
    take: () => "",
    respond: () => Response.json(renderer.body(fold.reply())),
  };
}
