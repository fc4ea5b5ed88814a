import { UPSTREAM_LIMITS } from "../limits.ts";
import { configuredModels } from "../tenants/models.ts";
import type { ServerUpstream } from "../tenants/upstream-config.ts";
import type { Sender } from "../upstream-access.ts";

/** Asks an upstream for its models; a failure of any kind gives an empty list. */
export type ListUpstreamModels = (upstream: ServerUpstream, sender: Sender) => Promise<string[]>;

export type ModelList = (sender: Sender) => Promise<readonly string[]>;

/**
 * The models that a client is told of: those configured, else the upstream's own.
 * @param now milliseconds
 */
export function createModelList(listUpstreamModels: ListUpstreamModels, now: () => number = Date.now): ModelList {
  // By the configuration itself: what one tenant's key was shown is never another's, and a client's own key has one for itself.
  const cache = new WeakMap<ServerUpstream, { names: string[]; until: number }>();

  return async ({ config, url, hops }) => {
    const configured = configuredModels(config);
    if (configured) return configured;
    const { upstream } = config;
    if (upstream.kind === "demo") return [];
    const cached = cache.get(upstream);
    if (cached && now() < cached.until) return cached.names;
    const names = await listUpstreamModels(upstream, { config, url, hops });
    // An empty list may be a failure, which is not kept.
    if (names.length > 0) cache.set(upstream, { names, until: now() + UPSTREAM_LIMITS.modelsCache });
    return names;
  };
}
