import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createOccupancy } from "../../../src/occupancy.ts";
import { seal } from "../../../src/tenants/sealed.ts";
import { chunk, event } from "../../scripted-upstream/script.ts";
import { WIRES } from "../../wires/wires.ts";
import { calls, MASTER, platform, sent, stubUpstreams, unstubUpstreams } from "./platform.ts";

/** Upstreams that stand in for another one (decisions.md, fallback upstreams), and what is tried how often. */

beforeEach(() => void stubUpstreams());
afterEach(unstubUpstreams);

type Answer = () => Response | Promise<Response>;

/** Never answers, and heeds the signal. */
const hang = ({ signal }: RequestInit) =>
  new Promise<Response>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));

const UPSTREAMS = {
  main: { base_url: "https://main.example/v1", headers_timeout_ms: 400, idle_timeout_ms: 60 },
  spare: { base_url: "https://spare.example/v1" },
  last: { base_url: "https://last.example/v1" },
};

/** A tenant with three upstreams, each of which answers by the script of its name; without one it calls. */
async function street(
  scripts: { [name: string]: Answer | "hang" },
  settings: object = {},
  parts: Parameters<typeof platform>[1] = {},
) {
  const { log } = stubUpstreams((url, init) => {
    const script = scripts[new URL(url).hostname.split(".")[0] ?? ""] ?? calls;
    return script === "hang" ? hang(init) : script();
  });
  const { store, ask } = platform({ UPSTREAM_HOSTS: "*, workers-ai" }, parts);
  const { key } = await store.tenant("acme", { upstreams: UPSTREAMS, fallback: ["spare", "last"], ...settings });
  return { log, ask: (asked: Parameters<typeof ask>[1] = {}) => ask(key, asked) };
}

/** Which upstreams were asked, in order. */
const asked = () => sent.map(({ url }) => new URL(url).hostname.split(".")[0]);
const status = (code: number, headers = {}, body: unknown = { error: { message: "no" } }) => {
  return () => Response.json(body, { status: code, headers });
};
const streams = (text: string) => () => new Response(text, { headers: { "content-type": "text/event-stream" } });
const silent = () =>
  new Response(new ReadableStream({ start: (it) => it.enqueue(new TextEncoder().encode(": ok\n\n")) }));
const unreachable = () => Promise.reject(new Error("connection refused"));

interface Row {
  first: string;
  answer: Answer | "hang";
  /** Upstreams that are asked. */
  asks: string;
  /** What the client gets. */
  status: number;
  model?: string;
}

describe.each([false, true])("C30: what is tried again, and how often; stream: %s", (stream) => {
  const again = "main main spare";
  const elsewhere = "main spare";
  test.each<Row>([
    { first: "is no server", answer: unreachable, asks: again, status: 200 },
    { first: "answers 502", answer: status(502), asks: again, status: 200 },
    { first: "answers 503", answer: status(503), asks: again, status: 200 },
    { first: "answers 503 for long", answer: status(503, { "retry-after": "30" }), asks: elsewhere, status: 200 },
    { first: "answers 429 for a moment", answer: status(429, { "retry-after": "0" }), asks: again, status: 200 },
    { first: "answers 429", answer: status(429), asks: elsewhere, status: 200 },
    { first: "answers 402", answer: status(402), asks: elsewhere, status: 200 },
    { first: "answers 500", answer: status(500), asks: elsewhere, status: 200 },
    { first: "answers 504", answer: status(504), asks: elsewhere, status: 200 },
    { first: "refuses the gateway's key", answer: status(401), asks: elsewhere, status: 200 },
    { first: "forbids", answer: status(403), asks: elsewhere, status: 200 },
    {
      first: "leads elsewhere",
      answer: status(302, { location: "https://trap.example" }),
      asks: elsewhere,
      status: 200,
    },
    { first: "has nothing to say", answer: streams(""), asks: elsewhere, status: 200 },
    { first: "speaks no JSON", answer: streams("data: {\n\n"), asks: elsewhere, status: 200 },
    {
      first: "says in its stream that it fails",
      answer: streams(event({ error: "no" })),
      asks: elsewhere,
      status: 200,
    },
    { first: "never answers", answer: "hang", asks: elsewhere, status: 200 },
    { first: "falls silent behind its status", answer: silent, asks: elsewhere, status: 200 },
    {
      first: "has no such model as the gateway named",
      answer: status(404),
      asks: elsewhere,
      status: 200,
      model: "named",
    },
    { first: "has no such model as the client named", answer: status(404), asks: "main", status: 404 },
    { first: "refuses the request", answer: status(400), asks: "main", status: 400 },
    { first: "finds it too large", answer: status(413), asks: "main", status: 400 },
    { first: "finds it malformed", answer: status(422), asks: "main", status: 400 },
    {
      first: "finds it too long",
      answer: status(400, {}, { error: { code: "context_length_exceeded", message: "too long" } }),
      asks: "main",
      status: 400,
    },
    { first: "answers well", answer: calls, asks: "main", status: 200 },
  ])("the first one $first: $asks, then $status", async ({ answer, asks, status, model = "m" }) => {
    const routes = [{ models: ["named"], model: "other" }];
    const { ask } = await street({ main: answer }, { routes });
    const answered = await ask({ stream, model });
    expect([asked().join(" "), answered.response.status]).toEqual([asks, status]);
    if (status === 200) expect(answered.calls).toBe(1);
  });
});

