import { DatabaseSync } from "node:sqlite";
import type { KeyValueBinding } from "../../../src/tenants/key-value.ts";
import type { Sql } from "../../../src/tenants/record-keeper.ts";
import { createTenantObject, type TenantObject, type TenantObjects } from "../../../src/tenants/tenant-object.ts";

/** What the platform's takes of a text. */
const LONGEST = 2_000_000;

/** SQLite as a Durable Object has it, in memory. */
export function memorySql(): Sql {
  const database = new DatabaseSync(":memory:");
  return {
    exec(query, ...bindings) {
      if (bindings.some((value) => String(value).length > LONGEST)) throw new Error("string or blob too big");
      const rows = database.prepare(query).all(...bindings);
      return { toArray: () => rows };
    },
  };
}

/** Durable Objects as the platform makes them: one for each name, and what they take and give is copied. */
export class MemoryObjects implements TenantObjects {
  readonly #objects = new Map<string, TenantObject>();
  readonly #storage = new Map<string, Sql>();
  readonly #kv: KeyValueBinding | undefined;
  /** Names and methods that were asked, in order. */
  readonly calls: string[] = [];
  broken = false;
  /** What their answers wait for. */
  gate: Promise<unknown> | undefined;

  constructor(kv: KeyValueBinding | undefined) {
    this.#kv = kv;
  }

  /** The same, but for what is counted of each reply. */
  get asked(): string[] {
    return this.calls.filter((call) => !call.endsWith(" count"));
  }

  getByName(name: string): TenantObject {
    const storage = this.#storage.get(name) ?? memorySql();
    this.#storage.set(name, storage);
    const object = this.#objects.get(name) ?? createTenantObject(storage, this.#kv);
    this.#objects.set(name, object);
    return new Proxy(object, {
      get: (target, method: keyof TenantObject & string) => async (argument: never) => {
        this.calls.push(`${name} ${method}`);
        if (this.broken) throw new Error("the object is away");
        const answer = structuredClone(await target[method](structuredClone(argument)));
        await this.gate;
        return answer;
      },
    });
  }

  /** What has been spent of the tenant's budget (""), and of its keys'. */
  spent(name: string): Record<string, unknown> {
    const rows = this.#storage.get(name)?.exec("SELECT owner, tokens FROM spent").toArray() ?? [];
    return Object.fromEntries(rows.map(({ owner, tokens }) => [owner, tokens]));
  }
}
