import type { Protocol } from "../protocol.ts";
import { renderError } from "./errors.ts";
import { renderModel, renderModels } from "./models.ts";
import { createRenderer } from "./reply.ts";
import { readCount, readRequest } from "./request.ts";

/** Anthropic Messages. */
export const anthropic: Protocol = {
  name: "anthropic",
  callIdPrefix: "toolu_",
  requestIdHeader: "request-id",
  readRequest(body) {
    const { conversation, warnings } = readRequest(body);
    return { conversation, warnings, createRenderer: (context) => createRenderer(conversation, context) };
  },
  tokenCount: { readRequest: readCount, render: (tokens) => ({ input_tokens: tokens }) },
  renderError,
  renderModels,
  renderModel,
};