describe.each(WIRES.map((wire) => [wire.name, wire] as const))("%s", (_name, wire) => {
  test("a stream that has begun is nobody else's to go on with", async () => {
    const { ask } = await street({ main: streams(`${chunk({ content: "Half" })}data: {\n\n`) });
    const { response, text } = await ask({ wire, stream: true });
    expect([response.status, asked()]).toEqual([200, ["main"]]);
    expect(text).toMatch(/Hal.*error/s);
  });

  test("an answer in one piece that breaks is asked of the next one: the client has nothing of it", async () => {
    const { ask } = await street({ main: streams(`${chunk({ content: "Half" })}data: {\n\n`) });
    const { text, calls: count } = await ask({ wire });
    expect([count, asked()]).toEqual([1, ["main", "spare"]]);
    expect(text).not.toContain("Half");
  });

  test("where none answers, what the first one said counts", async () => {
    const { ask } = await street({ main: status(429, { "retry-after": "7" }), spare: status(500), last: status(404) });
    const { response } = await ask({ wire });
    expect(asked()).toEqual(["main", "spare", "last"]);
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
  });
});

test("one that cannot even be asked is none, and what the first one said counts", async () => {
  const upstreams = { ...UPSTREAMS, spare: { kind: "workers-ai" } };
  const { ask, log } = await street({ main: status(429) }, { upstreams, fallback: ["spare"] });
  const { response, text } = await ask();
  expect(response.status).toBe(429);
  expect(text).toContain("rate_limit_exceeded");
  const failed = log.map((line) => JSON.parse(line)).filter(({ event }) => event === "upstream_failed");
  expect(failed).toMatchObject([{ kind: "rate-limited" }, { place: 1, kind: "not-configured" }]);
});

test("C23: of an answer that has failed nothing is held while the next one is asked", async () => {
  const occupancy = createOccupancy();
  const spare = Promise.withResolvers<Response>();
  const { log, ask } = await street(
    { main: () => new Response(chunk({ content: "x".repeat(100_000) })), spare: () => spare.promise },
    {},
    { occupancy },
  );
  const answer = ask();
  await vi.waitFor(() => expect(log.join()).toContain("upstream_failed"));
  expect(occupancy.requests).toBe(1);
  expect(occupancy.bytes).toBeLessThan(10_000);
  spare.resolve(calls());
  expect((await answer).response.status).toBe(200);
});

test("a refusal of the request ends the round", async () => {
  const { ask } = await street({ main: status(500), spare: status(400) });
  expect((await ask()).response.status).toBe(502);
  expect(asked()).toEqual(["main", "spare"]);
});

test("nobody is asked for a client that has left", async () => {
  const { ask } = await street(
    { main: "hang" },
    { upstreams: { ...UPSTREAMS, main: { base_url: "https://main.example/v1" } } },
  );
  const client = new AbortController();
  const answered = ask({ signal: client.signal }).catch(() => undefined);
  await expect.poll(() => sent.length).toBe(1);
  client.abort();
  await answered;
  expect(asked()).toEqual(["main"]);
});

test("nor while the first one still tells why it has failed", async () => {
  const slow = new TransformStream<Uint8Array, Uint8Array>();
  const { ask } = await street({ main: () => new Response(slow.readable, { status: 500 }) });
  const client = new AbortController();
  const answered = ask({ signal: client.signal }).catch(() => undefined);
  await expect.poll(() => sent.length).toBe(1);
  client.abort();
  await slow.writable.close();
  await answered;
  expect(asked()).toEqual(["main"]);
});

test("each one is asked with its own key, for its own model, as its kind takes tools", async () => {
  const secretOf = (upstream: string) => seal(`sk-${upstream}`, { tenant: "acme", upstream }, "1", MASTER);
  const upstreams = {
    main: { ...UPSTREAMS.main, api_key: await secretOf("main"), model: "qwen3" },
    spare: { ...UPSTREAMS.spare, api_key: await secretOf("spare"), model: "kimi-k2", kind: "vllm" },
    last: UPSTREAMS.last,
  };
  const { ask } = await street({ main: status(500), spare: status(500) }, { upstreams });
  const { response } = await ask();
  expect(sent.map(({ authorization, model, tools }) => [authorization, model, tools !== undefined])).toEqual([
    ["Bearer sk-main", "qwen3", false],
    ["Bearer sk-spare", "kimi-k2", true],
    [null, "qwen3", false],
  ]);
  expect(response.headers.get("x-toolcall-dialect")).not.toBe("native");
});

test("what a request sets for itself holds for all of them", async () => {
  const { ask } = await street({ main: status(500) });
  const { response } = await ask({ headers: { "x-toolcall-teach": "glm45" } });
  expect([asked(), response.headers.get("x-toolcall-dialect")]).toEqual([["main", "spare"], "glm45"]);
});

test("C7: the address of each is looked at before it is asked", async () => {
  const { ask } = await street({ main: status(500) }, { fallback: ["last"] });
  const elsewhere = await ask({ prefix: "https://last.example" });
  expect([elsewhere.response.status, asked()]).toEqual([502, ["main"]]);
});

test("C14: the report counts them, and the log says why each has failed", async () => {
  const secret = "sk-Secret-of-acme-0123";
  const api_key = await seal(secret, { tenant: "acme", upstream: "spare" }, "1", MASTER);
  const { ask, log } = await street(
    { main: status(503), spare: status(500, {}, { error: { message: `the key ${secret} is no good` } }) },
    { upstreams: { ...UPSTREAMS, spare: { ...UPSTREAMS.spare, api_key } } },
  );
  await ask();
  const lines = log.map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { event: "upstream_failed", place: 0, kind: "upstream-overloaded" },
    { event: "upstream_failed", place: 1, kind: "upstream-failed" },
    { event: "reply", outcome: "tool", upstream_requests: 4, passed_over: 2, asked_again: ["upstream-busy"] },
  ]);
  expect(log.join("")).not.toContain("Secret");
});
