import { DurableObject } from "cloudflare:workers";
import { createApp } from "./app.ts";
import { readBindings } from "./bindings.ts";
import { exchange } from "./exchange.ts";
import type { Demand, Settlement } from "./tenants/budget-keeper.ts";
import type { Tally } from "./tenants/count-keeper.ts";
import type { RecordChange } from "./tenants/record-keeper.ts";
import { createTenantObject, type KnownRecord, type TenantObject as TenantMethods } from "./tenants/tenant-object.ts";
import { listUpstreamModels } from "./upstream-access.ts";

const app = createApp({ exchange, listUpstreamModels });

export default { fetch: app.fetch } satisfies ExportedHandler<object>;

/** What the platform makes one of for each tenant; all that it does stands in `tenants/tenant-object.ts`. */
export class TenantObject extends DurableObject<object> implements TenantMethods {
  readonly #methods: TenantMethods;

  constructor(state: DurableObjectState, env: object) {
    super(state, env);
    this.#methods = createTenantObject(state.storage.sql, readBindings(env).tenants);
  }

  readRecord(id: string) {
    return this.#methods.readRecord(id);
  }

  readRecordUnless(known: KnownRecord) {
    return this.#methods.readRecordUnless(known);
  }

  writeRecord(change: RecordChange) {
    return this.#methods.writeRecord(change);
  }

  reserve(demand: Demand) {
    return this.#methods.reserve(demand);
  }

  settle(settlement: Settlement) {
    return this.#methods.settle(settlement);
  }

  count(tally: Tally) {
    return this.#methods.count(tally);
  }

  counted() {
    return this.#methods.counted();
  }
}
