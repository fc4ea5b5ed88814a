import type { WrittenCall } from "../../dialects/dialect.ts";
import type { FinishReason } from "../../reply.ts";
import { estimateTokens } from "../../tokens.ts";

/** About a token. A whole number of characters: a code point beyond the first plane is two code units. */
const PIECE = /.{1,4}/gsu;
/** Between two pieces, in milliseconds; an answer of many pieces does not wait behind the first of them. */
const PAUSE = 5;
const PAUSED_PIECES = 200;

export interface Speech {
  model: string;
  text: string;
  /** Native ones: those in the text are text. */
  calls: readonly WrittenCall[];
  finish: Extract<FinishReason, "stop" | "length">;
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
    },
    { highWaterMark: 0 },
  );
}

function* writeEvents({ model, text, calls, finish, promptTokens }: Speech): Generator<string> {
  const chunk = (fields: object) =>
    JSON.stringify({ id: "chatcmpl-demo", object: "chat.completion.chunk", created: 0, model, ...fields });
  const delta = (fields: object) => chunk({ choices: [{ index: 0, delta: fields, finish_reason: null }] });
  for (const [content] of text.matchAll(PIECE)) yield delta({ content });
  for (const [index, { name, input }] of calls.entries()) {
    const id = `call_demo_${index}`;
    yield delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
    for (const [json] of JSON.stringify(input).matchAll(PIECE)) {
      yield delta({ tool_calls: [{ index, function: { arguments: json } }] });
    }
  }
  yield chunk({ choices: [{ index: 0, delta: {}, finish_reason: calls.length > 0 ? "tool_calls" : finish }] });
  const completionTokens = estimateTokens(text) + (calls.length > 0 ? estimateTokens(JSON.stringify(calls)) : 0);
  yield chunk({ choices: [], usage: { prompt_tokens: promptTokens, completion_tokens: completionTokens } });
  yield "[DONE]";
}
