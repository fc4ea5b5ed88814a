import { fail } from "../errors.ts";

/** What one read brought; `interrupted` means nothing was lost, the next read goes on where this one waited. */
type Read = Uint8Array | "end" | "interrupted";

/** A body that is read piece by piece, where a wait for the next piece can be broken off. */
export interface Source {
  /**
   * One read at a time.
   * @throws GatewayFailure `upstream-failed` when the connection broke
   */
  read(): Promise<Read>;
  /** Whether a `read` is waiting at this moment. */
  waiting(): boolean;
  /** Wakes a waiting `read`; without one it does nothing. */
  interrupt(): void;
  /** Lets the sender stop; wakes a waiting `read`. */
  cancel(): void;
}

/** Takes the body's lock for good. */
export function createSource(body: ReadableStream<Uint8Array>): Source {
  const reader = body.getReader();
  let pending: Promise<Uint8Array | "end"> | undefined;
  let wake: (() => void) | undefined;

  async function next(): Promise<Uint8Array | "end"> {
    try {
      const result = await reader.read();
      return result.done ? "end" : result.value;
    } catch (thrown) {
      fail({ kind: "upstream-failed", detail: `connection lost: ${String(thrown)}` });
    }
  }

  function interrupt() {
    wake?.();
    wake = undefined;
  }

  return {
    // Not Promise.race against one long-lived promise: every race leaves a reaction on it, a leak of one per read.
    // Nor is cancel() enough to wake a read: in workerd it rejects the pending read, elsewhere it ends it.
    read() {
      pending ??= next();
      const current = pending;
      return new Promise<Read>((resolve, reject) => {
        let waits = true;
        wake = () => {
          waits = false;
          resolve("interrupted");
        };
        const settled = () => {
          if (!waits) return false;
          wake = undefined;
          pending = undefined;
          return true;
        };
        current.then(
          (read) => settled() && resolve(read),
          (thrown: unknown) => settled() && reject(thrown),
        );
      });
    },
    waiting: () => wake !== undefined,
    interrupt,
    cancel() {
      interrupt();
      // A body that broke or ended is cancelled in vain; that is no fault.
      reader.cancel().catch(() => {});
    },
  };
}
