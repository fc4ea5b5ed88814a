import { sha256Hex } from "../sha256.ts";
import {
  type BudgetKeeper,
  type Crossing,
  createBudgetKeeper,
  type Demand,
  type Reserved,
  type Settlement,
} from "./budget-keeper.ts";
import { type CountKeeper, createCountKeeper, type Tally } from "./count-keeper.ts";
import type { KeyValueBinding } from "./key-value.ts";
import { createRecordKeeper, type RecordChange, type Revision, type Sql, type Written } from "./record-keeper.ts";

/**
 * What there is one of for each tenant in the world, and one request at a time: its Durable Object, as the rest of the gateway
 * sees it. The gateway's own tenant has one as well.
 */
export interface TenantObject {
  readRecord(id: string): Promise<Revision | undefined>;
  /** The latest revision, where its record is another one than the one that is known. */
  readRecordUnless(known: KnownRecord): Promise<Revision | undefined | "known">;
  /** @throws whatever the store throws */
  writeRecord(change: RecordChange): Promise<Written>;
  reserve(demand: Demand): Promise<Reserved>;
  settle(settlement: Settlement): Promise<Crossing[]>;
  count(tally: Tally): Promise<void>;
  counted(): Promise<Tally[]>;
}

/** Of a tenant. A number would not do: two records may have the same one, where the store was written by hand or has failed. */
export interface KnownRecord {
  id: string;
  /** SHA-256 of its text, in hex. */
  hash: string;
}

/** As much of a namespace of Durable Objects as is asked for here. */
export interface TenantObjects {
  getByName(name: string): TenantObject;
}

/** What the object of the gateway's own tenant is called: a name that no tenant can have. */
export const OWN_OBJECT = "_gateway";

/**
 * @param kv where requests read tenants' records from; absent: there are none but the gateway's own
 * @param now milliseconds
 */
export function createTenantObject(
  sql: Sql,
  kv: KeyValueBinding | undefined,
  now: () => number = Date.now,
): TenantObject {
  const keeper = kv && createRecordKeeper(sql, kv);
  const keeping = () => keeper ?? missing();
  const budgets: BudgetKeeper = createBudgetKeeper(sql, now);
  const counts: CountKeeper = createCountKeeper(sql);
  return {
    readRecord: async (id) => keeping().read(id),
    async readRecordUnless({ id, hash }) {
      const latest = await keeping().read(id);
      return latest?.text !== undefined && (await sha256Hex(latest.text)) === hash ? "known" : latest;
    },
    writeRecord: async (change) => keeping().write(change),
    reserve: async (demand) => budgets.reserve(demand),
    settle: async (settlement) => budgets.settle(settlement),
    count: async (tally) => counts.count(tally),
    counted: async () => counts.counted(),
  };
}

function missing(): never {
  throw new Error("there is no store of tenants");
}
