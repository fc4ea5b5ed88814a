import type { UpstreamKind } from "../upstreams/capabilities.ts";
import { AI_BINDING } from "../upstreams/workers-ai.ts";
import type { SettingsFault } from "./faults.ts";
import { DEMO, type Settings, type UpstreamSettings } from "./settings.ts";

/** Where requests go: the model built in, or a server. */
type UpstreamConfig = DemoUpstream | ServerUpstream;

interface DemoUpstream {
  kind: "demo";
  /** The model asked for whatever the client names. */
  model?: string;
}

export interface ServerUpstream {
  kind: UpstreamKind;
  /** Without a slash at its end; `AI_BINDING` where it is no server. */
  baseUrl: string;
  apiKey?: string;
  /** The key is the client's own (`client-key.ts`): its requests teach nothing, and are nobody else's. */
  clientKeyed?: true;
  model?: string;
  headersTimeoutMs: number;
  /** Its model sees. */
  images: boolean;
}

/** What belongs to one upstream. */
export interface UpstreamPart {
  upstream: UpstreamConfig;
  /** The longest that one read of the upstream's body may wait. */
  idleTimeoutMs: number;
  /** From the first request to the upstream to the end of its answer. */
  totalTimeoutMs: number;
  /** An answer that just ends, and says neither why nor that it does, is whole. */
  lenientEof: boolean;
}

/** A tenant or one of its routes, as far as it says which upstreams are asked for which model. */
interface Place {
  upstream?: string | undefined;
  model?: string | undefined;
  fallback?: readonly string[] | undefined;
}

/**
 * A route's model goes before the upstream's own; that of an upstream behind it is its own, if it has one, since servers name
 * models differently. What a route falls back on without saying so is what the tenant does, but never the route's own upstream.
 */
export function upstreamParts(
  { upstreams, fallback }: Settings,
  route: Place = {},
): UpstreamPart & { fallbacks: readonly UpstreamPart[] } {
  const name = route.upstream ?? Object.keys(upstreams)[0];
  const first = (name === undefined ? undefined : upstreams[name]) ?? DEMO;
  const model = route.model ?? first.model;
  const others = route.fallback ?? fallback.filter((other) => other !== name);
  return {
    ...upstreamPart(first, model),
    fallbacks: others.map((other) => {
      const settings = upstreams[other] ?? DEMO;
      return upstreamPart(settings, settings.model ?? model);
    }),
  };
}

function upstreamPart(settings: UpstreamSettings, model: string | undefined): UpstreamPart {
  return {
    upstream: toUpstream(settings, model === undefined ? {} : { model }),
    idleTimeoutMs: settings.idle_timeout_ms,
    totalTimeoutMs: settings.total_timeout_ms,
    lenientEof: settings.eof === "lenient",
  };
}

/** Whatever other kind is named, without an address there is nothing but the demo to talk to. */
function toUpstream(settings: UpstreamSettings, named: { model?: string }): UpstreamConfig {
  const { kind, base_url, api_key: key, images, headers_timeout_ms } = settings;
  const baseUrl = kind === "workers-ai" ? AI_BINDING : base_url;
  if (kind === "demo" || baseUrl === undefined) return { kind: "demo", ...named };
  return {
    kind,
    baseUrl,
    ...named,
    ...(key !== undefined && { apiKey: key }),
    headersTimeoutMs: headers_timeout_ms,
    images: images === "yes",
  };
}

/** Of a list that could not be kept to as it stands. */
export function* fallbackFaults(
  { upstreams }: Settings,
  { upstream = Object.keys(upstreams)[0], fallback = [] }: Place,
): Generator<SettingsFault, void> {
  for (const [index, name] of fallback.entries()) {
    const fault = (message: string) => ({ path: ["fallback", index], message });
    if (!Object.hasOwn(upstreams, name)) yield fault("takes the name of one of the upstreams");
    else if (name === upstream || fallback.indexOf(name) < index)
      yield fault("names an upstream that was asked before");
  }
}
