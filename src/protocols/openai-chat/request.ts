import type { Conversation, Effort, JsonObject, ResponseFormat, Sampling } from "../../conversation.ts";
import { fail } from "../../errors.ts";
import { isObject } from "../../json.ts";
import { REQUEST_LIMITS } from "../../limits.ts";
import {
  excerpt,
  invalid,
  readBoolean,
  readFields,
  readInteger,
  readList,
  readNumber,
  readString,
  unsupportedParameter,
  unsupportedValue,
} from "../fields.ts";
import { readMessages } from "./messages.ts";
import { readSchema, readToolChoice, readTools } from "./tools.ts";

interface ChatRequest {
  conversation: Conversation;
  warnings: string[];
  /** A last chunk with the usage alone was asked for. */
  includeUsage: boolean;
}

/**
 * Reads the body of `POST /v1/chat/completions`.
 * @throws GatewayFailure `invalid-request` or `unsupported`, naming the field
 */
export function readRequest(body: unknown): ChatRequest {
  if (!isObject(body)) return fail({ kind: "invalid-request", message: "The body must be a JSON object." });
  // A set: one warning for however many messages a client sends.
  const warnings = new Set<string>();
  const warn = (warning: string) => void warnings.add(warning);
  refuseUnsupported(body);
  const tools = readTools(body, warn);
  const responseFormat = readResponseFormat(body);
  const effort = readEffort(body, warn);
  const conversation: Conversation = {
    model: readModel(body),
    ...readMessages(body, warn),
    tools,
    toolChoice: readToolChoice(body, tools),
    parallelToolCalls: readBoolean(body, "parallel_tool_calls") ?? true,
    sampling: readSampling(body),
    ...(responseFormat && { responseFormat }),
    reasoning: { ...(effort && { effort }), expose: effort !== "none" },
    stream: readBoolean(body, "stream") ?? false,
  };
  const streamOptions = readFields(body, "stream_options") ?? {};
  const includeUsage = readBoolean(streamOptions, "include_usage", "stream_options.") ?? false;
  return { conversation, warnings: [...warnings], includeUsage };
}

/** What would change the answer's shape and cannot be given; everything unknown is ignored. */
function refuseUnsupported(body: JsonObject): void {
  if ((readInteger(body, "n", 1) ?? 1) > 1) unsupportedValue("n", "one choice is given.");
  const modalities = readList(body, "modalities") ?? [];
  if (modalities.some((modality) => modality !== "text")) unsupportedValue("modalities", "only 'text' is given.");
  for (const name of ["audio", "web_search_options"]) {
    if ((body[name] ?? undefined) !== undefined) unsupportedParameter(name);
  }
}

function readModel(body: JsonObject): string {
  const model = readString(body, "model") ?? "";
  if (model === "") return invalid("model", "the name of a model is missing.");
  if (model.length > REQUEST_LIMITS.modelName) {
    return invalid("model", `longer than ${REQUEST_LIMITS.modelName} characters.`);
  }
  return model;
}

function readSampling(body: JsonObject): Sampling {
  const read: { [K in keyof Sampling]: Sampling[K] | undefined } = {
    maxTokens: readInteger(body, "max_completion_tokens", 1) ?? readInteger(body, "max_tokens", 1),
    temperature: readNumber(body, "temperature"),
    topP: readNumber(body, "top_p"),
    // Not OpenAI's, but every server of open models takes it.
    topK: readInteger(body, "top_k", -1),
    stop: readStop(body),
    seed: readInteger(body, "seed"),
    presencePenalty: readNumber(body, "presence_penalty"),
    frequencyPenalty: readNumber(body, "frequency_penalty"),
    logitBias: readFields(body, "logit_bias"),
    verbosity: readString(body, "verbosity"),
    user: readString(body, "user"),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

function readStop(body: JsonObject): string[] | undefined {
  const value = body.stop ?? [];
  const list: unknown = typeof value === "string" ? [value] : value;
  if (!Array.isArray(list) || !list.every((stop) => typeof stop === "string")) {
    return invalid("stop", "expected a string or a list of strings.");
  }
  if (list.length > REQUEST_LIMITS.stops) return invalid("stop", `more than ${REQUEST_LIMITS.stops} strings.`);
  // An empty one would stop everywhere; servers refuse it.
  const stop = list.filter((text) => text !== "");
  return stop.length > 0 ? stop : undefined;
}

function readResponseFormat(body: JsonObject): ResponseFormat | undefined {
  const format = readFields(body, "response_format");
  if (!format) return undefined;
  const type = readString(format, "type", "response_format.") ?? "text";
  if (type === "text") return undefined;
  if (type === "json_object") return { type: "json" };
  if (type !== "json_schema")
    return unsupportedValue("response_format.type", "expected 'text', 'json_object' or 'json_schema'.");
  const path = "response_format.json_schema";
  const wrapped = readFields(format, "json_schema", "response_format.") ?? invalid(path, "expected an object.");
  return {
    type: "json-schema",
    name: readString(wrapped, "name", `${path}.`) ?? "response",
    schema: readSchema(wrapped.schema ?? {}, `${path}.schema`),
  };
}

const EFFORTS: readonly string[] = ["none", "minimal", "low", "medium", "high", "xhigh"] satisfies Effort[];

function readEffort(body: JsonObject, warn: (warning: string) => void): Effort | undefined {
  const effort = readString(body, "reasoning_effort");
  if (effort === undefined || EFFORTS.includes(effort)) return effort as Effort | undefined;
  // Vendors add levels; the request is good without.
  warn(`reasoning_effort '${excerpt(effort)}' is not known and was ignored`);
  return undefined;
}
