import { fail } from "./errors.ts";
import { ISOLATE_LIMITS } from "./limits.ts";

/**
 * What the requests of all tenants take of the isolate together: memory, and each tenant's places. One for each isolate.
 */
export interface Occupancy {
  /** Bytes that are held at the moment. */
  readonly bytes: number;
  /** Requests that are under way. */
  readonly requests: number;
  /**
   * For a request, before its body is read. Over it is when nobody holds on to its lease any more, or its client is gone: then
   * nothing else may ever run for it.
   *
   * @param places how many requests of the tenant may be under way at once; undefined: any number
   * @param signal aborted when the client goes away
   * @throws GatewayFailure `rate-limited` where the tenant has no place left, `gateway-busy` where the isolate has no room
   */
  enter(tenant: string, places: number | undefined, signal: AbortSignal): Lease;
}

/** What one request takes of its isolate. */
export interface Lease {
  /** Goes on with the request; it is given back by calling what is returned, once or more. */
  hold(): () => void;
  /** So many more bytes are held for it, or fewer. */
  add(bytes: number): void;
  /** @throws GatewayFailure `gateway-busy` where requests hold too much together to take on more */
  checkRoom(): void;
}

/** Seconds. */
const RETRY_AFTER = 1;

export function createOccupancy(): Occupancy {
  const running = new Map<string, number>();
  let requests = 0;
  let bytes = 0;

  function checkRoom() {
    if (bytes > ISOLATE_LIMITS.held) fail({ kind: "gateway-busy", retryAfter: RETRY_AFTER });
  }

  function count(tenant: string, more: 1 | -1) {
    const left = (running.get(tenant) ?? 0) + more;
    requests += more;
    if (left === 0) running.delete(tenant);
    else running.set(tenant, left);
  }

  function createLease(tenant: string, signal: AbortSignal): Lease {
    let holders = 0;
    let own = 0;
    let over = false;

    function add(more: number) {
      if (over) return;
      own += more;
      bytes += more;
    }

    function end() {
      if (over) return;
      add(-own);
      over = true;
      count(tenant, -1);
    }

    count(tenant, 1);
    // A departure is told once.
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
    return {
      hold() {
        let held = true;
        holders += 1;
        return () => {
          if (held) holders -= 1;
          held = false;
          if (holders === 0) end();
        };
      },
      add,
      checkRoom,
    };
  }

  return {
    get bytes() {
      return bytes;
    },
    get requests() {
      return requests;
    },
    enter(tenant, places = Number.POSITIVE_INFINITY, signal) {
      checkRoom();
      if ((running.get(tenant) ?? 0) >= places) {
        fail({ kind: "rate-limited", limit: "concurrent-requests", retryAfter: RETRY_AFTER });
      }
      return createLease(tenant, signal);
    },
  };
}
