import {
  ApiError,
  FunctionCallingConfigMode,
  type GenerateContentConfig,
  type GenerateContentResponse,
  GoogleGenAI,
  type Schema,
} from "@google/genai";
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
import { parse } from "./openai-chat.ts";

/** Takes a fetch of its own since 3.x, so nothing global is replaced. */
export function genai({ key, fetch }: Connection): GoogleGenAI {
  return new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: ORIGIN, fetch } });
}

/** `openApi`: schemas go through the SDK's own conversion into the subset that Gemini had first. */
function configOf({ tools, choice, reasoning, stop }: Question, openApi = false): GenerateContentConfig {
  const declarations = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    ...(openApi ? { parameters: parameters as object as Schema } : { parametersJsonSchema: parameters }),
  }));
  return {
    tools: [{ functionDeclarations: declarations }],
    ...(choice && { toolConfig: { functionCallingConfig: choiceOf(choice) } }),
    ...(reasoning !== undefined && { thinkingConfig: { includeThoughts: reasoning } }),
    ...(stop !== undefined && { stopSequences: [stop] }),
  };
}

const MODES = {
  auto: FunctionCallingConfigMode.AUTO,
  none: FunctionCallingConfigMode.NONE,
  required: FunctionCallingConfigMode.ANY,
} as const;

function choiceOf(choice: NonNullable<Question["choice"]>) {
  if (typeof choice === "string") return { mode: MODES[choice] };
  return { mode: MODES.required, allowedFunctionNames: [choice.name] };
}

async function generate(question: Question, connection = GATEWAY): Promise<Answer> {
  const { model, prompt: contents } = question;
  return read([await genai(connection).models.generateContent({ model, contents, config: configOf(question) })]);
}

async function generateStream(question: Question, connection = GATEWAY): Promise<Answer> {
  const { model, prompt: contents } = question;
  const config = configOf(question);
  return read(await collect(await genai(connection).models.generateContentStream({ model, contents, config })));
}

const chatOf = (question: Question, connection: Connection) =>
  genai(connection).chats.create({ model: question.model, config: configOf(question, true) });

async function send(question: Question, connection = GATEWAY): Promise<Answer> {
  return read([await chatOf(question, connection).sendMessage({ message: question.prompt })]);
}

async function sendStream(question: Question, connection = GATEWAY): Promise<Answer> {
  return read(await collect(await chatOf(question, connection).sendMessageStream({ message: question.prompt })));
}

async function collect(stream: AsyncIterable<GenerateContentResponse>): Promise<GenerateContentResponse[]> {
  const chunks: GenerateContentResponse[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

function read(chunks: readonly GenerateContentResponse[]): Answer {
  const candidates = chunks.map(({ candidates: [candidate] = [] }) => candidate);
  const ends = candidates.flatMap((candidate) => candidate?.finishReason ?? []);
  // On another chunk than the last, or twice, and the SDK's own chat or Google's CLI would take the turn for broken.
  if (ends.length !== 1 || candidates.at(-1)?.finishReason === undefined) throw new Error("not one finish at the end");
  const usage = chunks.at(-1)?.usageMetadata;
  const { promptTokenCount: input, candidatesTokenCount = 0, thoughtsTokenCount: reasoning } = usage ?? {};
  const cached = usage?.cachedContentTokenCount;
  return answerOf(candidates.flatMap(partsOf), {
    finish: ends[0],
    usage: {
      input,
      output: candidatesTokenCount + (reasoning ?? 0),
      ...(cached !== undefined && { cached }),
      ...(reasoning !== undefined && { reasoning }),
    },
  });
}

type Candidate = NonNullable<GenerateContentResponse["candidates"]>[number];

function partsOf(candidate: Candidate | undefined): AnswerPart[] {
  const { role, parts = [] } = candidate?.content ?? {};
  // The SDK's chat forgets a turn that has a chunk without them.
  if (role !== "model" || parts.length === 0) throw new Error("a chunk without a role or parts");
  return parts.map(({ text, thought, functionCall: call }) => {
    if (!call) return { type: thought ? "reasoning" : "text", text: text ?? "" };
    return { type: "call", id: call.id ?? "", name: call.name ?? "", input: call.args };
  });
}

function readError(error: unknown): ClientError {
  if (!(error instanceof ApiError)) throw error;
  return { name: error.name, status: error.status, body: parse(error.message) };
}

export const geminiContent: Client = {
  name: "genai",
  wire: "gemini",
  finishes: {
    stop: "STOP",
    tool: "STOP",
    length: "MAX_TOKENS",
    context: "MAX_TOKENS",
    filter: "SAFETY",
    "stop-sequence": "STOP",
  },
  lacks: ["one-call", "stop-sequence"],
  ways: [
    { name: "generateContent", streams: false, ask: generate },
    { name: "generateContentStream", streams: true, ask: generateStream },
    { name: "chat.sendMessage", streams: false, ask: send },
    { name: "chat.sendMessageStream", streams: true, ask: sendStream },
  ],
  readError,
  errorName: () => "ApiError",
};
