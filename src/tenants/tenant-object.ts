import type { KeyValueBinding } from "./key-value.ts";
import { createRecordKeeper, type RecordChange, type Revision, type Sql, type Written } from "./record-keeper.ts";

/**
 * What there is one of for each tenant in the world, and one request at a time: its Durable Object, as the rest of the gateway
 * sees it. The gateway's own tenant has one as well.
 */
export interface TenantObject {
  readRecord(id: string): Promise<Revision | undefined>;
  /** @throws whatever the store throws */
  writeRecord(change: RecordChange): Promise<Written>;
}

/** @param kv where requests read tenants' records from; absent: there are none but the gateway's own */
export function createTenantObject(sql: Sql, kv: KeyValueBinding | undefined): TenantObject {
  const keeper = kv && createRecordKeeper(sql, kv);
  const keeping = () => keeper ?? missing();
  return {
    readRecord: async (id) => keeping().read(id),
    writeRecord: async (change) => keeping().write(change),
  };
}

function missing(): never {
  throw new Error("there is no store of tenants");
}
