import { createParser } from "eventsource-parser";
import { fail } from "../errors.ts";

/**
 * Server-sent events. `onData` gets the data of each event, its lines joined by LF; comments, event names and ids mean
 * nothing here. An event that the end of the body left without its blank line counts.
 *
 * @returns a `BodyReader`; it throws GatewayFailure `upstream-failed` when one event is longer than `maxCharacters`
 */
export function createSseReader(maxCharacters: number, onData: (data: string) => void) {
  const decoder = new TextDecoder();
  const tooLong = () => fail({ kind: "upstream-failed", detail: `an event of more than ${maxCharacters} characters` });
  const parser = createParser({
    maxBufferSize: maxCharacters,
    onEvent({ data }) {
      // The parser measures only what it holds back, not an event that one read brought whole.
      if (data.length > maxCharacters) tooLong();
      onData(data);
    },
    onError(error) {
      if (error.type === "max-buffer-size-exceeded") tooLong();
    },
  });

  return {
    push(bytes: Uint8Array): void {
      parser.feed(decoder.decode(bytes, { stream: true }));
    },
    end(): void {
      // Two line ends: one for a line that is still open, one for the blank line that dispatches the event.
      parser.feed(`${decoder.decode()}\n\n`);
    },
  };
}
