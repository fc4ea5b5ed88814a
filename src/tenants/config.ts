import { matchesAny } from "../glob.ts";
import type { SettingsFault } from "./faults.ts";
import type { Settings, SwitchSettings } from "./settings.ts";
import { type ToolCallConfig, toolCallFaults, toToolCall } from "./toolcall-config.ts";
import { upstreamAddressFault } from "./upstream-address.ts";
import { fallbackFaults, type UpstreamPart, upstreamParts } from "./upstream-config.ts";
import { type GatewayKey, OWN_MODELS } from "./values.ts";

/** Where a number may be undefined, any number is within it. */
interface Limits {
  requestsPerMinute: number | undefined;
  concurrentRequests: number | undefined;
  tokensPerDay: number | undefined;
  /** Whether requests are served where it cannot be asked how many tokens have been used. */
  onFailure: "closed" | "open";
  /** Also what is asked for where the client asks for nothing. */
  maxTokens: number | undefined;
  calls: number;
  heldCharacters: number;
  streamedCharacters: number;
  collectedCharacters: number;
}

/** One tenant's settings, checked and with every default filled in. */
export interface Config extends UpstreamPart {
  /** Absent: what variables say. */
  tenant?: string;
  /** Asked in this order where the upstream before has failed. */
  fallbacks: readonly UpstreamPart[];
  /** Names and `*` patterns; undefined = every name is passed on. */
  models: readonly string[] | undefined;
  keys: readonly GatewayKey[];
  /** Of operators; none: what is theirs alone is nobody's. */
  adminTokens: readonly GatewayKey[];
  /** Ids of tenants' keys that are refused whatever the store says: it takes minutes to be believed everywhere. */
  deniedKeys: readonly string[];
  /** Patterns of the hosts that a tenant's upstreams may be (`upstream-address.ts`). What variables say is asked wherever it is. */
  upstreamHosts: readonly string[];
  /** Host names under which the gateway is itself: under any other one it is that host's tenant's. None: hosts mean nothing. */
  gatewayHosts: readonly string[];
  /** `none`: a real upstream may be used without a key, from this machine alone. */
  auth: "keys" | "none";
  toolcall: ToolCallConfig;
  limits: Limits;
  /** Whether clients may, or have to, bring a key of their own for the upstream. */
  byok: "off" | "optional" | "required";
  /** A key may stand in the URL. */
  queryKeys: boolean;
  /** What becomes of replies is added up. */
  metrics: boolean;
  heartbeatMs: number;
  maxBodyBytes: number;
  /** Web origins that may read answers. */
  allowedOrigins: readonly string[];
  /** What is set otherwise for some models, by names and patterns. */
  routes: readonly { models: readonly string[]; config: Config }[];
}

/** Who is let in, by which tokens operators are known, whose hosts are whose: no tenant's record says so. */
export type Access = Pick<Config, "keys" | "deniedKeys" | "adminTokens" | "auth" | "upstreamHosts" | "gatewayHosts">;

/** A tenant's keys are those of its record, and its operators the gateway's own: no setting of it says otherwise. */
export const NO_ACCESS = { keys: [], deniedKeys: [], adminTokens: [], gatewayHosts: [], auth: "keys" } as const;

/**
 * Checks a tenant's settings once, with every default filled in; from then on nothing changes them, as they are shared by all
 * requests that a revision of them lives for.
 */
export function compileConfig(
  settings: Settings,
  access: Access,
  tenant?: string,
): { config: Config } | { faults: readonly SettingsFault[] } {
  const { routes, toolcall, limits } = settings;
  const faults = [...faultsIn(settings), ...(tenant === undefined ? [] : addressFaults(settings, access))];
  if (faults.length > 0) return { faults };
  const base = {
    ...(tenant !== undefined && { tenant }),
    ...access,
    ...upstreamParts(settings),
    toolcall: toToolCall(toolcall),
    limits: toLimits(limits),
    byok: settings.byok,
    queryKeys: settings.query_keys === "yes",
    models: settings.models,
    metrics: settings.metrics === "on",
    heartbeatMs: settings.heartbeat_ms,
    maxBodyBytes: settings.max_body_bytes,
    allowedOrigins: settings.allowed_origins,
    routes: [],
  };
  const config: Config = {
    ...base,
    routes: routes.map((route) => ({
      models: route.models,
      config: {
        ...base,
        ...upstreamParts(settings, route),
        toolcall: toToolCall({ ...toolcall, ...route.toolcall }),
        limits: toLimits({ ...limits, ...route.limits }),
      },
    })),
  };
  return { config: deepFreeze(config) };
}

