import type { GatewayError } from "../errors.ts";
import { UPSTREAM_LIMITS } from "../limits.ts";
import { readCapped } from "../stream/read-capped.ts";
import { retryAfterSeconds } from "../stream/retry-after.ts";
import { contextError } from "./context-error.ts";
import { fields, isFields, parseJson, string } from "./json-fields.ts";

/** The longest `retry-after` that is handed on, in seconds. */
const MAX_RETRY_AFTER = 3_600;
/** Characters of the upstream's own words that go to the log. */
const MAX_DETAIL = 300;

/** Under which name the model was asked for, and whether the client had chosen it. */
export interface RequestedModel {
  name: string;
  clientNamed: boolean;
}

/** What an answer without a usable body means. Reads it as far as needed and cancels the rest; never throws. */
export async function readRefusal(response: Response, model: RequestedModel): Promise<GatewayError> {
  const caps = { bytes: UPSTREAM_LIMITS.errorBody, ms: UPSTREAM_LIMITS.errorBodyTimeout };
  const text = await readCapped(response.body, caps);
  const seconds = retryAfterSeconds(response.headers);
  const refusal = readWords(parseJson(text));
  return classify(response.status, refusal, model, seconds);
}

/**
 * What an `error` inside the stream means; `error` is its value, an object or a text. Where it bears a status as its
 * code, it means what that status would have meant.
 */
export function readStreamError(error: unknown): GatewayError {
  const words = readWords(isFields(error) ? { error } : { error: string(error) });
  const status = Number(words.code);
  // The model was there when the answer began.
  const model = { name: "", clientNamed: false };
  return classify(status >= 400 && status <= 599 ? status : 500, words, model, undefined);
}

interface Words {
  code: string;
  type: string;
  message: string;
  /** The error object, or the body that takes its place. */
  error: unknown;
}

/** `{error: {…}}`, `{error: "…"}`, `{message, code}`, `{detail: "…"}`, and `[{error: {…}}]`. */
function readWords(value: unknown): Words {
  const body = fields(Array.isArray(value) ? value[0] : value);
  const error = isFields(body.error) ? body.error : body;
  return {
    code: typeof error.code === "number" ? String(error.code) : string(error.code),
    type: string(error.type),
    message: string(error.message) || string(error.error) || string(error.detail),
    error,
  };
}

function classify(status: number, words: Words, model: RequestedModel, seconds: number | undefined): GatewayError {
  const { code, type, message, error } = words;
  const detail = [`status ${status}`, code, type, message.slice(0, MAX_DETAIL)].filter(Boolean).join(" · ");
  const retry = seconds === undefined ? {} : { retryAfter: Math.min(Math.ceil(seconds), MAX_RETRY_AFTER) };
  const is = (name: string) => code === name || type === name;

  if (is("insufficient_quota") || status === 402) return { kind: "quota-exhausted", detail };
  if (status === 429 || is("rate_limit_exceeded")) return { kind: "rate-limited", ...retry, detail };
  if (status === 503 || status === 529 || is("overloaded_error"))
    return { kind: "upstream-overloaded", ...retry, detail };
  const overflow = contextError({ status, code, type, message, error });
  if (overflow) return overflow;
  if (status === 404 || is("model_not_found")) {
    return model.clientNamed ? { kind: "unknown-model", model: model.name } : { kind: "upstream-failed", detail };
  }
  if (status === 400 || status === 413 || status === 422) return { kind: "upstream-rejected", detail };
  return { kind: "upstream-failed", detail };
}
