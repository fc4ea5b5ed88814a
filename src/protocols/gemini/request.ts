import type { Conversation, Effort, ResponseFormat, Sampling } from "../../conversation.ts";
import { unsupportedParameter, unsupportedValue } from "../fields.ts";
import { checkModel, givenOnly, readBody, readEffort, readStop } from "../options.ts";
import type { Target } from "../protocol.ts";
import { readSchema } from "../tool-list.ts";
import { createWarnings, type Warn } from "../warnings.ts";
import { readContents } from "./contents.ts";
import { toJsonSchema } from "./open-api.ts";
import { ProtoFields } from "./proto-fields.ts";
import { readChoice, readTools } from "./tools.ts";

interface GeminiRequest {
  conversation: Conversation;
  warnings: string[];
  /** Server-sent events were asked for; else a stream is one JSON array. */
  sse: boolean;
}

/**
 * Reads the body of `POST …/models/{model}:generateContent` and `:streamGenerateContent`; what the path says decides
 * whether the answer streams.
 * @throws GatewayFailure `invalid-request` or `unsupported`, naming the field
 */
export function readRequest(body: unknown, target: Target | undefined): GeminiRequest {
  return {
    ...readConversation(new ProtoFields(readBody(body)), target?.model, target?.method === "streamGenerateContent"),
    sse: target?.query.get("alt") === "sse",
  };
}

/** Reads the body of `:countTokens`: `contents` alone, or a whole request. */
export function readTokenCount(body: unknown, target: Target | undefined): Conversation {
  const fields = new ProtoFields(readBody(body));
  return readConversation(fields.object("generateContentRequest") ?? fields, target?.model, false).conversation;
}

function readConversation(body: ProtoFields, model: string | undefined, stream: boolean): Omit<GeminiRequest, "sse"> {
  const { warn, warnings } = createWarnings();
  const config = body.object("generationConfig") ?? new ProtoFields({});
  refuseUnsupported(body, config);
  const tools = readTools(body, warn);
  const responseFormat = readResponseFormat(config);
  const conversation: Conversation = {
    model: checkModel(model?.replace(/^models\//, "")),
    ...readContents(body, warn),
    tools,
    toolChoice: readChoice(body, tools),
    parallelToolCalls: true,
    sampling: readSampling(config),
    ...(responseFormat && { responseFormat }),
    reasoning: readReasoning(config, warn),
    stream,
  };
  return { conversation, warnings: warnings() };
}

/** What would change the answer, or its shape, and cannot be given; everything unknown is ignored. */
function refuseUnsupported(body: ProtoFields, config: ProtoFields): void {
  for (const name of ["cachedContent", "continuationToken"]) {
    if (body.string(name) !== undefined) unsupportedParameter(body.place(name));
  }
  if ((config.integer("candidateCount") ?? 1) > 1) {
    unsupportedValue(config.place("candidateCount"), "one candidate is given.");
  }
  if (config.strings("responseModalities").some((modality) => modality !== "TEXT")) {
    unsupportedValue(config.place("responseModalities"), "only 'TEXT' is given.");
  }
}

function readSampling(config: ProtoFields): Sampling {
  return givenOnly({
    maxTokens: config.integer("maxOutputTokens", 1),
    temperature: config.number("temperature"),
    topP: config.number("topP"),
    topK: config.integer("topK", -1),
    stop: readStop(config.json, config.spelling("stopSequences"), config.prefix),
    seed: config.integer("seed"),
    presencePenalty: config.number("presencePenalty"),
    frequencyPenalty: config.number("frequencyPenalty"),
  });
}

/** A schema is JSON Schema under one name, the vendor's subset of OpenAPI under the other. */
function readResponseFormat(config: ProtoFields): ResponseFormat | undefined {
  const type = config.string("responseMimeType") ?? "text/plain";
  if (type === "text/plain") return undefined;
  if (type !== "application/json") {
    return unsupportedValue(config.place("responseMimeType"), "expected 'text/plain' or 'application/json'.");
  }
  const isJson = config.value("responseJsonSchema") !== undefined;
  const name = isJson ? "responseJsonSchema" : "responseSchema";
  const given = config.value(name);
  if (given === undefined) return { type: "json" };
  const schema = readSchema(given, config.place(name));
  return { type: "json-schema", name: "response", schema: isJson ? schema : toJsonSchema(schema) };
}

function readReasoning(config: ProtoFields, warn: Warn): Conversation["reasoning"] {
  const thinking = config.object("thinkingConfig");
  if (!thinking) return { expose: false };
  const effort = readThinkingEffort(thinking, warn);
  return { ...(effort && { effort }), expose: thinking.boolean("includeThoughts") ?? false };
}

/** A budget is a number of tokens that upstreams have no field for; none at all is one they have. */
function readThinkingEffort(thinking: ProtoFields, warn: Warn): Effort | undefined {
  if (thinking.integer("thinkingBudget") === 0) return "none";
  const level = thinking.string("thinkingLevel")?.toLowerCase();
  const given = level === "thinking_level_unspecified" ? undefined : level;
  return readEffort(given, thinking.place("thinkingLevel"), warn);
}
