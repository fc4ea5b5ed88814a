import * as v from "valibot";
import type { GatewayError } from "../errors.ts";
import { type Config, compileConfig } from "./config.ts";
import { faultOf, type SettingsFault } from "./faults.ts";
import { idOfKey, KEY_ID } from "./gateway-key.ts";
import type { MasterKeys } from "./sealed.ts";
import { ANSWER_LIMITS, Settings, SHADOWED, SWITCHES, TOOLCALL_SETTINGS } from "./settings.ts";
import { choice, gatewayHosts, keys, list, masterKey, upstreamHosts } from "./values.ts";

/** What no tenant's record says. */
const Access = v.object({
  GATEWAY_API_KEYS: keys,
  // Not shown: somebody may have put the key here.
  GATEWAY_AUTH: choice(["keys", "none"], "keys", { shown: false }),
  // Whoever holds a tenant's key would be an operator.
  ADMIN_TOKEN: v.pipe(
    keys,
    v.check(
      (tokens) => tokens.every((token) => !("clear" in token) || idOfKey(token.clear) === undefined),
      "takes no key of a tenant's, which begins with `gk_`",
    ),
  ),
  // What is not one, such as the whole key, would deny nothing, in silence.
  DENY_KEY_IDS: v.pipe(
    list,
    v.check(
      (ids = []) => ids.every((id) => KEY_ID.test(id)),
      "takes ids of keys, the 8 characters behind `gk_`, parted by commas",
    ),
  ),
  UPSTREAM_HOSTS: upstreamHosts,
  GATEWAY_HOSTS: gatewayHosts,
  MASTER_KEY_1: masterKey,
  MASTER_KEY_2: masterKey,
});

/** Where a variable stands in the settings of a tenant. */
export const PLACES: Readonly<Record<string, readonly string[]>> = {
  UPSTREAM_BASE_URL: ["upstreams", "default", "base_url"],
  UPSTREAM_API_KEY: ["upstreams", "default", "api_key"],
  UPSTREAM_KIND: ["upstreams", "default", "kind"],
  UPSTREAM_MODEL: ["upstreams", "default", "model"],
  UPSTREAM_IMAGES: ["upstreams", "default", "images"],
  UPSTREAM_HEADERS_TIMEOUT_MS: ["upstreams", "default", "headers_timeout_ms"],
  UPSTREAM_IDLE_TIMEOUT_MS: ["upstreams", "default", "idle_timeout_ms"],
  UPSTREAM_TOTAL_TIMEOUT_MS: ["upstreams", "default", "total_timeout_ms"],
  UPSTREAM_EOF: ["upstreams", "default", "eof"],
  BYOK: ["byok"],
  QUERY_KEYS: ["query_keys"],
  MODELS: ["models"],
  TOKENS_PER_DAY: ["limits", "tokens_per_day"],
  LIMITS_ON_FAILURE: ["limits", "on_failure"],
  HEARTBEAT_MS: ["heartbeat_ms"],
  METRICS: ["metrics"],
  MAX_BODY_BYTES: ["max_body_bytes"],
  ALLOWED_ORIGINS: ["allowed_origins"],
  RATE_LIMIT: ["limits", "requests_per_minute"],
  CONCURRENT_REQUESTS: ["limits", "concurrent_requests"],
  // `MAX_TOKENS` is `limits.max_tokens`, `TOOLCALL_MODE` is `toolcall.mode`, and so on.
  ...Object.fromEntries(ANSWER_LIMITS.map((name) => [name.toUpperCase(), ["limits", name]])),
  ...Object.fromEntries(TOOLCALL_SETTINGS.map((name) => [`TOOLCALL_${name.toUpperCase()}`, ["toolcall", name]])),
  TOOLCALL_ROLLOUT: ["toolcall", "rollout", "percent"],
  ...Object.fromEntries(
    SWITCHES.map((name) => [`TOOLCALL_ROLLOUT_${name.toUpperCase()}`, ["toolcall", "rollout", name]]),
  ),
  TOOLCALL_SHADOW: ["toolcall", "shadow", "percent"],
  ...Object.fromEntries(
    SHADOWED.map((name) => [`TOOLCALL_SHADOW_${name.toUpperCase()}`, ["toolcall", "shadow", name]]),
  ),
};

/** With an invalid configuration the gateway still runs, and says so to every request. */
export type LoadedConfig = { config: Config; masters: MasterKeys } | { config?: never; error: GatewayError };

/** The runtime hands over the same object for every request of an isolate. */
const loaded = new WeakMap<object, LoadedConfig>();

/** The configuration that variables give: of the one tenant that needs no store. */
export function loadConfig(env: object): LoadedConfig {
  const known = loaded.get(env);
  if (known) return known;
  const result = readVariables(env);
  loaded.set(env, result);
  return result;
}

function readVariables(env: object): LoadedConfig {
  // A key that is not there at all would be an issue, not a default.
  const access = v.safeParse(
    Access,
    Object.fromEntries(Object.keys(Access.entries).map((name) => [name, Reflect.get(env, name)])),
  );
  const settings = v.safeParse(Settings, settingsOf(env));
  const faults = [...(settings.issues ?? []), ...(access.issues ?? [])].map(faultOf);
  if (faults.length > 0 || !settings.success || !access.success) return invalid(faults);
  const { GATEWAY_API_KEYS, GATEWAY_AUTH, ADMIN_TOKEN, DENY_KEY_IDS, MASTER_KEY_1, MASTER_KEY_2 } = access.output;
  const compiled = compileConfig(settings.output, {
    keys: GATEWAY_API_KEYS,
    auth: GATEWAY_AUTH,
    adminTokens: ADMIN_TOKEN,
    deniedKeys: DENY_KEY_IDS ?? [],
    upstreamHosts: access.output.UPSTREAM_HOSTS,
    gatewayHosts: access.output.GATEWAY_HOSTS,
  });
  if ("faults" in compiled) return invalid(compiled.faults);
  const masters = { ...(MASTER_KEY_1 && { 1: MASTER_KEY_1 }), ...(MASTER_KEY_2 && { 2: MASTER_KEY_2 }) };
  return { ...compiled, masters };
}

/** The settings that variables make, as a tenant's record would have them. */
function settingsOf(env: object): object {
  const settings: Settable = {};
  for (const [name, path] of Object.entries(PLACES)) set(settings, path, Reflect.get(env, name));
  return settings;
}

interface Settable {
  [name: string]: unknown;
}

function set(settings: Settable, [name = "", ...rest]: readonly string[], value: unknown) {
  if (rest.length === 0) {
    settings[name] = value ?? "";
    return;
  }
  const inner = (settings[name] ?? {}) as Settable;
  settings[name] = inner;
  set(inner, rest, value);
}

/** The first fault of each setting, under the variable's name. */
function invalid(faults: readonly SettingsFault[]): LoadedConfig {
  const reasons = new Map<string, string>();
  for (const { path, message } of faults) {
    const name = nameOf(path);
    if (!reasons.has(name)) reasons.set(name, message);
  }
  const sentences = [...reasons].map(([name, reason]) => `${name} ${reason}.`);
  return {
    error: { kind: "config-invalid", message: `The configuration of this gateway is invalid. ${sentences.join(" ")}` },
  };
}

/** Of what is wrong within a list the list's. */
function nameOf(path: readonly (string | number)[]): string {
  const within = (place: readonly string[]) => place.every((name, index) => path[index] === name);
  const [named = String(path[0])] = Object.entries(PLACES).find(([, place]) => within(place)) ?? [];
  return named;
}
