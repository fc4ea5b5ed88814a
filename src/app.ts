import { PatternRouter } from "hono/router/pattern-router";
import { type Bindings, readBindings } from "./bindings.ts";
import { fail, type GatewayError, GatewayFailure, toGatewayError } from "./errors.ts";
import { allowOrigin } from "./http/cors.ts";
import { type Call, createHandlers, type HandlerParts, unknownPath } from "./http/handlers.ts";
import { createRoutes, type Methods, protocolOf, type Route } from "./http/routes.ts";
import { randomId } from "./ids.ts";
import { RATE_LIMITS, UPSTREAM_LIMITS } from "./limits.ts";
import { createOccupancy, type Occupancy } from "./occupancy.ts";
import type { Protocol } from "./protocols/protocol.ts";
import { HOPS_HEADER } from "./stream/egress.ts";
import { type Failure, logBudget, logDropped, logFailure, logReply, logUpstreamFailure } from "./telemetry/log.ts";
import { type Admitted, admit, type Knock } from "./tenants/admit.ts";
import { clientKey } from "./tenants/client-key.ts";
import { type Config, secretsOf } from "./tenants/config.ts";
import { checkAdmin, refuse } from "./tenants/keys.ts";
import { addressOf, createRates, type Rates } from "./tenants/rates.ts";
import { createTenantStore, invalidTenant, type TenantStore } from "./tenants/store.ts";
import { type LoadedConfig, loadConfig } from "./tenants/variables.ts";

export interface AppParts extends Pick<HandlerParts, "exchange" | "listUpstreamModels"> {
  /** Of the isolate. */
  occupancy?: Occupancy;
  rates?: Rates;
}

export interface App {
  /**
   * @param env the variables and the bindings
   * @param context of the request, as the platform gives it
   */
  fetch(request: Request, env?: object, context?: Pick<ExecutionContext, "waitUntil">): Promise<Response>;
  /** The patterns of all that is served. */
  readonly paths: readonly string[];
}

/** A request on its way in. */
interface Arrival {
  request: Request;
  url: URL;
  protocol: Protocol;
  route: Route | undefined;
  /** The name in the path of a model. */
  model: string;
  loaded: LoadedConfig;
  bindings: Bindings;
  /** Absent: there is but the tenant that variables make. */
  store: TenantStore | undefined;
  /** The tenant that the path names. */
  tenant: string | undefined;
  requestId: string;
  occupancy: Occupancy;
  rates: Rates;
  waitUntil(work: Promise<unknown>): void;
}

export function createApp({ occupancy = createOccupancy(), rates = createRates(), ...parts }: AppParts): App {
  const onFailure = ({ config, request, requestId, route }: Call, error: GatewayError) =>
    logIfOurs({ requestId, route, status: 200, error }, secretsIn(request, config));
  const onUpstreamFailure = ({ config, request, requestId, route }: Call, error: GatewayError, place: number) =>
    logUpstreamFailure({ requestId, route, place, error }, secretsIn(request, config));
  const onDropped = ({ requestId, route }: Call, fields: readonly string[]) => logDropped({ requestId, route, fields });
  const onBudget: HandlerParts["onBudget"] = ({ config: { tenant }, requestId }, news) =>
    logBudget({ requestId, ...(tenant !== undefined && { tenant }), ...news });
  const routes = createRoutes(
    createHandlers({ ...parts, onFailure, onUpstreamFailure, onDropped, onBudget, onReport: logReply }),
  );
  // Hono's router without the rest of it: methods, errors and headers are this file's, and the bundle is a tenth smaller.
  const router = new PatternRouter<Route>();
  for (const route of routes) router.add("ALL", route.path, route);

  return {
    paths: routes.map(({ path }) => path),
    async fetch(request, env = {}, context) {
      const url = new URL(request.url);
      const { tenant, path } = splitPath(url.pathname);
      const [[found]] = router.match("ALL", path);
      const [route, params] = found ?? [];
      const [loaded, bindings] = [loadConfig(env), readBindings(env)];
      const response = await answer({
        request,
        url,
        protocol: protocolOf(request, path, url.searchParams),
        // What is open to all is nobody's in particular.
        route: tenant !== undefined && route?.open ? undefined : route,
        tenant,
        model: decodeName(params?.model),
        loaded,
        bindings,
        store: storeOf(env, bindings, loaded),
        requestId: `req_${randomId()}`,
        occupancy,
        rates,
        waitUntil: (work) => context?.waitUntil(work),
      });
      return request.method === "HEAD" ? new Response(null, response) : response;
    },
  };
}

