import { renderModel, renderModels } from "../openai/models.ts";
import type { Protocol } from "../protocol.ts";
import { renderError } from "./errors.ts";
import { createRenderer } from "./reply.ts";
import { readRequest } from "./request.ts";

/** OpenAI Chat Completions. */
export const openAiChat: Protocol = {
  name: "openai-chat",
  callIdPrefix: "call_",
  readRequest(body) {
    const { conversation, warnings, includeUsage } = readRequest(body);
    return {
      conversation,
      warnings,
      createRenderer: (context) => createRenderer(conversation, { includeUsage }, context),
    };
  },
  renderError,
  renderModels,
  renderModel,
};
