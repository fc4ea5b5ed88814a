import { createKey, type NewKey } from "../../../src/tenants/gateway-key.ts";

/** A store as Workers KV is one, in memory. */
export class MemoryStore {
  readonly values = new Map<string, string>();
  /** Keys that were asked for, in order. */
  readonly reads: string[] = [];
  broken = false;

  async get(key: string): Promise<string | null> {
    this.reads.push(key);
    if (this.broken) throw new Error("the store is away");
    return this.values.get(key) ?? null;
  }

  /** Puts a tenant with one key; `fields` of its record and its key as they are given. */
  async tenant(id: string, settings: unknown, fields: object = {}, key: object = {}): Promise<NewKey> {
    const made = await createKey();
    const stored = { id: made.id, hash: made.hash, ...key };
    this.put(id, { v: 1, rev: 1, status: "active", keys: [stored], settings, ...fields });
    this.values.set(`v1:key:${made.hash}`, JSON.stringify({ t: id }));
    return made;
  }

  put(id: string, record: object) {
    this.values.set(`v1:tenant:${id}`, JSON.stringify(record));
  }
}
