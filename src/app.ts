import { PatternRouter } from "hono/router/pattern-router";
import { type Bindings, readBindings } from "./bindings.ts";
import { fail, type GatewayError, toGatewayError } from "./errors.ts";
import { allowOrigin } from "./http/cors.ts";
import { type Call, createHandlers, type HandlerParts, unknownPath } from "./http/handlers.ts";
import { createRoutes, type Methods, protocolOf, type Route } from "./http/routes.ts";
import { randomId } from "./ids.ts";
import { UPSTREAM_LIMITS } from "./limits.ts";
import type { Protocol } from "./protocols/protocol.ts";
import { HOPS_HEADER } from "./stream/egress.ts";
import { type Failure, logDropped, logFailure, logReply, logUnaudited } from "./telemetry/log.ts";
import { type Administration, createAdministration } from "./tenants/administration.ts";
import { admit, isElsewhere, type Knock, namedTenant } from "./tenants/admit.ts";
import { type Config, secretsOf } from "./tenants/config.ts";
import { checkAdmin } from "./tenants/keys.ts";
import { createTenantStore, invalidTenant, type TenantStore } from "./tenants/store.ts";
import { type LoadedConfig, loadConfig } from "./tenants/variables.ts";

export type AppParts = Pick<HandlerParts, "exchange" | "listUpstreamModels">;

export interface App {
  /** @param env the variables and the bindings */
  fetch(request: Request, env?: object): Promise<Response>;
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
  params: Call["params"];
  loaded: LoadedConfig;
  bindings: Bindings;
  /** Absent: there is but the tenant that variables make. */
  store: TenantStore | undefined;
  /** Absent: no operator can change anything. */
  administration: Administration | undefined;
  /** The tenant that the path names. */
  tenant: string | undefined;
  requestId: string;
}

