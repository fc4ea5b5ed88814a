import { PatternRouter } from "hono/router/pattern-router";
import { fail, type GatewayError, toGatewayError } from "./errors.ts";
import type { ExchangeRequest } from "./exchange.ts";
import { readJsonBody } from "./http/body.ts";
import { allowOrigin } from "./http/cors.ts";
import { createModelList, type ListUpstreamModels, type ModelList } from "./http/model-list.ts";
import { randomId } from "./ids.ts";
import { REQUEST_LIMITS, UPSTREAM_LIMITS } from "./limits.ts";
import { openAiChat } from "./protocols/openai-chat/protocol.ts";
import type { Protocol } from "./protocols/protocol.ts";
import { HOPS_HEADER } from "./stream/egress.ts";
import { type Failure, logFailure } from "./telemetry/log.ts";
import { type Config, type LoadedConfig, loadConfig, secretsOf } from "./tenants/config.ts";
import { checkAccess } from "./tenants/keys.ts";
import { allowsModel } from "./tenants/models.ts";

export interface AppParts {
  exchange: Exchange;
  listUpstreamModels: ListUpstreamModels;
}

type Exchange = (asked: ExchangeRequest) => Promise<Response>;

/** A request that was let in. */
interface Call {
  request: Request;
  /** The name in the path of a model. */
  model: string;
  config: Config;
  requestId: string;
  hops: number;
  /** The pattern of its path. */
  route: string;
}

/** By the method's name. HEAD is served wherever GET is, OPTIONS everywhere. */
type Methods<Handler> = Readonly<Record<string, Handler>>;

type Route = Place & (OpenRoute | GuardedRoute);

interface Place {
  path: string;
  /** In whose shape errors are told. */
  protocol: Protocol;
}

/** Answers without a configuration and without a key. */
interface OpenRoute {
  open: true;
  methods: Methods<() => Response>;
}

interface GuardedRoute {
  open: false;
  methods: Methods<(call: Call) => Promise<Response>>;
}

/** Every path that is served. */
function createRoutes({ exchange, listUpstreamModels }: AppParts): readonly Route[] {
  const list = createModelList(listUpstreamModels);
  const protocol = openAiChat;
  return [
    { path: "/", protocol, open: true, methods: { GET: () => new Response(WELCOME) } },
    { path: "/healthz", protocol, open: true, methods: { GET: () => Response.json({ status: "ok" }) } },
    {
      path: "/v1/chat/completions",
      protocol,
      open: false,
      methods: { POST: (call) => complete(protocol, exchange, call) },
    },
    {
      path: "/v1/models",
      protocol,
      open: false,
      methods: { GET: (call) => listModels(protocol, list, call) },
    },
    // A name may hold slashes, as they are or escaped.
    {
      path: "/v1/models/:model{.+}",
      protocol,
      open: false,
      methods: { GET: (call) => showModel(protocol, list, call) },
    },
  ];
}

const WELCOME =
  "Toolsieve: tool calling for models that only write text. POST to /v1/chat/completions; see the README.\n";

export interface App {
  /** @param env the variables */
  fetch(request: Request, env?: object): Promise<Response>;
  /** The patterns of all that is served. */
  readonly paths: readonly string[];
}

export function createApp(parts: AppParts): App {
  const routes = createRoutes(parts);
  // Hono's router without the rest of it: methods, errors and headers are this file's, and the bundle is a tenth smaller.
  const router = new PatternRouter<Route>();
  for (const route of routes) router.add("ALL", route.path, route);

  return {
    paths: routes.map(({ path }) => path),
    async fetch(request, env = {}) {
      const [[found]] = router.match("ALL", new URL(request.url).pathname);
      const [route, params] = found ?? [];
      const response = await answer(route ?? NOWHERE, request, env, (loaded, requestId) =>
        route
          ? dispatch(route, request, decodeName(params?.model), loaded, requestId)
          : fail({ kind: "unknown-path", message: "This gateway does not serve this path." }),
      );
      return request.method === "HEAD" ? new Response(null, response) : response;
    },
  };
}

const NOWHERE: Place = { path: "*", protocol: openAiChat };

/** What stands for `:model` in a path; as it is where its escapes make no sense. */
function decodeName(escaped: string | number = ""): string {
  try {
    return decodeURIComponent(String(escaped));
  } catch {
    return String(escaped);
  }
}

