/** A body that a test feeds by hand. */
export interface FakeBody {
  body: ReadableStream<Uint8Array>;
  send(text: string): void;
  end(): void;
  break(): void;
  /** How many chunks have been asked for. */
  pulls(): number;
  cancelled(): boolean;
}

export function fakeBody(): FakeBody {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let pulls = 0;
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (it) => {
        controller = it;
      },
      pull: () => {
        pulls += 1;
      },
      cancel: () => {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return {
    body,
    send: (text) => {
      if (!cancelled) controller.enqueue(new TextEncoder().encode(text));
    },
    end: () => controller.close(),
    break: () => controller.error(new Error("connection reset")),
    pulls: () => pulls,
    cancelled: () => cancelled,
  };
}

/** The bytes of a text in pieces of `size`; cuts fall inside characters, too. */
export function bytePieces(text: string, size: number): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
  return pieces;
}

export const PIECE_SIZES = [1, 2, 7, 1_000_000];
