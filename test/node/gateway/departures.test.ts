import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { startBareGateway } from "./bare-workerd.ts";
import { type HostileStep, startHostileUpstream } from "./hostile-upstream.ts";
import { until } from "./until.ts";

const upstream = await startHostileUpstream({ leak: "", trap: "" });
const variables = { UPSTREAM_BASE_URL: upstream.url, GATEWAY_AUTH: "none", HEARTBEAT_MS: "500" };
const gateway = await startBareGateway(variables);
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

/** How long it may take until the upstream is let go of, in milliseconds. */
const PROMPTLY = 2_000;

const BEGUN: HostileStep[] = [{ say: "first" }, { say: " second" }, { say: " third" }];
const STREAMING: HostileStep[] = [...BEGUN, { drip: Array.from({ length: 1_000 }, () => " more"), seconds: 20 }];

/** What the upstream does, and what a client has got before it leaves. */
const PHASES: readonly { name: string; steps: HostileStep[]; sees?: string }[] = [
  { name: "before the status", steps: ["hang"] },
  { name: "behind the status", steps: [{ send: ": ok\n\n" }, "hang"] },
  { name: "in a silence", steps: [...BEGUN, "hang"], sees: "first" },
  { name: "in the stream", steps: STREAMING, sees: "first" },
];

const [, , silent, streaming] = PHASES;

/** Without a reset only a write finds out that nobody reads: of the answer, or a keep-alive where the wire has one. */
const closings = (wire: Wire) => [streaming, ...(wire.alias === "gemini" ? [] : [silent])];

const CASES = WIRES.flatMap((wire) => [
  ...PHASES.map((phase) => ({ wire, phase, way: "a reset", leave: (socket: Socket) => socket.resetAndDestroy() })),
  ...closings(wire).map((phase) => ({ wire, phase, way: "a close", leave: (socket: Socket) => socket.destroy() })),
]).flatMap(({ phase, ...rest }) => (phase ? [{ ...rest, phase }] : []));

describe.concurrent("a client that leaves takes the upstream along", () => {
  const named = CASES.map((each, index) => [`${each.wire.name}, ${each.way} ${each.phase.name}`, index, each] as const);
  test.each(named)("C27: %s", async (_name, index, { wire, phase: { steps, sees }, leave }) => {
    const name = `model-${"abcdefghij".charAt(Math.floor(index / 10))}${"abcdefghij".charAt(index % 10)}`;
    const model = upstream.model(name, [{ steps }]);
    const socket = await open(wire, name);
    if (sees !== undefined) await waitFor(socket, sees);
    else await until(() => model.requests === 1, "a request");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(model.abandoned).toBeUndefined();
    const left = Date.now();
    leave(socket);
    await until(() => model.abandoned !== undefined, "the upstream is let go of");
    expect((model.abandoned ?? 0) - left).toBeLessThan(PROMPTLY);
  });
});

test("C27: each departure has left its report, though nobody kept the Worker alive for it", async () => {
  const replies = () => gateway.log.filter(({ event }) => event === "reply");
  await until(() => replies().length === CASES.length, "reports");
  for (const reply of replies()) expect(reply).toMatchObject({ outcome: "aborted", upstream_requests: 1 });
});

async function open(wire: Wire, model: string): Promise<Socket> {
  const { path, fields } = wire.address({ model, stream: true });
  const body = JSON.stringify({ ...fields, ...wire.write({ turns: [{ user: "Go." }] }, true) });
  const socket = connect(gateway.port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(`POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  return socket;
}

/** Reads until this text has come. */
async function waitFor(socket: Socket, text: string): Promise<void> {
  let received = "";
  while (!received.includes(text)) received += (await once(socket, "data")).join("");
}
