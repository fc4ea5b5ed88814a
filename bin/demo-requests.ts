import { anthropic } from "../src/protocols/anthropic/protocol.ts";
import { gemini } from "../src/protocols/gemini/protocol.ts";
import { openAiChat } from "../src/protocols/openai-chat/protocol.ts";
import { openAiResponses } from "../src/protocols/openai-responses/protocol.ts";
import type { Protocol, Target } from "../src/protocols/protocol.ts";

export interface DemoRequest {
  wire: string;
  protocol: Protocol;
  body: object;
  target?: Target;
}

const QUESTION = 'What is the weather in Paris for the next 3 days? Note it as "trip".';

/** What is told of a tool, on every wire under other names. */
const TOOLS = [
  {
    name: "get_weather",
    description: "Weather forecast for a city",
    parameters: {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "integer" } },
      required: ["city", "days"],
    },
  },
  {
    name: "add_note",
    description: "Keep a note",
    parameters: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
  },
];

/** The same question with the same tools, as each wire asks it. */
export const REQUESTS: readonly DemoRequest[] = [
  {
    wire: "OpenAI Chat Completions",
    protocol: openAiChat,
    body: {
      model: "demo",
      stream: true,
      messages: [{ role: "user", content: QUESTION }],
      tools: TOOLS.map((tool) => ({ type: "function", function: tool })),
    },
  },
  {
    wire: "OpenAI Responses",
    protocol: openAiResponses,
    body: { model: "demo", stream: true, input: QUESTION, tools: TOOLS.map((tool) => ({ type: "function", ...tool })) },
  },
  {
    wire: "Anthropic Messages",
    protocol: anthropic,
    body: {
      model: "demo",
      stream: true,
      max_tokens: 1_000,
      messages: [{ role: "user", content: QUESTION }],
      tools: TOOLS.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
    },
  },
  {
    wire: "Gemini",
    protocol: gemini,
    body: {
      contents: [{ role: "user", parts: [{ text: QUESTION }] }],
      tools: [
        {
          functionDeclarations: TOOLS.map(({ parameters, ...tool }) => ({ ...tool, parametersJsonSchema: parameters })),
        },
      ],
    },
    target: { model: "demo", method: "streamGenerateContent", query: new URLSearchParams("alt=sse") },
  },
];
