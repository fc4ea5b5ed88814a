import type { Protocol } from "../protocol.ts";
import { renderError } from "./errors.ts";
import { renderModel, renderModels } from "./models.ts";
import { createRenderer } from "./reply.ts";
import { readRequest, readTokenCount } from "./request.ts";

/** Gemini's generateContent. */
export const gemini: Protocol = {
  name: "gemini",
  callIdPrefix: "call_",
  keyParameter: "key",
  readRequest(body, target) {
    const { conversation, warnings, sse } = readRequest(body, target);
    return {
      conversation,
      warnings,
      createRenderer: (context) => createRenderer(conversation, { sse }, context),
    };
  },
  tokenCount: {
    readRequest: readTokenCount,
    render: (totalTokens) => ({ totalTokens }),
  },
  renderError,
  renderModels,
  renderModel,
};
