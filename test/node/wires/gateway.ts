import { vi } from "vitest";
import { GatewayFailure } from "../../../src/errors.ts";
import { exchange } from "../../../src/exchange.ts";
import { createOccupancy } from "../../../src/occupancy.ts";
import type { Target } from "../../../src/protocols/protocol.ts";
import type { Config } from "../../../src/tenants/config.ts";
import { UNLIMITED } from "../../../src/tenants/spending.ts";
import { loadConfig } from "../../../src/tenants/variables.ts";
import type { Script } from "../../scripted-upstream/script.ts";
import type { Variables } from "../../variables.ts";
import type { Answer, Ask } from "../../wires/ask.ts";

/** One exchange without the routes around it; what it would fetch is played from the script. */
export const ask = askWith({});

export function askWith(variables: Variables): Ask {
  const env = { UPSTREAM_BASE_URL: "https://model.example/v1", GATEWAY_AUTH: "none", ...variables };
  const { config } = loadConfig(env);
  if (!config) throw new Error("the configuration is invalid");
  return (wire, request, script) => exchangeWith(config, wire, request, script);
}

async function exchangeWith(config: Config, ...[wire, { stream, fields }, script]: Parameters<Ask>): Promise<Answer> {
  const { path, fields: addressed } = wire.address({ model: "a-model", stream });
  const { protocol } = wire;
  const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => play(script));
  try {
    // As it comes out of JSON: without members that are undefined.
    const body = JSON.parse(JSON.stringify({ ...addressed, ...fields }));
    const request = protocol.readRequest(body, targetOf(path));
    const signal = new AbortController().signal;
    const asked = {
      protocol,
      request,
      config,
      requestId: "req_1",
      modelLabel: "other",
      arrived: Date.now(),
      route: path,
      url: new URL(path, "http://gateway.example"),
      hops: 0,
      signal,
      lease: createOccupancy().enter("", undefined, signal),
      spending: UNLIMITED,
      onWarning() {},
      observer: { failed() {}, upstreamFailed() {}, dropped() {}, replied() {} },
    };
    const answer = await answerOf(await exchange(asked));
    return { ...answer, upstream: JSON.parse(String(fetched.mock.calls[0]?.[1]?.body)) };
  } catch (thrown) {
    if (!(thrown instanceof GatewayFailure)) throw thrown;
    const { status, body } = protocol.renderError(thrown.error, { requestId: "req_1" });
    return { ...(await answerOf(Response.json(body, { status }))), upstream: undefined };
  } finally {
    fetched.mockRestore();
  }
}

async function answerOf(response: Response): Promise<Omit<Answer, "upstream">> {
  const contentType = response.headers.get("content-type");
  return { status: response.status, contentType, body: await response.text() };
}

/** `/v1beta/models/{model}:{method}`; the other wires say in the body what they want. */
function targetOf(path: string): Target | undefined {
  const { pathname, searchParams: query } = new URL(path, "http://gateway.example");
  const [, model = "", method = ""] = /\/models\/(.+):(\w+)$/.exec(pathname) ?? [];
  return method === "" ? undefined : { model, method, query };
}

/** The bytes of all steps; in pieces where one of them asks for it, else at once. */
function play({ status = 200, headers, steps = [] }: Script): Response {
  const sends = steps.filter((step) => typeof step === "object");
  const bytes = new TextEncoder().encode(sends.map(({ send }) => send).join(""));
  const size = sends.find((step) => step.bytes)?.bytes ?? bytes.length;
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  const body = new ReadableStream({
    pull(controller) {
      const piece = pieces.shift();
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
  });
  return new Response(body, { status, headers: { "content-type": "text/event-stream", ...headers } });
}
