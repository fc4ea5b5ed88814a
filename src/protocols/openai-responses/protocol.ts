import { renderModel, renderModels } from "../openai/models.ts";
import type { Protocol } from "../protocol.ts";
import { renderError } from "./errors.ts";
import { createRenderer } from "./reply.ts";
import { readRequest, readTokenCountRequest } from "./request.ts";

/** OpenAI Responses. */
export const openAiResponses: Protocol = {
  name: "openai-responses",
  callIdPrefix: "call_",
  readRequest(body) {
    const { conversation, warnings, names, echo } = readRequest(body);
    return {
      conversation,
      warnings,
      createRenderer: (context) => createRenderer(conversation, { names, echo }, context),
    };
  },
  tokenCount: {
    readRequest: readTokenCountRequest,
    render: (tokens) => ({ object: "response.input_tokens", input_tokens: tokens }),
  },
  renderError,
  renderModels,
  renderModel,
};
