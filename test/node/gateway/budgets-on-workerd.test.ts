import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { connectUpstream } from "../../scripted-upstream/control.ts";
import { chunk, type Script, says } from "../../scripted-upstream/script.ts";
import { startScriptedUpstream } from "../../scripted-upstream/server.ts";
import { type BareGateway, startBareGateway } from "./bare-workerd.ts";

/**
 * Budgets where their object is a real one. What has been spent is told by what is left: a request that asks for a token more than
 * that is refused, and costs nothing.
 */
const upstream = await startScriptedUpstream();
const scriptedModel = connectUpstream(upstream.url);
const BUDGET = 1_000_000;
const variables = {
  UPSTREAM_BASE_URL: upstream.url,
  GATEWAY_AUTH: "none",
  HEARTBEAT_MS: "100",
  TOKENS_PER_DAY: String(BUDGET),
};
const open: BareGateway[] = [];
afterAll(async () => {
  await Promise.all(open.map((gateway) => gateway.close()));
  await upstream.close();
});

/** Each has an object of its own, on a disk of its own. */
async function fresh(): Promise<BareGateway> {
  const gateway = await startBareGateway(variables, { tenants: true });
  open.push(gateway);
  return gateway;
}

const bodyOf = (model: string, maxTokens: number) =>
  JSON.stringify({ model, stream: true, max_tokens: maxTokens, messages: [{ role: "user", content: "Go." }] });

const post = (gateway: BareGateway, model: string, maxTokens: number) =>
  fetch(`http://127.0.0.1:${gateway.port}/v1/chat/completions`, { method: "POST", body: bodyOf(model, maxTokens) });

/** What is reserved for an answer: all but a few tokens of the prompt. */
const MOST = 600_000;

/** Whether all but a few tokens are there again: while the reservation is open there is no room for another one. */
async function isSettled(gateway: BareGateway): Promise<boolean> {
  const model = await scriptedModel(says("Yes.", { usage: [1, 1] }));
  const response = await post(gateway, model.name, MOST);
  await response.text();
  return response.status === 200;
}

type Leave = (socket: Socket) => void;
const reset: Leave = (socket) => socket.resetAndDestroy();

async function leaveAfter(gateway: BareGateway, script: Script, seen: string | undefined, leave: Leave): Promise<void> {
  const model = await scriptedModel(script);
  const socket = connect(gateway.port, "127.0.0.1");
  await once(socket, "connect");
  const body = bodyOf(model.name, MOST);
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await expect.poll(async () => (await model.requests()).length).toBe(1);
  if (seen !== undefined) await waitFor(socket, seen);
  else await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await isSettled(gateway)).toBe(false);
  const left = Date.now();
  leave(socket);
  expect(await model.ending()).toBe("abandoned");
  expect(Date.now() - left).toBeLessThan(2_000);
  await expect.poll(() => isSettled(gateway), { timeout: 2_000 - (Date.now() - left) }).toBe(true);
}

async function waitFor(socket: Socket, text: string): Promise<void> {
  let received = "";
  while (!received.includes(text)) received += (await once(socket, "data")).join("");
}

const gateway = await fresh();

describe("C18, C27: a client that leaves settles its tokens, and the upstream is let go", () => {
  test.each<[string, Script, string?, Leave?]>([
    ["before the upstream's status", { steps: ["hang"] }],
    ["behind its status, in silence", { steps: [{ send: ": ok\n\n" }, "hang"] }],
    ["in the midst of the stream", { steps: [{ send: chunk({ content: "first" }) }, "hang"] }, "first"],
    [
      "by closing, in the midst of the stream",
      { steps: [{ send: chunk({ content: "first" }) }, "hang"] },
      "first",
      (socket) => socket.destroy(),
    ],
  ])("%s", (_when, script, seen, leave = reset) => leaveAfter(gateway, script, seen, leave));
});

test.each([true, false])("C18: a reply that ends well is settled; stream: %s", async (stream) => {
  const model = await scriptedModel(says("Hello.", { usage: [10, 5] }));
  for (let count = 0; count < 20; count += 1) {
    const body = JSON.stringify({ ...JSON.parse(bodyOf(model.name, MOST)), stream });
    const response = await fetch(`http://127.0.0.1:${gateway.port}/v1/chat/completions`, { method: "POST", body });
    expect(response.status).toBe(200);
    await response.text();
    await expect.poll(() => isSettled(gateway), { timeout: 2_000 }).toBe(true);
  }
});

test("C18: over budget nothing is asked; half, four fifths and all leave a line each, and the numbers outlive a request", async () => {
  const own = await fresh();
  const model = await scriptedModel(says("Hello.", { usage: [600_000, 5] }), says("Hello.", { usage: [399_995, 0] }));
  for (const _ of [1, 2]) expect(await (await post(own, model.name, 10)).text()).toContain("Hello.");
  await expect.poll(() => own.log.filter(({ event }) => event === "budget").length).toBe(2);
  const refused = await post(own, model.name, 10);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused.text()).toContain("insufficient_quota");
  expect((await model.requests()).length).toBe(2);
  expect(own.log.filter(({ event }) => event === "budget").map(({ share }) => share)).toEqual([50, 100]);
});
