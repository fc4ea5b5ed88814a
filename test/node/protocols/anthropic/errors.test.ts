import { describe, expect, test } from "vitest";
import type { ContextOverflow, GatewayError } from "../../../../src/errors.ts";
import { anthropic } from "../../../../src/protocols/anthropic/protocol.ts";

const render = (error: GatewayError) => anthropic.renderError(error, { requestId: "req_1" });
const message = "for the client";
const detail = "for the log";
const LASTING = { "x-should-retry": "false" };

/** Status, type, headers. */
type Row = [GatewayError, number, string, Record<string, string>?];

const ROWS: Row[] = [
  [{ kind: "invalid-request", message, param: "messages[0]" }, 400, "invalid_request_error"],
  [{ kind: "unsupported", what: "parameter", message, param: "mcp_servers" }, 400, "invalid_request_error"],
  [{ kind: "unsupported", what: "value", message, param: "tools" }, 400, "invalid_request_error"],
  [{ kind: "unauthorized", message }, 401, "authentication_error", { ...LASTING, "www-authenticate": "Bearer" }],
  [{ kind: "unknown-path", message }, 404, "not_found_error"],
  [{ kind: "unknown-model", model: "m" }, 404, "not_found_error"],
  [{ kind: "wrong-method", message, allow: "POST" }, 405, "not_found_error", { allow: "POST" }],
  [{ kind: "too-large", message }, 413, "request_too_large"],
  [{ kind: "unsupported-encoding", message }, 415, "invalid_request_error"],
  [{ kind: "revision-required", message }, 428, "invalid_request_error"],
  [{ kind: "revision-conflict", message, current: 3 }, 412, "invalid_request_error", { etag: '"3"' }],
  [{ kind: "taken", message }, 409, "invalid_request_error", LASTING],
  [{ kind: "not-configured", message }, 503, "api_error", LASTING],
  [{ kind: "config-invalid", message }, 503, "api_error", LASTING],
  [{ kind: "context-length", limit: 8 }, 400, "invalid_request_error"],
  [{ kind: "unknown-response", message }, 404, "not_found_error"],
  [{ kind: "conversation-not-stored", message, param: "thread" }, 400, "invalid_request_error"],
  [{ kind: "rate-limited", detail }, 429, "rate_limit_error"],
  [{ kind: "rate-limited", retryAfter: 1.2, detail }, 429, "rate_limit_error", { "retry-after": "2" }],
  [{ kind: "quota-exhausted", detail }, 429, "rate_limit_error", LASTING],
  [{ kind: "over-budget", message, retryAfter: 9 }, 429, "rate_limit_error", { ...LASTING, "retry-after": "9" }],
  [{ kind: "upstream-rejected", detail }, 400, "invalid_request_error"],
  [{ kind: "upstream-failed", detail }, 502, "api_error"],
  [{ kind: "upstream-failed", lasting: true, detail }, 502, "api_error", LASTING],
  [{ kind: "upstream-overloaded", detail }, 529, "overloaded_error"],
  [{ kind: "upstream-overloaded", retryAfter: 3, detail }, 529, "overloaded_error", { "retry-after": "3" }],
  [{ kind: "upstream-timeout", detail }, 504, "timeout_error"],
  [{ kind: "loop-detected", message }, 508, "api_error", LASTING],
  [{ kind: "internal", detail }, 500, "api_error"],
];

describe("every failure has its status and Anthropic's shape", () => {
  test.each(ROWS)("%j", (error, status, type, headers = {}) => {
    const told = { type, message: expect.stringMatching(/./) };
    const { body, ...answer } = render(error);
    expect(answer).toEqual({ status, headers });
    expect(body).toMatchObject({ type: "error", error: told, request_id: "req_1" });
  });

  test("a thread is refused in the words that make the SDK send the whole conversation", () => {
    expect(render({ kind: "conversation-not-stored", message, param: "thread" }).body).toEqual({
      type: "error",
      error: {
        type: "invalid_request_error",
        message,
        details: { error_code: "thread_unsupported_request", unsupported: ["thread"] },
      },
      request_id: "req_1",
    });
  });

  test.each(ROWS.filter(([error]) => "message" in error))("%j says what it was told to say", (error) => {
    expect(render(error).body).toMatchObject({ error: { message } });
  });

  test.each(ROWS.filter(([error]) => "detail" in error))("%j keeps its detail to itself", (error) => {
    expect(JSON.stringify(render(error))).not.toContain(detail);
  });
});

describe("a conversation that does not fit is told in the words that Claude Code acts on", () => {
  test.each<[ContextOverflow, string]>([
    [{}, "prompt is too long"],
    [{ limit: 100 }, "prompt is too long"],
    [{ used: 120 }, "prompt is too long"],
    [{ limit: 100, used: 120 }, "prompt is too long: 120 tokens > 100 maximum"],
    [
      { limit: 100, used: 90, output: 20 },
      "input length and `max_tokens` exceed context limit: 90 + 20 > 100: the prompt is too long",
    ],
    // No answer is so short that it would help.
    [{ limit: 100, used: 120, output: 20 }, "prompt is too long: 120 tokens > 100 maximum"],
  ])("%j", (numbers, message) => {
    expect(render({ kind: "context-length", ...numbers }).body).toMatchObject({ error: { message } });
  });
});
