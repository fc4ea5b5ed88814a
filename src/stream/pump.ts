import { fail, type GatewayError, toGatewayError } from "../errors.ts";
import { LONGEST_TIMER, UPSTREAM_LIMITS } from "../limits.ts";
import type { Lease } from "../occupancy.ts";
import { createClientWriter } from "./client-writer.ts";
import { createSilenceTimer } from "./silence.ts";
import { createSource } from "./source.ts";

/** The synchronous stages of one exchange, from the upstream's bytes to the client's, as the pump sees them. */
export interface Pipeline {
  /** May throw: then `fault` follows. */
  feed(bytes: Uint8Array): void;
  /** The upstream's body is over. */
  end(): void;
  /** Nothing more will come, or a stage threw; finishes the pipeline and does not throw. */
  fault(error: GatewayError): void;
  /** Whether `finish` or `error` came out: nothing behind it is read. */
  finished(): boolean;
  /** What opens the client's stream. */
  start(): string;
  /** What the wire has appended since the last call. */
  take(): string;
  /** All that was said so far has gone out. */
  sent(): void;
  /** Characters that were read since: collected, held back by a stage, or of an event that has not come whole. */
  held(): number;
  /** Keep-alive; empty where the wire bears none. */
  heartbeat(): string;
}

export interface PumpOptions {
  body: ReadableStream<Uint8Array>;
  pipeline: Pipeline;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
  /** How long one read may wait, in milliseconds. */
  idleMs: number;
  /** How long all of it may take, in milliseconds, a client that reads slowly included. */
  totalMs: number;
  /** Bytes of the body, framing and comments included; then the answer has failed. Far above the cap on its characters. */
  maxBytes: number;
  /** Takes what is held. */
  lease: Pick<Lease, "add">;
}

/** How a stream ended. `broken`: the pipeline could not even tell its own fault; `cause` is the first one, as thrown. */
export type Outcome = { ending: "finished" | "client-gone" } | { ending: "broken"; cause: unknown };

/**
 * Carries one upstream body through a pipeline. `firstOutput` comes first where a stream is wanted: what fails until then
 * can still be answered with a real status. Then either `stream` or `collect`, once.
 */
export interface Pump {
  /** Until there is something to send, the pipeline has finished, the client is gone, or `ms` milliseconds are over. */
  firstOutput(ms: number): Promise<void>;
  /**
   * The client's stream; `heartbeatMs` of silence are filled with a keep-alive. `done` never rejects.
   * @param onWritten told when all of it is written, and gives what is to stand behind it; nothing but the stream's end comes then, behind
   *   which the platform may run nothing more
   */
  stream(
    heartbeatMs: number,
    onWritten?: () => string,
  ): { readable: ReadableStream<Uint8Array>; done: Promise<Outcome> };
  /** Until the pipeline has finished or the client is gone; the client gets nothing meanwhile. */
  collect(): Promise<void>;
}

export function createPump({ body, pipeline, signal, idleMs, totalMs, maxBytes, lease }: PumpOptions): Pump {
  const source = createSource(body);
  // A client that reads slowly is no silence of the upstream's: only a waiting read counts.
  const idle = createSilenceTimer(idleMs, () => {
    if (!source.waiting()) return;
    late = `no byte for ${idleMs} ms`;
    source.interrupt();
  });
  // At once, whatever the client does: an upstream that nobody waits for any more may stop.
  const total = setTimeout(() => {
    late = `not over after ${totalMs} ms`;
    source.cancel();
  }, totalMs);
  /** Why nothing more is waited for. */
  let late: string | undefined;
  let resumed = false;
  let clientGone = false;
  let bytes = 0;
  let held = "";
  let leased = 0;

  const over = () => clientGone || pipeline.finished();

  function leave() {
    clientGone = true;
    release();
  }

  function release() {
    idle.stop();
    clearTimeout(total);
    signal.removeEventListener("abort", leave);
    source.cancel();
  }

  /** One read, one feed. Whatever goes wrong becomes the reply's own error. */
  async function advance() {
    // A read that was broken off goes on waiting: its silence began before.
    if (!resumed) idle.touch();
    try {
      const read = late === undefined ? await source.read() : "interrupted";
      resumed = read === "interrupted";
      if (clientGone) return;
      if (late !== undefined) fail({ kind: "upstream-timeout", detail: late });
      if (read !== "interrupted") feed(read);
    } catch (thrown) {
      fault(thrown);
    }
    takeLease();
    if (over()) release();
  }

  function feed(read: Uint8Array | "end") {
    if (read === "end") {
      pipeline.end();
      if (!pipeline.finished()) throw new Error("the pipeline did not finish at its end");
      return;
    }
    bytes += read.length;
    if (bytes > maxBytes) fail({ kind: "upstream-failed", detail: `a body of more than ${maxBytes} bytes` });
    pipeline.feed(read);
  }

  function takeLease() {
    const now = pipeline.held();
    lease.add(now - leased);
    leased = now;
  }

  /** @throws what was thrown, when the pipeline cannot tell it: else the loop would wait for an end that does not come */
  function fault(thrown: unknown) {
    release();
    try {
      pipeline.fault(toGatewayError(thrown));
    } catch {
      throw thrown;
    }
    if (!pipeline.finished()) throw thrown;
  }

  async function run(
    writable: WritableStream<Uint8Array>,
    heartbeatMs: number,
    onWritten: () => string,
  ): Promise<Outcome> {
    const heartbeat = () => pipeline.heartbeat();
    const client = createClientWriter(writable, { signal, heartbeatMs, heartbeat, onGone: leave });
    const send = async (text: string) => {
      await client.write(text);
      if (text === "") return;
      pipeline.sent();
      takeLease();
    };
    // Whoever has stopped to read would keep what is held, and his place, for as long as he likes.
    const patience = setTimeout(client.abandon, Math.min(totalMs + UPSTREAM_LIMITS.lastRead, LONGEST_TIMER));
    try {
      await send(pipeline.start() + held);
      while (!over()) {
        await advance();
        await send(pipeline.take());
      }
      if (!clientGone) {
        await client.write(onWritten());
        await client.close();
      }
      if (!clientGone) return { ending: "finished" };
      client.abandon();
      return { ending: "client-gone" };
    } catch (cause) {
      client.abandon();
      return { ending: "broken", cause };
    } finally {
      clearTimeout(patience);
      client.release();
      release();
    }
  }

  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave);

  return {
    async firstOutput(ms) {
      let timeUp = false;
      const timer = setTimeout(() => {
        timeUp = true;
        source.interrupt();
      }, ms);
      try {
        while (held === "" && !timeUp && !over()) {
          await advance();
          held = pipeline.take();
        }
      } finally {
        clearTimeout(timer);
      }
    },
    stream(heartbeatMs, onWritten = () => "") {
      const { readable, writable } = createIdentity();
      return { readable, done: run(writable, heartbeatMs, onWritten) };
    },
    async collect() {
      while (!over()) await advance();
    },
  };
}

/** workerd passes bytes through its own stream without entering JavaScript again for each of them; Node has none. */
function createIdentity(): { readable: ReadableStream<Uint8Array>; writable: WritableStream<Uint8Array> } {
  if ("IdentityTransformStream" in globalThis) return new IdentityTransformStream();
  return new TransformStream<Uint8Array, Uint8Array>();
}
