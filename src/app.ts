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
import { type Failure, logDropped, logFailure, logReply } from "./telemetry/log.ts";
import { type Config, secretsOf } from "./tenants/config.ts";
import { checkAccess, checkAdmin } from "./tenants/keys.ts";
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
  loaded: LoadedConfig;
  bindings: Bindings;
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
      const [[found]] = router.match("ALL", url.pathname);
      const [route, params] = found ?? [];
      const response = await answer({
        request,
        url,
        protocol: protocolOf(request, url),
        route,
        model: decodeName(params?.model),
        loaded: loadConfig(env),
        bindings: readBindings(env),
        requestId: `req_${randomId()}`,
      });
      return request.method === "HEAD" ? new Response(null, response) : response;
    },
  };
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
  const { request, protocol, route, loaded, requestId } = arrival;
  let response: Response;
  try {
    response = await dispatch(arrival);
  } catch (thrown) {
    const error = toGatewayError(thrown);
    const { status, body, headers } = protocol.renderError(error, { requestId });
    response = Response.json(body, { status, headers });
    if (!request.signal.aborted) logIfOurs({ requestId, route: route?.path ?? "*", status, error }, loaded.config);
  }
  const { headers } = response;
  headers.set("x-request-id", requestId);
  if (protocol.requestIdHeader) headers.set(protocol.requestIdHeader, requestId);
  headers.set("x-content-type-options", "nosniff");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  allowOrigin(request, headers, loaded.config?.allowedOrigins ?? []);
  return response;
}

/** A client's own mistakes are for it to read; a detail is what it is not told. */
function logIfOurs(failure: Failure, config: Config | undefined): void {
  if (failure.status < 500 && !("detail" in failure.error)) return;
  logFailure(failure, config ? secretsOf(config) : []);
}

/** The path is known; then the method, the configuration and the key are, before a byte of the body is read. */
async function dispatch(arrival: Arrival): Promise<Response> {
  const { request, url, protocol, route, loaded } = arrival;
  if (!route) return unknownPath();
  const allow = allowOf(route.methods);
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
  if (route.open) return pick(route.methods, request.method, allow)();
  const handle = pick(route.methods, request.method, allow);
  const config = loaded.config ?? fail(loaded.error);
  const { keyParameter } = protocol;
  const keysInUrl = keyParameter === undefined ? [] : url.searchParams.getAll(keyParameter);
  const preview = wantsPreview(request.headers);
  if (preview) await checkAdmin(config, request.headers);
  else await checkAccess(config, request.headers, url.hostname, keysInUrl);
  // Below zero it would take a circle as many rounds longer.
  const hops = Math.max(0, Number.parseInt(request.headers.get(HOPS_HEADER) ?? "", 10) || 0);
  if (hops >= UPSTREAM_LIMITS.hops)
    fail({ kind: "loop-detected", message: "The request runs in a circle of gateways." });
  return handle({ ...arrival, config, hops, route: route.path, preview });
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
