import { createKey, type NewKey } from "../../../src/tenants/gateway-key.ts";
import { seal } from "../../../src/tenants/sealed.ts";
import { variables } from "../../variables.ts";
import { type BareGateway, startBareGateway } from "./bare-workerd.ts";
import { type Host, type OutsideRequest, startOutside } from "./outside.ts";
import { serveStore } from "./served-store.ts";

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

export type BarePlatform = Awaited<ReturnType<typeof startBarePlatform>>;

/**
 * The built bundle on workerd with a store of tenants, and with nothing to talk to but this: the servers of `hosts`, by their names, and a
 * trap for whatever else it may ask.
 */
export async function startBarePlatform(hosts: Record<string, Host>, given: Parameters<typeof variables>[0] = {}) {
  const outside = await startOutside(hosts);
  const stored = await serveStore();
  const env = variables({ MASTER_KEY_1, ...given });
  const gateway: BareGateway = await startBareGateway(env, {
    tenants: true,
    store: stored.address,
    outside: outside.address,
  });
  /** What no answer and no line of the log may hold. */
  const secrets = new Set([MASTER_KEY_1, stored.address, outside.address, "canary"]);

  function keepSecret({ key, hash }: NewKey) {
    secrets.add(key.slice(12, 40)).add(key.slice(-20)).add(hash);
  }

  async function addTenant(
    id: string,
    { settings = {}, upstream, record, entry }: TenantOptions = {},
  ): Promise<Tenant> {
    const upstreamKey = `sk-canary-${crypto.randomUUID()}`;
    const host = `llm.${id}.example`;
    const sealed = await seal(upstreamKey, { tenant: id, upstream: "main" }, "1", MASTER);
    const main = { base_url: `https://${host}/v1`, api_key: sealed, ...upstream };
    const made = await stored.store.tenant(id, { upstreams: { main }, ...settings }, record, entry);
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
    store: stored.store,
    secrets,
    /** More of them may come. */
    hosts,
    /** All that the gateway has asked for outside. */
    requests: outside.requests as readonly OutsideRequest[],
    addTenant,
    strangersKey,
    async close() {
      await gateway.close();
      await Promise.all([stored.close(), outside.close()]);
    },
  };
}

/** What of a platform's secrets stands in a text, in whatever case; and whatever tells how the gateway is built. */
export function leaksIn(text: string, secrets: Iterable<string>): string[] {
  const low = text.toLowerCase();
  const told = [...secrets].filter((secret) => low.includes(secret.toLowerCase()));
  return [...told, ...(text.match(/\n\s+at |index\.js|\.ts\b|\/tmp\/|node_modules|workerd/g) ?? [])];
}
