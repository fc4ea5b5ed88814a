import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  APICallError,
  generateText,
  jsonSchema,
  type LanguageModel,
  type LanguageModelUsage,
  streamText,
  type ToolSet,
  tool,
} from "ai";
import { ORIGIN } from "../../workerd/gateway.ts";
import {
  type Answer,
  type AnswerPart,
  answerOf,
  type Client,
  type ClientError,
  type Connection,
  GATEWAY,
  type Question,
  type Way,
} from "../question.ts";
import { parse } from "./openai-chat.ts";

type CreateModel = (model: string, connection: Connection) => LanguageModel;

export interface Provider extends Pick<Client, "name" | "wire" | "lacks">, Pick<Way, "showsCutCall"> {
  model: CreateModel;
}

const V1 = `${ORIGIN}/v1`;
const COMPATIBLE = "gateway";

export const PROVIDERS = {
  openai: {
    name: "AI SDK openai()",
    wire: "responses",
    lacks: ["stop", "stop-sequence"],
    model: (model, { key: apiKey, fetch }) => createOpenAI({ baseURL: V1, apiKey, fetch })(model),
  },
  openaiChat: {
    name: "AI SDK openai.chat()",
    wire: "chat",
    lacks: ["reasoning", "order", "stop-sequence"],
    showsCutCall: true,
    model: (model, { key: apiKey, fetch }) => createOpenAI({ baseURL: V1, apiKey, fetch }).chat(model),
  },
  compatible: {
    name: "AI SDK openai-compatible",
    wire: "chat",
    lacks: ["order", "stop-sequence"],
    showsCutCall: true,
    model: (model, { key: apiKey, fetch }) => {
      const options = { includeUsage: true, supportsMultiPartToolContent: true };
      return createOpenAICompatible({ name: COMPATIBLE, baseURL: V1, apiKey, fetch, ...options })(model);
    },
  },
  anthropic: {
    name: "AI SDK anthropic",
    wire: "messages",
    lacks: ["reasoning-tokens", "stop-sequence"],
    showsCutCall: true,
    model: (model, { key: apiKey, fetch }) => createAnthropic({ baseURL: V1, apiKey, fetch })(model),
  },
  google: {
    name: "AI SDK google",
    wire: "gemini",
    lacks: ["one-call", "stop-sequence"],
    model: (model, { key: apiKey, fetch }) => createGoogle({ baseURL: `${ORIGIN}/v1beta`, apiKey, fetch })(model),
  },
} as const satisfies Record<string, Provider>;

/** @param model makes the provider's model */
function settings(
  { model, prompt, tools, choice, parallel, reasoning, stop }: Question,
  of: CreateModel,
  to: Connection,
) {
  return {
    model: of(model, to),
    prompt,
    maxRetries: 0,
    tools: Object.fromEntries(
      tools.map(({ name, description, parameters }) => [
        name,
        tool({ description, inputSchema: jsonSchema(parameters as Parameters<typeof jsonSchema>[0]) }),
      ]),
    ) as ToolSet,
    ...(choice && {
      toolChoice: typeof choice === "string" ? choice : { type: "tool" as const, toolName: choice.name },
    }),
    ...(reasoning !== undefined && { reasoning: reasoning ? ("medium" as const) : ("none" as const) }),
    ...(stop !== undefined && { stopSequences: [stop] }),
    providerOptions: providerOptions(parallel, reasoning),
  };
}

/** What has no place in the settings that all providers share. */
function providerOptions(parallel = true, reasoning = false) {
  return {
    // No model's name is known to it as one that reasons.
    openai: {
      store: false,
      ...(reasoning && { forceReasoning: true }),
      ...(!parallel && { parallelToolCalls: false }),
    },
    [COMPATIBLE]: parallel ? {} : { parallel_tool_calls: false },
    anthropic: parallel ? {} : { disableParallelToolUse: true },
    google: reasoning ? { thinkingConfig: { includeThoughts: true } } : {},
  };
}

async function generate(question: Question, of: CreateModel, connection = GATEWAY): Promise<Answer> {
  const { content, finishReason, usage } = await generateText(settings(question, of, connection));
  return read(content, finishReason, usage);
}

async function stream(question: Question, of: CreateModel, connection = GATEWAY): Promise<Answer> {
  const result = streamText({ ...settings(question, of, connection), onError: () => {} });
  // Errors come as parts like any other; what is promised of the result would only say that there is none.
  for await (const part of result.stream) if (part.type === "error") throw part.error;
  return read(await result.content, await result.finishReason, await result.usage);
}

type Content = Awaited<ReturnType<typeof generateText>>["content"];

function read(content: Content, finish: string, usage: LanguageModelUsage): Answer {
  const parts = content.flatMap((part): AnswerPart[] => {
    switch (part.type) {
      case "text":
      case "reasoning":
        return [{ type: part.type, text: part.text }];
      case "tool-call":
        return [{ type: "call", id: part.toolCallId, name: part.toolName, input: part.input }];
      // What stands beside a call whose arguments were cut.
      case "tool-error":
      // What one provider tells of its wire's own events.
      case "custom":
        return [];
      default:
        throw new Error(`a part of type ${part.type}`);
    }
  });
  const { cacheReadTokens: cached } = usage.inputTokenDetails;
  const { reasoningTokens: reasoning } = usage.outputTokenDetails;
  return answerOf(parts, {
    finish,
    usage: {
      input: usage.inputTokens,
      output: usage.outputTokens,
      ...(cached !== undefined && { cached }),
      ...(reasoning !== undefined && { reasoning }),
    },
  });
}

function readError(error: unknown): ClientError {
  if (!APICallError.isInstance(error)) throw error;
  return { name: error.name, status: error.statusCode, body: parse(error.responseBody ?? "") };
}

/** The names of all providers are mapped by the AI SDK. */
const finishes = {
  stop: "stop",
  tool: "tool-calls",
  length: "length",
  context: "length",
  filter: "content-filter",
  "stop-sequence": "stop",
} as const;

export const aiSdk: readonly Client[] = Object.values<Provider>(PROVIDERS).map(
  ({ name, wire, lacks, model, showsCutCall }) => ({
    name,
    wire,
    lacks,
    finishes,
    ways: [
      { name: "generateText", streams: false, ask: (question, connection) => generate(question, model, connection) },
      {
        name: "streamText",
        streams: true,
        ...(showsCutCall && { showsCutCall }),
        ask: (question, connection) => stream(question, model, connection),
      },
    ],
    readError,
    errorName: () => "AI_APICallError",
  }),
);
