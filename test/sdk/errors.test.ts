import { describe, expect, test } from "vitest";
import { canonical } from "../../src/dialects/canonical.ts";
import { answers, chunk, event, type Script, says } from "../scripted-upstream/script.ts";
import { captureLog, scriptedModel } from "../workerd/gateway.ts";
import { CLIENTS } from "./clients.ts";
import { type Client, type Connection, GATEWAY, type Question, type Way, type Wire } from "./question.ts";
import { TOOLS } from "./tools.ts";

captureLog();

const SECRET = "sk-upstream-secret";
const refusal = (code: string | number | null, message = `bad key ${SECRET}`) => ({
  error: { message, type: "t", code },
});

type ByWire<T> = Readonly<Record<Wire, T>>;

/** A way to fail before the first byte, and what it is on each wire (docs/wires.md). */
interface Failure {
  of: string;
  script?: Script;
  asks?: Partial<Question>;
  key?: string;
  status: ByWire<number>;
  /** The wire's own words for it: type and code, type, status. */
  words: ByWire<string>;
  message?: Partial<ByWire<RegExp>>;
  retryAfter?: string;
}

const onAll = (status: number): ByWire<number> => ({
  chat: status,
  responses: status,
  messages: status,
  gemini: status,
});

const words = (openai: string, messages: string, gemini: string): ByWire<string> => ({
  chat: openai,
  responses: openai,
  messages,
  gemini,
});

const BROKEN = words("server_error upstream_error", "api_error", "UNAVAILABLE");
const INVALID = "invalid_request_error";
const TOO_LONG = words(`${INVALID} context_length_exceeded`, INVALID, "INVALID_ARGUMENT");
const overflow = "This model's maximum context length is 4096 tokens. However, your prompt has 5000 tokens.";
const overflowWithOutput =
  "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, " +
  "1000 in the completion). Please reduce the length of the messages or completion.";

const failures: readonly Failure[] = [
  {
    of: "a choice of a tool that is not declared",
    asks: { choice: { name: "nothing" } },
    status: onAll(400),
    words: words(`${INVALID} null`, INVALID, "INVALID_ARGUMENT"),
    message: {
      chat: /tool_choice/,
      responses: /tool_choice/,
      messages: /tool_choice/,
      gemini: /functionCallingConfig/,
    },
  },
  {
    of: "a wrong key",
    key: "wrong",
    status: onAll(401),
    words: words(`${INVALID} invalid_api_key`, "authentication_error", "UNAUTHENTICATED"),
  },
  {
    of: "a model that the upstream does not have",
    script: answers(404, refusal("model_not_found")),
    status: onAll(404),
    words: words(`${INVALID} model_not_found`, "not_found_error", "NOT_FOUND"),
  },
  {
    of: "a body that is too large",
    asks: { prompt: "x".repeat(1_000_000) },
    status: onAll(413),
    words: words(`${INVALID} null`, "request_too_large", "INVALID_ARGUMENT"),
  },
  {
    of: "the upstream's 400",
    script: answers(400, refusal(null)),
    status: onAll(400),
    words: words(`${INVALID} upstream_rejected`, INVALID, "INVALID_ARGUMENT"),
  },
  {
    of: "the upstream's rate limit",
    script: answers(429, refusal(null), { "retry-after": "7" }),
    status: onAll(429),
    words: words("rate_limit_error rate_limit_exceeded", "rate_limit_error", "RESOURCE_EXHAUSTED"),
    retryAfter: "7",
  },
  {
    of: "the upstream's 401",
    script: answers(401, refusal("invalid_api_key")),
    status: onAll(502),
    words: BROKEN,
  },
  { of: "the upstream's 500", script: answers(500, refusal(null)), status: onAll(502), words: BROKEN },
  { of: "a cut before any output", script: { steps: [{ send: ": ok\n\n" }] }, status: onAll(502), words: BROKEN },
  {
    of: "an overload",
    script: answers(503, refusal(null)),
    status: { ...onAll(503), messages: 529 },
    words: words("server_error overloaded", "overloaded_error", "UNAVAILABLE"),
  },
  {
    of: "a conversation that is too long",
    script: answers(400, refusal(null, overflow)),
    status: onAll(400),
    words: TOO_LONG,
    message: {
      chat: /prompt is too long: 5000 tokens > 4096 maximum/,
      responses: /prompt is too long: 5000 tokens > 4096 maximum/,
      messages: /^prompt is too long: 5000 tokens > 4096 maximum$/,
      gemini: /^The input token count \(5000\) exceeds .* \(4096\)\. The prompt is too long\.$/,
    },
  },
  {
    of: "a conversation that is too long together with its answer",
    script: answers(400, refusal(null, overflowWithOutput)),
    status: onAll(400),
    words: TOO_LONG,
    message: { messages: /^input length and `max_tokens` exceed context limit: 4000 \+ 1000 > 4096/ },
  },
];

