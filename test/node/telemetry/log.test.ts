import { afterEach, expect, test, vi } from "vitest";
import type { GatewayError } from "../../../src/errors.ts";
import { logFailure } from "../../../src/telemetry/log.ts";

afterEach(() => vi.restoreAllMocks());

/** The line that a failure leaves in the log. */
function logged(error: GatewayError, status = 502): Record<string, unknown> {
  const spy = vi.spyOn(console, "log").mockImplementation(() => {});
  logFailure({ requestId: "req_1", route: "/v1/chat/completions", status, error }, ["upstream-secret"]);
  expect(spy).toHaveBeenCalledTimes(1);
  return JSON.parse(String(spy.mock.calls[0]?.[0]));
}

test("a failure is one line of JSON", () => {
  expect(logged({ kind: "upstream-failed", detail: "status 500" })).toEqual({
    level: "error",
    event: "request_failed",
    request_id: "req_1",
    route: "/v1/chat/completions",
    status: 502,
    kind: "upstream-failed",
    detail: "status 500",
  });
});

test.each([
  [502, "error"],
  [200, "error"],
  [429, "warn"],
])("status %i is of level %s", (status, level) => {
  expect(logged({ kind: "rate-limited" }, status).level).toBe(level);
});

test.each([
  ["the upstream's key", "no such key: upstream-secret", "no such key: [redacted]"],
  ["what looks like a key", "key sk-abcdefghijklmnop is wrong", "key [redacted] is wrong"],
  ["a bearer token", "header Bearer abc.def", "header [redacted]"],
  ["a long token", `got ${"a1".repeat(16)}.`, "got [redacted]."],
  ["credentials in an address", "https://user:pass@host/v1 refused", "https://[redacted]@host/v1 refused"],
])("%s is redacted", (_what, detail, expected) => {
  expect(logged({ kind: "upstream-failed", detail }).detail).toBe(expected);
});

test("what a fault quotes from a body is left out", () => {
  const fault = `SyntaxError: Unexpected token 'h', "hello prompt" is not valid JSON\n    at parse (index.js:1:2)`;
  expect(logged({ kind: "internal", detail: fault }, 500).detail).toBe(
    `SyntaxError: Unexpected token 'h', "…" is not valid JSON\n    at parse (index.js:1:2)`,
  );
});

test("a detail has an end", () => {
  expect(String(logged({ kind: "internal", detail: "a ".repeat(5_000) }).detail)).toHaveLength(2_000);
});
