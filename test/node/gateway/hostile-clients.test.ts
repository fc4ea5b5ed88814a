import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey } from "../../../src/tenants/gateway-key.ts";
import clientsFile from "../../cases/clients.jsonl?raw";
import { jsonLines } from "../../json-lines.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { leaksIn, startBarePlatform } from "./bare-platform.ts";
import { type HostileCase, outgoing, socketSteps } from "./hostile-case.ts";
import { type Host, saying } from "./outside.ts";
import { type Answer, send, sendBytes } from "./raw-client.ts";

/** Headers of a server's that are for nobody behind the gateway. */
const NOISE = { server: "canary", "set-cookie": "canary=1", "x-canary": "1", via: "canary" };
const says = saying("Hello.", NOISE);
const server: Host = (request, response) => {
  if (request.method === "POST") says(request, response);
  else response.writeHead(200, NOISE).end(JSON.stringify({ data: [{ id: "m" }] }));
};
const ACME = "acme-canary";
const denied = await createKey();
const platform = await startBarePlatform(
  { "llm.acme-canary.example": server, "llm.own-canary.example": server },
  {
    UPSTREAM_BASE_URL: "https://llm.own-canary.example/v1",
    UPSTREAM_API_KEY: "sk-canary-own",
    GATEWAY_API_KEYS: "canary-own-key",
    ADMIN_TOKEN: "canary-admin-token",
    DENY_KEY_IDS: denied.id,
  },
);
afterAll(() => platform.close());

const acme = await platform.addTenant(ACME, {
  settings: {
    max_body_bytes: 1_000_000,
    allowed_origins: ["https://app.example"],
  },
  upstream: { images: "yes" },
});
const beta = await platform.addTenant("beta-canary");
const gone = await platform.addTenant("gone-canary", { record: { status: "disabled" } });
const broken = await platform.addTenant("broken-canary", { settings: { colour: "canary" } });
const expired = await platform.addTenant("expired-canary", { entry: { expires: 1 } });
const disabled = await platform.addTenant("disabled-canary", { entry: { status: "disabled" } });
await platform.addTenant("denied-canary", { entry: { id: denied.id, hash: denied.hash } });
platform.store.values.set(`v1:key:${denied.hash}`, JSON.stringify({ t: "denied-canary" }));
platform.secrets.add(denied.key.slice(12)).add(denied.hash);

const names: Record<string, string> = {
  acme: acme.key,
  beta: beta.key,
  gone: gone.key,
  broken: broken.key,
  expired: expired.key,
  disabled: disabled.key,
  denied: denied.key,
  stranger: await platform.strangersKey(),
  own: "canary-own-key",
  admin: "canary-admin-token",
  tenant: ACME,
  trap: "http://trap.example",
};

const [chat] = WIRES as [Wire, ...Wire[]];
/** Gemini's array is the same wire, for those who ask for a stream of it. */
const ASKED = WIRES.filter(({ name }) => name !== "gemini, as an array");
const cases = jsonLines<HostileCase>(clientsFile);
const overHttp = cases.filter(({ socket }) => !socket);
const runs = overHttp.flatMap((hostile) =>
  ASKED.filter(({ name }) => hostile.wires?.includes(name) ?? true).map(
    (wire) => [hostile.control, hostile.id, wire.name, hostile, wire] as const,
  ),
);

test("there are a hundred of them, and each has a name of its own", () => {
  expect(cases.length).toBeGreaterThanOrEqual(100);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
});

/** The refusals of each wire, without what is another one each time. */
const refusals = new Map<string, Set<string>>();

describe("over HTTP", () => {
  test.each(runs)("%s: %s, %s", async (_control, _id, _name, hostile, wire) => {
    for (const door of hostile.doors ?? [""]) {
      const before = platform.requests.length;
      const answer = await send(platform.port, outgoing(hostile, wire, door, names));
      expect(answer.status, `${door}: ${answer.text.slice(0, 300)}`).toBe(hostile.status);
      expectGoodAnswer(hostile, wire, answer);
      expectGoodRequests(hostile, platform.requests.slice(before));
      if (answer.status === 401 && hostile.method !== "HEAD") keepRefusal(wire, answer);
    }
  });

  test.each(ASKED.map((wire) => [wire.name, wire] as const))(
    "C5: %s: all refusals are alike to the byte",
    (_, wire) => {
      expect([...(refusals.get(wire.name) ?? [])]).toHaveLength(1);
    },
  );
});

/** What stands in every answer, and what may. */
const OURS =
  /^(allow|cache-control|connection|content-length|content-type|date|request-id|retry-after|transfer-encoding|vary|www-authenticate|x-content-type-options|x-gateway-warning|x-request-id|x-should-retry|x-toolcall-dialect)$/;
/** Statuses that will not go away by themselves and look as if they could. */
const LASTING: readonly number[] = [401, 503, 508];