/** The configuration for what a client calls a model. */
export function configFor(config: Config, model: string): Config {
  return config.routes.find(({ models }) => matchesAny(models, model))?.config ?? config;
}

/** The same for each upstream that may be asked, in their order. */
export function upstreamsOf(config: Config): readonly Config[] {
  return [config, ...config.fallbacks.map((part) => ({ ...config, ...part }))];
}

function* faultsIn(settings: Settings): Generator<SettingsFault, void> {
  const { upstreams, routes, toolcall } = settings;
  yield* toolCallFaults(toolcall);
  yield* fallbackFaults(settings, settings);
  if (settings.byok !== "off" && new Set(serversOf(settings)).size > 1) {
    yield { path: ["byok"], message: "takes off where models are asked for at more than one server: a key is for one" };
  }
  for (const [index, route] of routes.entries()) {
    if (route.upstream !== undefined && !Object.hasOwn(upstreams, route.upstream)) {
      yield { path: ["routes", index, "upstream"], message: "takes the name of one of the upstreams" };
    }
    const own = [...fallbackFaults(settings, route), ...toolCallFaults({ ...toolcall, ...route.toolcall })];
    for (const fault of own) yield { ...fault, path: ["routes", index, ...fault.path] };
  }
}

/** The configuration with switches set otherwise. */
export function withSwitches(config: Config, { mode, early_emit: earlyEmit, teach }: SwitchSettings): Config {
  const { toolcall } = config;
  return {
    ...config,
    toolcall: {
      ...toolcall,
      mode: mode ?? toolcall.mode,
      earlyEmit: earlyEmit ?? toolcall.earlyEmit,
      teach: teach ?? toolcall.teach,
    },
  };
}

/** Where models are asked for first. */
function serversOf({ upstreams, routes }: Settings): string[] {
  const [first] = Object.keys(upstreams);
  const names = [first, ...routes.map(({ upstream }) => upstream ?? first)];
  return names.flatMap((name = "") => URL.parse(upstreams[name]?.base_url ?? "")?.origin ?? []);
}

/** Of whatever upstream, be it asked or not. */
function* addressFaults(
  { upstreams }: Settings,
  { upstreamHosts, gatewayHosts }: Access,
): Generator<SettingsFault, void> {
  for (const [name, { kind, base_url }] of Object.entries(upstreams)) {
    if (kind === OWN_MODELS && !upstreamHosts.includes(OWN_MODELS)) {
      yield { path: ["upstreams", name, "kind"], message: `takes ${OWN_MODELS} where UPSTREAM_HOSTS has it` };
    }
    const message = base_url === undefined ? undefined : upstreamAddressFault(base_url, upstreamHosts, gatewayHosts);
    if (message !== undefined) yield { path: ["upstreams", name, "base_url"], message };
  }
}

function toLimits(settings: Settings["limits"]): Limits {
  return {
    requestsPerMinute: settings.requests_per_minute,
    concurrentRequests: settings.concurrent_requests,
    tokensPerDay: settings.tokens_per_day,
    onFailure: settings.on_failure,
    maxTokens: settings.max_tokens,
    calls: settings.max_calls,
    heldCharacters: settings.max_held_chars,
    streamedCharacters: settings.max_streamed_chars,
    collectedCharacters: settings.max_collected_chars,
  };
}

/** A change by one request would be one for all that come after it. */
function deepFreeze<T>(value: T): T {
  // Bytes cannot be frozen, and nobody writes to them.
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}

/** What must never stand in a log, whoever repeats it. */
export function secretsOf(config: Config): readonly string[] {
  const parts = [config, ...config.routes.map((route) => route.config)].flatMap(upstreamsOf);
  const keys = parts.map(({ upstream }) => (upstream.kind === "demo" ? undefined : upstream.apiKey));
  return [...new Set(keys)].filter((key) => key !== undefined);
}
