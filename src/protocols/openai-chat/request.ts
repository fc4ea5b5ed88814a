import type { Conversation, JsonObject, Sampling } from "../../conversation.ts";
import {
  readBoolean,
  readFields,
  readInteger,
  readList,
  readNumber,
  readString,
  unsupportedParameter,
  unsupportedValue,
} from "../fields.ts";
import { readResponseFormat } from "../openai/response-format.ts";
import { checkModel, givenOnly, readBody, readEffort, readStop } from "../options.ts";
import { createWarnings } from "../warnings.ts";
import { readMessages } from "./messages.ts";
import { readChoice, readTools } from "./tools.ts";

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
export function readRequest(value: unknown): ChatRequest {
  const body = readBody(value);
  const { warn, warnings } = createWarnings();
  refuseUnsupported(body);
  const tools = readTools(body, warn);
  const responseFormat = readResponseFormat(readFields(body, "response_format"), "response_format", "json_schema");
  const effort = readEffort(readString(body, "reasoning_effort"), "reasoning_effort", warn);
  const conversation: Conversation = {
    model: checkModel(readString(body, "model")),
    ...readMessages(body, warn),
    tools,
    toolChoice: readChoice(body, tools),
    parallelToolCalls: readBoolean(body, "parallel_tool_calls") ?? true,
    sampling: readSampling(body),
    ...(responseFormat && { responseFormat }),
    reasoning: { ...(effort && { effort }), expose: effort !== "none" },
    stream: readBoolean(body, "stream") ?? false,
  };
  const streamOptions = readFields(body, "stream_options") ?? {};
  const includeUsage = readBoolean(streamOptions, "include_usage", "stream_options.") ?? false;
  return { conversation, warnings: warnings(), includeUsage };
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

function readSampling(body: JsonObject): Sampling {
  return givenOnly({
    maxTokens: readInteger(body, "max_completion_tokens", 1) ?? readInteger(body, "max_tokens", 1),
    temperature: readNumber(body, "temperature"),
    topP: readNumber(body, "top_p"),
    // Not OpenAI's, but every server of open models takes it.
    topK: readInteger(body, "top_k", -1),
    stop: readStop(body, "stop"),
    seed: readInteger(body, "seed"),
    presencePenalty: readNumber(body, "presence_penalty"),
    frequencyPenalty: readNumber(body, "frequency_penalty"),
    logitBias: readFields(body, "logit_bias"),
    verbosity: readString(body, "verbosity"),
    user: readString(body, "user"),
  });
}
