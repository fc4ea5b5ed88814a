import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { MemoryStore } from "../tenants/stored-tenant.ts";

/** The store behind a binding of Workers KV, in the protocol that workerd speaks to one. */
export async function serveStore(store: MemoryStore): Promise<Listening> {
  const server = createServer(async (request, response) => {
    const answer = await serve(store, request).catch(() => ({ status: 500 }));
    response.writeHead(answer.status).end("body" in answer ? answer.body : undefined);
  });
  return listen(server);
}

async function serve(store: MemoryStore, request: IncomingMessage): Promise<{ status: number; body?: string }> {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://store");
  const key = decodeURIComponent(pathname.slice(1));
  if (request.method === "PUT") await store.put(key, await text(request));
  else if (request.method === "DELETE") await store.delete(key);
  else if (key === "") {
    const [prefix, cursor] = [searchParams.get("prefix") ?? "", searchParams.get("cursor") ?? ""];
    const limit = Number(searchParams.get("key_count_limit") ?? 1000);
    return { status: 200, body: JSON.stringify(await store.list({ prefix, cursor, limit })) };
  } else {
    const body = await store.get(key);
    return body === null ? { status: 404 } : { status: 200, body };
  }
  return { status: 200 };
}

interface Listening {
  /** Host and port. */
  address: string;
  close(): Promise<void>;
}

/** On loopback, at a port that is free. */
export async function listen(server: Server): Promise<Listening> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
