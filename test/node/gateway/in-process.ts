import { vi } from "vitest";
import { type AppParts, createApp } from "../../../src/app.ts";
import { exchange } from "../../../src/exchange.ts";
import type { Ending, ReceivedRequest, Script } from "../../scripted-upstream/script.ts";
import { type Variables, variables } from "../../variables.ts";
import type { WireRequest } from "../../wires/requests.ts";
import type { Wire } from "../../wires/wires.ts";

interface Gateway {
  /** Sends a request, under another host name where the path is a whole address; answers as `fetch` would. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** Asks in the words of a wire, and reads the answer as its clients do. */
  ask(wire: Wire, request: WireRequest, asked?: Partial<Asked>): Promise<Answered>;
}

export interface InProcessGateway extends Gateway {
  /** What the upstream has been sent so far. */
  readonly requests: ReceivedRequest["body"][];
  /** How the upstream's answers came to their ends, in the order that they did. */
  readonly endings: Ending[];
  /** The lines of the log so far, those on replies apart. */
  readonly log: LogLine[];
  /** The lines on replies. */
  readonly reports: LogLine[];
}

type LogLine = Record<string, unknown>;

interface Asked {
  model: string;
  stream: boolean;
  headers: Record<string, string>;
}

type Answered = ReturnType<Wire["readBody"]> & { response: Response };

/** Its own for each gateway: what is known of a server outlives a test. */
let servers = 0;

/**
 * The whole gateway without a network or a Worker around it: the upstream answers with one script after the other, and with
 * the last one for ever. Stubs `fetch` and the log; undo it with `vi.unstubAllGlobals()` and `vi.restoreAllMocks()`.
 */
export function inProcess(given: Variables, ...scripts: Script[]): InProcessGateway {
  const requests: ReceivedRequest["body"][] = [];
  const endings: Ending[] = [];
  const log: LogLine[] = [];
  const reports: LogLine[] = [];
  vi.spyOn(console, "log").mockImplementation((text: string) => {
    const line: LogLine = JSON.parse(text);
    (line.event === "reply" ? reports : log).push(line);
  });
  vi.stubGlobal("fetch", async (_url: string, { body }: { body: string }) => {
    requests.push(JSON.parse(body));
    const script = scripts[Math.min(requests.length, scripts.length) - 1] ?? {};
    return respond(script, (ending) => void endings.push(ending));
  });
  servers += 1;
  const env = variables({
    UPSTREAM_BASE_URL: `http://upstream-${servers}.example/v1`,
    GATEWAY_AUTH: "none",
    ...given,
  });
  return { ...gatewayOf(env), requests, endings, log, reports };
}

/** @param env variables and bindings */
export function gatewayOf(env: object, parts: Partial<AppParts> = {}): Gateway {
  const app = createApp({ exchange, listUpstreamModels: async () => [], ...parts });
  const send = (path: string, init?: RequestInit) =>
    app.fetch(new Request(new URL(path, "http://localhost"), init), env);

  return {
    send,
    async ask(wire, request, { model = "my-model", stream = false, headers = {} } = {}) {
      const { path, fields } = wire.address({ model, stream });
      const response = await send(path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ ...fields, ...wire.write(request, stream) }),
      });
      const text = await response.clone().text();
      return { ...(stream && response.ok ? wire.readStream(text) : wire.readBody(text)), response };
    },
  };
}

/** One read for each step. Gates, hangs and resets are for the scripted upstream that speaks HTTP. */
function respond(script: Script, onEnd: (ending: Ending) => void): Response {
  const { status = 200, headers = { "content-type": "text/event-stream" }, steps = [] } = script;
  const pieces = steps.flatMap((step) => (typeof step === "string" ? [] : step.send));
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces[sent++];
        if (piece !== undefined) controller.enqueue(encoder.encode(piece));
        if (sent === pieces.length) onEnd("sent");
        if (sent >= pieces.length) controller.close();
      },
      cancel: () => onEnd("abandoned"),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status, headers });
}

const encoder = new TextEncoder();
