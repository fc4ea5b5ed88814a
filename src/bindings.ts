import type { AnalyticsBinding } from "./telemetry/analytics.ts";
import type { KeyValueBinding } from "./tenants/key-value.ts";
import type { RateBinding, RateBindings } from "./tenants/rates.ts";
import type { TenantObjects } from "./tenants/tenant-object.ts";
import type { AiBinding } from "./upstreams/workers-ai.ts";

/** What the platform gives a Worker besides variables. Each is optional: without it, what needs it is refused or off. */
export interface Bindings {
  readonly ai?: AiBinding;
  /** Where tenants are kept; without it there is the one that variables make. */
  readonly tenants?: KeyValueBinding;
  /** What there is one of for each tenant, by its name. */
  readonly tenantObjects?: TenantObjects;
  readonly rates?: RateBindings;
  /** Where numbers are written for an operator's queries. */
  readonly analytics?: AnalyticsBinding;
}

const RATE = /^RATE_(?=[1-9]\d*$|FAILURES$)/;

export function readBindings(env: object): Bindings {
  const ai: unknown = Reflect.get(env, "AI");
  const tenants: unknown = Reflect.get(env, "TENANTS");
  const tenantObjects: unknown = Reflect.get(env, "TENANT_OBJECTS");
  const analytics: unknown = Reflect.get(env, "ANALYTICS");
  const rates = Object.entries(env).filter(([name, value]) => RATE.test(name) && can<RateBinding>(value, "limit"));
  return {
    ...(can<AiBinding>(ai, "run") && { ai }),
    ...(can<KeyValueBinding>(tenants, "get") && { tenants }),
    ...(can<TenantObjects>(tenantObjects, "getByName") && { tenantObjects }),
    ...(can<AnalyticsBinding>(analytics, "writeDataPoint") && { analytics }),
    ...(rates.length > 0 && {
      rates: Object.fromEntries(rates.map(([name, value]) => [name.replace(RATE, ""), value])),
    }),
  };
}

function can<Binding extends object>(value: unknown, method: keyof Binding & string): value is Binding {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, method) === "function";
}
