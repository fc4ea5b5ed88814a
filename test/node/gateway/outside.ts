import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { chunk, DONE } from "../../scripted-upstream/script.ts";
import { listen } from "./served-store.ts";

/** A request of the gateway's to the world outside. */
export interface OutsideRequest {
  url: URL;
  method: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What one host answers. */
export type Host = (request: OutsideRequest, response: ServerResponse) => void;

/** All the world that a gateway may ask: every upstream there is, and a trap for everything else. */
export async function startOutside(hosts: Readonly<Record<string, Host>>) {
  /** In the order that they came in. */
  const requests: OutsideRequest[] = [];
  // Asked as a proxy is, with whole addresses.
  const server = createServer({ requireHostHeader: false }, async (request, response) => {
    const { method = "", headers } = request;
    const url = new URL(request.url ?? "");
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const received = { url, method, headers, body };
    requests.push(received);
    const host = hosts[url.host];
    if (host) host(received, response);
    else response.writeHead(200, { "content-type": "text/plain" }).end("trapped");
  });
  return { requests, ...(await listen(server)) };
}

/** A model that says this, with headers that are nobody's business. */
export function saying(said: string, headers: Record<string, string> = {}): Host {
  return (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", ...headers });
    response.end(chunk({ content: said }) + chunk({}, "stop") + DONE);
  };
}
