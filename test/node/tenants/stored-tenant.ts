import { createKey, type NewKey } from "../../../src/tenants/gateway-key.ts";
import type { KeyList } from "../../../src/tenants/key-value.ts";

/** A store as Workers KV is one, in memory. */
export class MemoryStore {
  readonly values = new Map<string, string>();
  /** Seconds that values are kept for, where they are not for ever. */
  readonly lifetimes = new Map<string, number>();
  /** Keys that were asked for, in order. */
  readonly reads: string[] = [];
  broken = false;

  async get(key: string): Promise<string | null> {
    this.reads.push(key);
    if (this.broken) throw new Error("the store is away");
    return this.values.get(key) ?? null;
  }

  async put(key: string, value: string, { expirationTtl }: { expirationTtl?: number } = {}): Promise<void> {
    if (this.broken) throw new Error("the store is away");
    this.values.set(key, value);
    if (expirationTtl !== undefined) this.lifetimes.set(key, expirationTtl);
  }

  async delete(key: string): Promise<void> {
    if (this.broken) throw new Error("the store is away");
    this.values.delete(key);
  }

  /** Pages by the name that each begins behind. */
  async list({
    prefix,
    cursor = "",
    limit = 1_000,
  }: {
    prefix: string;
    cursor?: string | undefined;
    limit?: number;
  }): Promise<KeyList> {
    if (this.broken) throw new Error("the store is away");
    const names = [...this.values.keys()].filter((name) => name.startsWith(prefix) && name > cursor).sort();
    const keys = names.slice(0, limit).map((name) => ({ name }));
    const last = keys.at(-1)?.name;
    return names.length > limit && last !== undefined
      ? { keys, list_complete: false, cursor: last }
      : { keys, list_complete: true };
  }

  /** Puts a tenant with one key; `fields` of its record and its key as they are given. */
  async tenant(id: string, settings: unknown, fields: object = {}, key: object = {}): Promise<NewKey> {
    const made = await createKey();
    const stored = { id: made.id, hash: made.hash, ...key };
    this.putTenant(id, { v: 1, rev: 1, status: "active", keys: [stored], settings, ...fields });
    this.values.set(`v1:key:${made.hash}`, JSON.stringify({ t: id }));
    return made;
  }

  putTenant(id: string, record: object) {
    this.values.set(`v1:tenant:${id}`, JSON.stringify(record));
  }
}
