import type {
  Response as ModelResponse,
  ResponseCreateParamsNonStreaming,
  ResponseOutputItem,
} from "openai/resources/responses/responses";
import {
  type Answer,
  type AnswerPart,
  answerOf,
  type Client,
  type ClientError,
  GATEWAY,
  type Question,
} from "../question.ts";
import { openAiErrorName, openai, parse, readOpenAiError } from "./openai-chat.ts";

function request({ model, prompt, tools, choice, parallel, reasoning }: Question) {
  return {
    model,
    input: prompt,
    store: false,
    tools: tools.map((tool) => ({ type: "function" as const, strict: false, ...tool })),
    ...(choice && {
      tool_choice: typeof choice === "string" ? choice : { type: "function" as const, name: choice.name },
    }),
    ...(parallel !== undefined && { parallel_tool_calls: parallel }),
    ...(reasoning && { reasoning: { summary: "auto" as const } }),
  } satisfies ResponseCreateParamsNonStreaming;
}

async function create(question: Question, connection = GATEWAY): Promise<Answer> {
  const response = await openai(connection).responses.create(request(question));
  return read(response, response.output);
}

/** As agents read a stream: items from where each is done, the rest from the event that ends it. */
async function createStreamed(question: Question, connection = GATEWAY): Promise<Answer> {
  const stream = await openai(connection).responses.create({ ...request(question), stream: true });
  const items: ResponseOutputItem[] = [];
  let end: ModelResponse | undefined;
  let count = 0;
  for await (const event of stream) {
    if (end) throw new Error(`${event.type} behind the end`);
    if (event.sequence_number !== count) throw new Error(`event ${count} has the number ${event.sequence_number}`);
    count += 1;
    if (event.type === "response.output_item.done") items.push(event.item);
    if (["response.completed", "response.incomplete", "response.failed"].includes(event.type)) {
      end = "response" in event ? event.response : undefined;
    }
  }
  if (!end) throw new Error("no end");
  return read(end, items);
}

async function helper(question: Question, connection = GATEWAY): Promise<Answer> {
  const response = await openai(connection).responses.stream(request(question)).finalResponse();
  return read(response, response.output);
}

/** The SDK hands on a response that has failed as it does any other: this is what a program has to make of it. */
class FailedResponse extends Error {
  readonly response: ModelResponse;

  constructor(response: ModelResponse) {
    super(response.error?.message);
    this.response = response;
  }
}

function read(response: ModelResponse, output: readonly ResponseOutputItem[]): Answer {
  if (response.status === "failed") throw new FailedResponse(response);
  const { usage } = response;
  return answerOf(output.flatMap(partsOf), {
    finish: response.incomplete_details?.reason ?? response.status,
    usage: {
      input: usage?.input_tokens,
      output: usage?.output_tokens,
      ...(usage && {
        cached: usage.input_tokens_details.cached_tokens,
        reasoning: usage.output_tokens_details.reasoning_tokens,
      }),
    },
  });
}

function partsOf(item: ResponseOutputItem): AnswerPart[] {
  switch (item.type) {
    case "message":
      return item.content.map((part) => {
        if (part.type !== "output_text") throw new Error(`a part of type ${part.type}`);
        return { type: "text", text: part.text };
      });
    case "reasoning":
      return [...item.summary, ...(item.content ?? [])].map(({ text }) => ({ type: "reasoning", text }));
    case "function_call":
      return [{ type: "call", id: item.call_id, name: item.name, input: parse(item.arguments) }];
    default:
      throw new Error(`an item of type ${item.type}`);
  }
}

function readError(error: unknown): ClientError {
  if (!(error instanceof FailedResponse)) return readOpenAiError(error);
  return { name: "FailedResponse", status: undefined, body: { error: error.response.error } };
}

export const openAiResponses: Client = {
  name: "openai Responses",
  wire: "responses",
  finishes: {
    stop: "completed",
    tool: "completed",
    length: "max_output_tokens",
    context: "max_output_tokens",
    filter: "content_filter",
    "stop-sequence": "completed",
  },
  lacks: ["stop", "stop-sequence"],
  ways: [
    { name: "create", streams: false, ask: create },
    { name: "create, streamed", streams: true, ask: createStreamed },
    { name: "stream()", streams: true, ask: helper },
  ],
  readError,
  errorName: openAiErrorName,
};