/** `/t/{tenant}` before a path names whose it is; the rest is as everywhere. */
function splitPath(pathname: string): { tenant: string | undefined; path: string } {
  const [, tenant, path = pathname] = /^\/t\/([^/]*)(\/.*)$/s.exec(pathname) ?? [];
  return { tenant, path };
}

/** The runtime hands over the same variables for every request of an isolate. */
const stores = new WeakMap<object, TenantStore>();

function storeOf(env: object, { tenants, tenantObjects }: Bindings, loaded: LoadedConfig): TenantStore | undefined {
  if (!tenants || !loaded.config) return undefined;
  const known = stores.get(env) ?? createTenantStore(tenants, loaded, tenantObjects);
  stores.set(env, known);
  return known;
}

/** What stands for `:model` in a path; as it is where its escapes make no sense. */
function decodeName(escaped: string | number = ""): string {
  try {
    return decodeURIComponent(String(escaped));
  } catch {
    return String(escaped);
  }
}

/** Never throws: whatever goes wrong is told in the protocol's shape. */
async function answer(arrival: Arrival): Promise<Response> {
  const { request, protocol, route, requestId } = arrival;
  /** Of whoever was let in, or whose path it is: what is done with an answer, a refusal too, is its tenant's affair. */
  const ruling: Ruling = { config: arrival.loaded.config };
  let response: Response;
  try {
    response = await dispatch(arrival, ruling);
  } catch (thrown) {
    const error = toGatewayError(thrown);
    const { status, body, headers } = protocol.renderError(error, { requestId });
    response = Response.json(body, { status, headers });
    const failure = { requestId, route: route?.path ?? "*", status, error };
    if (!request.signal.aborted) logIfOurs(failure, secretsIn(request, ruling.config));
  }
  const { headers } = response;
  headers.set("x-request-id", requestId);
  if (protocol.requestIdHeader) headers.set(protocol.requestIdHeader, requestId);
  headers.set("x-content-type-options", "nosniff");
  headers.set("cache-control", "no-store");
  allowOrigin(request, headers, ruling.config?.allowedOrigins ?? []);
  return response;
}

interface Ruling {
  config: Config | undefined;
}

/** A client's own mistakes are for it to read; a detail is what it is not told. */
function logIfOurs(failure: Failure, secrets: readonly string[]): void {
  if (failure.status < 500 && !("detail" in failure.error)) return;
  logFailure(failure, secrets);
}

function secretsIn({ headers }: Request, config: Config | undefined): readonly string[] {
  const own = clientKey(headers);
  return [...(config ? secretsOf(config) : []), ...(own === undefined ? [] : [own])];
}