/** Never throws: whatever goes wrong is told in the protocol's shape. */
async function answer(
  { path, protocol }: Place,
  request: Request,
  env: object,
  handle: (loaded: LoadedConfig, requestId: string) => Response | Promise<Response>,
): Promise<Response> {
  const requestId = `req_${randomId()}`;
  const loaded = loadConfig(env);
  let response: Response;
  try {
    response = await handle(loaded, requestId);
  } catch (thrown) {
    const error = toGatewayError(thrown);
    const { status, body, headers } = protocol.renderError(error, { requestId });
    response = Response.json(body, { status, headers });
    if (!request.signal.aborted) logIfOurs({ requestId, route: path, status, error }, loaded.config);
  }
  response.headers.set("x-request-id", requestId);
  response.headers.set("x-content-type-options", "nosniff");
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-store");
  allowOrigin(request, response.headers, loaded.config?.allowedOrigins ?? []);
  return response;
}

/** A client's own mistakes are for it to read; a detail is what it is not told. */
function logIfOurs(failure: Failure, config: Config | undefined): void {
  if (failure.status < 500 && !("detail" in failure.error)) return;
  logFailure(failure, config ? secretsOf(config) : []);
}

/** The path is known; then the method, the configuration and the key are, before a byte of the body is read. */
async function dispatch(
  route: Route,
  request: Request,
  model: string,
  loaded: LoadedConfig,
  requestId: string,
): Promise<Response> {
  const allow = allowOf(route.methods);
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
  if (route.open) return pick(route.methods, request.method, allow)();
  const handle = pick(route.methods, request.method, allow);
  const config = loaded.config ?? fail(loaded.error);
  await checkAccess(config, request.headers, new URL(request.url).hostname);
  // Below zero it would take a circle as many rounds longer.
  const hops = Math.max(0, Number.parseInt(request.headers.get(HOPS_HEADER) ?? "", 10) || 0);
  if (hops >= UPSTREAM_LIMITS.hops)
    fail({ kind: "loop-detected", message: "The request runs in a circle of gateways." });
  return handle({ request, model, config, requestId, hops, route: route.path });
}

function allowOf(methods: Methods<unknown>): string {
  return [...Object.keys(methods), ...("GET" in methods ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

function pick<Handler>(methods: Methods<Handler>, method: string, allow: string): Handler {
  const name = method === "HEAD" ? "GET" : method;
  const handler = Object.hasOwn(methods, name) ? methods[name] : undefined;
  return handler ?? fail({ kind: "wrong-method", message: `This path takes ${allow}.`, allow });
}

async function complete(protocol: Protocol, exchange: Exchange, call: Call): Promise<Response> {
  const { config, requestId, hops, route } = call;
  const request = protocol.readRequest(await readJsonBody(call.request, config.maxBodyBytes));
  const { model } = request.conversation;
  if (!allowsModel(config, model)) fail({ kind: "unknown-model", model });
  const onFailure = (error: GatewayError) => logIfOurs({ requestId, route, status: 200, error }, config);
  const response = await exchange({
    protocol,
    request,
    config,
    requestId,
    hops,
    signal: call.request.signal,
    onFailure,
  });
  if (request.warnings.length > 0) response.headers.set("x-gateway-warning", warningText(request.warnings));
  return response;
}

/** What a header bears: warnings quote names that a client made up. */
function warningText(warnings: readonly string[]): string {
  return warnings
    .join("; ")
    .slice(0, 1_000)
    .replace(/[^\x20-\x7e]/g, "?");
}

async function listModels(protocol: Protocol, list: ModelList, { config, hops }: Call): Promise<Response> {
  return Response.json(protocol.renderModels(await list(config, hops)));
}

async function showModel(protocol: Protocol, list: ModelList, { model, config, hops }: Call): Promise<Response> {
  if (!(await isKnown(list, config, hops, model))) fail({ kind: "unknown-model", model });
  return Response.json(protocol.renderModel(model));
}

async function isKnown(list: ModelList, config: Config, hops: number, model: string): Promise<boolean> {
  if (model.length > REQUEST_LIMITS.modelName) return false;
  // Where the configuration decides, it takes more names than it lists.
  if (config.models !== undefined || config.upstream.model !== undefined) return allowsModel(config, model);
  const names = await list(config, hops);
  // An upstream that lists nothing, or could not be asked, may have it all the same: a completion will tell.
  return names.length === 0 || names.includes(model);
}
