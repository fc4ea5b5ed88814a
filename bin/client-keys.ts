import { createKey } from "../src/tenants/gateway-key.ts";
import { NEW_KEY_TOKENS_PER_DAY } from "../src/tenants/record.ts";
import { keyKey, tenantKey, writeOwner } from "../src/tenants/stored-keys.ts";
import type { AdminClient } from "./admin-client.ts";

export interface KeyTerms {
  label?: string;
  /** Seconds since 1970. */
  expires?: number;
  /** `null`: as many as the tenant has; absent: what a new key has. */
  tokens_per_day?: number | null;
}

/** Without a gateway: what has to be written down by hand. */
export async function createByHand(tenant: string, terms: KeyTerms): Promise<number> {
  const { id, key, hash } = await createKey();
  const { tokens_per_day = NEW_KEY_TOKENS_PER_DAY, ...rest } = terms;
  const stored = { id, hash, status: "active", ...rest, ...(tokens_per_day !== null && { tokens_per_day }) };
  console.log(`The key, shown this once:\n  ${key}\n`);
  console.log(`Into "keys" of the record ${tenantKey(tenant)}:\n  ${JSON.stringify(stored)}\n`);
  console.log(
    `So that the key alone tells its tenant:\n  npx wrangler kv key put --remote --binding TENANTS ${keyKey(hash)} '${writeOwner(tenant)}'`,
  );
  return 0;
}

export async function create(client: AdminClient, tenant: string, terms: KeyTerms): Promise<number> {
  return show(await client.post(tenant, "keys", terms));
}

export async function rotate(client: AdminClient, tenant: string, id: string, grace?: number): Promise<number> {
  const made = await client.post(tenant, `keys/${id}:rotate`, grace === undefined ? {} : { grace_seconds: grace });
  const { replaced, expires = replaced } = made.old as { replaced: number; expires?: number };
  console.log(`${id} is good until ${new Date(Math.min(replaced, expires) * 1_000).toISOString()}.`);
  return show(made);
}

export async function disable(client: AdminClient, tenant: string, id: string): Promise<number> {
  await client.post(tenant, `keys/${id}:disable`, {});
  console.log(`${id} is disabled.`);
  return 0;
}

function show({ key, id, tokens_per_day: tokens }: Record<string, unknown>): number {
  console.log(`The key ${id}, shown this once:\n  ${key}`);
  if (tokens !== undefined) console.log(`It may use ${tokens} tokens a day.`);
  console.log("Where the tenant has been asked for of late, it may be refused for two minutes.");
  return 0;
}
