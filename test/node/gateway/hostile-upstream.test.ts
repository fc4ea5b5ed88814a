import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { createServer } from "node:net";
import { afterAll, describe, expect, test, vi } from "vitest";
import faultsFile from "../../cases/upstream-faults.jsonl?raw";
import { jsonLines } from "../../json-lines.ts";
import type { WireReply, WireUsage } from "../../wires/wire-reply.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { type BareGateway, startBareGateway } from "./bare-workerd.ts";
import { type HostileAnswer, listen, startHostileUpstream } from "./hostile-upstream.ts";

/** A line of upstream-faults.jsonl. */
interface Fault {
  id: string;
  control: string;
  /** The case is meant with each of these. */
  statuses?: number[];
  /** `low`: the gateway is to lose its patience. */
  timeouts?: "low";
  /** Connections that look good are left, and whatever is asked on one next is lost: not before other cases. */
  connections?: "spoilt";
  /** With this wire alone: it costs too much for all of them. */
  only?: string;
  answers: HostileAnswer[];
  expect: {
    /** Before the first byte by a status, behind `text` in the stream; absent: the reply is good. */
    error?: keyof typeof TOLD;
    /** A client is told not to ask again. */
    lasting?: true;
    retryAfter?: string;
    /** What comes of the model's text; without `error` all of it. */
    text?: string;
    finish?: string;
    /** How many there are. */
    calls?: number;
    usage?: WireUsage;
    /** How often the upstream is asked; default 1. */
    requests?: number;
    /** The most megabytes that the upstream can get rid of. */
    written?: number;
  };
}

/** How each wire tells a failure, docs/wires.md: the status, the code of OpenAI's wires, and the others' types. */
const TOLD = {
  failed: [502, "upstream_error", "api_error", "UNAVAILABLE"],
  timeout: [504, "upstream_timeout", "timeout_error", "DEADLINE_EXCEEDED"],
  overloaded: [503, "overloaded", "overloaded_error", "UNAVAILABLE"],
  rejected: [400, "upstream_rejected", "invalid_request_error", "INVALID_ARGUMENT"],
  context: [400, "context_length_exceeded", "invalid_request_error", "INVALID_ARGUMENT"],
  "no-model": [404, "model_not_found", "not_found_error", "NOT_FOUND"],
  "rate-limited": [429, "rate_limit_exceeded", "rate_limit_error", "RESOURCE_EXHAUSTED"],
  quota: [429, "insufficient_quota", "rate_limit_error", "RESOURCE_EXHAUSTED"],
} as const;

/** What stands in an error event of Responses; others than these make agents give up. */
const FAILED_CODES = new Set(["context_length_exceeded", "insufficient_quota", "rate_limit_exceeded"]);

const KEY = "sk-canary-5eCr3tOfTh3Upstr3am";
const PROMPT = "canary-of-the-prompt";
const WORDS = "canary of the upstream's own words";
/** None of it may get to a client: words, a key, an address, a place of a file, a line of a stack, a neighbour's name. */
const LEAK = `${WORDS}, ${KEY} /srv/canary/secret.py http://canary.internal:4711/v1 at canary (worker.js:1:2) tenant canary-inc '${PROMPT}'`;

/** No answer has any other header. */
const HEADERS = new Set([
  "cache-control",
  "connection",
  "content-length",
  "content-type",
  "keep-alive",
  "request-id",
  "retry-after",
  "transfer-encoding",
  "vary",
  "x-content-type-options",
  "x-gateway-warning",
  "x-request-id",
  "x-should-retry",
  "x-toolcall-dialect",
]);

let trapped = 0;
const trap = createServer((socket) => {
  trapped += 1;
  socket.destroy();
});
const upstream = await startHostileUpstream({ leak: LEAK, trap: await listen(trap, "/trap") });
const variables = { UPSTREAM_BASE_URL: upstream.url, UPSTREAM_API_KEY: KEY, GATEWAY_AUTH: "none" };
const [patient, spoilt, impatient] = await Promise.all([
  startBareGateway(variables),
  startBareGateway(variables),
  startBareGateway({
    ...variables,
    UPSTREAM_HEADERS_TIMEOUT_MS: "1500",
    UPSTREAM_IDLE_TIMEOUT_MS: "1500",
    UPSTREAM_TOTAL_TIMEOUT_MS: "4000",
  }),
]);
const agent = new Agent({ keepAlive: true });

afterAll(async () => {
  agent.destroy();
  await Promise.all([patient.close(), spoilt.close(), impatient.close(), upstream.close()]);
  trap.close();
});

/** No case takes longer, whatever the upstream does; that of a refusal's body is five seconds. */
const BOUND = 20_000;

interface Told {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Every byte of the answer is read, and judged for what holds of all answers. */
async function ask(wire: Wire, stream: boolean, model: string, port: number): Promise<Told> {
  const { path, fields } = wire.address({ model, stream });
  const asked = { turns: [{ user: PROMPT }], tools: [TOOL], maxTokens: 100 };
  const sent = httpRequest({ agent, port, path, method: "POST", signal: AbortSignal.timeout(BOUND) });
  sent.end(JSON.stringify({ ...fields, ...wire.write(asked, stream) }));
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve).once("error", reject);
  });
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece);
  expect(answer.complete, "a good transfer").toBe(true);
  const body = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces));
  const head = [answer.statusMessage, ...answer.rawHeaders].join("\n");
  expect(`${head}\n${body}`).not.toMatch(/canary|{leak|127\.0\.0\.1|worker\.js|\/srv\//i);
  expect(Object.keys(answer.headers).filter((name) => !HEADERS.has(name))).toEqual([]);
  return { status: answer.statusCode ?? 0, headers: answer.headers, body };
}

/** How often the upstream was asked for an answer: its report stands in the log, which may come behind it. */
async function tries({ log }: BareGateway, { headers }: Told): Promise<number> {
  const report = () => log.find((line) => line.event === "reply" && line.request_id === headers["x-request-id"]);
  await vi.waitUntil(report, BOUND);
  return Number(report()?.upstream_requests);
}

const TOOL = { name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } };
const GOOD: HostileAnswer = { steps: [{ say: "Still here." }, "finish", "done"] };