export function createApp(parts: AppParts): App {
  const onFailure = ({ config, requestId, route }: Call, error: GatewayError) =>
    logIfOurs({ requestId, route, status: 200, error }, config);
  const onDropped = ({ requestId, route }: Call, fields: readonly string[]) => logDropped({ requestId, route, fields });
  const routes = createRoutes(createHandlers({ ...parts, onFailure, onDropped, onReport: logReply }));
  // Hono's router without the rest of it: methods, errors and headers are this file's, and the bundle is a tenth smaller.
  const router = new PatternRouter<Route>();
  for (const route of routes) router.add("ALL", route.path, route);

  return {
    paths: routes.map(({ path }) => path),
    async fetch(request, env = {}) {
      const url = new URL(request.url);
      const { tenant, path } = splitPath(url.pathname);
      const [[found]] = router.match("ALL", path);
      const [route, params = {}] = found ?? [];
      const [loaded, bindings] = [loadConfig(env), readBindings(env)];
      // What is open to all, or operators', is nobody's in particular.
      const own = tenant === undefined || route?.for === "clients";
      const administration = own ? administrationOf(bindings, loaded, url.hostname) : undefined;
      const response = await answer({
        request,
        url,
        protocol: protocolOf(request, path, url.searchParams),
        // To whom it is not open there is no admin API at all.
        route: own && (route?.for !== "operators" || administration) ? route : undefined,
        tenant,
        model: decodeName(params.model),
        params: params as Call["params"],
        loaded,
        bindings,
        store: storeOf(env, bindings, loaded),
        administration,
        requestId: `req_${randomId()}`,
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

function storeOf(env: object, { tenants }: Bindings, loaded: LoadedConfig): TenantStore | undefined {
  if (!tenants || !loaded.config) return undefined;
  const known = stores.get(env) ?? createTenantStore(tenants, loaded);
  stores.set(env, known);
  return known;
}

/** There is none without a token, a store, and objects that keep revisions, nor under the name of a tenant's host. */
function administrationOf(
  { tenants, tenantObjects }: Bindings,
  loaded: LoadedConfig,
  hostname: string,
): Administration | undefined {
  if (!tenants || !tenantObjects || !loaded.config || loaded.config.adminTokens.length === 0) return undefined;
  if (isElsewhere(hostname, loaded.config)) return undefined;
  const objectOf = (id: string) => tenantObjects.getByName(id);
  return createAdministration({ kv: tenants, objectOf, gateway: loaded, onUnaudited: logUnaudited });
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
  const { request, protocol, route, requestId, loaded } = arrival;
  /** Of whoever was let in, or whose path it is: what is done with an answer, a refusal too, is its tenant's affair. */
  const ruling: Ruling = { config: loaded.config };
  // No page in a browser has anything to do with tenants.
  if (route?.for === "operators" && loaded.config) ruling.config = { ...loaded.config, allowedOrigins: [] };
  let response: Response;
  try {
    response = await dispatch(arrival, ruling);
  } catch (thrown) {
    const error = toGatewayError(thrown);
    const { status, body, headers } = protocol.renderError(error, { requestId });
    response = Response.json(body, { status, headers });
    if (!request.signal.aborted) logIfOurs({ requestId, route: route?.path ?? "*", status, error }, ruling.config);
  }
  const { headers } = response;
  headers.set("x-request-id", requestId);
  if (protocol.requestIdHeader) headers.set(protocol.requestIdHeader, requestId);
  headers.set("x-content-type-options", "nosniff");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  allowOrigin(request, headers, ruling.config?.allowedOrigins ?? []);
  return response;
}

interface Ruling {
  config: Config | undefined;
}

/** A client's own mistakes are for it to read; a detail is what it is not told. */
function logIfOurs(failure: Failure, config: Config | undefined): void {
  if (failure.status < 500 && !("detail" in failure.error)) return;
  logFailure(failure, config ? secretsOf(config) : []);
}

/** The path is known; then the method, the configuration and the key are, before a byte of the body is read. */
async function dispatch(arrival: Arrival, ruling: Ruling): Promise<Response> {
  const { request, route, loaded, store, administration } = arrival;
  if (!route) return unknownPath();
  const allow = allowOf(route.methods);
  if (request.method === "OPTIONS") {
    if (route.for === "clients") ruling.config = await configOfPreflight(arrival);
    return new Response(null, { status: 204, headers: { allow } });
  }
  switch (route.for) {
    case "anybody":
      return pick(route.methods, request.method, allow)();
    case "clients": {
      const handle = pick(route.methods, request.method, allow);
      const preview = wantsPreview(request.headers);
      const gateway = loaded.config ?? fail(loaded.error);
      const config = await (preview ? admitOperator(arrival, gateway) : admit(knockOf(arrival), gateway, store));
      ruling.config = config;
      return handle({ ...arrival, config, hops: hopsOf(request), route: route.path, preview });
    }
    case "operators": {
      const handle = pick(route.methods, request.method, allow);
      const config = loaded.config ?? fail(loaded.error);
      await checkAdmin(config, request.headers);
      const call = { ...arrival, config, hops: hopsOf(request), route: route.path, preview: false };
      return handle(call, administration ?? unknownPath());
    }
    default:
      return route satisfies never;
  }
}

/** @throws GatewayFailure `loop-detected` */
function hopsOf({ headers }: Request): number {
  // Below zero it would take a circle as many rounds longer.
  const hops = Math.max(0, Number.parseInt(headers.get(HOPS_HEADER) ?? "", 10) || 0);
  if (hops < UPSTREAM_LIMITS.hops) return hops;
  return fail({ kind: "loop-detected", message: "The request runs in a circle of gateways." });
}

/** A browser asks before it sends a key, so nothing is told: not even that the store is away. */
async function configOfPreflight({ url, store, tenant, loaded: { config } }: Arrival): Promise<Config | undefined> {
  if (!config) return undefined;
  try {
    const named = await namedTenant({ hostname: url.hostname, tenant }, config, store);
    return named === undefined ? config : (await store?.tenant(named))?.config;
  } catch {
    return undefined;
  }
}

function knockOf({ request: { headers }, url, protocol: { keyParameter }, tenant }: Arrival): Knock {
  const queryKeys = keyParameter === undefined ? [] : url.searchParams.getAll(keyParameter);
  return { headers, hostname: url.hostname, queryKeys, tenant };
}

/** Operators are the gateway's, and look at any tenant. */
async function admitOperator({ request, url, store, tenant }: Arrival, gateway: Config): Promise<Config> {
  await checkAdmin(gateway, request.headers);
  const named = await namedTenant({ hostname: url.hostname, tenant }, gateway, store);
  if (named === undefined) return gateway;
  const stored = (await store?.tenant(named)) ?? unknownPath();
  return stored.config ?? fail(invalidTenant);
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
