import type { Bindings } from "../bindings.ts";
import { GatewayFailure } from "../errors.ts";
import { RATE_LIMITS } from "../limits.ts";
import type { Protocol } from "../protocols/protocol.ts";
import { type Admitted, admit, namedTenant, tenantAt } from "../tenants/admit.ts";
import type { Config } from "../tenants/config.ts";
import { checkAdmin, refuse } from "../tenants/keys.ts";
import { addressOf, type Rates } from "../tenants/rates.ts";
import { configOf, type TenantStore } from "../tenants/store.ts";
import { unknownPath } from "./handlers.ts";

/** What of a request says who asks, and in whose name. */
export interface Visit {
  request: Request;
  url: URL;
  protocol: Protocol;
  /** The tenant that the path names. */
  tenant: string | undefined;
  bindings: Bindings;
  /** Absent: there is but the tenant that variables make. */
  store: TenantStore | undefined;
  rates: Rates;
}

/** Who asks, by a name for counting what he asks, and in which tenant's name. */
export interface Caller extends Admitted {
  name: string;
  /** Undefined: any number of requests. */
  perMinute: number | undefined;
}

/**
 * Where too many come from one address with nothing that lets them in, nobody is asked any more whether they might.
 * @throws GatewayFailure `rate-limited`; whatever `admission` throws
 */
export async function letIn<T>({ request, rates, bindings }: Visit, admission: () => Promise<T>): Promise<T> {
  const address = addressOf(request.headers);
  rates.checkAddress(address);
  try {
    return await admission();
  } catch (thrown) {
    const refused = thrown instanceof GatewayFailure && thrown.error.kind === "unauthorized";
    if (refused) await rates.failure(address, bindings.rates);
    throw thrown;
  }
}

/**
 * Nobody is counted as somebody else: no tenant's name has a blank in it.
 * @param gateway what variables say
 */
export async function admitClient(visit: Visit, gateway: Config): Promise<Caller> {
  const { request, url, protocol, tenant, store } = visit;
  const queryKeys = protocol.keyParameter === undefined ? [] : url.searchParams.getAll(protocol.keyParameter);
  const knock = { headers: request.headers, hostname: url.hostname, queryKeys, tenant };
  const { config, key, budgets } = await admit(knock, gateway, store);
  const perMinute = config.limits.requestsPerMinute;
  const own = key === undefined ? `anybody ${addressOf(request.headers)}` : `key ${key}`;
  const name = config.tenant === undefined ? own : `${config.tenant}:${key}`;
  return { config, key, budgets, name, perMinute };
}

export interface Operator extends Caller {
  /** By what his token is known: no part of it. */
  by: string;
}

/** Operators are the gateway's. */
export async function admitOperator({ request }: Visit, gateway: Config): Promise<Operator> {
  const by = await checkAdmin(gateway, request.headers);
  const name = `operator ${by}`;
  return { config: gateway, key: undefined, budgets: [], name, perMinute: RATE_LIMITS.operator, by };
}

/** An operator who looks at a tenant, which may be any. */
export async function admitOnlooker(visit: Visit, gateway: Config): Promise<Caller> {
  const operator = await admitOperator(visit, gateway);
  const named = await tenantOf(visit, gateway);
  if (named === undefined) return operator;
  const stored = (await tenantAt(visit.url.hostname, named, gateway, visit.store)) ?? unknownPath();
  return { ...operator, config: configOf(stored) };
}

/**
 * A browser asks before it sends a key, so nothing is told: not even that the store is away. A made-up name of a tenant costs a read
 * of the store as a made-up key does, and counts as one.
 */
export function configOfPreflight(visit: Visit, gateway: Config): Promise<Config | undefined> {
  const admission = async () => {
    const named = await tenantOf(visit, gateway);
    if (named === undefined) return gateway;
    return configOf((await tenantAt(visit.url.hostname, named, gateway, visit.store)) ?? refuse());
  };
  return letIn(visit, admission).catch(() => undefined);
}

function tenantOf({ url, tenant, store }: Visit, gateway: Config): Promise<string | undefined> {
  return namedTenant({ hostname: url.hostname, tenant }, gateway, store);
}