function expectGoodAnswer(
  { id, method, says, answers = {}, platform: theirs }: HostileCase,
  wire: Wire,
  answer: Answer,
) {
  const { status, headers, text } = answer;
  const all = `${[...headers].join("\n")}\n${text}`;
  expect(leaksIn(all, platform.secrets)).toEqual([]);
  if (says) expect(text).toMatch(new RegExp(says));
  for (const [name, value] of Object.entries(answers)) expect([name, headers.get(name)]).toEqual([name, value]);
  if (theirs) return;
  const expected = Object.keys(answers).filter((name) => answers[name] !== null);
  expect([...headers.keys()].filter((name) => !OURS.test(name) && !expected.includes(name))).toEqual([]);
  expect(headers.get("x-request-id")).toMatch(/^req_\w{24}$/);
  expect([headers.get("x-content-type-options"), headers.get("cache-control")]).toEqual(["nosniff", "no-store"]);
  expect(headers.get("vary")).toBe("Origin");
  expect(headers.get("x-should-retry")).toBe(LASTING.includes(status) ? "false" : null);
  expect(headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
  if (status === 405) expect(headers.get("allow")).toMatch(/OPTIONS$/);
  if (method === "HEAD" || status === 204) return expect(text).toBe("");
  if (status < 400 && method !== undefined) return;
  expect(headers.get("content-type")).toMatch(/^(application\/json|text\/event-stream)/);
  const stream = headers.get("content-type")?.startsWith("text/event-stream");
  const reply = stream ? wire.readStream(text) : wire.readBody(text);
  expect([id, reply.error !== undefined]).toEqual([id, status >= 400]);
  if (status === 200) expect(reply.text).toBe("Hello.");
}

/** From scratch, whatever a client sends. */
const UPWARD = ["accept", "accept-encoding", "authorization", "content-length", "content-type", "x-toolsieve-hops"];

function expectGoodRequests(
  { status, upstream = status === 200 ? 1 : 0, withheld }: HostileCase,
  requests: typeof platform.requests,
) {
  // The list of models is asked for once a minute.
  const asked = requests.filter(({ method }) => method === "POST");
  expect(asked.map(({ url }) => url.host)).toEqual(Array(upstream).fill(acme.host));
  for (const { url, headers, body } of requests) {
    expect(url.pathname).toMatch(/^\/v1\/(chat\/completions|models)$/);
    expect(Object.keys(headers).filter((name) => !UPWARD.includes(name))).toEqual([]);
    expect(headers.authorization).toBe(`Bearer ${acme.upstreamKey}`);
    if (withheld) expect(body).not.toContain(withheld);
  }
}

function keepRefusal({ name }: Wire, { headers, text }: Answer) {
  const told = [...headers].filter(([header]) => !/request-id$|^date$/.test(header));
  const known = refusals.get(name) ?? new Set();
  refusals.set(name, known.add(JSON.stringify([told, text.replace(/req_\w+/g, "req")])));
}

describe("through a socket", () => {
  const sockets = cases.filter(({ socket }) => socket);
  let heard: string[] = [];
  // All at once: most of their time goes into finding out that nothing more will come.
  beforeAll(async () => {
    heard = await Promise.all(sockets.map((hostile) => sendBytes(platform.port, socketSteps(hostile, chat, names))));
  });

  test.each(sockets.map((hostile, index) => [hostile.control, hostile.id, hostile, index] as const))(
    "%s: %s",
    (_control, id, hostile, index) => {
      const said = heard[index] ?? "";
      const statuses = [...said.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => Number(status));
      expect(statuses, said.slice(0, 500)).toEqual(hostile.statuses);
      expect(leaksIn(said, platform.secrets)).toEqual([]);
      const upstream = hostile.upstream ?? statuses.filter((status) => status === 200).length;
      const own = platform.requests.filter(({ body }) => body.includes(`prompt-canary ${id}"`));
      expectGoodRequests({ ...hostile, upstream }, own);
    },
  );
});

test.each(ASKED.map((wire) => [wire.name, wire] as const))(
  "C11: the store is away, %s: nobody is let in",
  async (_, wire) => {
    platform.store.broken = true;
    const hostile: HostileCase = { id: "away", control: "C11", headers: { "x-api-key": "{stranger}" } };
    for (const door of ["", "/t/nobody"]) {
      const { status, headers, text } = await send(platform.port, outgoing(hostile, wire, door, names));
      expect([status, headers.get("x-should-retry"), headers.get("cache-control")]).toEqual([503, null, "no-store"]);
      expect(wire.readBody(text).error?.message).toMatch(/try again/);
      expect(leaksIn(text, platform.secrets)).toEqual([]);
    }
    platform.store.broken = false;
  },
);

test("behind all that the gateway serves as ever", async () => {
  for (const wire of ASKED) {
    for (const stream of [false, true]) {
      const good: HostileCase = { id: "behind all", control: "", stream, status: 200 };
      const answer = await send(platform.port, outgoing(good, wire, "/t/acme-canary", names));
      expect(answer.status).toBe(200);
      expectGoodAnswer(good, wire, answer);
    }
  }
});

test("C6, C8: nothing was asked outside but the server of a tenant", () => {
  expect(platform.strangers()).toEqual([]);
});

test("C2, C13, C14: no line of the log tells of a key, a prompt or an address", () => {
  expect(platform.log.length).toBeGreaterThan(cases.length / 4);
  const lines = platform.log.map((line) => JSON.stringify(line)).join("\n");
  // Whose it was is in its place, and nowhere else.
  const rest = lines.replace(/"tenant":"[a-z-]+"|the record of [a-z-]+:/g, "");
  expect(leaksIn(rest, platform.secrets)).toEqual([]);
});
