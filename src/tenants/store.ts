import * as v from "valibot";
import { fail, type GatewayError } from "../errors.ts";
import { parseJson } from "../json.ts";
import { TENANT_LIMITS } from "../limits.ts";
import { Recent } from "../recent.ts";
import { sha256Hex } from "../sha256.ts";
import { type Config, compileConfig, NO_ACCESS } from "./config.ts";
import { describeFaults, faultOf } from "./faults.ts";
import { inTime } from "./in-time.ts";
import type { KeyValueBinding } from "./key-value.ts";
import { Envelope, type StoredKey, TENANT_ID } from "./record.ts";
import type { MasterKeys } from "./sealed.ts";
import { Settings } from "./settings.ts";
import { hostKey, keyKey, readOwner, tenantKey } from "./stored-keys.ts";
import type { TenantObjects } from "./tenant-object.ts";
import { isPublicName } from "./upstream-address.ts";
import { openUpstreamKey } from "./upstream-key.ts";

/** A tenant as its record says: who is let in, and the settings that its requests have. */
export interface StoredTenant {
  /** Of the record's text, where its object is asked; else empty. */
  readonly hash: string;
  /** Its object is asked for the latest revision each time. */
  readonly strict: boolean;
  /** Undefined where the record cannot be read. */
  readonly keys: readonly StoredKey[] | undefined;
  /** Names under which it is asked; none where the record cannot be read. */
  readonly hosts: readonly string[];
  /** Disabled, with none at all: nobody is let in. */
  readonly active: boolean;
  /** Where its settings make no sense, why not: its requests are refused, and nobody else's. */
  readonly outcome: Outcome;
}

type Outcome =
  | { readonly config: Config; readonly fault?: never }
  | { readonly config?: never; readonly fault: GatewayError };

export interface TenantStore {
  /**
   * @param id whatever stands in a path
   * @throws GatewayFailure `store-failed` where the store cannot be asked, and nothing fresh enough is known
   */
  tenant(id: string): Promise<StoredTenant | undefined>;
  /** The name of the tenant that a key says it is of, if it is one; only its record tells whether it is. */
  tenantOfKey(hash: string): Promise<string | undefined>;
  /** The same of a host name: only the tenant's record tells whether it is. */
  tenantOfHost(hostname: string): Promise<string | undefined>;
}

/** What tenants take from what variables say. */
interface Gateway {
  readonly masters: MasterKeys;
  readonly config: Pick<Config, "upstreamHosts" | "gatewayHosts">;
}

interface Kept<T> {
  value: T;
  readAt: number;
}

/**
 * Reads tenants from a key-value store, and keeps what it has read: of each kind the latest few hundred, for half a minute. That
 * nothing is there is not kept here: whoever makes names up would fill it. Never a pending promise: on Workers it belongs to
 * the request that made it.
 *
 * @param objects of the tenants that are strict; without them those are refused
 * @param now milliseconds
 */
