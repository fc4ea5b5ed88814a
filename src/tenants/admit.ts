import { sha256Hex } from "../sha256.ts";
import type { Budget } from "./budget-keeper.ts";
import type { Config } from "./config.ts";
import { idOfKey } from "./gateway-key.ts";
import { checkAccess, presentedKey, presentedKeys, refuse } from "./keys.ts";
import { isGoodKey, type StoredKey } from "./record.ts";
import { configOf, type StoredTenant, type TenantStore } from "./store.ts";
import { bareName } from "./upstream-address.ts";

/** What of a request tells whose it is. */
export interface Knock {
  headers: Headers;
  /** Of the URL. */
  hostname: string;
  /** Those in the URL, on the one wire whose clients put one there. */
  queryKeys: readonly string[];
  /** The tenant that the path names. */
  tenant: string | undefined;
}

/** A request that was let in. */
export interface Admitted {
  config: Config;
  /** A name for its key that is no other's; undefined where none was asked for. */
  key: string | undefined;
  /** What its tokens are taken from. */
  budgets: readonly Budget[];
}

/**
 * Lets a request in, in whose name it is: the tenant of its host, of its path or of its key, or the one that variables make. The first
 * that is named counts, and nothing falls through to the next: an unknown tenant, a foreign key and a wrong one are refused alike.
 *
 * @param gateway what variables say
 * @param store absent: there are no other tenants
 * @throws GatewayFailure
 */
export async function admit(knock: Knock, gateway: Config, store: TenantStore | undefined): Promise<Admitted> {
  const admitted = await admitAnywhere(knock, gateway, store);
  // Whose it is tells only now whether a key may stand in the URL.
  if (knock.queryKeys.length > 0 && !admitted.config.queryKeys) refuse();
  return admitted;
}

async function admitAnywhere(knock: Knock, gateway: Config, store: TenantStore | undefined): Promise<Admitted> {
  const { headers, hostname, queryKeys } = knock;
  const key = await tenantKey(presentedKey(headers, queryKeys));
  // Junk costs no read, wherever it knocks.
  if (isElsewhere(hostname, gateway) && !key) refuse();
  const tenant = await namedTenant(knock, gateway, store);
  if (tenant !== undefined) return admitTo(tenant, knock, key, gateway, store);
  if (store && key) {
    const owner = await store.tenantOfKey(key.hash);
    if (owner !== undefined) return admitTo(owner, knock, key, gateway, store);
  }
  // A tenant's key, of which the store knows nothing (any more) or beside which there is another one: what it was brought for is not
  // for a gateway that stands open.
  if (store && gateway.keys.length === 0 && presentedKeys(headers, queryKeys).some(idOfKey)) refuse();
  const name = await checkAccess(gateway, headers, hostname, queryKeys);
  return { config: gateway, key: name, budgets: budgetsOf(gateway) };
}

/**
 * The tenant that the host name of a request names, or else its path; undefined where neither does. That there is one is not said.
 * @throws GatewayFailure `unauthorized` for a host that is nobody's, and where host and path do not agree
 */
export async function namedTenant(
  { hostname, tenant }: Pick<Knock, "hostname" | "tenant">,
  gateway: Config,
  store: TenantStore | undefined,
): Promise<string | undefined> {
  if (!isElsewhere(hostname, gateway)) return tenant;
  const owner = (await store?.tenantOfHost(bareName(hostname))) ?? refuse();
  return tenant === undefined || tenant === owner ? owner : refuse();
}

/** What is stored of a tenant; undefined for one that there is not, or not under this name. */
export async function tenantAt(
  hostname: string,
  id: string,
  gateway: Config,
  store: TenantStore | undefined,
): Promise<StoredTenant | undefined> {
  const tenant = await store?.tenant(id);
  // The name's own entry is no more than a pointer, as a key's is.
  return isElsewhere(hostname, gateway) && !tenant?.hosts.includes(bareName(hostname)) ? undefined : tenant;
}

/** Whether a request has come under a name that is not the gateway's own. */
export function isElsewhere(hostname: string, { gatewayHosts }: Pick<Config, "gatewayHosts">): boolean {
  return gatewayHosts.length > 0 && !gatewayHosts.includes(bareName(hostname));
}

/** A key of a tenant's clients, as far as it tells itself. */
interface TenantKey {
  id: string;
  hash: string;
}

async function tenantKey(given: string | undefined): Promise<TenantKey | undefined> {
  const id = given === undefined ? undefined : idOfKey(given);
  return given === undefined || id === undefined ? undefined : { id, hash: await sha256Hex(given) };
}

async function admitTo(
  id: string,
  { hostname }: Knock,
  key: TenantKey | undefined,
  gateway: Config,
  store: TenantStore | undefined,
): Promise<Admitted> {
  if (!store || !key || gateway.deniedKeys.includes(key.id)) return refuse();
  const tenant = (await tenantAt(hostname, id, gateway, store)) ?? refuse();
  const { hash } = key;
  // Nobody else is to learn that there is a record, and that it is broken.
  const listed = tenant.keys?.filter((each) => each.hash === hash);
  const known = listed ? tenant.active && isGood(listed) : (await store.tenantOfKey(hash)) === id;
  if (!known) refuse();
  const config = configOf(tenant);
  return { config, key: key.id, budgets: [...budgetsOf(config), ...budgetsOfKey(key.id, listed)] };
}

function budgetsOf({ limits: { tokensPerDay: tokens } }: Config): Budget[] {
  return tokens === undefined ? [] : [{ tokens }];
}

/** One that is listed twice has the lower one. */
function budgetsOfKey(key: string, listed: readonly StoredKey[] = []): Budget[] {
  const budgets = listed.flatMap(({ tokens_per_day: tokens }) => tokens ?? []);
  return budgets.length === 0 ? [] : [{ key, tokens: Math.min(...budgets) }];
}

/** One that is listed twice is good if it is so in both places: what disables it counts, wherever it stands. */
function isGood(listed: readonly StoredKey[]): boolean {
  const seconds = Date.now() / 1_000;
  return listed.length > 0 && listed.every((key) => isGoodKey(key, seconds));
}
