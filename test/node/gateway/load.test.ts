import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { canonical } from "../../../src/dialects/canonical.ts";
import { random } from "../../random.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { type BareGateway, startBareGateway } from "./bare-workerd.ts";
import { startHostileUpstream } from "./hostile-upstream.ts";
import { until } from "./until.ts";

const upstream = await startHostileUpstream({ leak: "", trap: "" });
const gateways: BareGateway[] = [];
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await upstream.close();
});

/** A process of its own, so that its memory is that of one test. */
async function start(): Promise<BareGateway> {
  const gateway = await startBareGateway({ UPSTREAM_BASE_URL: upstream.url, GATEWAY_AUTH: "none" });
  gateways.push(gateway);
  return gateway;
}

/** Megabytes that a process has in memory now (`VmRSS`), or has had at most (`VmHWM`). */
function memory({ pid }: BareGateway, what: "VmRSS" | "VmHWM" = "VmRSS"): number {
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  return Number(new RegExp(`^${what}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1_000;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const TEXT = { type: "string" };
const TOOL = { name: "write_file", parameters: { type: "object", properties: { path: TEXT, content: TEXT } } };

function asked(wire: Wire, model: string, stream: boolean) {
  const { path, fields } = wire.address({ model, stream });
  return {
    path,
    body: JSON.stringify({ ...fields, ...wire.write({ turns: [{ user: "Go." }], tools: [TOOL] }, stream) }),
  };
}

async function ask(gateway: BareGateway, wire: Wire, model: string): Promise<string> {
  const { path, body } = asked(wire, model, true);
  return (await fetch(`http://127.0.0.1:${gateway.port}${path}`, { method: "POST", body })).text();
}

async function expectHealth(gateway: BareGateway) {
  upstream.model("model-good", [{ steps: [{ say: "Still here." }, "finish", "done"] }]);
  for (const wire of WIRES) expect(wire.readStream(await ask(gateway, wire, "model-good")).text).toBe("Still here.");
}

const letter = (index: number) => "abcdefghijklmnopqrstuvwxyz".charAt(index);

describe.concurrent("under load", () => {
  test("C37: sixteen streams for half a minute get each its own, byte for byte, and no memory is lost", async () => {
    const gateway = await start();
    const memories: number[] = [];
    const watch = setInterval(() => memories.push(memory(gateway)), 250);
    await Promise.all(
      Array.from({ length: 16 }, async (_, index) => {
        const wire = WIRES[index % WIRES.length] as Wire;
        const { deltas, text, files } = say(index);
        const name = `model-soak-${letter(index)}`;
        upstream.model(name, [{ steps: [{ drip: deltas, seconds: 30 }, "finish", "done"] }]);
        const reply = wire.readStream(await ask(gateway, wire, name));
        expect(reply.text === text, `the text of ${name}`).toBe(true);
        expect(reply.calls.map(({ arguments: json }) => JSON.parse(json).content)).toEqual(files);
        expect(reply.finish).toBe("tool_calls");
      }),
    );
    clearInterval(watch);
    // The least of a while is what is left when rubbish has been collected.
    const least = (from: number, to: number) =>
      Math.min(...memories.slice(Math.floor(memories.length * from), Math.floor(memories.length * to)));
    expect(least(0.8, 1) - least(0.4, 0.6)).toBeLessThan(GROWTH);
  });

  test("C28: who reads a kilobyte a second stops the upstream", async () => {
    const gateway = await start();
    await expectHealth(gateway);
    const readers = await Promise.all(
      WIRES.map(async (wire, index) => {
        const name = `model-slow-${letter(index)}`;
        const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "word ".repeat(20) } }] })}\n\n`;
        const model = upstream.model(name, [{ steps: [{ flood: event, megabytes: 1_000 }] }]);
        const { path, body } = asked(wire, name, true);
        const socket = connect(gateway.port, "127.0.0.1");
        await once(socket, "connect");
        socket.write(`POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
        const reading = setInterval(() => socket.read(1_000), 1_000);
        socket.once("close", () => clearInterval(reading));
        return { model, leave: () => void socket.resetAndDestroy() };
      }),
    );
    const written = () => readers.map(({ model }) => model.written);
    const standsStill = async () => {
      const then = written();
      await sleep(3_000);
      return written().every((bytes, index) => bytes > 0 && bytes - (then[index] ?? 0) < 100_000);
    };
    await until(standsStill, "the upstream stands still", 40_000);
    const full = written();
    const filled = memory(gateway);
    await sleep(3_000);
    expect(
      written()
        .map((bytes, index) => bytes - (full[index] ?? 0))
        .filter((bytes) => bytes > 1_000_000),
    ).toEqual([]);
    expect(Math.max(...full)).toBeLessThan(30_000_000);
    expect(memory(gateway) - filled).toBeLessThan(GROWTH);
    for (const { leave } of readers) leave();
    await until(() => readers.every(({ model }) => model.abandoned !== undefined), "the upstream is let go of");
    await expectHealth(gateway);
  });

  test("C21: comments without end hold nobody up, fill no memory, and end with their reader", async () => {
    const gateway = await start();
    await expectHealth(gateway);
    const model = upstream.model("model-comments", [
      { steps: [{ say: "Go" }, { flood: ": no\n", megabytes: 10_000 }] },
    ]);
    const { path, body } = asked(WIRES[0] as Wire, "model-comments", true);
    const socket = connect(gateway.port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(`POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    await sleep(1_000);
    const before = memory(gateway);
    for (let times = 0; times < 5; times += 1) {
      await expectHealth(gateway);
      await sleep(200);
    }
    expect(memory(gateway) - before).toBeLessThan(GROWTH);
    socket.resetAndDestroy();
    await until(() => model.abandoned !== undefined, "the upstream is let go of", 2_000);
  });

  test("C19b: amplifiers are refused before they are parsed", async () => {
    const gateway = await start();
    await expectHealth(gateway);
    const before = memory(gateway);
    const amplifier = `{"messages":[${"[],".repeat(2_500_000)}[]]}`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const wire = WIRES[index % WIRES.length] as Wire;
        const { path } = asked(wire, "model-good", index % 2 === 0);
        const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, { method: "POST", body: amplifier });
        expect(wire.readBody(await response.text()).error).toBeDefined();
        return response.status;
      }),
    );
    expect(answers).toEqual(Array.from({ length: 8 }, () => 400));
    expect(memory(gateway, "VmHWM") - before).toBeLessThan(AMPLIFIED);
    await expectHealth(gateway);
  });
});

/** Megabytes of noise: the engine's heap grows in steps before it collects rubbish. Whatever is not bounded makes hundreds. */
const GROWTH = 100;
/** Megabytes: twice eight bodies of 7.5, and noise. Parsed, they would be more than 800. */
const AMPLIFIED = 250;

/** A model's text of one stream, which no other one has: prose and files, in deltas of all sizes. */
function say(seed: number): { deltas: string[]; text: string; files: string[] } {
  const next = random(seed + 1);
  const word = () => `${letter(seed)}${Math.floor(next() * 1e9).toString(36)}`;
  const words = (count: number) => Array.from({ length: count }, word).join(" ");
  const files: string[] = [];
  let text = "";
  let said = "";
  for (let part = 0; part < 60; part += 1) {
    const prose = `${words(120)} 天🐟.`;
    const content = `${words(200)}\n\t]]> </invoke> "é"`;
    files.push(content);
    text += prose;
    said += prose + canonical.write.calls([{ name: TOOL.name, input: { path: word(), content } }]);
  }
  const deltas: string[] = [];
  for (let at = 0; at < said.length; ) {
    const size = 1 + Math.floor(next() * 60);
    deltas.push(said.slice(at, at + size));
    at += size;
  }
  return { deltas, text, files };
}