export function createTenantStore(
  kv: Pick<KeyValueBinding, "get">,
  gateway: Gateway,
  objects?: TenantObjects,
  now: () => number = Date.now,
): TenantStore {
  const tenants = new Recent<Kept<StoredTenant>>(TENANT_LIMITS.kept);
  const owners = new Recent<Kept<string>>(TENANT_LIMITS.kept);

  async function read<T>(
    kept: Recent<Kept<T>>,
    key: string,
    parse: (text: string) => T | Promise<T>,
  ): Promise<T | undefined> {
    const known = kept.peek(key);
    if (known && now() < known.readAt + TENANT_LIMITS.fresh) return known.value;
    const readAt = now();
    let text: string | null;
    try {
      text = await inTime(kv.get(key));
    } catch {
      // Better a revision of a few minutes ago than nobody served.
      if (known && now() < known.readAt + TENANT_LIMITS.stale) return known.value;
      return fail({ kind: "store-failed" });
    }
    if (text === null) {
      kept.drop(key);
      return undefined;
    }
    return keep(kept, key, await parse(text), readAt);
  }

  /** Of two that were read at once the slower one may be the older. */
  function keep<T>(kept: Recent<Kept<T>>, key: string, value: T, readAt: number): T {
    if ((kept.peek(key)?.readAt ?? readAt) > readAt) return value;
    return kept.set(key, { value, readAt }).value;
  }

  /** Of a tenant that is strict; whoever has a key is told where that cannot be found out, and nobody else. */
  async function latest(id: string, known: StoredTenant): Promise<StoredTenant | undefined> {
    if (!objects) return { ...known, outcome: invalid(id, "it is strict, and there is no binding TENANT_OBJECTS") };
    const readAt = now();
    try {
      const found = await inTime(objects.getByName(id).readRecordUnless({ id, hash: known.hash }));
      if (found === "known") return known;
      if (found?.text === undefined) return undefined;
      return keep(tenants, tenantKey(id), await readTenant(id, found.text, gateway), readAt);
    } catch (thrown) {
      return { ...known, outcome: { fault: { kind: "store-failed", detail: `strict: ${thrown}` } } };
    }
  }

  return {
    async tenant(id) {
      if (!TENANT_ID.test(id)) return undefined;
      const known = await read(tenants, tenantKey(id), (text) => readTenant(id, text, gateway));
      return known?.strict ? latest(id, known) : known;
    },
    tenantOfKey: (hash) => read(owners, keyKey(hash), readOwner),
    tenantOfHost: async (hostname) => (isPublicName(hostname) ? read(owners, hostKey(hostname), readOwner) : undefined),
  };
}

async function readTenant(id: string, text: string, gateway: Gateway): Promise<StoredTenant> {
  const envelope = v.safeParse(Envelope, parseJson(text));
  if (!envelope.success) {
    const outcome = invalid(id, describeFaults(envelope.issues.map(faultOf)));
    return { hash: "", strict: false, keys: undefined, hosts: [], active: true, outcome };
  }
  const { strict, keys, hosts, status, settings } = envelope.output;
  const outcome = await readConfig(id, settings, gateway);
  const hash = strict ? await sha256Hex(text) : "";
  return Object.freeze({ hash, strict, keys, hosts, active: status === "active", outcome });
}

async function readConfig(
  tenant: string,
  given: unknown,
  { masters, config: { upstreamHosts, gatewayHosts } }: Gateway,
): Promise<Outcome> {
  const read = v.safeParse(Settings, given);
  if (!read.success) return invalid(tenant, describeFaults(read.issues.map(faultOf)));
  const upstreams = { ...read.output.upstreams };
  for (const [upstream, settings] of Object.entries(upstreams)) {
    if (settings.api_key === undefined) continue;
    const opened = await openUpstreamKey(settings.api_key, { tenant, upstream }, masters);
    if ("fault" in opened) return invalid(tenant, `upstreams.${upstream}.api_key ${opened.fault}.`);
    upstreams[upstream] = { ...settings, api_key: opened.secret };
  }
  const compiled = compileConfig({ ...read.output, upstreams }, { ...NO_ACCESS, upstreamHosts, gatewayHosts }, tenant);
  return "config" in compiled ? compiled : invalid(tenant, describeFaults(compiled.faults));
}

/** @param detail for the log: what an operator would be told */
function invalid(tenant: string, detail: string): Outcome {
  return { fault: { ...invalidTenant, detail: `the record of ${tenant}: ${detail}` } };
}

/** In words that tell a client nothing of the settings. */
export const invalidTenant = {
  kind: "config-invalid",
  message: "The configuration of this tenant is invalid.",
} as const;

/** @throws GatewayFailure `config-invalid`, or `store-failed` of a strict tenant */
export function configOf({ outcome }: StoredTenant): Config {
  return outcome.config ?? fail(outcome.fault);
}
