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
   * @param tenant empty: the gateway's own, which has no neighbours to mind where there is no other
   * @param places how many requests of the tenant may be under way at once; undefined: any number
   * @param signal aborted when the client goes away
   * @throws GatewayFailure `rate-limited` where the tenant has no place left, `gateway-busy` where it, or the isolate, has no room
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

interface Taken {
  requests: number;
  bytes: number;
}

/** Seconds. */
const RETRY_AFTER = 1;

export function createOccupancy(): Occupancy {
  const tenants = new Map<string, Taken>();
  const all: Taken = { requests: 0, bytes: 0 };

  function checkRoom(tenant: string) {
    const own = tenant === "" ? 0 : takenBy(tenant).bytes;
    if (all.bytes > ISOLATE_LIMITS.held || own > ISOLATE_LIMITS.heldByTenant) {
      fail({ kind: "gateway-busy", retryAfter: RETRY_AFTER });
    }
  }

  function takenBy(tenant: string): Taken {
    return tenants.get(tenant) ?? { requests: 0, bytes: 0 };
  }

  function take(tenant: string, more: Taken) {
    const taken = takenBy(tenant);
    for (const each of [taken, all]) {
      each.requests += more.requests;
      each.bytes += more.bytes;
    }
    if (taken.requests === 0) tenants.delete(tenant);
    else tenants.set(tenant, taken);
  }

  function createLease(tenant: string, signal: AbortSignal): Lease {
    let holders = 0;
    let own = 0;
    let over = false;

    function add(more: number) {
      if (over) return;
      own += more;
      take(tenant, { requests: 0, bytes: more });
    }

    function end() {
      if (over) return;
      over = true;
      take(tenant, { requests: -1, bytes: -own });
    }

    take(tenant, { requests: 1, bytes: 0 });
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
      checkRoom: () => checkRoom(tenant),
    };
  }

  return {
    get bytes() {
      return all.bytes;
    },
    get requests() {
      return all.requests;
    },
    enter(tenant, places = Number.POSITIVE_INFINITY, signal) {
      checkRoom(tenant);
      if (takenBy(tenant).requests >= places) {
        fail({ kind: "rate-limited", limit: "concurrent-requests", retryAfter: RETRY_AFTER });
      }
      return createLease(tenant, signal);
    },
  };
}
