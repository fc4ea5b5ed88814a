import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Ending, ReceivedRequest, Script } from "./script.ts";

/** A model whose answers a test has written; its name is what tells tests apart that run at the same time. */
interface Model {
  /** One for each request, in order; the last one for all that follow. */
  scripts: Script[];
  requests: ReceivedRequest[];
  gate: Queue<true>;
  endings: Queue<Ending>;
}

/**
 * An OpenAI-compatible server on loopback, in Node. Below `/v1` it is what the gateway talks to, below `/models` what a
 * test does (`control.ts`).
 */
export async function startScriptedUpstream(): Promise<{ url: string; close(): Promise<void> }> {
  const models = new Map<string, Model>();
  const server = createServer((request, response) => {
    serve(models, request, response).catch((error) => response.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function serve(models: Map<string, Model>, request: IncomingMessage, response: ServerResponse) {
  const [, root, name = "", action] = request.url?.split("/") ?? [];
  if (root === "v1") return name === "models" ? json(response, LIST) : complete(models, request, response);
  if (request.method === "PUT") {
    models.set(name, { scripts: JSON.parse(await read(request)), requests: [], gate: queue(), endings: queue() });
    return json(response, {});
  }
  const model = models.get(name);
  if (action === "requests") return json(response, model?.requests);
  if (action === "gate") model?.gate.put(true);
  return json(response, action === "ending" ? await model?.endings.take() : {});
}

const LIST = { object: "list", data: [{ id: "scripted" }, { id: "org/scripted" }] };

async function complete(models: Map<string, Model>, request: IncomingMessage, response: ServerResponse) {
  const body: ReceivedRequest["body"] = JSON.parse(await read(request));
  const model = models.get(body.model);
  if (!model) return json(response, { error: { message: "no such model", code: "model_not_found" } }, 404);
  model.requests.push({ headers: request.headers as Record<string, string>, body });
  const script = model.scripts.length > 1 ? model.scripts.shift() : model.scripts[0];
  response.once("close", () => model.endings.put(response.writableFinished ? "sent" : "abandoned"));
  await play(script ?? {}, model, response);
}

async function play({ status = 200, headers, steps = [] }: Script, model: Model, response: ServerResponse) {
  response.socket?.setNoDelay(true);
  if (steps[0] !== "hang" && steps[0] !== "reset") {
    response.writeHead(status, { "content-type": "text/event-stream", ...headers }).flushHeaders();
  }
  for (const step of steps) {
    if (step === "hang") return;
    if (step === "reset") return response.socket?.resetAndDestroy();
    if (step === "gate") await model.gate.take();
    else for (const bytes of cut(Buffer.from(step.send), step.bytes)) await write(response, bytes);
  }
  response.end();
}

function cut(bytes: Buffer, size = bytes.length): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

/** Each in a packet of its own, as far as a sender can tell. */
async function write(response: ServerResponse, bytes: Buffer) {
  if (response.destroyed) return;
  await new Promise<void>((resolve) => void response.write(bytes, () => setImmediate(resolve)));
}

async function read(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function json(response: ServerResponse, body: unknown, status = 200) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** What is put in is taken out once, in order, whoever comes first. */
interface Queue<T> {
  put(item: T): void;
  take(): Promise<T>;
}

function queue<T>(): Queue<T> {
  const items: T[] = [];
  const takers: ((item: T) => void)[] = [];
  return {
    put(item) {
      const taker = takers.shift();
      if (taker) taker(item);
      else items.push(item);
    },
    take: () =>
      new Promise((resolve) => {
        const item = items.shift();
        if (item === undefined) takers.push(resolve);
        else resolve(item);
      }),
  };
}
