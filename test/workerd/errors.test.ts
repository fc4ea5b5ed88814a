import OpenAI, { APIError } from "openai";
import { describe, expect, test } from "vitest";
import { answers, chunk, event, type Script, says } from "../scripted-upstream/script.ts";
import { captureLog, client, faultsIn, scriptedModel } from "./gateway.ts";

const log = captureLog();

const messages = [{ role: "user" as const, content: "hi" }];
const SECRET = "sk-upstream-secret";
const refusal = (code: string | null, message = `bad key ${SECRET}`) => ({ error: { message, type: "t", code } });

const logged = (requestId: string | null | undefined) =>
  faultsIn(log).filter((line) => line.includes(requestId ?? "no id"));

/** What the SDK throws, streaming or not. */
async function thrown(model: string, stream: boolean): Promise<APIError> {
  const error = await client()
    .chat.completions.create({ model, messages, stream })
    .then(
      () => expect.unreachable("no error"),
      (error: unknown) => error,
    );
  expect(error).toBeInstanceOf(APIError);
  return error as APIError;
}

/** What test/sdk does not ask of every client: the upstream's answer, and the class, status and code that the client gets. */
const failures: [string, Script, new (...args: never[]) => APIError, number, string | null][] = [
  ["403", answers(403, refusal(null)), OpenAI.InternalServerError, 502, "upstream_error"],
  ["422", answers(422, { detail: "no" }), OpenAI.BadRequestError, 400, "upstream_rejected"],
  ["429, no quota", answers(429, refusal("insufficient_quota")), OpenAI.RateLimitError, 429, "insufficient_quota"],
  ["502, twice", answers(502, "<html>bad gateway</html>"), OpenAI.InternalServerError, 502, "upstream_error"],
  ["204", { status: 204 }, OpenAI.InternalServerError, 502, "upstream_error"],
  ["a page", answers(200, "<html>log in</html>"), OpenAI.InternalServerError, 502, "upstream_error"],
  ["no event", {}, OpenAI.InternalServerError, 502, "upstream_error"],
  ["no JSON", { steps: [{ send: "data: {not json\n\n" }] }, OpenAI.InternalServerError, 502, "upstream_error"],
  [
    "an error as first event",
    { steps: [{ send: event(refusal(null)) }] },
    OpenAI.InternalServerError,
    502,
    "upstream_error",
  ],
  [
    "a rate limit as first event",
    { steps: [{ send: event({ error: { message: SECRET, code: 429 } }) }] },
    OpenAI.RateLimitError,
    429,
    "rate_limit_exceeded",
  ],
  [
    "a cut before any output",
    { steps: [{ send: ": ok\n\n" }, "reset"] },
    OpenAI.InternalServerError,
    502,
    "upstream_error",
  ],
  ["a reset before the status", { steps: ["reset"] }, OpenAI.InternalServerError, 502, "upstream_error"],
  ["no status in time", { steps: ["hang"] }, OpenAI.InternalServerError, 504, "upstream_timeout"],
  ["no event in time", { steps: [{ send: ": ok\n\n" }, "hang"] }, OpenAI.InternalServerError, 504, "upstream_timeout"],
];

describe.concurrent.each(failures)("an upstream's %s", (_what, script, errorClass, status, code) => {
  test.each([true, false])("streaming: %j", async (stream) => {
    const model = await scriptedModel(script);
    const error = await thrown(model.name, stream);
    expect([error.constructor.name, error.status, error.code]).toEqual([errorClass.name, status, code]);
    expect(error.requestID).toMatch(/^req_/);
    expect(JSON.stringify([error.message, error.error, ...(error.headers ?? [])])).not.toContain(SECRET);
  });
});

test("a redirect is not followed, and is a failure", async () => {
  const model = await scriptedModel({ status: 307, headers: { location: "/v1/chat/completions" } }, says("Followed."));
  expect(await thrown(model.name, true)).toMatchObject({ status: 502, code: "upstream_error" });
  expect(await model.requests()).toHaveLength(1);
});

