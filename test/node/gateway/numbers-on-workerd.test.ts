import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { chunk, DONE, event } from "../../scripted-upstream/script.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { startBarePlatform } from "./bare-platform.ts";
import { readText } from "./outputs.ts";
import type { Host } from "./outside.ts";
import { until } from "./until.ts";

/** Numbers where their objects are real ones, and a client that leaves stops all that runs for it. */

const USAGE = event({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } });
let asked = 0;

/** By the name of the model: what it does. */
const model: Host = ({ body }, response) => {
  asked += 1;
  const name: string = JSON.parse(body).model;
  if (name === "silent") return;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const deltas = name === "long" ? 2_000 : 3;
  for (let count = 0; count < deltas; count += 1) response.write(chunk({ content: `word ${count} ` }));
  if (name !== "open") response.end(chunk({}, "stop") + USAGE + DONE);
};

const hosts: Record<string, Host> = {};
const platform = await startBarePlatform(hosts, { ADMIN_TOKEN: "operator", HEARTBEAT_MS: "500" });
const tenants = await Promise.all(["acme", "beta"].map((id) => platform.addTenant(id)));
for (const { host } of tenants) hosts[host] = model;
const [acme, beta] = tenants as [(typeof tenants)[number], (typeof tenants)[number]];
afterAll(() => platform.close());

/** What a tenant's counters come to, all models together; by series, wire and the values of its own labels. */
async function countsOf(tenant: string): Promise<Map<string, number>> {
  const response = await fetch(`http://127.0.0.1:${platform.port}/t/${tenant}/metrics`, {
    headers: { authorization: "Bearer operator" },
  });
  expect(response.status).toBe(200);
  const counts = new Map<string, number>();
  for (const { name, labels, value } of readText(await response.text()).flatMap(({ samples }) => samples)) {
    const { tenant: own, model: _model, ...rest } = Object.fromEntries(labels);
    expect(own).toBe(tenant);
    const key = [name, ...Object.values(rest)].join(" ");
    counts.set(key, (counts.get(key) ?? 0) + value);
  }
  return counts;
}

interface Asked {
  name: string;
  stream: boolean;
}

function written(wire: Wire, { name, stream }: Asked) {
  const { path, fields } = wire.address({ model: name, stream });
  return {
    path,
    body: JSON.stringify({ ...fields, ...wire.write({ turns: [{ user: "Go." }], maxTokens: 9 }, stream) }),
  };
}

async function open(wire: Wire, asked: Asked): Promise<Socket> {
  const { path, body } = written(wire, asked);
  const socket = connect(platform.port, "127.0.0.1");
  await once(socket, "connect");
  const head = [`POST ${path} HTTP/1.1`, "host: localhost", `x-api-key: ${acme.key}`, `content-length: ${body.length}`];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  return socket;
}

async function answered(wire: Wire, asked: Asked, key = acme.key): Promise<string> {
  const { path, body } = written(wire, asked);
  const init = { method: "POST", headers: { "x-api-key": key }, body };
  return (await fetch(`http://127.0.0.1:${platform.port}${path}`, init)).text();
}

const FORMS = WIRES.flatMap((wire) => {
  const forms = wire.name.endsWith("array") ? [true] : [false, true];
  return forms.map((stream) => [wire.name, stream, wire] as const);
});
/** From the end of a reply until it is in the numbers, in milliseconds. */
const PROMPTLY = 1_000;

describe.each(FORMS)("%s, stream: %s", (_name, stream, wire) => {
  const ended = (outcome: string) => `toolcall_replies_total ${wire.protocol.name} feature_match none ${outcome}`;

  test.each(["silent", "open"])("C27: a client that leaves is counted at once; the upstream: %s", async (name) => {
    const before = (await countsOf("acme")).get(ended("aborted")) ?? 0;
    const already = asked;
    const socket = await open(wire, { name, stream });
    if (name === "open" && stream) await once(socket, "data");
    else await until(() => asked > already, "the upstream is asked");
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.resetAndDestroy();
    const counted = async () => ((await countsOf("acme")).get(ended("aborted")) ?? 0) > before;
    await until(counted, "the reply is counted", PROMPTLY);
    expect((await countsOf("acme")).get(ended("aborted"))).toBe(before + 1);
  });

  test("a reply of 2,000 deltas is counted once", async () => {
    const before = await countsOf("acme");
    expect(await answered(wire, { name: "long", stream })).toContain("word 1999");
    const more = async (key: string) => ((await countsOf("acme")).get(key) ?? 0) - (before.get(key) ?? 0);
    await until(async () => (await more(ended("stop"))) === 1, "the reply is counted", PROMPTLY);
    for (const series of ["reply_seconds_count", "held_characters_count", "upstream_requests_total"]) {
      expect(await more(`toolcall_${series} ${wire.protocol.name}`), series).toBe(1);
    }
    expect(await more(`toolcall_tokens_total ${wire.protocol.name} input false`)).toBe(7);
    expect(await more(`toolcall_tokens_total ${wire.protocol.name} output false`)).toBe(3);
  });
});

test("C37: a tenant's numbers have nothing of another's", async () => {
  expect([...(await countsOf("beta")).keys()]).toEqual([]);
  const before = await countsOf("acme");
  const [chat] = WIRES as [Wire, ...Wire[]];
  await answered(chat, { name: "short", stream: true }, beta.key);
  const stopped = "toolcall_replies_total openai-chat feature_match none stop";
  await until(async () => (await countsOf("beta")).get(stopped) === 1, "the reply is counted", PROMPTLY);
  expect(await countsOf("acme")).toEqual(before);
});

test("an upload that breaks off is no reply, and no failure that anybody was told", async () => {
  const before = await countsOf("acme");
  const socket = connect(platform.port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${acme.key}\r\ncontent-length: 999\r\n\r\n{"model":`,
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
  socket.resetAndDestroy();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await countsOf("acme")).toEqual(before);
});

test("nothing was lost on the way", () => {
  expect(platform.log.filter(({ event }) => event === "uncounted")).toEqual([]);
});
