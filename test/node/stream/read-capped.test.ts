import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readCapped } from "../../../src/stream/read-capped.ts";
import { fakeBody } from "./fake-body.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CAPS = { bytes: 10, ms: 1_000 };

test("a short body is read whole", async () => {
  const { body, send, end } = fakeBody();
  send("ab");
  send("c");
  end();
  expect(await readCapped(body, CAPS)).toBe("abc");
});

test("without a time no timer is set", async () => {
  const upstream = fakeBody();
  const text = readCapped(upstream.body, { bytes: 10 });
  expect(vi.getTimerCount()).toBe(0);
  upstream.break();
  expect(await text).toBe("");
});

test("no body is an empty text", async () => {
  expect(await readCapped(null, CAPS)).toBe("");
});

test("C21: reading stops at the cap and cancels the rest", async () => {
  const upstream = fakeBody();
  for (let i = 0; i < 10; i += 1) upstream.send("xxxx");
  expect(await readCapped(upstream.body, CAPS)).toBe("x".repeat(12));
  expect(upstream.cancelled()).toBe(true);
});

test("C25: reading stops when the time is over, with what is there", async () => {
  const upstream = fakeBody();
  upstream.send("ab");
  const text = readCapped(upstream.body, CAPS);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await text).toBe("ab");
  expect(upstream.cancelled()).toBe(true);
});

test("a connection that breaks leaves what came before", async () => {
  const upstream = fakeBody();
  const text = readCapped(upstream.body, CAPS);
  upstream.send("ab");
  await vi.advanceTimersByTimeAsync(0);
  upstream.break();
  expect(await text).toBe("ab");
});
