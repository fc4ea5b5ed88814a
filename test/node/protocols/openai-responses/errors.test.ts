import { describe, expect, test } from "vitest";
import type { GatewayError } from "../../../../src/errors.ts";
import { openAiResponses } from "../../../../src/protocols/openai-responses/protocol.ts";

const render = (error: GatewayError) => openAiResponses.renderError(error, { requestId: "req_1" });
const message = "for the client";

/** The rest is Chat's, whose tests hold the whole table. */
describe("errors have OpenAI's shape, and the names of this wire's fields", () => {
  test.each<[GatewayError, number, object]>([
    [
      { kind: "context-length", limit: 8, used: 9 },
      400,
      { type: "invalid_request_error", code: "context_length_exceeded", param: "input" },
    ],
    [
      { kind: "conversation-not-stored", message, param: "conversation" },
      400,
      { type: "invalid_request_error", code: "previous_response_not_found", param: "conversation", message },
    ],
    [
      { kind: "unknown-response", message },
      404,
      { type: "invalid_request_error", code: "not_found", param: null, message },
    ],
    [{ kind: "upstream-failed" }, 502, { type: "server_error", code: "upstream_error", param: null }],
    [{ kind: "rate-limited" }, 429, { message: expect.stringContaining("try again later.") }],
    [{ kind: "rate-limited", retryAfter: 2.2 }, 429, { message: expect.stringContaining("try again in 3s.") }],
  ])("%j", (error, status, body) => {
    expect(render(error)).toMatchObject({ status, body: { error: body } });
  });
});