/** The path is known; then the method, the configuration and the key are, before a byte of the body is read. */
async function dispatch(arrival: Arrival, ruling: Ruling): Promise<Response> {
  const { request, route, loaded, bindings, tenant, rates, occupancy } = arrival;
  if (!route) return unknownPath();
  const allow = allowOf(route.methods);
  if (request.method === "OPTIONS") {
    // A browser asks before it sends a key, so nothing is told: not even that the store is away.
    if (tenant !== undefined) ruling.config = await configForBrowser(tenant, arrival).catch(() => undefined);
    return new Response(null, { status: 204, headers: { allow } });
  }
  if (route.open) return pick(route.methods, request.method, allow)();
  const handle = pick(route.methods, request.method, allow);
  const preview = wantsPreview(request.headers);
  const gateway = loaded.config ?? fail(loaded.error);
  const { config, budgets, ...caller } = await letIn(arrival, () =>
    preview ? admitOperator(arrival, gateway) : admitClient(arrival, gateway),
  );
  ruling.config = config;
  await rates.request(caller.name, caller.perMinute, bindings.rates);
  // Below zero it would take a circle as many rounds longer.
  const hops = Math.max(0, Number.parseInt(request.headers.get(HOPS_HEADER) ?? "", 10) || 0);
  if (hops >= UPSTREAM_LIMITS.hops)
    fail({ kind: "loop-detected", message: "The request runs in a circle of gateways." });
  const lease = occupancy.enter(config.tenant ?? "", config.limits.concurrentRequests, request.signal);
  const leave = lease.hold();
  try {
    return await handle({ ...arrival, config, budgets, hops, route: route.path, preview, lease });
  } finally {
    leave();
  }
}

/** Who asks, by a name for counting what he asks, and in which tenant's name. */
interface Caller extends Pick<Admitted, "config" | "budgets"> {
  name: string;
  perMinute: number | undefined;
}

/** Where too many come with nothing that lets them in, nobody is asked any more whether they might. */
async function letIn<T>({ request, rates, bindings }: Arrival, admit: () => Promise<T>): Promise<T> {
  const address = addressOf(request.headers);
  rates.checkAddress(address);
  try {
    return await admit();
  } catch (thrown) {
    const refused = thrown instanceof GatewayFailure && thrown.error.kind === "unauthorized";
    if (refused) await rates.failure(address, bindings.rates);
    throw thrown;
  }
}

/** For one that asks before it has a key. A made-up name of a tenant costs a read of the store as a made-up key does, and counts as one. */
function configForBrowser(tenant: string, arrival: Arrival): Promise<Config | undefined> {
  return letIn(arrival, async () => ((await arrival.store?.tenant(tenant)) ?? refuse()).config);
}

/** Nobody is counted as somebody else: no tenant's name has a blank in it. */
async function admitClient(arrival: Arrival, gateway: Config): Promise<Caller> {
  const { config, key, budgets } = await admit(knockOf(arrival), gateway, arrival.store);
  const perMinute = config.limits.requestsPerMinute;
  if (config.tenant !== undefined) return { config, budgets, name: `${config.tenant}:${key}`, perMinute };
  const name = key === undefined ? `anybody ${addressOf(arrival.request.headers)}` : `key ${key}`;
  return { config, budgets, name, perMinute };
}

function knockOf({ request: { headers }, url, protocol: { keyParameter }, tenant }: Arrival): Knock {
  const queryKeys = keyParameter === undefined ? [] : url.searchParams.getAll(keyParameter);
  return { headers, hostname: url.hostname, queryKeys, tenant };
}

/** Operators are the gateway's, and look at any tenant. */
async function admitOperator({ request, store, tenant }: Arrival, gateway: Config): Promise<Caller> {
  const name = `operator ${await checkAdmin(gateway, request.headers)}`;
  const operator = { budgets: [], name, perMinute: RATE_LIMITS.operator };
  if (tenant === undefined) return { ...operator, config: gateway };
  const stored = (await store?.tenant(tenant)) ?? unknownPath();
  return { ...operator, config: stored.config ?? fail(stored.fault ?? invalidTenant) };
}

/** Any value asks for it: whoever misspells it is refused as anybody else, and pays for no answer that he did not want. */
function wantsPreview(headers: Headers): boolean {
  return (headers.get("x-toolcall-debug") ?? "") !== "";
}

function allowOf(methods: Methods<unknown>): string {
  return [...Object.keys(methods), ...("GET" in methods ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

function pick<Handler>(methods: Methods<Handler>, method: string, allow: string): Handler {
  const name = method === "HEAD" ? "GET" : method;
  const handler = Object.hasOwn(methods, name) ? methods[name] : undefined;
  return handler ?? fail({ kind: "wrong-method", message: `This path takes ${allow}.`, allow });
}
