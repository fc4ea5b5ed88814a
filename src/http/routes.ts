import { anthropic } from "../protocols/anthropic/protocol.ts";
import { gemini } from "../protocols/gemini/protocol.ts";
import { openAiChat } from "../protocols/openai-chat/protocol.ts";
import { openAiResponses } from "../protocols/openai-responses/protocol.ts";
import type { Protocol } from "../protocols/protocol.ts";
import { type AdminHandler, adminHandlers } from "./admin.ts";
import type { Handler, Handlers } from "./handlers.ts";
import { showMetrics } from "./metrics.ts";

/** By the method's name. HEAD is served wherever GET is, OPTIONS everywhere. */
export type Methods<H> = Readonly<Record<string, H>>;

export type Route = { path: string } & (OpenRoute | GuardedRoute | OnlookerRoute | AdminRoute);

/** Answers without a configuration and without a key. */
interface OpenRoute {
  for: "anybody";
  methods: Methods<() => Response>;
}

interface GuardedRoute {
  for: "clients";
  methods: Methods<Handler>;
}

/** Operators look at a tenant, or at the gateway's own. */
interface OnlookerRoute {
  for: "onlookers";
  methods: Methods<Handler>;
}

/** Only the gateway itself has it, under its own name. */
interface AdminRoute {
  for: "operators";
  methods: Methods<AdminHandler>;
}

/** What a Gemini path ends in, behind the last colon. */
const METHODS = "(?:generateContent|streamGenerateContent|countTokens)";
const GEMINI_PATH = new RegExp(`^/v1beta(?:/|$)|^/v1/.*:${METHODS}$`);

const WELCOME = "Toolsieve: tool calling for models that only write text. See the README.\n";

/**
 * Every path that is served; of two that fit the first is taken. A model's name may hold slashes and colons, escaped or
 * not.
 */
export function createRoutes(handlers: Handlers): readonly Route[] {
  const { complete, countTokens, generate, listModels, showModel, noResponse } = handlers;
  const guarded = (path: string, methods: Methods<Handler>): Route => ({ path, for: "clients", methods });
  const admin = (path: string, methods: Methods<AdminHandler>): Route => ({ path, for: "operators", methods });
  const { listTenants, showTenant, putTenant, deleteTenant, changeTenants, createKey, changeKey } = adminHandlers;
  return [
    { path: "/", for: "anybody", methods: { GET: () => new Response(WELCOME) } },
    { path: "/healthz", for: "anybody", methods: { GET: () => Response.json({ status: "ok" }) } },
    guarded("/v1/chat/completions", { POST: complete }),
    guarded("/v1/responses", { POST: complete }),
    guarded("/v1/responses/input_tokens", { POST: countTokens }),
    guarded("/v1/responses/:response{.+}", { GET: noResponse, DELETE: noResponse, POST: noResponse }),
    guarded("/v1/messages", { POST: complete }),
    guarded("/v1/messages/count_tokens", { POST: countTokens }),
    guarded("/v1/models", { GET: listModels }),
    guarded("/v1/models/:model{.+}", { GET: showModel, POST: generate }),
    guarded("/v1beta/models", { GET: listModels }),
    // Some clients leave out `models/` in front of a name that has a slash.
    guarded("/v1beta/:model{.+}", { GET: showModel, POST: generate }),
    guarded(`/v1/:model{.+:${METHODS}}`, { POST: generate }),
    { path: "/metrics", for: "onlookers", methods: { GET: showMetrics } },
    admin("/admin/v1/tenants", { GET: listTenants }),
    admin("/admin/v1/tenants:batch", { POST: changeTenants }),
    admin("/admin/v1/tenants/:tenant", { GET: showTenant, PUT: putTenant, DELETE: deleteTenant }),
    admin("/admin/v1/tenants/:tenant/keys", { POST: createKey }),
    admin("/admin/v1/tenants/:tenant/keys/:key{[^/]+:(?:rotate|disable)}", { POST: changeKey }),
  ];
}

/**
 * In whose shape a request is answered, errors included. The list of models belongs to three makers, and so does what is not
 * served under `/v1`: there the headers that a client sends tell whose it is (docs/wires.md).
 *
 * @param pathname without the tenant's name
 */
export function protocolOf({ method, headers }: Request, pathname: string, searchParams: URLSearchParams): Protocol {
  if (GEMINI_PATH.test(pathname)) return gemini;
  if (/^\/v1\/messages(?:\/|$)/.test(pathname)) return anthropic;
  if (/^\/v1\/responses(?:\/|$)/.test(pathname)) return openAiResponses;
  if (!pathname.startsWith("/v1/") || pathname.startsWith("/v1/chat/")) return openAiChat;
  if (headers.has("anthropic-version")) return anthropic;
  if (headers.has("x-goog-api-key") || searchParams.has("key")) return gemini;
  // Nobody else posts to a model.
  return method === "POST" && pathname.startsWith("/v1/models/") ? gemini : openAiChat;
}