const faults = jsonLines<Fault>(faultsFile).flatMap(({ statuses, ...fault }) =>
  statuses
    ? statuses.map((status) => ({
        ...fault,
        id: fault.id.replace("status:", `${status}:`),
        answers: fault.answers.map((answer) => ({ ...answer, status })),
      }))
    : [fault],
);

/** Of each request its own: what a gateway has learnt of one model it may not use for the next. */
let models = 0;
const newModel = () => `model-${(models++).toString(36).replace(/\d/g, (digit) => "ABCDEFGHIJ".charAt(Number(digit)))}`;

describe.concurrent("an upstream that", () => {
  const named = faults.map((fault) => [`${fault.control}: ${fault.id}`, fault] as const);
  test.each(named)("%s", async (_id, { answers, timeouts, connections, only, expect: wanted }) => {
    const gateway = timeouts === "low" ? impatient : connections ? spoilt : patient;
    const { port } = gateway;
    const wires = WIRES.filter(({ name }) => only === undefined || name === only);
    const variants = wires.flatMap((wire) => [true, false].map((stream) => ({ wire, stream })));
    const run = async ({ wire, stream }: (typeof variants)[number]) => {
      const name = newModel();
      const model = upstream.model(name, answers);
      const told = await ask(wire, stream, name, port);
      judge(wire, stream, told, wanted);
      // What was tried on a connection that another case has left broken never arrives.
      const { requests = 1 } = wanted;
      expect(model.requests, "requests that arrived").toBeLessThanOrEqual(requests);
      expect(await tries(gateway, told), "requests that were tried").toBeGreaterThanOrEqual(requests);
      const megabytes = model.written / 1_000_000;
      expect(megabytes, "megabytes").toBeLessThan(wanted.written ?? Number.POSITIVE_INFINITY);

      const good = newModel();
      upstream.model(good, [GOOD]);
      judge(wire, stream, await ask(wire, stream, good, port), { text: "Still here." });
    };
    // Many megabytes at once would be more than one isolate takes on (C23).
    const isFlood = answers.some(({ steps }) => steps?.some((step) => typeof step === "object" && "flood" in step));
    if (connections) for (const variant of variants) await vi.waitFor(() => run(variant), BOUND);
    else if (isFlood) for (const variant of variants) await run(variant);
    else await Promise.all(variants.map(run));
  });
});

function judge(wire: Wire, stream: boolean, told: Told, wanted: Fault["expect"]) {
  const { status, headers, body } = told;
  const { error, text = "" } = wanted;
  const place = `${wire.name}, ${stream ? "streamed" : "whole"}`;
  if (error && !(stream && text !== "")) {
    const reply = wire.readBody(body);
    expect([place, status, headers["content-type"]]).toEqual([place, statusOf(wire, error), "application/json"]);
    expect(reply.error, place).toMatchObject(errorOf(wire, error));
    expect(headers["x-should-retry"], place).toBe(wanted.lasting || error === "quota" ? "false" : undefined);
    expect(headers["retry-after"], place).toBe(wanted.retryAfter);
    return;
  }
  expect([place, status, headers["content-type"]]).toEqual([
    place,
    200,
    stream ? wire.contentType : "application/json",
  ]);
  const reply: WireReply = stream ? wire.readStream(body) : wire.readBody(body);
  if (error) {
    expect(reply, place).toMatchObject({ text, finish: "error", error: inBand(wire, error) });
    return;
  }
  const finish = wanted.finish ?? "stop";
  expect([place, reply.text, reply.finish, reply.calls.length]).toEqual([place, text, finish, wanted.calls ?? 0]);
  if (wanted.usage) expect(reply.usage, place).toEqual(wanted.usage);
}

/** Messages has a status of its own for an overload. */
function statusOf({ alias }: Wire, error: keyof typeof TOLD): number {
  return alias === "claude" && error === "overloaded" ? 529 : TOLD[error][0];
}

function errorOf({ alias }: Wire, error: keyof typeof TOLD): object {
  const [status, code, type, google] = TOLD[error];
  switch (alias) {
    case "claude":
      return { type };
    case "gemini":
      return { code: status, type: google };
    default:
      return { code };
  }
}

function inBand(wire: Wire, error: keyof typeof TOLD): object {
  const [, code] = TOLD[error];
  if (wire.alias === "responses") return { code: FAILED_CODES.has(code) ? code : "server_error" };
  return errorOf(wire, error);
}

test("C8: no redirect was followed, and nothing but the one path was asked", () => {
  expect([trapped, upstream.strays]).toEqual([0, 0]);
});

test("C14: of all that, nothing secret is in the log", () => {
  const gateways = [patient, spoilt, impatient];
  const log = gateways.flatMap((gateway) => gateway.log);
  expect(log.filter(({ event }) => event === "request_failed").length).toBeGreaterThan(1_000);
  const lines = [...log.map((line) => JSON.stringify(line)), ...gateways.flatMap(({ complaints }) => complaints)];
  expect(lines.filter((line) => line.includes(KEY.slice(3)) || line.includes(PROMPT))).toEqual([]);
});
