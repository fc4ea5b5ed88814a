import { PatternRouter } from "hono/router/pattern-router";
import { administrationOf, environmentOf } from "./environment.ts";
import { fail, toGatewayError } from "./errors.ts";
import {
  admitClient,
  admitOnlooker,
  admitOperator,
  type Caller,
  configOfPreflight,
  letIn,
  type Visit,
} from "./http/admission.ts";
import { allowOrigin } from "./http/cors.ts";
import { type Call, createHandlers, type Handler, type HandlerParts, unknownPath } from "./http/handlers.ts";
import { createRoutes, type Methods, protocolOf, type Route } from "./http/routes.ts";
import { randomId } from "./ids.ts";
import { UPSTREAM_LIMITS } from "./limits.ts";
import { createOccupancy, type Occupancy } from "./occupancy.ts";
import { HOPS_HEADER } from "./stream/egress.ts";
import { logIfOurs } from "./telemetry/log.ts";
import { createNumbers, type Numbers, UNCOUNTED } from "./telemetry/numbers.ts";
import { createObserver, type Observer } from "./telemetry/observer.ts";
import type { Administration } from "./tenants/administration.ts";
import { clientKey } from "./tenants/client-key.ts";
import { type Config, secretsOf } from "./tenants/config.ts";
import { createRates, type Rates } from "./tenants/rates.ts";
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
interface Arrival extends Visit {
  route: Route | undefined;
  /** The name in the path of a model. */
  model: string;
  params: Call["params"];
  loaded: LoadedConfig;
  /** Absent: no operator can change anything. */
  administration: Administration | undefined;
  requestId: string;
  /** Milliseconds. */
  arrived: number;
  occupancy: Occupancy;
  /** Of the answer, even if that is a failure. */
  responseHeaders: Headers;
  waitUntil(work: Promise<unknown>): void;
}

/** Not on Cloudflare, which looks at the host itself. */
const UNREADABLE = "http://gateway.invalid/unreadable";

export function createApp({ occupancy = createOccupancy(), rates = createRates(), ...parts }: AppParts): App {
  const routes = createRoutes(createHandlers({ ...parts, observe }));
  // Hono's router without the rest of it: methods, errors and headers are this file's, and the bundle is a tenth smaller.
  const router = new PatternRouter<Route>();
  for (const route of routes) router.add("ALL", route.path, route);

  return {
    paths: routes.map(({ path }) => path),
    async fetch(request, env = {}, context) {
      const arrived = Date.now();
      // An address that cannot be read is one that is not served.
      const url = URL.parse(request.url) ?? new URL(UNREADABLE);
      const { tenant, path } = splitPath(url.pathname);
      const [[found]] = router.match("ALL", path);
      const [route, params = {}] = found ?? [];
      const loaded = loadConfig(env);
      const { bindings, store } = environmentOf(env, loaded);
      // What is open to all, or operators', is nobody's in particular; to whom it is not open there is no admin API at all.
      const forAll = tenant === undefined;
      const administration =
        forAll && route?.for === "operators" ? administrationOf(bindings, loaded, url.hostname) : undefined;
      const served = isServed(route, { forAll, administration, loaded });
      const response = await answer({
        request,
        url,
        protocol: protocolOf(request, path, url.searchParams),
        route: served ? route : undefined,
        tenant,
        model: decodeName(params.model),
        params: params as Call["params"],
        loaded,
        bindings,
        store,
        administration,
        requestId: `req_${randomId()}`,
        arrived,
        occupancy,
        rates,
        responseHeaders: new Headers(),
        waitUntil: (work) => context?.waitUntil(work),
      });
      return request.method === "HEAD" ? new Response(null, response) : response;
    },
  };
}

/** There is nothing for operators where nobody is one. */
function isServed(
  route: Route | undefined,
  { forAll, administration, loaded }: Pick<Arrival, "administration" | "loaded"> & { forAll: boolean },
): boolean {
  switch (route?.for) {
    case "operators":
      return administration !== undefined;
    case "onlookers":
      // What is wrong with the configuration is told here as everywhere.
      return !loaded.config || loaded.config.adminTokens.length > 0;
    case "clients":
      return true;
    default:
      return forAll;
  }
}

function observe(call: Call): Observer {
  return createObserver(aboutCall(call), secretsIn(call.request, call.config), call.numbers);
}

/** What every line of the log about it has. */
function aboutCall({ requestId, route, key, config: { tenant } }: Call) {
  return { requestId, route, key, tenant };
}

