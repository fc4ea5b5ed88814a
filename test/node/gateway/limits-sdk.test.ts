import Anthropic from "@anthropic-ai/sdk";
import { ApiError, GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createOccupancy } from "../../../src/occupancy.ts";
import { platform, server, stubUpstreams, unstubUpstreams } from "./platform.ts";

/** What the official SDKs make of limits of our own: errors of the right class, and repeated only where that helps. */

type Given = Parameters<typeof platform>;

/** Asks through each SDK; `asked` is how many requests each of them has made. */
async function clients(limits: object, parts: Given[1] = {}) {
  const { store, send } = platform({}, parts);
  const { key } = await store.tenant("acme", { ...server("acme"), limits });
  let asked = 0;
  const fetch: typeof globalThis.fetch = (input, init) => {
    asked += 1;
    return send(String(input instanceof Request ? input.url : input), init);
  };
  const options = { apiKey: key, fetch, maxRetries: 2 };
  const openai = new OpenAI({ ...options, baseURL: "http://localhost/v1" });
  const anthropic = new Anthropic({ ...options, baseURL: "http://localhost" });
  const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: "http://localhost" } });
  const ask = {
    chat: () => openai.chat.completions.create({ model: "m", messages: [{ role: "user", content: "?" }] }),
    responses: () => openai.responses.create({ model: "m", input: "?" }),
    messages: () =>
      anthropic.messages.create({ model: "m", max_tokens: 9, messages: [{ role: "user", content: "?" }] }),
    async gemini() {
      // It takes no fetch of its own.
      vi.stubGlobal("fetch", fetch);
      return google.models.generateContent({ model: "m", contents: "?" });
    },
  };
  return { ask, asked: () => asked };
}

const CLASSES = {
  chat: [OpenAI.RateLimitError, OpenAI.InternalServerError],
  responses: [OpenAI.RateLimitError, OpenAI.InternalServerError],
  messages: [Anthropic.RateLimitError, Anthropic.InternalServerError],
  gemini: [ApiError, ApiError],
} as const;

beforeEach(() => void stubUpstreams());
afterEach(unstubUpstreams);

describe.each(Object.keys(CLASSES) as (keyof typeof CLASSES)[])("%s", (wire) => {
  const [limited, busy] = CLASSES[wire];

  test("C18: a budget that is used up is a rate limit's error, and not asked again", async () => {
    const { ask, asked } = await clients({ tokens_per_day: 1 });
    const error = await ask[wire]().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(limited);
    expect(error).toMatchObject({ status: 429, message: expect.stringContaining("1 tokens a day of this tenant") });
    expect(asked()).toBe(1);
  });

  test("C23: an isolate without room is asked again after a second, as it says", async () => {
    const occupancy = createOccupancy();
    const leave = occupancy.enter("", undefined, new AbortController().signal).hold();
    const { ask, asked } = await clients({ concurrent_requests: 1 }, { occupancy });
    const other = occupancy.enter("acme", undefined, new AbortController().signal).hold();
    setTimeout(other, 500);
    const answered = ask[wire]().catch((thrown: unknown) => thrown);
    // Google's repeats nothing by itself.
    if (wire === "gemini") expect(await answered).toMatchObject({ status: 429 });
    else {
      expect(await answered).toMatchObject({ id: expect.any(String) });
      expect(asked()).toBe(2);
    }
    leave();
  });

  test("C23: a full isolate is a server's error", async () => {
    const occupancy = createOccupancy();
    const lease = occupancy.enter("", undefined, new AbortController().signal);
    const leave = lease.hold();
    lease.add(48_000_001);
    const { ask } = await clients({}, { occupancy });
    expect(await ask[wire]().catch((thrown: unknown) => thrown)).toBeInstanceOf(busy);
    leave();
  });
});
