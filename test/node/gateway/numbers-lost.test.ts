import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WIRES } from "../../wires/wires.ts";
import { platform, server, stubUpstreams, unstubUpstreams } from "./platform.ts";

/** What becomes of numbers that cannot be kept, or are not wanted. */

let log: string[];
beforeEach(() => {
  log = stubUpstreams().log;
});
afterEach(unstubUpstreams);

const OPERATED = { ADMIN_TOKEN: "operator", UPSTREAM_BASE_URL: "https://llm.example/v1" };
const shapes = WIRES.flatMap((wire) => [false, true].map((stream) => [wire.name, stream, wire] as const));
const events = () => log.map((line) => JSON.parse(line)).map(({ event, tenant }) => [event, tenant]);
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

function withPoints(given: object = {}) {
  const points: unknown[] = [];
  const gateway = platform({
    ...OPERATED,
    ...given,
    ANALYTICS: { writeDataPoint: (point: unknown) => points.push(point) },
  });
  const metrics = async (tenant = "", token = "operator") => {
    const path = tenant === "" ? "/metrics" : `/t/${tenant}/metrics`;
    const response = await gateway.send(path, { headers: { authorization: `Bearer ${token}` } });
    return { status: response.status, text: await response.text() };
  };
  return { ...gateway, points, metrics };
}

test.each(shapes)("an object that is away costs no reply; %s, stream: %s", async (_name, stream, wire) => {
  const { ask, objects, store, metrics, points } = withPoints();
  const { key } = await store.tenant("acme", server("acme"));
  objects.broken = true;
  const { response, calls } = await ask(key, { wire, stream });
  expect([response.status, calls]).toEqual([200, 1]);
  await settled();
  expect(events()).toEqual([
    ["reply", "acme"],
    ["uncounted", "acme"],
  ]);
  const [reply, uncounted] = log.map((line) => JSON.parse(line));
  expect(uncounted.request_id).toBe(reply.request_id);
  expect(points).toHaveLength(2);
  expect((await metrics("acme")).status).toBe(503);
  objects.broken = false;
  // Once it is back it has what it counted, and that reply is in no number.
  expect(await metrics("acme")).toEqual({ status: 200, text: "" });
});

test.each(shapes)("one that never answers holds up no reply; %s, stream: %s", async (_name, stream, wire) => {
  const { ask, objects } = withPoints();
  objects.gate = new Promise(() => {});
  const { response, calls } = await ask("own", { wire, stream });
  expect([response.status, calls]).toEqual([200, 1]);
  expect(objects.calls).toEqual(["_gateway count"]);
});

test("a count that is never answered is given up, and a line of the log", async () => {
  const { ask, objects } = withPoints();
  objects.gate = new Promise(() => {});
  vi.useFakeTimers();
  await ask("own");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(events()).toEqual([
    ["reply", undefined],
    ["uncounted", undefined],
  ]);
});

test("nothing is counted where that is not wanted, but the log has its line", async () => {
  const { ask, objects, store, metrics, points } = withPoints({ METRICS: "off" });
  const { key } = await store.tenant("acme", { ...server("acme"), metrics: "off" });
  for (const [whose, prefix] of [
    ["own", ""],
    [key, ""],
  ] as const) {
    await ask(whose, { prefix });
    expect((await ask(whose, { prefix, headers: { "x-toolcall-mode": "off" } })).response.status).toBe(400);
  }
  expect(objects.calls.filter((call) => call.endsWith(" count"))).toEqual([]);
  expect(points).toEqual([]);
  expect(events()).toEqual([
    ["reply", undefined],
    ["reply", "acme"],
  ]);
  expect([(await metrics()).status, (await metrics("acme")).status]).toEqual([404, 404]);
});

test("C5, C10: numbers are operators' alone: no key of a client's opens them", async () => {
  const { ask, store, metrics } = withPoints();
  const { key } = await store.tenant("acme", server("acme"));
  await ask(key);
  await ask("own");
  for (const tenant of ["", "acme", "nobody"]) {
    for (const token of [key, "own", "Operator", ""]) expect((await metrics(tenant, token)).status, token).toBe(401);
  }
  const [own, theirs] = [await metrics(), await metrics("acme")];
  for (const [{ text }, tenant, other] of [
    [own, "_gateway", "acme"],
    [theirs, "acme", "_gateway"],
  ] as const) {
    expect(text).toContain(`tenant="${tenant}"`);
    expect(text).not.toContain(`tenant="${other}"`);
  }
});
