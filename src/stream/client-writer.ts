import { createSilenceTimer } from "./silence.ts";

export interface ClientWriterOptions {
  /** Aborted when the client goes away. */
  signal: AbortSignal;
  /** Silence that is filled with a keep-alive, in milliseconds; 0 means never. */
  heartbeatMs: number;
  /** Keep-alive; empty where the wire bears none. */
  heartbeat(): string;
  /** The client reads no more. May be told more than once. */
  onGone(): void;
}

/** The client's side of a stream. Nothing rejects: a client that is gone is told of by `onGone`, and takes nothing. */
export interface ClientWriter {
  /** Until the client has taken it or is gone. Nothing else is read meanwhile: so back-pressure reaches the upstream. */
  write(text: string): Promise<void>;
  /** Until the client has read all or is gone; nothing can be written behind it. */
  close(): Promise<void>;
  /** Gives the client up: whatever is under way is over. */
  abandon(): void;
  /** Stops the keep-alive and listens to the signal no more. */
  release(): void;
}

/** Takes the stream's lock for good. */
export function createClientWriter(writable: WritableStream<Uint8Array>, options: ClientWriterOptions): ClientWriter {
  const { signal, heartbeatMs, heartbeat, onGone } = options;
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  let gone = signal.aborted;
  let writes = 0;
  let giveUp = () => {};

  function leave() {
    gone = true;
    onGone();
  }

  /** An abort alone does not settle what is under way. */
  function taken(operation: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      giveUp = resolve;
      // Fails only because nobody reads any more.
      operation.catch(leave).then(resolve);
    });
  }

  async function write(text: string) {
    if (text === "" || gone) return;
    writes += 1;
    await taken(writer.write(encoder.encode(text)));
    writes -= 1;
    silence.touch();
  }

  function abandon() {
    leave();
    giveUp();
    writer.abort().catch(() => {});
  }

  // No heartbeat behind a write that the client has not taken yet: it is not waiting for us.
  const silence = createSilenceTimer(heartbeatMs, () => {
    if (writes === 0) write(heartbeat()).catch(leave);
  });
  signal.addEventListener("abort", abandon);
  writer.closed.catch(leave);

  return {
    write,
    close() {
      silence.stop();
      return taken(writer.close());
    },
    abandon,
    release() {
      silence.stop();
      signal.removeEventListener("abort", abandon);
    },
  };
}
