import { UPSTREAM_LIMITS } from "../limits.ts";
import type { Config, ServerUpstream } from "../tenants/config.ts";
import { configuredModels } from "../tenants/models.ts";

/** Asks an upstream for its models; a failure of any kind gives an empty list. `hops`: gateways passed so far. */
export type ListUpstreamModels = (upstream: ServerUpstream, hops: number) => Promise<string[]>;

export type ModelList = (config: Config, hops: number) => Promise<readonly string[]>;

/**
 * The models that a client is told of: those configured, else the upstream's own.
 * @param now milliseconds
 */
export function createModelList(listUpstreamModels: ListUpstreamModels, now: () => number = Date.now): ModelList {
  // By the configuration itself: what one tenant's key was shown is never another's.
  const cache = new WeakMap<ServerUpstream, { names: string[]; until: number }>();

  return async (config, hops) => {
    const configured = configuredModels(config);
    if (configured) return configured;
    const { upstream } = config;
    if (upstream.kind === "demo") return [];
    const cached = cache.get(upstream);
    if (cached && now() < cached.until) return cached.names;
    const names = await listUpstreamModels(upstream, hops);
    // An empty list may be a failure, which is not kept.
    if (names.length > 0) cache.set(upstream, { names, until: now() + UPSTREAM_LIMITS.modelsCache });
    return names;
  };
}
