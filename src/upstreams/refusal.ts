import type { Json, JsonObject } from "../conversation.ts";
import type { GatewayError } from "../errors.ts";
import { isObject, parseJson } from "../json.ts";
import { UPSTREAM_LIMITS } from "../limits.ts";
import { readCapped } from "../stream/read-capped.ts";
import { retryAfterSeconds } from "../stream/retry-after.ts";
import { contextError } from "./context-error.ts";
import { fields, list, string } from "./json-fields.ts";
import type { UpstreamRequest } from "./upstream.ts";
import { workersAiStatus } from "./workers-ai-errors.ts";

/** The longest `retry-after` that is handed on, in seconds. */
const MAX_RETRY_AFTER = 3_600;

/** Refusals of the moment: a time-out, a conflict, too early, and too many, which has a kind of its own. */
const PASSING = new Set([408, 409, 425, 429]);

/** Under which name the model was asked for, and whether the client had chosen it, and brought the key. */
export type AskedModel = Pick<UpstreamRequest, "model" | "clientNamed" | "clientKeyed">;

export interface Refusal {
  error: GatewayError;
  /** The body as it came, as far as it was read. */
  text: string;
}

/** What an answer without a usable body means. Reads it as far as needed and cancels the rest; never throws. */
export async function readRefusal(response: Response, asked: AskedModel): Promise<Refusal> {
  const caps = { bytes: UPSTREAM_LIMITS.errorBody, ms: UPSTREAM_LIMITS.errorBodyTimeout };
  const text = await readCapped(response.body, caps);
  const seconds = retryAfterSeconds(response.headers);
  return { error: classify(response.status, readWords(parseJson(text)), asked, seconds), text };
}

/**
 * What an `error` inside the stream means; `error` is its value, an object or a text. Where it bears a status as its
 * code, it means what that status would have meant; where it bears none, its words do.
 */
export function readStreamError(error: Json, asked: AskedModel): GatewayError {
  const words = readWords({ error });
  const status = Number(words.code);
  return classify(status >= 400 && status <= 599 ? status : undefined, words, asked, undefined);
}

interface Words {
  code: string;
  type: string;
  message: string;
  /** The error object, or the body that takes its place. */
  error: JsonObject;
}

/** `{error: {…}}`, `{error: "…"}`, `{message, code}`, `{detail: "…"}`, `{errors: [{message}]}`, and `[{error: {…}}]`. */
function readWords(value: unknown): Words {
  const body = fields(Array.isArray(value) ? value[0] : value);
  const error = isObject(body.error) ? body.error : body;
  const first = fields(list(error.errors)[0]);
  const code = error.code ?? error.internalCode ?? first.code;
  return {
    code: typeof code === "number" ? String(code) : string(code),
    type: string(error.type),
    message: string(error.message) || string(error.error) || string(error.detail) || string(first.message),
    error,
  };
}

/** @param told the status; undefined for an error inside the stream that tells none */
function classify(
  told: number | undefined,
  words: Words,
  { model, clientNamed, clientKeyed }: AskedModel,
  seconds: number | undefined,
): GatewayError {
  const { code, type, message } = words;
  // Whole: the log cuts it, once no half of a key can escape it any more.
  const detail = [told && `status ${told}`, code, type, message].filter(Boolean).join(" · ");
  const retry = seconds === undefined ? {} : { retryAfter: Math.min(Math.ceil(seconds), MAX_RETRY_AFTER) };
  const status = workersAiStatus(words.error, message) ?? told;
  const is = (name: string) => code === name || type === name;

  if (is("insufficient_quota") || status === 402) return { kind: "quota-exhausted", detail };
  if (status === 429 || is("rate_limit_exceeded")) return { kind: "rate-limited", ...retry, detail };
  if (status === 503 || status === 529 || is("overloaded_error"))
    return { kind: "upstream-overloaded", ...retry, detail };
  const overflow = contextError({ status, ...words });
  if (overflow) return overflow;
  if (status === 404 || is("model_not_found")) {
    return clientNamed ? { kind: "unknown-model", model, detail } : { kind: "upstream-failed", lasting: true, detail };
  }
  if (status === 400 || status === 413 || status === 422) return { kind: "upstream-rejected", detail };
  if (clientKeyed && (status === 401 || status === 403))
    return { kind: "unauthorized", message: "The model server refused the key that came with the request." };
  // The gateway's own key was refused, its address is another one now, or wrong: asking again changes nothing.
  const lasting = status !== undefined && status >= 300 && status < 500 && !PASSING.has(status);
  return { kind: "upstream-failed", ...(lasting && { lasting }), detail };
}
