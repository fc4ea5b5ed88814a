import type { ResponseFormat, Tool } from "../conversation.ts";
import { isObject } from "../json.ts";
import type { UpstreamMessage } from "../prompt/messages.ts";
import type { NativeTools, UpstreamRequest } from "./upstream.ts";

/**
 * The body of a chat completion: the fields of OpenAI's own API, and `top_k`, which most other servers know; beyond the
 * usual ones each only where the client gave it. Members that are undefined do not reach the JSON: strict servers refuse
 * empty lists, and `null` where OpenAI does not write it itself.
 */
export function writeBody({
  model,
  messages,
  native,
  sampling,
  stop,
  responseFormat,
  effort,
}: UpstreamRequest): string {
  const body = {
    model,
    messages: messages.map(buildMessage),
    ...(native && buildTools(native)),
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: sampling.maxTokens,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    top_k: sampling.topK,
    seed: sampling.seed,
    logit_bias: sampling.logitBias,
    user: sampling.user,
    verbosity: sampling.verbosity,
    stop: stop.length > 0 ? stop : undefined,
    response_format: responseFormat && buildFormat(responseFormat),
    reasoning_effort: effort,
  };
  return JSON.stringify(body, wellFormed);
}

/** Half a surrogate pair has no UTF-8, which is what a tokenizer reads. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}

function buildMessage(message: UpstreamMessage) {
  const { role, content } = message;
  switch (role) {
    case "system":
    case "user":
      return { role, content };
    case "assistant": {
      if (!message.calls) return { role, content };
      const calls = message.calls.map(({ id, name, input }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(input, wellFormed) },
      }));
      // As OpenAI writes it: templates of models tell an empty text from none.
      return { role, content: content === "" ? null : content, tool_calls: calls };
    }
    case "tool":
      return { role, tool_call_id: message.callId, content };
    default:
      return message satisfies never;
  }
}

/** What every server does by default is not asked for: some refuse to be told. */
function buildTools({ tools, choice, parallel }: NativeTools) {
  const { mode, only } = choice;
  const named = only === undefined ? undefined : { type: "function", function: { name: only } };
  return {
    tools: tools.map(buildTool),
    tool_choice: named ?? (mode === "auto" ? undefined : mode),
    parallel_tool_calls: parallel ? undefined : false,
  };
}

function buildTool({ name, description, parameters }: Tool) {
  const schema = isObject(parameters) ? parameters : { type: "object", properties: {} };
  return { type: "function", function: { name, description, parameters: schema } };
}

function buildFormat(format: ResponseFormat) {
  if (format.type === "json") return { type: "json_object" };
  const { type: _, ...schema } = format;
  return { type: "json_schema", json_schema: schema };
}
