import { createKey, type NewKey } from "../../../src/tenants/gateway-key.ts";
import { seal } from "../../../src/tenants/sealed.ts";
import { variables } from "../../variables.ts";
import { MemoryStore } from "../tenants/stored-tenant.ts";
import { startBareGateway } from "./bare-workerd.ts";
import { type Host, type OutsideRequest, startOutside } from "./outside.ts";

const MASTER = crypto.getRandomValues(new Uint8Array(32));
const MASTER_KEY_1 = Buffer.from(MASTER).toString("base64");

/** A tenant of a platform: its name, its server's key and address are told by "canary" wherever they turn up. */
export interface Tenant {
  id: string;
  /** Of its server. */
  host: string;
  upstreamKey: string;
  /** Of its clients. */
  key: string;
}

interface TenantOptions {
  /** More of its settings. */
  settings?: object;
  /** Of its upstream's. */
  upstream?: object;
  /** More of its record. */
  record?: object;
  /** More of its key's entry. */
  entry?: object;
}

/**
 * The built bundle on workerd with a store of tenants, and with nothing to talk to but this: the servers of `hosts`, by their names, and a
 * trap for whatever else it may ask.
 */
export async function startBarePlatform(hosts: Record<string, Host>, given: Parameters<typeof variables>[0] = {}) {
  const outside = await startOutside(hosts);
  const store = new MemoryStore();
  const env = variables({ MASTER_KEY_1, ...given });
  const gateway = await startBareGateway(env, {
    tenants: store,
    outside: outside.address,
  });
  /** What no answer and no line of the log may hold. */
  const secrets = new Set([MASTER_KEY_1, outside.address, "canary"]);

  function keepSecret({ key, hash }: NewKey) {
    secrets.add(key.slice(12, 40)).add(key.slice(-20)).add(hash);
  }

  async function addTenant(
    id: string,
    { settings = {}, upstream, record, entry }: TenantOptions = {},
  ): Promise<Tenant> {
    // In no form by which a key is told.
    const upstreamKey = `canary/key/${crypto.randomUUID().slice(0, 8)}==`;
    const host = `llm.${id}.example`;
    const sealed = await seal(upstreamKey, { tenant: id, upstream: "main" }, "1", MASTER);
    const main = { base_url: `https://${host}/v1`, api_key: sealed, ...upstream };
    const made = await store.tenant(id, { upstreams: { main }, ...settings }, record, entry);
    keepSecret(made);
    secrets.add(sealed);
    return { id, host, upstreamKey, key: made.key };
  }

  /** A key of which the store knows nothing. */
  async function strangersKey(): Promise<string> {
    const made = await createKey();
    keepSecret(made);
    return made.key;
  }

  return {
    ...gateway,
    store,
    secrets,
    /** More of them may come. */
    hosts,
    /** All that the gateway has asked for outside. */
    requests: outside.requests as readonly OutsideRequest[],
    /** Those of them that went into the trap. */
    strangers: () => outside.requests.filter(({ url }) => !Object.hasOwn(hosts, url.host)).map(({ url }) => url.href),
    addTenant,
    strangersKey,
    async close() {
      await gateway.close();
      await outside.close();
    },
  };
}

/** What of a platform's secrets stands in a text, in whatever case; and whatever tells how the gateway is built. */
export function leaksIn(text: string, secrets: Iterable<string>): string[] {
  const low = text.toLowerCase();
  const told = [...secrets].filter((secret) => low.includes(secret.toLowerCase()));
  return [...told, ...(text.match(/\n\s+at |index\.js|\.ts\b|\/tmp\/|node_modules|workerd|127\.0\.0\.1/g) ?? [])];
}
