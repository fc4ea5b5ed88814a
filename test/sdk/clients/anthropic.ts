import Anthropic, { APIError } from "@anthropic-ai/sdk";
import type { Message, MessageCreateParamsNonStreaming } from "@anthropic-ai/sdk/resources/messages";
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
} from "../question.ts";

export function anthropic({ key, fetch }: Connection): Anthropic {
  return new Anthropic({ apiKey: key, baseURL: ORIGIN, maxRetries: 0, fetch });
}

const CHOICES = { auto: "auto", none: "none", required: "any" } as const;

function request({ model, prompt, tools, choice, parallel, reasoning, stop }: Question) {
  return {
    model,
    max_tokens: 4096,
    messages: [{ role: "user", content: prompt }],
    tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
    ...((choice ?? parallel) !== undefined && { tool_choice: choiceOf(choice, parallel) }),
    ...(reasoning && { thinking: { type: "enabled" as const, budget_tokens: 1024 } }),
    ...(stop !== undefined && { stop_sequences: [stop] }),
  } satisfies MessageCreateParamsNonStreaming;
}

function choiceOf(choice: Question["choice"] = "auto", parallel = true) {
  const disable_parallel_tool_use = !parallel;
  if (typeof choice === "object") return { type: "tool" as const, name: choice.name, disable_parallel_tool_use };
  const type = CHOICES[choice];
  return type === "none" ? { type } : { type, disable_parallel_tool_use };
}

async function create(question: Question, connection = GATEWAY): Promise<Answer> {
  return read(await anthropic(connection).messages.create(request(question)));
}

async function helper(question: Question, connection = GATEWAY): Promise<Answer> {
  return read(await anthropic(connection).messages.stream(request(question)).finalMessage());
}

function read({ content, stop_reason, stop_sequence, usage }: Message): Answer {
  const parts = content.map((block): AnswerPart => {
    switch (block.type) {
      case "text":
        // Clients replay the block, and the vendor's own API refuses an empty one.
        if (block.text === "") throw new Error("an empty text block");
        return { type: "text", text: block.text };
      case "thinking":
        return { type: "reasoning", text: block.thinking };
      case "tool_use":
        return { type: "call", id: block.id, name: block.name, input: block.input };
      default:
        throw new Error(`a block of type ${block.type}`);
    }
  });
  // Here the prompt is counted without what was cached.
  const cached = usage.cache_read_input_tokens ?? 0;
  return answerOf(parts, {
    finish: stop_reason ?? undefined,
    stopSequence: stop_sequence,
    usage: { input: usage.input_tokens + cached, output: usage.output_tokens, cached },
  });
}

function readError(error: unknown): ClientError {
  if (!(error instanceof APIError)) throw error;
  return { name: error.constructor.name, status: error.status, body: error.error };
}

const ERROR_NAMES: Readonly<Record<number, string>> = {
  400: "BadRequestError",
  401: "AuthenticationError",
  404: "NotFoundError",
  413: "ContentTooLargeError",
  429: "RateLimitError",
  529: "OverloadedError",
};

export const anthropicMessages: Client = {
  name: "anthropic",
  wire: "messages",
  finishes: {
    stop: "end_turn",
    tool: "tool_use",
    length: "max_tokens",
    context: "model_context_window_exceeded",
    filter: "refusal",
    "stop-sequence": "stop_sequence",
  },
  lacks: ["reasoning-tokens"],
  ways: [
    { name: "messages.create", streams: false, ask: create },
    { name: "messages.stream", streams: true, showsCutCall: true, ask: helper },
  ],
  readError,
  errorName: (status) => ERROR_NAMES[status] ?? "InternalServerError",
};
