import { describe, expect, test } from "vitest";
import type { GatewayError } from "../../../../src/errors.ts";
import { openAiChat } from "../../../../src/protocols/openai-chat/protocol.ts";

const render = (error: GatewayError) => openAiChat.renderError(error, { requestId: "req_1" });
const message = "for the client";
const detail = "for the log";

/** Status, type, code, param, headers. */
type Row = [GatewayError, number, string, string | null, string | null, Record<string, string>?];

const ROWS: Row[] = [
  [{ kind: "invalid-request", message }, 400, "invalid_request_error", null, null],
  [{ kind: "invalid-request", message, param: "messages[0]" }, 400, "invalid_request_error", null, "messages[0]"],
  [
    { kind: "unsupported", what: "parameter", message, param: "audio" },
    400,
    "invalid_request_error",
    "unsupported_parameter",
    "audio",
  ],
  [{ kind: "unsupported", what: "value", message, param: "n" }, 400, "invalid_request_error", "unsupported_value", "n"],
  [
    { kind: "unauthorized", message },
    401,
    "invalid_request_error",
    "invalid_api_key",
    null,
    { "www-authenticate": "Bearer", "x-should-retry": "false" },
  ],
  [{ kind: "unknown-path", message }, 404, "invalid_request_error", null, null],
  [{ kind: "unknown-model", model: "m" }, 404, "invalid_request_error", "model_not_found", "model"],
  [{ kind: "wrong-method", message, allow: "GET" }, 405, "invalid_request_error", null, null, { allow: "GET" }],
  [{ kind: "too-large", message }, 413, "invalid_request_error", null, null],
  [{ kind: "unsupported-encoding", message }, 415, "invalid_request_error", null, null],
  [{ kind: "revision-required", message }, 428, "invalid_request_error", "revision_required", null],
  [
    { kind: "revision-conflict", message, current: 3 },
    412,
    "invalid_request_error",
    "revision_conflict",
    null,
    { etag: '"3"' },
  ],
  [{ kind: "revision-conflict", message, current: 0 }, 412, "invalid_request_error", "revision_conflict", null],
  [{ kind: "taken", message }, 409, "invalid_request_error", "already_taken", null, { "x-should-retry": "false" }],
  [{ kind: "not-configured", message }, 503, "server_error", "not_configured", null, { "x-should-retry": "false" }],
  [{ kind: "config-invalid", message }, 503, "server_error", "config_invalid", null, { "x-should-retry": "false" }],
  [{ kind: "context-length", limit: 8 }, 400, "invalid_request_error", "context_length_exceeded", "messages"],
  [{ kind: "unknown-response", message }, 404, "invalid_request_error", "not_found", null],
  [
    { kind: "conversation-not-stored", message, param: "previous_response_id" },
    400,
    "invalid_request_error",
    "previous_response_not_found",
    "previous_response_id",
  ],
  [{ kind: "rate-limited", detail }, 429, "rate_limit_error", "rate_limit_exceeded", null],
  [
    { kind: "rate-limited", retryAfter: 1.2, detail },
    429,
    "rate_limit_error",
    "rate_limit_exceeded",
    null,
    { "retry-after": "2" },
  ],
  [
    { kind: "quota-exhausted", detail },
    429,
    "insufficient_quota",
    "insufficient_quota",
    null,
    { "x-should-retry": "false" },
  ],
  [
    { kind: "over-budget", message, retryAfter: 9 },
    429,
    "insufficient_quota",
    "insufficient_quota",
    null,
    { "x-should-retry": "false", "retry-after": "9" },
  ],
  [{ kind: "upstream-rejected", detail }, 400, "invalid_request_error", "upstream_rejected", null],
  [{ kind: "upstream-failed", detail }, 502, "server_error", "upstream_error", null],
  [
    { kind: "upstream-failed", lasting: true, detail },
    502,
    "server_error",
    "upstream_error",
    null,
    { "x-should-retry": "false" },
  ],
  [{ kind: "upstream-overloaded", detail }, 503, "server_error", "overloaded", null],
  [
    { kind: "upstream-overloaded", retryAfter: 3, detail },
    503,
    "server_error",
    "overloaded",
    null,
    { "retry-after": "3" },
  ],
  [{ kind: "upstream-timeout", detail }, 504, "server_error", "upstream_timeout", null],
  [{ kind: "loop-detected", message }, 508, "server_error", "loop_detected", null, { "x-should-retry": "false" }],
  [{ kind: "internal", detail }, 500, "server_error", null, null],
];

describe("every failure has its status and OpenAI's shape", () => {
  test.each(ROWS)("%j", (error, status, type, code, param, headers = {}) => {
    const body = { error: { message: expect.stringMatching(/./), type, param, code } };
    expect(render(error)).toEqual({ status, body, headers });
  });

  test.each(ROWS.filter(([error]) => "message" in error))("%j says what it was told to say", (error) => {
    expect(render(error).body).toMatchObject({ error: { message } });
  });

  test.each(ROWS.filter(([error]) => "detail" in error))("%j keeps its detail to itself", (error) => {
    expect(JSON.stringify(render(error))).not.toContain(detail);
  });
});
