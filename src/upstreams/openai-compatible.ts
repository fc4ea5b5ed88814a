import { fail } from "../errors.ts";
import { parseJson } from "../json.ts";
import { UPSTREAM_LIMITS } from "../limits.ts";
import type { Egress } from "../stream/egress.ts";
import { readCapped } from "../stream/read-capped.ts";
import { writeBody } from "./chat-body.ts";
import { fields, list, string } from "./json-fields.ts";
import { readRefusal } from "./refusal.ts";
import type { Upstream } from "./upstream.ts";

export interface Endpoint {
  /** The root of the API, such as `https://host/v1`. */
  baseUrl: string;
  apiKey?: string;
}

/** Any server that speaks OpenAI's Chat Completions. */
export function createOpenAiCompatible(endpoint: Endpoint, egress: Egress): Upstream {
  return {
    async open(request, signal) {
      const call = {
        ...address(endpoint, "chat/completions"),
        method: "POST",
        accept: "text/event-stream",
        body: writeBody(request),
      } as const;
      const response = await egress.send(call, signal);
      if (!response.ok) fail(await readRefusal(response, request));
      if (!response.body || response.status === 204)
        fail({ kind: "upstream-failed", detail: "an answer without a body" });
      // The page of a proxy, a log-in or an error: whatever its status, no model wrote it.
      if (response.headers.get("content-type")?.toLowerCase().includes("text/html")) {
        response.body.cancel().catch(() => {});
        fail({ kind: "upstream-failed", lasting: true, detail: "an answer in HTML" });
      }
      return { body: response.body };
    },
  };
}

/** The names of the upstream's models, in its order. A failure of any kind gives an empty list. */
export async function listModels(endpoint: Endpoint, egress: Egress): Promise<string[]> {
  // Rules the body as well.
  const signal = AbortSignal.timeout(UPSTREAM_LIMITS.modelsTimeout);
  try {
    const call = { ...address(endpoint, "models"), method: "GET", accept: "application/json" } as const;
    const response = await egress.send(call, signal);
    const text = await readCapped(response.body, { bytes: UPSTREAM_LIMITS.collected });
    const models = response.ok ? list(fields(parseJson(text)).data) : [];
    return models.map((model) => string(fields(model).id)).filter((id) => id !== "");
  } catch {
    return [];
  }
}

function address({ baseUrl, apiKey }: Endpoint, path: string): { url: string; apiKey?: string } {
  const root = baseUrl.endsWith("/") ? baseUrl.slice(0, -1) : baseUrl;
  return { url: `${root}/${path}`, ...(apiKey !== undefined && { apiKey }) };
}
