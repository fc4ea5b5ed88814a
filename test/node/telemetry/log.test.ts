import { describe, expect, test, vi } from "vitest";
import type { GatewayError } from "../../../src/errors.ts";
import { logDropped, logFailure } from "../../../src/telemetry/log.ts";

/** The line that a failure leaves in the log. */
function logged(error: GatewayError, status = 502): Record<string, unknown> {
  const spy = vi.spyOn(console, "log").mockImplementation(() => {});
  logFailure({ requestId: "req_1", route: "/v1/chat/completions", status, error }, ["upstream-secret"]);
  expect(spy).toHaveBeenCalledTimes(1);
  const line = String(spy.mock.calls[0]?.[0]);
  spy.mockRestore();
  return JSON.parse(line);
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
  ["no code", "status 429 · rate_limit_exceeded · slow", "status 429 · rate_limit_exceeded · slow"],
  ["a key with an underscore", "key gsk_abcdefghijklmnop is wrong", "key [redacted] is wrong"],
  ["what is shown of a key", "key sk-ab*********wxyz is wrong", "key [redacted] is wrong"],
  ["a bearer token", "header Bearer abc.def", "header [redacted]"],
  ["a long token", `got ${"a1".repeat(16)}.`, "got [redacted]."],
  ["credentials in an address", "https://user:pass@host/v1 refused", "https://[redacted]@host/v1 refused"],
])("%s is dealt with", (_what, detail, expected) => {
  expect(logged({ kind: "upstream-failed", detail }).detail).toBe(expected);
});

describe("what is quoted from a body or an answer is left out", () => {
  test.each([
    [
      `SyntaxError: Unexpected token 'h', "hello prompt" is not\n    at`,
      `SyntaxError: Unexpected token "…", "…" is not\n    at`,
    ],
    ["{'type': 'missing', 'input': 'my prompt'}", '{"…": "…", "…": "…"}'],
    [`'input': "I don't know my 'secret'", 'ctx': 1`, '"…": "…", "…": 1'],
    [String.raw`'input': 'He don\'t "know"' here`, '"…": "…" here'],
    ["'input': 'It is the user's prompt', more", '"…": "…", more'],
    [String.raw`{"input":"say \"hi\" to"} end`, '{"…":"…"} end'],
    ["bytes b'my prompt' end", 'bytes "…" end'],
    ["over\ntwo 'lines\nof prompt' end", 'over\ntwo "…" end'],
    ["cut off: 'my promp", 'cut off: "…"'],
    ['cut off: "my promp\\', 'cut off: "…"'],
    ["the model's limit isn't 5", "the model's limit isn't 5"],
  ])("%s", (detail, expected) => {
    expect(logged({ kind: "internal", detail }).detail).toBe(expected);
    expect(logged({ kind: "upstream-rejected", detail }).detail).toBe(expected);
  });
});

test("a key is redacted before a detail is cut, wherever the cut would fall", () => {
  for (let before = 360; before < 420; before += 1) {
    const { detail } = logged({ kind: "upstream-failed", detail: `${"+".repeat(before)}upstream-secret` });
    expect(detail).not.toContain("upst");
  }
});

test("C31: a hostile detail costs no more than its length", () => {
  for (const piece of ["'", '"', "\\", '\\"', "'a", "bearer ", "a-", "//"]) {
    for (const open of ["", '"', "'"]) {
      const detail = `${open}${piece.repeat(200_000)}\\`;
      expect(String(logged({ kind: "upstream-failed", detail }).detail).length).toBeLessThanOrEqual(400);
    }
  }
});

test("a detail has an end", () => {
  const detail = "a ".repeat(5_000);
  expect(String(logged({ kind: "internal", detail }).detail)).toHaveLength(2_000);
  expect(String(logged({ kind: "upstream-failed", detail }).detail)).toHaveLength(400);
});

test("fields that an upstream has refused are one line of JSON", () => {
  const spy = vi.spyOn(console, "log").mockImplementation(() => {});
  logDropped({ requestId: "req_1", route: "/v1/messages", fields: ["top_k"] });
  const line = JSON.parse(String(spy.mock.calls[0]?.[0]));
  spy.mockRestore();
  expect(line).toEqual({
    level: "warn",
    event: "fields_dropped",
    request_id: "req_1",
    route: "/v1/messages",
    fields: ["top_k"],
  });
});
