import { describe, expect, test } from "vitest";
import { readRefusal } from "../../../src/upstreams/refusal.ts";

const OWN = { model: "m", clientNamed: true };
const MAPPED = { model: "m", clientNamed: false };

const refuse = (status: number, body: unknown = "", headers: Record<string, string> = {}, model = OWN) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return readRefusal(new Response(text, { status, headers }), model).then(({ error }) => error);
};
const error = (fields: object) => ({ error: fields });

describe("statuses", () => {
  test.each<[number, unknown, string]>([
    [302, "", "upstream-failed"],
    [400, error({ message: "no" }), "upstream-rejected"],
    [401, error({ message: "bad key", code: "invalid_api_key" }), "upstream-failed"],
    [402, error({ message: "pay" }), "quota-exhausted"],
    [403, "", "upstream-failed"],
    [404, "", "unknown-model"],
    [400, error({ code: "model_not_found" }), "unknown-model"],
    [405, "", "upstream-failed"],
    [413, "", "upstream-rejected"],
    [422, { detail: [{ loc: ["body"] }] }, "upstream-rejected"],
    [429, "", "rate-limited"],
    [429, error({ code: "insufficient_quota" }), "quota-exhausted"],
    [429, error({ type: "insufficient_quota" }), "quota-exhausted"],
    [500, "<html>", "upstream-failed"],
    [502, "", "upstream-failed"],
    [503, "", "upstream-overloaded"],
    [504, "", "upstream-failed"],
    [529, "", "upstream-overloaded"],
  ])("%i with %j is %s", async (status, body, kind) => {
    expect((await refuse(status, body)).kind).toBe(kind);
  });

  test.each([404, 400])("a model that the gateway had named is no fault of the client's: %i", async (status) => {
    expect((await refuse(status, error({ code: "model_not_found" }), {}, MAPPED)).kind).toBe("upstream-failed");
  });

  test("the model that is not there is named", async () => {
    expect(await refuse(404)).toEqual({ kind: "unknown-model", model: "m", detail: expect.any(String) });
  });

  test.each([
    ["2", 2],
    ["0.2", 1],
    ["999999", 3600],
  ])("retry-after %s goes on as %i", async (given, seconds) => {
    expect(await refuse(429, "", { "retry-after": given })).toMatchObject({ retryAfter: seconds });
    expect(await refuse(503, "", { "retry-after": given })).toMatchObject({ retryAfter: seconds });
  });

  test("without a retry-after there is none", async () => {
    expect(await refuse(429)).not.toHaveProperty("retryAfter");
  });

  test("the upstream's words stay in the detail, whole: a cut could leave half a key", async () => {
    const message = "x".repeat(5_000);
    expect(await refuse(500, error({ message, code: "c" }))).toMatchObject({ detail: `status 500 · c · ${message}` });
  });

  test.each<[number, object, typeof OWN, boolean]>([
    [401, {}, OWN, true],
    [403, {}, OWN, true],
    [302, {}, OWN, true],
    [404, {}, MAPPED, true],
    [400, { code: "model_not_found" }, MAPPED, true],
    [405, {}, OWN, true],
    [410, {}, OWN, true],
    [408, {}, OWN, false],
    [425, {}, OWN, false],
    [500, {}, OWN, false],
    [502, {}, OWN, false],
    [504, {}, OWN, false],
  ])("%i with %j lasts until the operator acts: %#", async (status, fields, model, lasting) => {
    const failed = await refuse(status, error(fields), {}, model);
    expect([failed.kind, "lasting" in failed]).toEqual(["upstream-failed", lasting]);
  });

  test.each([
    { name: "a message beside the error", body: { error: "short", message: "long" }, words: "long" },
    { name: "an error that is a text", body: { error: "short" }, words: "short" },
    { name: "no error object", body: { object: "error", message: "flat" }, words: "flat" },
    { name: "a detail", body: { detail: "why" }, words: "why" },
    { name: "a list", body: [{ error: { message: "listed" } }], words: "listed" },
  ])("words are found in $name", async ({ body, words }) => {
    expect(await refuse(500, body)).toMatchObject({ detail: `status 500 · ${words}` });
  });

  test.each<[number, object, string]>([
    [400, { internalCode: 5007, message: "AiError: No such model" }, "unknown-model"],
    [400, { success: false, errors: [{ code: 5007, message: "No such model" }] }, "unknown-model"],
    [400, { message: "5007: No such model" }, "unknown-model"],
    [400, { internalCode: 5006 }, "upstream-rejected"],
    [429, { internalCode: 4006 }, "quota-exhausted"],
    [429, { errors: [{ code: "3036" }] }, "quota-exhausted"],
    [429, { internalCode: 3040 }, "upstream-overloaded"],
    [429, { internalCode: 1 }, "rate-limited"],
    // Another maker's code, and a number in somebody's words.
    [400, { code: 5007 }, "upstream-rejected"],
    [400, { message: "at most 5007: no such" }, "upstream-rejected"],
  ])("%i with %j of Workers AI is %s", async (status, body, kind) => {
    expect((await refuse(status, body)).kind).toBe(kind);
  });

  test("a huge body is not read to its end", async () => {
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls += 1;
        controller.enqueue(new Uint8Array(16_384));
      },
    });
    await readRefusal(new Response(body, { status: 500 }), OWN);
    expect(pulls).toBeLessThan(10);
  });
});

