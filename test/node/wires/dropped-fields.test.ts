import { afterEach, describe, expect, test, vi } from "vitest";
import { createApp } from "../../../src/app.ts";
import { exchange } from "../../../src/exchange.ts";
import { answers, type Script, says } from "../../scripted-upstream/script.ts";
import { variables } from "../../variables.ts";
import { type Answer, readBody, readStream } from "../../wires/ask.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { play } from "./gateway.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const refuses = (field: string) =>
  answers(400, {
    error: { message: `Unsupported parameter: '${field}'.`, param: field, code: "unsupported_parameter" },
  });

/** Plays the scripts one after the other, and notes what each request held. */
function scripted(...scripts: Script[]) {
  const bodies: Record<string, unknown>[] = [];
  vi.stubGlobal("fetch", async (_url: string, { body }: { body: string }) => {
    bodies.push(JSON.parse(body));
    return play(scripts[bodies.length - 1] ?? {});
  });
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const logged = () =>
    log.mock.calls.map(([line]) => JSON.parse(String(line))).filter(({ event }) => event !== "reply");
  return { bodies, logged };
}

const app = createApp({ exchange, listUpstreamModels: async () => [] });

/** @param model a name for each test: what is known of a model is known to all of an isolate */
async function ask(wire: Wire, model: string, stream: boolean): Promise<Answer> {
  const { path, fields } = wire.address({ model, stream });
  const asked = { ...fields, ...wire.write({ turns: [{ user: "Go." }], maxTokens: 50, stop: ["END"] }, stream) };
  const request = new Request(new URL(path, "http://localhost"), { method: "POST", body: JSON.stringify(asked) });
  const env = variables({ UPSTREAM_BASE_URL: "http://upstream.example/v1", GATEWAY_AUTH: "none" });
  const response = await app.fetch(request, env);
  const contentType = response.headers.get("content-type");
  return { status: response.status, contentType, body: await response.text(), upstream: undefined };
}

describe.each(WIRES)("$name", (wire) => {
  test.each([true, false])("a refused field costs one more request, once; streamed: %s", async (stream) => {
    const model = `${wire.name}-${stream}`;
    const { bodies, logged } = scripted(refuses("max_tokens"), says("Hi."), says("Hi."));
    const answer = await ask(wire, model, stream);
    expect((stream ? readStream(wire, answer) : readBody(wire, answer)).text).toBe("Hi.");
    const { max_tokens, ...rest } = bodies[0] ?? {};
    expect([max_tokens, bodies[1]]).toEqual([50, rest]);
    expect(logged()).toMatchObject([{ level: "warn", event: "fields_dropped", fields: ["max_tokens"] }]);

    await ask(wire, model, stream);
    expect(bodies[2]).toEqual(rest);
    await ask(wire, `${model}-other`, stream);
    expect(bodies[3]).toMatchObject({ max_tokens: 50 });
  });
});

const [chat = WIRES[0] as Wire] = WIRES;

test("a second refusal goes to the client, and is learnt from all the same", async () => {
  const { bodies } = scripted(refuses("max_tokens"), refuses("stop"), says("Hi."));
  expect((await ask(chat, "two", true)).status).toBe(400);
  expect(bodies).toHaveLength(2);
  expect((await ask(chat, "two", true)).status).toBe(200);
  expect([bodies[2]?.max_tokens, bodies[2]?.stop]).toEqual([undefined, undefined]);
});

test("there is one retry, whatever for", async () => {
  const busy = answers(503, {}, { "retry-after": "0" });
  const { bodies } = scripted(busy, refuses("max_tokens"));
  expect((await ask(chat, "busy", true)).status).toBe(400);
  expect(bodies).toHaveLength(2);
  const again = scripted(refuses("stop"), busy);
  expect((await ask(chat, "busy again", true)).status).toBe(503);
  expect(again.bodies).toHaveLength(2);
});

test.each([
  ["a core field", refuses("messages")],
  ["a field that was not sent", refuses("top_k")],
  ["another fault", answers(400, { error: { message: "'max_tokens' is too large", param: "max_tokens" } })],
  ["a status of another kind", { ...refuses("stop"), status: 401 }],
])("nothing is asked again for %s", async (what, script) => {
  const { bodies } = scripted(script);
  expect((await ask(chat, what, true)).status).toBeGreaterThanOrEqual(400);
  expect(bodies).toHaveLength(1);
});
