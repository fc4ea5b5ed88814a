import { afterEach, expect, test } from "vitest";
import { COLUMNS, type DataPoint } from "../../../src/telemetry/analytics.ts";
import { WIRES } from "../../wires/wires.ts";
import { platform, server, stubUpstreams, unstubUpstreams } from "./platform.ts";

afterEach(unstubUpstreams);

const at = (name: (typeof COLUMNS.blobs)[number]) => COLUMNS.blobs.indexOf(name);

/** What stands in some columns of texts. */
const texts = (points: readonly DataPoint[], names: (typeof COLUMNS.blobs)[number][]) =>
  points.map(({ indexes, blobs }) => [...indexes, ...names.map((name) => blobs[at(name)])]);

const shapes = WIRES.flatMap((wire) => [false, true].map((stream) => ({ name: wire.name, wire, stream })));

test.each(shapes)("a reply writes its points to ANALYTICS; $name, stream: $stream", async ({ wire, stream }) => {
  stubUpstreams();
  const points: DataPoint[] = [];
  const { ask, store } = platform({ ANALYTICS: { writeDataPoint: (point: DataPoint) => void points.push(point) } });
  const { key } = await store.tenant("acme", server("acme"));
  expect((await ask(key, { wire, stream })).calls).toBe(1);
  const { protocol } = wire;
  expect(texts(points, ["kind", "wire", "delivery", "told", "outcome", "source"])).toEqual([
    ["acme", "reply", protocol.name, stream ? "stream" : "whole", "canonical", "tool", ""],
    ["acme", "block", protocol.name, stream ? "stream" : "whole", "canonical", "call", "canonical"],
  ]);
});

test.each(shapes)("one that throws disturbs no reply; $name, stream: $stream", async ({ wire, stream }) => {
  const { log } = stubUpstreams();
  const writeDataPoint = () => {
    throw new Error("C4NARY");
  };
  const { ask } = platform({ ANALYTICS: { writeDataPoint } });
  expect((await ask("own", { wire, stream })).calls).toBe(1);
  expect(log.map((line) => JSON.parse(line).event)).toEqual(["reply", "points_lost"]);
  expect(log.join()).not.toContain("C4NARY");
});

test("C14: a point holds nothing that a client or a model wrote", async () => {
  const canary = "C4NARY";
  const text = `${canary} <tool_call>{"name": "${canary}", "arguments": {"${canary}": 1,}}</tool_call> ${canary}`;
  const delta = JSON.stringify({
    choices: [{ index: 0, delta: { content: text }, finish_reason: canary }],
    model: canary,
  });
  stubUpstreams(() => new Response(`data: ${delta}\n\ndata: [DONE]\n\n`));
  const points: DataPoint[] = [];
  const { ask } = platform({
    UPSTREAM_BASE_URL: "https://llm.example/v1",
    ANALYTICS: { writeDataPoint: (point: DataPoint) => void points.push(point) },
  });
  for (const { wire, stream } of shapes) {
    await ask("own", { wire, stream, model: canary, headers: { "x-toolcall-teach": "hermes", "user-agent": canary } });
  }
  expect(points.length).toBeGreaterThanOrEqual(shapes.length * 3);
  expect(JSON.stringify(points)).not.toContain(canary);
});