/** What the gateway sends, as it is: whatever an SDK makes of it can hold no more. */
function listen(key = GATEWAY.key) {
  const responses: Response[] = [];
  const connection: Connection = {
    key,
    async fetch(input, init) {
      const response = await GATEWAY.fetch(input, init);
      responses.push(response.clone());
      return response;
    },
  };
  return {
    connection,
    async received() {
      const [response, ...more] = responses;
      expect(more, "nothing is tried again").toEqual([]);
      if (!response) throw new Error("no response");
      return { headers: response.headers, body: await response.text() };
    },
  };
}

interface ErrorBody {
  error: { message: string; type?: string; code?: string | number | null; status?: string; param?: string | null };
  type?: string;
  request_id?: string;
}

/** The error in the wire's own words; its form is what the SDKs and agents read it in. */
const READERS: ByWire<(body: ErrorBody) => string> = {
  chat: readOpenAi,
  responses: readOpenAi,
  messages(body) {
    expect(body).toMatchObject({ type: "error", request_id: expect.stringMatching(/^req_/) });
    return body.error.type ?? "";
  },
  gemini: ({ error }) => error.status ?? "",
};

function readOpenAi({ error }: ErrorBody): string {
  expect(Object.keys(error).toSorted()).toEqual(["code", "message", "param", "type"]);
  return `${error.type} ${error.code}`;
}

/** @returns what it throws */
async function fail(way: Way, question: Question, connection: Connection): Promise<unknown> {
  return way.ask(question, connection).then(
    (answer) => expect.unreachable(`no error but ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  );
}

function expectNoSecret(headers: Headers, body: string) {
  const all = JSON.stringify([...headers]) + body;
  for (const secret of [SECRET, "upstream-key", "127.0.0.1", "localhost"]) expect(all).not.toContain(secret);
}

const questionOf = (model: string): Question => ({ model, prompt: "Go on.", tools: TOOLS });

describe.each(CLIENTS)("$name", (client: Client) => {
  const { wire } = client;

  test.each(failures)("before the first byte: $of", async ({ script, asks, key, ...expected }) => {
    for (const way of client.ways) {
      const model = await scriptedModel(script ?? says("hi"));
      const { connection, received } = listen(key);
      const thrown = await fail(way, { ...questionOf(model.name), ...asks }, connection);
      const error = client.readError(thrown);
      const status = expected.status[wire];
      expect([error.status, error.name], way.name).toEqual([status, client.errorName(status)]);
      const body = error.body as ErrorBody;
      expect(READERS[wire](body), way.name).toBe(expected.words[wire]);
      if (wire === "gemini") expect(body.error.code).toBe(status);
      expect(body.error.message).toMatch(expected.message?.[wire] ?? /\w/);

      const { headers, body: text } = await received();
      expect(headers.get("retry-after")).toBe(expected.retryAfter ?? null);
      expect(headers.get(wire === "messages" ? "request-id" : "x-request-id")).toMatch(/^req_/);
      expectNoSecret(headers, text);
      if (!script) expect(await model.requests(), "nothing goes upstream").toEqual([]);
    }
  });

  // Two pieces: where one is held back, the first is out.
  const half = { send: chunk({ content: "Half an" }) + chunk({ content: " ans" }) };
  const call = canonical.write.calls([{ name: "get_weather", input: { city: "Paris" } }]);
  const breaks: readonly [string, Script][] = [
    ["an end without a finish", { steps: [half] }],
    ["an error of the upstream's", { steps: [half, { send: event(refusal(503)) }] }],
    ["an event that is no JSON", { steps: [half, { send: "data: {not\n\n" }] }],
    ["an end inside a call", { steps: [half, { send: chunk({ content: call.slice(0, -40) }) }] }],
    ["an end behind a call", { steps: [half, { send: chunk({ content: call }) }] }],
  ];

  test.each(breaks)("behind the first byte: %s", async (_how, script) => {
    for (const way of client.ways) {
      const model = await scriptedModel(script);
      const { connection, received } = listen();
      const thrown = await fail(way, questionOf(model.name), connection);
      const { headers, body } = await received();
      expectNoSecret(headers, body);
      // And not that of an SDK that missed something.
      expect(`${thrown} ${JSON.stringify(thrown)}`, `${way.name}: the gateway's own error`).toContain(
        "The model server",
      );
      if (way.streams) expect(body, "in the stream").toContain("Half an");
      else expect(client.readError(thrown).status).toBeGreaterThanOrEqual(502);
    }
  });
});
