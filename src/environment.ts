import { type Bindings, readBindings } from "./bindings.ts";
import { logUnaudited } from "./telemetry/log.ts";
import { type Administration, createAdministration } from "./tenants/administration.ts";
import { isElsewhere } from "./tenants/admit.ts";
import { createTenantStore, type TenantStore } from "./tenants/store.ts";
import type { LoadedConfig } from "./tenants/variables.ts";

interface Environment {
  bindings: Bindings;
  store: TenantStore | undefined;
}

/** The runtime hands over the same object for every request of an isolate, so it is read once. */
const environments = new WeakMap<object, Environment>();

export function environmentOf(env: object, loaded: LoadedConfig): Environment {
  const known = environments.get(env);
  if (known) return known;
  const bindings = readBindings(env);
  const { tenants, tenantObjects } = bindings;
  const store = tenants && loaded.config ? createTenantStore(tenants, loaded, tenantObjects) : undefined;
  const environment = { bindings, store };
  environments.set(env, environment);
  return environment;
}

/** There is none without a token, a store, and objects that keep revisions, nor under the name of a tenant's host. */
export function administrationOf(
  { tenants, tenantObjects }: Bindings,
  loaded: LoadedConfig,
  hostname: string,
): Administration | undefined {
  if (!tenants || !tenantObjects || !loaded.config || loaded.config.adminTokens.length === 0) return undefined;
  if (isElsewhere(hostname, loaded.config)) return undefined;
  const objectOf = (id: string) => tenantObjects.getByName(id);
  return createAdministration({ kv: tenants, objectOf, gateway: loaded, onUnaudited: logUnaudited });
}
