import { aiSdk } from "./clients/ai-sdk.ts";
import { anthropicMessages } from "./clients/anthropic.ts";
import { geminiContent } from "./clients/gemini.ts";
import { openAiChat } from "./clients/openai-chat.ts";
import { openAiResponses } from "./clients/openai-responses.ts";
import type { Client } from "./question.ts";

/** The libraries that programs talk to these wires with. */
export const CLIENTS: readonly Client[] = [openAiChat, openAiResponses, anthropicMessages, geminiContent, ...aiSdk];
