import type { FinishReason } from "../../reply.ts";

/** Characters of a piece: about a token. */
const PIECE = 4;
/** Between two pieces, in milliseconds; an answer of many pieces does not wait behind the first of them. */
const PAUSE = 5;
const PAUSED_PIECES = 200;

export interface Speech {
  model: string;
  text: string;
  finish: FinishReason & ("stop" | "length");
  promptTokens: number;
}

/**
 * The text as the event stream of an OpenAI chat completion, piece by piece as it is read: one event a read, so that the
 * way from here to the client is the same as with a real upstream.
 */
export function speak(speech: Speech): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const events = writeEvents(speech);
  let sent = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        sent += 1;
        if (sent <= PAUSED_PIECES) await new Promise((resolve) => setTimeout(resolve, PAUSE));
        const event = events.next();
        if (event.done) controller.close();
        else controller.enqueue(encoder.encode(`data: ${event.value}\n\n`));
      },
      cancel() {
        events.return();
      },
    },
    { highWaterMark: 0 },
  );
}

function* writeEvents({ model, text, finish, promptTokens }: Speech): Generator<string, void, void> {
  const frame = { id: "chatcmpl-demo", object: "chat.completion.chunk", created: 0, model };
  const choice = (delta: object, finishReason: string | null) =>
    JSON.stringify({ ...frame, choices: [{ index: 0, delta, finish_reason: finishReason }] });

  yield choice({ role: "assistant", content: "" }, null);
  for (const piece of cutPieces(text)) yield choice({ content: piece }, null);
  yield choice({}, finish);
  const completionTokens = Math.ceil(text.length / PIECE);
  yield JSON.stringify({
    ...frame,
    choices: [],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  });
  yield "[DONE]";
}

function* cutPieces(text: string): Generator<string, void, void> {
  for (let at = 0; at < text.length; ) {
    // A code point beyond the first plane is two code units: a piece never ends between them.
    const straddles = (text.codePointAt(at + PIECE - 1) ?? 0) > 0xffff;
    const end = at + PIECE + (straddles ? 1 : 0);
    yield text.slice(at, end);
    at = end;
  }
}