/** `/t/{tenant}` before a path names whose it is; the rest is as everywhere. */
function splitPath(pathname: string): { tenant: string | undefined; path: string } {
  const [, tenant, path = pathname] = /^\/t\/([^/]*)(\/.*)$/s.exec(pathname) ?? [];
  return { tenant, path };
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
  const { request, protocol, route, requestId, loaded, responseHeaders } = arrival;
  /** Of whoever was let in, or whose path it is: what is done with an answer, a refusal too, is its tenant's affair. */
  const ruling: Ruling = { config: loaded.config };
  // No page in a browser has anything to do with what is operators'.
  if ((route?.for === "operators" || route?.for === "onlookers") && loaded.config)
    ruling.config = { ...loaded.config, allowedOrigins: [] };
  let response: Response;
  try {
    response = await dispatch(arrival, ruling);
  } catch (thrown) {
    const error = toGatewayError(thrown);
    const { status, body, headers } = protocol.renderError(error, { requestId });
    response = Response.json(body, { status, headers });
    const { key, config: { tenant } = {} } = ruling;
    const failure = { requestId, route: route?.path ?? "*", status, error, key, tenant };
    // Nobody is told of what fails behind a client that has left.
    if (!request.signal.aborted) {
      logIfOurs(failure, secretsIn(request, ruling.config));
      ruling.numbers?.refused(protocol.name, error);
    }
  }
  const { headers } = response;
  for (const [name, value] of responseHeaders) headers.set(name, value);
  headers.set("x-request-id", requestId);
  if (protocol.requestIdHeader) headers.set(protocol.requestIdHeader, requestId);
  headers.set("x-content-type-options", "nosniff");
  headers.set("cache-control", "no-store");
  allowOrigin(request, headers, ruling.config?.allowedOrigins ?? []);
  return response;
}

interface Ruling {
  config: Config | undefined;
  /** Of a client that was let in. */
  numbers?: Numbers;
  /** A name for the key that was taken. */
  key?: string | undefined;
}

function secretsIn({ headers }: Request, config: Config | undefined): readonly string[] {
  const own = clientKey(headers);
  return [...(config ? secretsOf(config) : []), ...(own === undefined ? [] : [own])];
}

/** The path is known; then the method, the configuration and the key are, before a byte of the body is read. */
async function dispatch(arrival: Arrival, ruling: Ruling): Promise<Response> {
  const { request, route, loaded, administration } = arrival;
  if (!route) return unknownPath();
  const allow = allowOf(route.methods);
  if (request.method === "OPTIONS") {
    if (route.for === "clients" && loaded.config) ruling.config = await configOfPreflight(arrival, loaded.config);
    return new Response(null, { status: 204, headers: { allow } });
  }
  if (route.for === "anybody") return pick(route.methods, request.method, allow)();
  const gateway = loaded.config ?? fail(loaded.error);
  switch (route.for) {
    case "clients": {
      const handle = pick(route.methods, request.method, allow);
      const preview = wantsPreview(request.headers);
      const caller = await letIn(arrival, () => (preview ? admitOnlooker : admitClient)(arrival, gateway));
      ruling.config = caller.config;
      ruling.key = caller.key;
      const numbers = createNumbers({ ...arrival, config: caller.config });
      // An operator who looks is no client of the tenant's.
      if (!preview) ruling.numbers = numbers;
      return serve(arrival, caller, { route: route.path, preview, numbers }, handle);
    }
    case "onlookers": {
      const handle = pick(route.methods, request.method, allow);
      const onlooker = await letIn(arrival, () => admitOnlooker(arrival, gateway));
      // One whose places are all taken is one to look at.
      const limits = { ...onlooker.config.limits, concurrentRequests: undefined };
      const caller = { ...onlooker, config: { ...onlooker.config, limits } };
      return serve(arrival, caller, { route: route.path, preview: false, numbers: UNCOUNTED }, handle);
    }
    case "operators": {
      const handle = pick(route.methods, request.method, allow);
      const operator = await letIn(arrival, () => admitOperator(arrival, gateway));
      const what = { route: route.path, preview: false, numbers: UNCOUNTED };
      return serve(arrival, operator, what, (call) => handle(call, administration ?? unknownPath(), operator.by));
    }
    default:
      return route satisfies never;
  }
}

/** As long as the caller, his tenant and the isolate have room for one more. */
async function serve(
  arrival: Arrival,
  { config, key, budgets, name, perMinute }: Caller,
  what: Pick<Call, "route" | "preview" | "numbers">,
  handle: Handler,
): Promise<Response> {
  const { request, bindings, rates, occupancy } = arrival;
  await rates.request(name, perMinute, bindings.rates);
  const hops = hopsOf(request);
  const lease = occupancy.enter(config.tenant ?? "", config.limits.concurrentRequests, request.signal);
  const leave = lease.hold();
  try {
    return await handle({ ...arrival, ...what, config, key, budgets, hops, lease });
  } finally {
    leave();
  }
}

/** @throws GatewayFailure `loop-detected` */
function hopsOf({ headers }: Request): number {
  // Below zero it would take a circle as many rounds longer.
  const hops = Math.max(0, Number.parseInt(headers.get(HOPS_HEADER) ?? "", 10) || 0);
  if (hops < UPSTREAM_LIMITS.hops) return hops;
  return fail({ kind: "loop-detected", message: "The request runs in a circle of gateways." });
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