describe("a conversation that does not fit", () => {
  const total = { limit: 4096, used: 5000 };
  const parts = { limit: 4096, used: 4000, output: 1000 };
  const limit = { limit: 4096 };

  test.each<[string, object, object]>([
    [
      "OpenAI, vLLM",
      {
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).",
      },
      parts,
    ],
    [
      "vLLM, output",
      {
        message:
          "'max_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).",
      },
      { limit: 4096, used: 2104, output: 2000 },
    ],
    [
      "OpenRouter",
      {
        message:
          "This endpoint's maximum context length is 4096 tokens. However, you requested about 5000 tokens (4000 of text input, 1000 in the output).",
      },
      parts,
    ],
    [
      "vLLM, later",
      {
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 3000 output tokens and your prompt contains at least 1097 input tokens, for a total of at least 4097 tokens.",
      },
      { limit: 4096, used: 1097, output: 3000 },
    ],
    [
      "SGLang, Workers AI",
      {
        message:
          "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 5000 tokens: 4000 tokens from the input messages and 1000 tokens for the completion.",
      },
      parts,
    ],
    [
      "OpenRouter, with tools",
      {
        message:
          "This endpoint's maximum context length is 4096 tokens. However, you requested about 5000 tokens (3000 of text input, 1000 of tool input, 1000 in the output).",
      },
      parts,
    ],
    [
      "LM Studio",
      {
        message:
          "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
      },
      total,
    ],
    ["LM Studio, later", { message: "Cannot truncate prompt with n_keep (5000) >= n_ctx (4096)" }, total],
    [
      "vLLM, decoder",
      { message: "The decoder prompt (length 5000) is longer than the maximum model length of 4096." },
      total,
    ],
    [
      "Anthropic, with output",
      { message: "input length and `max_tokens` exceed context limit: 4000 + 1000 > 4096" },
      parts,
    ],
    ["SGLang", { message: "The input (5000 tokens) is longer than the model's context length (4096 tokens)." }, total],
    [
      "llama.cpp",
      {
        code: 400,
        type: "exceed_context_size_error",
        message: "the request exceeds the available context size",
        n_prompt_tokens: 5000,
        n_ctx: 4096,
      },
      total,
    ],
    [
      "llama.cpp, text",
      { message: "the request exceeds the available context size (4096 tokens), try increasing it" },
      limit,
    ],
    [
      "Mistral",
      { message: "Prompt contains 5000 tokens, too large for model with 4096 maximum context length" },
      total,
    ],
    ["Gemini", { message: "The input token count (5000) exceeds the maximum number of tokens allowed (4096)." }, total],
    ["Anthropic", { message: "prompt is too long: 5000 tokens > 4096 maximum" }, total],
    [
      "Workers AI",
      {
        internalCode: 5021,
        message:
          "AiError: Ai: The estimated number of input and maximum output tokens (5000) exceeded this model context window limit (4096). (87064f8a)",
      },
      total,
    ],
    ["a code alone", { code: "context_length_exceeded", message: "Please shorten" }, {}],
  ])("%s", async (_, fields, numbers) => {
    expect(await refuse(400, error(fields))).toEqual({ kind: "context-length", ...numbers });
  });

  test("a code counts with any status, words only with a refusal", async () => {
    expect((await refuse(500, error({ type: "exceed_context_size_error" }))).kind).toBe("context-length");
    expect((await refuse(500, error({ message: "maximum context length is 4096" }))).kind).toBe("upstream-failed");
    expect((await refuse(413, error({ message: "maximum context length is 4096" }))).kind).toBe("context-length");
  });
});
