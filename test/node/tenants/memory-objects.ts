import { DatabaseSync } from "node:sqlite";
import type { KeyValueBinding } from "../../../src/tenants/key-value.ts";
import type { Sql } from "../../../src/tenants/record-keeper.ts";
import { createTenantObject, type TenantObject, type TenantObjects } from "../../../src/tenants/tenant-object.ts";

/** SQLite as a Durable Object has it, in memory. */
export function memorySql(): Sql {
  const database = new DatabaseSync(":memory:");
  return {
    exec(query, ...bindings) {
      const rows = database.prepare(query).all(...bindings);
      return { toArray: () => rows };
    },
  };
}

/** Durable Objects as the platform makes them: one for each name, and what they take and give is copied. */
export class MemoryObjects implements TenantObjects {
  readonly #objects = new Map<string, TenantObject>();
  readonly #kv: KeyValueBinding | undefined;
  /** Names and methods that were asked, in order. */
  readonly calls: string[] = [];
  broken = false;

  constructor(kv: KeyValueBinding | undefined) {
    this.#kv = kv;
  }

  getByName(name: string): TenantObject {
    const object = this.#objects.get(name) ?? createTenantObject(memorySql(), this.#kv);
    this.#objects.set(name, object);
    return new Proxy(object, {
      get: (target, method: keyof TenantObject & string) => async (argument: never) => {
        this.calls.push(`${name} ${method}`);
        if (this.broken) throw new Error("the object is away");
        return structuredClone(await target[method](structuredClone(argument)));
      },
    });
  }
}
