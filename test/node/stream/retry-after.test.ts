import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { retryAfterSeconds } from "../../../src/stream/retry-after.ts";

beforeEach(() => void vi.useFakeTimers({ now: new Date("2026-01-01T00:00:00Z") }));
afterEach(() => void vi.useRealTimers());

test.each<[Record<string, string>, number | undefined]>([
  [{}, undefined],
  [{ "retry-after": "7" }, 7],
  [{ "retry-after": "0.5" }, 0.5],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:20 GMT" }, 20],
  [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
  [{ "retry-after-ms": "1500" }, 1.5],
  [{ "retry-after-ms": "1500", "retry-after": "9" }, 1.5],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "" }, undefined],
])("%j is %s seconds", (headers, seconds) => {
  expect(retryAfterSeconds(new Headers(headers))).toBe(seconds);
});
