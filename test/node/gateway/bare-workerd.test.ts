import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import faultsFile from "../../cases/faults.jsonl?raw";
import { jsonLines } from "../../json-lines.ts";
import { connectUpstream } from "../../scripted-upstream/control.ts";
import { chunk, type Script, says } from "../../scripted-upstream/script.ts";
import { startScriptedUpstream } from "../../scripted-upstream/server.ts";
import { readChatStream } from "../../wires/chat.ts";
import { startBareGateway } from "./bare-workerd.ts";

const upstream = await startScriptedUpstream();
const scriptedModel = connectUpstream(upstream.url);
const variables = { UPSTREAM_BASE_URL: upstream.url, GATEWAY_AUTH: "none", HEARTBEAT_MS: "100" };
const gateway = await startBareGateway(variables);
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const bodyOf = (model: string) => JSON.stringify({ model, stream: true, messages: [{ role: "user", content: "Go." }] });

/** The report of the last reply, once for each: a departure has to leave one, though nobody keeps the Worker alive for it. */
function lastReply() {
  const replies = gateway.log.filter(({ event }) => event === "reply");
  const fresh = replies.slice(reported);
  reported = replies.length;
  return fresh.at(-1);
}
let reported = 0;

/** A client of bare TCP, which can go away in ways that `fetch` cannot. */
async function open(body: string, length = body.length): Promise<Socket> {
  const socket = connect(gateway.port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${length}\r\n\r\n${body}`);
  return socket;
}

const post = (body: string) => fetch(`http://127.0.0.1:${gateway.port}/v1/chat/completions`, { method: "POST", body });

interface LiveCase {
  id: string;
  client_abort_at_ms?: number;
  expect: { upstream_aborted_within_ms: number };
}

const lives = jsonLines<LiveCase>(faultsFile).filter(({ client_abort_at_ms: at }) => at !== undefined);

describe.each(lives)("$id: a client that is gone before the upstream's first byte", (live) => {
  test.each<[string, Script]>([
    ["before its status", { steps: ["hang"] }],
    ["behind its status", { steps: [{ send: ": ok\n\n" }, "hang"] }],
  ])("lets go of the upstream %s", async (_when, script) => {
    const model = await scriptedModel(script);
    const socket = await open(bodyOf(model.name));
    await expect.poll(async () => (await model.requests()).length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, live.client_abort_at_ms));
    const reset = Date.now();
    socket.resetAndDestroy();
    expect(await model.ending()).toBe("abandoned");
    expect(Date.now() - reset).toBeLessThanOrEqual(live.expect.upstream_aborted_within_ms);
    await expect.poll(() => lastReply()).toMatchObject({ outcome: "aborted" });
  });
});

/** Reads until this text has come. */
async function waitFor(socket: Socket, text: string): Promise<void> {
  let received = "";
  while (!received.includes(text)) received += (await once(socket, "data")).join("");
}

test("a stream that breaks ends with its error event and a good transfer", async () => {
  const model = await scriptedModel({ steps: [{ send: chunk({ content: "Half" }) }, "gate", "reset"] });
  const response = await post(bodyOf(model.name));
  await model.openGate();
  expect(readChatStream(await response.text())).toMatchObject({ text: "Half", error: { code: "upstream_error" } });
});

test("a report stands at the end of a stream, and of one that breaks", async () => {
  const broken: Script = { steps: [{ send: chunk({ content: "Half" }) }, "gate", "reset"] };
  for (const [script, outcome] of [
    [says("All."), "stop"],
    [broken, "upstream-failed"],
  ] as const) {
    const model = await scriptedModel(script);
    const headers = { "x-toolcall-report": "on" };
    const path = `http://127.0.0.1:${gateway.port}/v1/chat/completions`;
    const response = await fetch(path, { method: "POST", headers, body: bodyOf(model.name) });
    await model.openGate();
    const [, comment = "{}"] = /\n\n: toolcall-report (.+)\n\n$/.exec(await response.text()) ?? [];
    expect(JSON.parse(comment)).toMatchObject({ outcome, streaming: true });
  }
});

test("an upload that breaks off harms nobody", async () => {
  const body = bodyOf("m");
  const socket = await open(body, body.length + 1_000);
  socket.resetAndDestroy();
  const model = await scriptedModel(says("Still here."));
  expect(readChatStream(await (await post(bodyOf(model.name))).text()).text).toBe("Still here.");
});

test("a body over the cap is refused before it is all there", async () => {
  const socket = await open(" ".repeat(1_000), 30_000_000);
  await waitFor(socket, "HTTP/1.1 413");
  socket.destroy();
});