describe("keys", () => {
  test.each([
    ["a wrong one", { apiKey: "wrong" }, {}],
    ["none", {}, { authorization: null }],
    ["two that differ", {}, { "x-api-key": "other" }],
    ["another scheme", {}, { authorization: "Basic dGVzdC1rZXk=" }],
  ])("%s: AuthenticationError, and nothing goes upstream", async (_which, options, headers) => {
    const model = await scriptedModel(says("hi"));
    const request = client(options).chat.completions.create({ model: model.name, messages }, { headers });
    await expect(request).rejects.toMatchObject({
      constructor: OpenAI.AuthenticationError,
      status: 401,
      code: "invalid_api_key",
    });
    expect(await model.requests()).toEqual([]);
  });

  test.each([{ "x-api-key": "test-key" }, { "x-goog-api-key": "test-key" }])("%j lets in", async (headers) => {
    const model = await scriptedModel(says("hi"));
    const options = { headers: { authorization: null, ...headers } };
    await client().chat.completions.create({ model: model.name, messages }, options);
    const [request] = await model.requests();
    expect(request?.headers.authorization).toBe("Bearer upstream-key");
    expect(JSON.stringify(request)).not.toContain("test-key");
  });
});

describe("a stream that breaks after output", () => {
  const first = { send: chunk({ content: "Half an ans" }) };
  test.concurrent.each<[string, Script, string]>([
    ["a reset", { steps: [first, "gate", "reset"] }, "upstream_error"],
    ["an end without a finish", { steps: [first, "gate"] }, "upstream_error"],
    ["an error event", { steps: [first, "gate", { send: event(refusal(null)) }] }, "upstream_error"],
    ["an event that is no JSON", { steps: [first, "gate", { send: "data: {\n\n" }, "hang"] }, "upstream_error"],
    ["silence", { steps: [first, "hang"] }, "upstream_timeout"],
  ])("%s: what came is kept, then an APIError", async (_how, script, code) => {
    const model = await scriptedModel(script);
    const request = client().chat.completions.create({ model: model.name, messages, stream: true });
    const { data: stream, request_id: requestId } = await request.withResponse();
    let text = "";
    const error = await (async () => {
      try {
        for await (const { choices } of stream) {
          text += choices[0]?.delta.content ?? "";
          if (text !== "") await model.openGate();
        }
      } catch (error) {
        return error;
      }
    })();
    expect(text).toBe("Half an ans");
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ code, status: undefined });
    expect(logged(requestId)).toHaveLength(1);
  });

  test("is no answer at all for who did not ask for a stream", async () => {
    const model = await scriptedModel({ steps: [first, "reset"] });
    expect(await thrown(model.name, false)).toMatchObject({ status: 502, code: "upstream_error" });
  });
});

describe("the SDK's own retries", () => {
  const patient = client({ maxRetries: 2 });

  test("get another answer where one may come", async () => {
    const model = await scriptedModel(answers(500, refusal(null)), says("Here."));
    const { choices } = await patient.chat.completions.create({ model: model.name, messages });
    expect(choices[0]?.message.content).toBe("Here.");
    expect(await model.requests()).toHaveLength(2);
  });

  test("are called off where none can help", async () => {
    const model = await scriptedModel(answers(429, refusal("insufficient_quota")));
    const request = patient.chat.completions.create({ model: model.name, messages });
    await expect(request).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    expect(await model.requests()).toHaveLength(1);
  });
});

test("what the client is not told is logged under its request id, without the upstream's key", async () => {
  const model = await scriptedModel(answers(500, refusal(null, "the disk is full; key upstream-key")));
  const { requestID } = await thrown(model.name, true);
  expect(logged(requestID)).toEqual([expect.stringContaining("the disk is full")]);
  expect(logged(requestID)).not.toEqual([expect.stringContaining("upstream-key")]);
});
