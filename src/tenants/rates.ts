import { fail } from "../errors.ts";
import { RATE_LIMITS } from "../limits.ts";
import { Recent } from "../recent.ts";

/** Limits of rates, by what stands behind `RATE_` in their names: how many requests a minute, or what else is counted. */
export type RateBindings = Readonly<Record<string, RateBinding>>;

/** Counts by a limit that stands in the Worker's configuration. */
export interface RateBinding {
  /** @returns whether this one is within the limit */
  limit(asked: { key: string }): Promise<{ success: boolean }>;
}

/** How often somebody asks. What this isolate has counted counts in this isolate alone, what a binding has, in its location. */
export interface Rates {
  /**
   * One request more of somebody who was let in.
   * @param who a name that is nobody else's
   * @param perMinute undefined: any number
   * @throws GatewayFailure `rate-limited`
   */
  request(who: string, perMinute: number | undefined, bindings?: RateBindings): Promise<void>;
  /** One request more from this address that nobody has let in. */
  failure(address: string, bindings?: RateBindings): Promise<void>;
  /**
   * Whether requests from this address are looked at.
   * @throws GatewayFailure `rate-limited` for as long as too many from there were let in by nobody
   */
  checkAddress(address: string): void;
}

/** Milliseconds. */
const REQUESTS_WINDOW = 60_000;
const FAILURES_WINDOW = 10_000;

/** @param now milliseconds */
export function createRates(now: () => number = Date.now): Rates {
  const requests = createWindows(REQUESTS_WINDOW, now);
  const failures = createWindows(FAILURES_WINDOW, now);
  /** Addresses from which nothing is looked at, and until when. */
  const shut = new Recent<number>(RATE_LIMITS.kept);

  return {
    async request(who, perMinute, bindings) {
      if (perMinute === undefined) return;
      const within = await requests.count(who, perMinute, bindings?.[perMinute]);
      if (!within) refuse("requests-per-minute", requests.end() - now());
    },
    async failure(address, bindings) {
      const within = await failures.count(address, RATE_LIMITS.failures, bindings?.FAILURES);
      if (!within) shut.set(address, failures.end());
    },
    checkAddress(address) {
      const left = (shut.peek(address) ?? 0) - now();
      if (left > 0) refuse("failures", left);
    },
  };
}

function refuse(limit: "requests-per-minute" | "failures", milliseconds: number): never {
  return fail({ kind: "rate-limited", limit, retryAfter: Math.ceil(milliseconds / 1_000) });
}

/**
 * Fixed windows of the clock, the same for all keys: so nothing has to be swept, and no key needs a timer. Of keys the latest few
 * thousand are counted; whoever cycles through more of them begins anew.
 */
function createWindows(length: number, now: () => number) {
  const counts = new Recent<{ window: number; count: number }>(RATE_LIMITS.kept);
  const current = () => Math.floor(now() / length);

  function add(key: string): number {
    const window = current();
    const known = counts.peek(key);
    return counts.set(key, { window, count: known?.window === window ? known.count + 1 : 1 }).count;
  }

  return {
    /** When the current window ends. */
    end: () => (current() + 1) * length,
    /**
     * @param binding counts in place of this isolate, as long as it can
     * @returns whether this one is within the limit
     */
    async count(key: string, most: number, binding: RateBinding | undefined): Promise<boolean> {
      try {
        if (binding) return (await binding.limit({ key })).success;
      } catch {
        // Counted here, it is limited all the same.
      }
      return add(key) <= most;
    },
  };
}

/** The longest that an address is as a text. */
const LONGEST_ADDRESS = 45;

/**
 * Where a request comes from, as Cloudflare says: an IPv4 address, or the /64 that an IPv6 address lies in, of which one customer has
 * all. Elsewhere there is nobody to be believed, and all requests come from the same place.
 */
export function addressOf(headers: Headers): string {
  const address = (headers.get("cf-connecting-ip") ?? "").slice(0, LONGEST_ADDRESS);
  // An IPv4 address in the clothes of the other is one still.
  if (!address.includes(":") || address.includes(".")) return address;
  const [before = "", after] = address.toLowerCase().split("::");
  const groups = groupsOf(before);
  const zeros = after === undefined ? 0 : 8 - groups.length - groupsOf(after).length;
  const all = [...groups, ...Array(Math.max(zeros, 0)).fill("0"), ...groupsOf(after ?? "")];
  return `${all.slice(0, 4).join(":")}::/64`;
}

function groupsOf(text: string): string[] {
  return text === "" ? [] : text.split(":").map((group) => group.replace(/^0+(?=.)/, ""));
}
