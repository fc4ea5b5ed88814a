import OpenAI, { APIError } from "openai";
import type {
  ChatCompletion,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessage,
} from "openai/resources/chat/completions";
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

export function openai({ key, fetch }: Connection): OpenAI {
  return new OpenAI({ apiKey: key, baseURL: `${ORIGIN}/v1`, maxRetries: 0, fetch });
}

function request({ model, prompt, tools, choice, parallel, reasoning, stop }: Question) {
  return {
    model,
    messages: [{ role: "user", content: prompt }],
    tools: tools.map((tool) => ({ type: "function" as const, function: { ...tool } })),
    ...(choice && {
      tool_choice: typeof choice === "string" ? choice : { type: "function" as const, function: { name: choice.name } },
    }),
    ...(parallel !== undefined && { parallel_tool_calls: parallel }),
    ...(reasoning !== undefined && { reasoning_effort: reasoning ? "medium" : "none" }),
    ...(stop !== undefined && { stop }),
  } satisfies ChatCompletionCreateParamsNonStreaming;
}

const withUsage = { stream_options: { include_usage: true } };

async function create(question: Question, connection = GATEWAY): Promise<Answer> {
  const { choices, usage } = await openai(connection).chat.completions.create(request(question));
  const [choice] = choices;
  return read(choice?.message, choice?.finish_reason, usage);
}

/** As a program that knows no helper puts a stream together. */
async function createStreamed(question: Question, connection = GATEWAY): Promise<Answer> {
  const stream = await openai(connection).chat.completions.create({ ...request(question), ...withUsage, stream: true });
  const message = { content: "", reasoning_content: "" };
  const calls: { id: string; name: string; arguments: string }[] = [];
  let finish: string | undefined;
  let counted: OpenAI.CompletionUsage | undefined;
  for await (const { choices, usage } of stream) {
    counted = usage ?? counted;
    const [choice] = choices;
    if (!choice) continue;
    finish = choice.finish_reason ?? finish;
    message.content += choice.delta.content ?? "";
    message.reasoning_content += reasoningOf(choice.delta);
    for (const { index, id, function: piece } of choice.delta.tool_calls ?? []) {
      calls[index] ??= { id: id ?? "", name: piece?.name ?? "", arguments: "" };
      calls[index].arguments += piece?.arguments ?? "";
    }
  }
  const tool_calls = calls.map(({ id, ...called }) => ({ id, type: "function" as const, function: called }));
  return read({ ...message, tool_calls }, finish, counted);
}

async function helper(question: Question, connection = GATEWAY): Promise<Answer> {
  const stream = openai(connection).chat.completions.stream({ ...request(question), ...withUsage });
  // The helper joins only the keys of a delta that it knows.
  let reasoning_content = "";
  stream.on("chunk", ({ choices }) => {
    reasoning_content += reasoningOf(choices[0]?.delta);
  });
  const { choices, usage } = await stream.finalChatCompletion();
  const [choice] = choices;
  return read(choice && { ...choice.message, reasoning_content }, choice?.finish_reason, usage);
}

type Message = Pick<ChatCompletionMessage, "content" | "tool_calls"> & { reasoning_content?: string };

function read(message: Message | undefined, finish: string | undefined, usage: ChatCompletion["usage"]): Answer {
  const calls = (message?.tool_calls ?? []).map((call): AnswerPart => {
    if (call.type !== "function") throw new Error("a call of no function");
    return { type: "call", id: call.id, name: call.function.name, input: parse(call.function.arguments) };
  });
  const parts: AnswerPart[] = [
    { type: "reasoning", text: reasoningOf(message) },
    { type: "text", text: message?.content ?? "" },
    ...calls,
  ];
  const cached = usage?.prompt_tokens_details?.cached_tokens;
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens;
  return answerOf(parts, {
    finish,
    usage: {
      input: usage?.prompt_tokens,
      output: usage?.completion_tokens,
      ...(cached !== undefined && { cached }),
      ...(reasoning !== undefined && { reasoning }),
    },
  });
}

/** Arguments that were cut are no JSON: they stay what they are. */
export function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** Not of OpenAI's wire, so the SDK has no type for it. */
function reasoningOf(message: object | undefined): string {
  return (message as Message | undefined)?.reasoning_content ?? "";
}

export function readOpenAiError(error: unknown): ClientError {
  if (!(error instanceof APIError)) throw error;
  return { name: error.constructor.name, status: error.status, body: { error: error.error } };
}

const ERROR_NAMES: Readonly<Record<number, string>> = {
  400: "BadRequestError",
  401: "AuthenticationError",
  404: "NotFoundError",
  413: "APIError",
  429: "RateLimitError",
};

export const openAiErrorName = (status: number) => ERROR_NAMES[status] ?? "InternalServerError";

export const openAiChat: Client = {
  name: "openai Chat",
  wire: "chat",
  finishes: {
    stop: "stop",
    tool: "tool_calls",
    length: "length",
    context: "length",
    filter: "content_filter",
    "stop-sequence": "stop",
  },
  lacks: ["order", "stop-sequence"],
  ways: [
    { name: "create", streams: false, ask: create },
    { name: "create, streamed", streams: true, showsCutCall: true, ask: createStreamed },
    { name: "stream()", streams: true, showsCutCall: true, ask: helper },
  ],
  readError: readOpenAiError,
  errorName: openAiErrorName,
};
