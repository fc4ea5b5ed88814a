import type { KeyValueBinding } from "./tenants/key-value.ts";
import type { TenantObjects } from "./tenants/tenant-object.ts";
import type { AiBinding } from "./upstreams/workers-ai.ts";

/** What the platform gives a Worker besides variables. Each is optional: without it, what needs it is refused or off. */
export interface Bindings {
  readonly ai?: AiBinding;
  /** Where tenants are kept; without it there is the one that variables make. */
  readonly tenants?: KeyValueBinding;
  /** What there is one of for each tenant, by its name. */
  readonly tenantObjects?: TenantObjects;
}

export function readBindings(env: object): Bindings {
  const ai: unknown = Reflect.get(env, "AI");
  const tenants: unknown = Reflect.get(env, "TENANTS");
  const tenantObjects: unknown = Reflect.get(env, "TENANT_OBJECTS");
  return {
    ...(can<AiBinding>(ai, "run") && { ai }),
    ...(can<KeyValueBinding>(tenants, "get") && { tenants }),
    ...(can<TenantObjects>(tenantObjects, "getByName") && { tenantObjects }),
  };
}

function can<Binding extends object>(value: unknown, method: keyof Binding & string): value is Binding {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, method) === "function";
}
