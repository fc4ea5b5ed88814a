import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, expect, test } from "vitest";
import { connectUpstream } from "../../scripted-upstream/control.ts";
import { chunk, type Script, says } from "../../scripted-upstream/script.ts";
import { startScriptedUpstream } from "../../scripted-upstream/server.ts";
import { startBareGateway } from "./bare-workerd.ts";

const upstream = await startScriptedUpstream();
const scriptedModel = connectUpstream(upstream.url);
const gateway = await startBareGateway({
  UPSTREAM_BASE_URL: upstream.url,
  GATEWAY_AUTH: "none",
  HEARTBEAT_MS: "100",
  CONCURRENT_REQUESTS: "1",
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const bodyOf = (model: string, stream = true) =>
  JSON.stringify({ model, stream, messages: [{ role: "user", content: "Go." }] });

/** @param missing bytes of the body that do not come */
async function open(body: string, missing = 0): Promise<Socket> {
  const socket = connect(gateway.port, "127.0.0.1");
  await once(socket, "connect");
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n`;
  socket.write(head + body.slice(0, body.length - missing));
  return socket;
}

async function statusOf(body: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${gateway.port}/v1/chat/completions`, { method: "POST", body });
  await response.text();
  return response.status;
}

const reset = (socket: Socket) => void socket.resetAndDestroy();
const close = (socket: Socket) => void socket.destroy();
const streaming: Script = { steps: [{ send: chunk({ content: "first" }) }, "hang"] };

/** The runtime may run nothing more for a client that has left: its place would be lost for good. */
test.each<[string, Script, (socket: Socket) => void, { stream?: boolean; missing?: number }]>([
  ["while it sends, by a reset", {}, reset, { missing: 5 }],
  ["while it sends, by closing", {}, close, { missing: 5 }],
  ["before the upstream's status", { steps: ["hang"] }, reset, {}],
  ["behind it", { steps: [{ send: ": ok\n\n" }, "hang"] }, reset, {}],
  ["in a stream, by a reset", streaming, reset, {}],
  ["in a stream, by closing", streaming, close, {}],
  ["while its answer is collected", streaming, reset, { stream: false }],
])("C23: a client that leaves %s gives its place back", async (_when, script, leave, { stream, missing }) => {
  const [model, next] = [await scriptedModel(script), await scriptedModel(says("Still here."))];
  const socket = await open(bodyOf(model.name, stream), missing);
  socket.on("data", () => {});
  // Nothing tells that a body has begun to be read.
  if (missing === undefined) await expect.poll(async () => (await model.requests()).length).toBe(1);
  else await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await statusOf(bodyOf(next.name))).toBe(429);
  leave(socket);
  await expect.poll(() => statusOf(bodyOf(next.name)), { timeout: 5_000 }).toBe(200);
});
