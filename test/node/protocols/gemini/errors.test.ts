import { describe, expect, test } from "vitest";
import type { GatewayError } from "../../../../src/errors.ts";
import { gemini } from "../../../../src/protocols/gemini/protocol.ts";

const render = (error: GatewayError) => gemini.renderError(error, { requestId: "req_1" });
const message = "for the client";
const detail = "for the log";

const violation = (field: string) => [
  { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [{ field, description: message }] },
];
const retry = (retryDelay: string) => [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay }];

/** HTTP status, Google's name, headers, details. */
type Row = [GatewayError, number, string, Record<string, string>?, object[]?];

const LASTING = { "x-should-retry": "false" };

const ROWS: Row[] = [
  [{ kind: "invalid-request", message }, 400, "INVALID_ARGUMENT"],
  [{ kind: "invalid-request", message, param: "contents[0]" }, 400, "INVALID_ARGUMENT", {}, violation("contents[0]")],
  [
    { kind: "unsupported", what: "value", message, param: "cachedContent" },
    400,
    "INVALID_ARGUMENT",
    {},
    violation("cachedContent"),
  ],
  [{ kind: "unauthorized", message }, 401, "UNAUTHENTICATED", { ...LASTING, "www-authenticate": "Bearer" }],
  [{ kind: "unknown-path", message }, 404, "NOT_FOUND"],
  [{ kind: "unknown-model", model: "m" }, 404, "NOT_FOUND"],
  [{ kind: "wrong-method", message, allow: "POST" }, 405, "NOT_FOUND", { allow: "POST" }],
  [{ kind: "too-large", message }, 413, "INVALID_ARGUMENT"],
  [{ kind: "unsupported-encoding", message }, 415, "INVALID_ARGUMENT"],
  [{ kind: "revision-required", message }, 428, "FAILED_PRECONDITION"],
  [{ kind: "revision-conflict", message, current: 3 }, 412, "FAILED_PRECONDITION", { etag: '"3"' }],
  [{ kind: "taken", message }, 409, "ALREADY_EXISTS", LASTING],
  [{ kind: "not-configured", message }, 503, "UNAVAILABLE", LASTING],
  [{ kind: "config-invalid", message }, 503, "UNAVAILABLE", LASTING],
  [{ kind: "context-length" }, 400, "INVALID_ARGUMENT"],
  [{ kind: "unknown-response", message }, 404, "NOT_FOUND"],
  [{ kind: "conversation-not-stored", message, param: "x" }, 400, "INVALID_ARGUMENT", {}, violation("x")],
  [{ kind: "rate-limited", detail }, 429, "RESOURCE_EXHAUSTED"],
  [{ kind: "rate-limited", retryAfter: 1.2 }, 429, "RESOURCE_EXHAUSTED", { "retry-after": "2" }, retry("2s")],
  [{ kind: "quota-exhausted", detail }, 429, "RESOURCE_EXHAUSTED", LASTING],
  [
    { kind: "over-budget", message, retryAfter: 9 },
    429,
    "RESOURCE_EXHAUSTED",
    { ...LASTING, "retry-after": "9" },
    retry("9s"),
  ],
  [{ kind: "upstream-rejected", detail }, 400, "INVALID_ARGUMENT"],
  [{ kind: "upstream-failed", detail }, 502, "UNAVAILABLE"],
  [{ kind: "upstream-failed", lasting: true, detail }, 502, "UNAVAILABLE", LASTING],
  [{ kind: "upstream-overloaded", retryAfter: 3, detail }, 503, "UNAVAILABLE", { "retry-after": "3" }, retry("3s")],
  [{ kind: "upstream-timeout", detail }, 504, "DEADLINE_EXCEEDED"],
  [{ kind: "loop-detected", message }, 508, "INTERNAL", LASTING],
  [{ kind: "internal", detail }, 500, "INTERNAL"],
];

describe("every failure has its status and Google's shape", () => {
  test.each(ROWS)("%j", (error, code, status, headers = {}, details?) => {
    const body = { error: { code, message: expect.stringMatching(/./), status, ...(details && { details }) } };
    expect(render(error)).toEqual({ status: code, body, headers });
  });

  test.each(ROWS.filter(([error]) => "message" in error))("%j says what it was told to say", (error) => {
    expect(render(error).body).toMatchObject({ error: { message } });
  });

  test.each(ROWS.filter(([error]) => "detail" in error))("%j keeps its detail to itself", (error) => {
    expect(JSON.stringify(render(error))).not.toContain(detail);
  });
});

describe("a conversation that does not fit is told in words that agents look for", () => {
  test.each([
    [{}, "The input token count exceeds the maximum number of tokens allowed. The prompt is too long."],
    [
      { limit: 8192 },
      "The input token count exceeds the maximum number of tokens allowed (8192). The prompt is too long.",
    ],
    [
      { limit: 8192, used: 9000 },
      "The input token count (9000) exceeds the maximum number of tokens allowed (8192). The prompt is too long.",
    ],
    [
      { limit: 8192, used: 5000, output: 4000 },
      "The input token count (9000) exceeds the maximum number of tokens allowed (8192). " +
        "The prompt is too long: 4000 of them are asked for as output.",
    ],
  ])("%j", (numbers, message) => {
    expect(render({ kind: "context-length", ...numbers }).body).toMatchObject({ error: { code: 400, message } });
  });
});
