import { fail } from "../errors.ts";
import { parseJson } from "../json.ts";
import { UPSTREAM_LIMITS } from "../limits.ts";
import type { Egress } from "../stream/egress.ts";
import { readCapped } from "../stream/read-capped.ts";
import { capabilitiesOf, type UpstreamKind } from "./capabilities.ts";
import { buildBody, type ChatBody, writeBody } from "./chat-body.ts";
import type { ServerFields } from "./dropped-fields.ts";
import { fields, list, string } from "./json-fields.ts";
import { lessonsOf, NATIVE_TOOLS } from "./lessons.ts";
import { type Refusal, readRefusal } from "./refusal.ts";
import { refusesTools } from "./refusing-words.ts";
import type { Upstream, UpstreamRequest } from "./upstream.ts";

export interface Endpoint {
  /** The root of the API, such as `https://host/v1`. */
  baseUrl: string;
  apiKey?: string;
  /** Until its status is there, in milliseconds. */
  headersTimeoutMs: number;
}

export interface ServerOptions {
  endpoint: Endpoint & { kind: UpstreamKind };
  egress: Pick<Egress, "send" | "takeRetry">;
  /** What its servers have refused so far; goes on learning. */
  dropped: ServerFields;
  /** Told of fields that a server has just refused, and that it will not be sent for a while. */
  onDropped?(fields: readonly string[]): void;
}

/** Any server that speaks OpenAI's Chat Completions. */
export function createOpenAiCompatible({ endpoint, egress, dropped, onDropped }: ServerOptions): Upstream {
  const capabilities = capabilitiesOf(endpoint.kind);

  function drop(model: string, fields: readonly string[]) {
    dropped.add(model, fields);
    onDropped?.(fields);
  }

  /** Whether it has taught anything that was not known, so that the same request may do better now. */
  function learn(refusal: Refusal, { model, forced }: UpstreamRequest, body: ChatBody): boolean {
    const known = dropped.of(model);
    if (body.tools !== undefined && refusesTools(refusal.text, Object.keys(body))) {
      // Known already where the operator wants them sent all the same.
      if (!known.has(NATIVE_TOOLS)) drop(model, [NATIVE_TOOLS]);
      return false;
    }
    // Without what forces a call it is another request, and the plan has that one.
    const isNew = (lesson: string) => !known.has(lesson) && !(forced && lesson in forced.fields);
    const lessons = lessonsOf(refusal, body).filter(isNew);
    if (lessons.length === 0) return false;
    drop(model, lessons);
    return true;
  }

  const build = (request: UpstreamRequest) => buildBody(request, capabilities, dropped.of(request.model));

  return {
    async open(request, signal) {
      for (;;) {
        const body = build(request);
        const call = {
          ...address(endpoint, "chat/completions"),
          method: "POST",
          accept: "text/event-stream",
          body: writeBody(body),
        } as const;
        const response = await egress.send(call, signal);
        if (response.ok) return { body: streamOf(response) };
        const refusal = await readRefusal(response, request);
        // At most once more: the client waits, and nothing of an answer has been sent yet.
        if (!learn(refusal, request, body) || !egress.takeRetry("field-dropped")) fail(refusal.error);
      }
    },
    body: build,
  };
}

function streamOf({ body, status, headers }: Response): ReadableStream<Uint8Array> {
  if (!body || status === 204) return fail({ kind: "upstream-failed", detail: "an answer without a body" });
  // The page of a proxy, a log-in or an error: whatever its status, no model wrote it.
  if (!headers.get("content-type")?.toLowerCase().includes("text/html")) return body;
  body.cancel().catch(() => {});
  return fail({ kind: "upstream-failed", lasting: true, detail: "an answer in HTML" });
}

/** The names of the upstream's models, in its order. A failure of any kind gives an empty list. */
export async function listModels(endpoint: Endpoint, egress: Pick<Egress, "send">): Promise<string[]> {
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

function address({ baseUrl, apiKey, headersTimeoutMs }: Endpoint, path: string) {
  const root = baseUrl.endsWith("/") ? baseUrl.slice(0, -1) : baseUrl;
  return { url: `${root}/${path}`, headersTimeoutMs, ...(apiKey !== undefined && { apiKey }) };
}
