import type { Bindings } from "./bindings.ts";
import type { Conversation } from "./conversation.ts";
import { fail, type GatewayError, toGatewayError } from "./errors.ts";
import { type Plan, planExchange } from "./plan.ts";
import { createEgress, type Egress } from "./stream/egress.ts";
import type { Observer } from "./telemetry/observer.ts";
import type { Config } from "./tenants/config.ts";
import { invalidTenant } from "./tenants/store.ts";
import { upstreamAddressFault } from "./tenants/upstream-address.ts";
import type { ServerUpstream } from "./tenants/upstream-config.ts";
import { createDemo } from "./upstreams/demo.ts";
import { createDroppedFields, type ServerFields } from "./upstreams/dropped-fields.ts";
import { forcedBy } from "./upstreams/lessons.ts";
import { createOpenAiCompatible, listModels } from "./upstreams/openai-compatible.ts";
import type { Upstream } from "./upstreams/upstream.ts";
import { createAiFetch } from "./upstreams/workers-ai.ts";

/** In whose name a request goes out. */
export interface Sender {
  config: Config;
  /** Of the client's request: it names this gateway. */
  url: URL;
  /** Gateways that the client's request has passed before this one. */
  hops: number;
}

/** What of an exchange decides which upstream it goes to, and in which words. */
export interface Asked extends Sender {
  bindings?: Bindings;
  request: { conversation: Conversation };
  observer: Pick<Observer, "dropped">;
}

/** Of the isolate: what one request has found out need not cost the next one a refusal. */
const dropped = createDroppedFields();

/** What a client's own key was refused is known for as long as its request lasts. */
const droppedForClients = new WeakMap<ServerUpstream, ServerFields>();

/** What one tenant's requests have taught is never another's: a client may have a hand in it. */
function droppedAt({ tenant = "" }: Config, upstream: ServerUpstream): ServerFields {
  if (!upstream.clientKeyed) return dropped.at(`${tenant} ${upstream.baseUrl}`);
  const known = droppedForClients.get(upstream) ?? createDroppedFields().at("");
  droppedForClients.set(upstream, known);
  return known;
}

/** @throws GatewayFailure `not-configured` where the binding is missing that the configuration asks */
export function openEgress({ bindings, ...sender }: Sender & Pick<Asked, "bindings">): Egress {
  const { config, hops } = sender;
  const totalMs = config.totalTimeoutMs;
  if (config.upstream.kind !== "workers-ai") return openServerEgress(sender);
  if (bindings?.ai) return createEgress({ hops, totalMs, fetch: createAiFetch(bindings.ai) });
  return fail({
    kind: "not-configured",
    message:
      "UPSTREAM_KIND is workers-ai, but this Worker has no binding named AI. Deploy it with --env workers-ai, or add " +
      "the binding to its configuration.",
  });
}

/** The names of a server's models; none where they cannot be had. */
export function listUpstreamModels(upstream: ServerUpstream, sender: Sender): Promise<string[]> {
  return listModels(upstream, openServerEgress(sender));
}

/** The addresses of variables are the operator's own affair; a tenant's are looked at once more, right before they are asked. */
function openServerEgress({ config, url: { hostname }, hops }: Sender): Egress {
  const { tenant, upstreamHosts, gatewayHosts, totalTimeoutMs: totalMs } = config;
  const checkAddress = (address: string) => {
    const fault = upstreamAddressFault(address, upstreamHosts, [...gatewayHosts, hostname]);
    if (fault !== undefined) fail({ ...invalidTenant, detail: `the upstream's base_url ${fault}` });
  };
  return createEgress({ hops, totalMs, checkAddress: tenant === undefined ? undefined : checkAddress });
}

/** What lies in the request itself another server would refuse as well, or answer otherwise than was asked. */
const MAY_DO_BETTER_ELSEWHERE: ReadonlySet<GatewayError["kind"]> = new Set([
  "rate-limited",
  "quota-exhausted",
  "upstream-failed",
  "upstream-overloaded",
  "upstream-timeout",
]);

export function mayDoBetterElsewhere({ kind }: GatewayError): boolean {
  return MAY_DO_BETTER_ELSEWHERE.has(kind);
}

/** Some servers refuse what they cannot do, some break over it. */
export function mayComeOfForcing(error: GatewayError): boolean {
  return error.kind === "upstream-rejected" || (error.kind === "upstream-failed" && !error.lasting);
}

/** The same request was refused with it and taken without it, so the next ones with that model will do without. */
export function forgo({ config, observer }: Asked, { upstream }: Plan, thrown: unknown) {
  const { forced, model } = upstream;
  if (!forced || config.upstream.kind === "demo" || toGatewayError(thrown).kind !== "upstream-rejected") return;
  const fields = [forcedBy(forced.by)];
  droppedAt(config, config.upstream).add(model, fields);
  observer.dropped(fields);
}

/** By what is known of the upstream so far. */
export function makePlan({ config, request: { conversation } }: Pick<Asked, "config" | "request">): Plan {
  const { upstream } = config;
  return planExchange(config, conversation, (model) =>
    upstream.kind === "demo" ? new Set() : droppedAt(config, upstream).of(model),
  );
}

export function createUpstream({ config, request, observer }: Asked, plan: Plan, egress: Egress): Upstream {
  const { upstream } = config;
  if (upstream.kind === "demo") return createDemo(request.conversation, plan.dialect.write);
  return createOpenAiCompatible({
    endpoint: upstream,
    egress,
    dropped: droppedAt(config, upstream),
    onDropped: observer.dropped,
  });
}
