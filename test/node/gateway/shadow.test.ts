import * as v from "valibot";
import { afterEach, expect, test, vi } from "vitest";
import { createOccupancy } from "../../../src/occupancy.ts";
import { describeFault, faultOf } from "../../../src/tenants/faults.ts";
import { withRollout, withShadow } from "../../../src/tenants/rollout.ts";
import { Settings } from "../../../src/tenants/settings.ts";
import { loadConfig } from "../../../src/tenants/variables.ts";
import { GET_WEATHER } from "../../chat-tools.ts";
import { chunk, DONE, says } from "../../scripted-upstream/script.ts";
import { type Variables, variables } from "../../variables.ts";
import type { RequestTool, WireRequest } from "../../wires/requests.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { gatewayOf, inProcess } from "./in-process.ts";
import { platform, server, stubUpstreams, unstubUpstreams } from "./platform.ts";

afterEach(unstubUpstreams);

const CALL = '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris",}}</tool_call>';
const request: WireRequest = {
  turns: [{ user: "How is the weather?" }],
  tools: [GET_WEATHER.function as RequestTool],
  maxTokens: 100,
};
const [chat] = WIRES as [Wire, ...Wire[]];

const shadowIn = async (given: Variables, text = CALL) => {
  const gateway = inProcess(given, says(text));
  await gateway.ask(chat, request, { stream: true });
  return gateway.reports[0]?.shadow;
};

test("where calls are off the shadow has the client's tools all the same", async () => {
  expect(await shadowIn({ TOOLCALL_MODE: "off", TOOLCALL_SHADOW_MODE: "feature_match" })).toEqual({
    outcome: "different",
    ...{ calls: true, text: true, repairs: true },
  });
});

test.each<[Variables, object]>([
  [{ TOOLCALL_SHADOW_EARLY_EMIT: "off" }, { outcome: "same" }],
  [{ TOOLCALL_SHADOW_MODE: "feature_match" }, { outcome: "same" }],
  [{ TOOLCALL_SHADOW_UNDECLARED: "text" }, { outcome: "same" }],
  [
    { TOOLCALL_MODE: "canonical", TOOLCALL_SHADOW_MODE: "feature_match", TOOLCALL_SHADOW_MALFORMED: "drop" },
    { outcome: "different" },
  ],
])("any of the sieve's own settings may have a shadow: %j", async (given, wanted) => {
  expect(await shadowIn(given)).toMatchObject(wanted);
});

test("notations of the shadow take the place of those that are set", async () => {
  const written = "<get_weather><city>Oslo</city></get_weather>";
  const differs = { outcome: "different", calls: true };
  expect(await shadowIn({ TOOLCALL_SHADOW_DIALECTS: "morph_xml" }, written)).toMatchObject(differs);
  const both = { TOOLCALL_DIALECTS: "morph_xml", TOOLCALL_SHADOW_DIALECTS: "glm45" };
  expect(await shadowIn(both, written)).toMatchObject(differs);
  const kept = { TOOLCALL_DIALECTS: "morph_xml", TOOLCALL_SHADOW_MALFORMED: "drop" };
  expect(await shadowIn(kept, written)).toEqual({ outcome: "same" });
});

test("a shadow of a model takes the place of the tenant's, and reads by its own settings", async () => {
  const { log } = stubUpstreams(() => new Response(chunk({ content: CALL }) + chunk({}, "stop") + DONE));
  const { store, ask } = platform();
  const routes = [
    { models: ["none-*"], toolcall: { shadow: {} } },
    { models: ["other-*"], toolcall: { shadow: { fenced: "sole", dialects: [] } } },
  ];
  const toolcall = { mode: "off", shadow: { percent: 100, mode: "feature_match" } };
  const { key } = await store.tenant("acme", { ...server("acme"), toolcall, routes });
  const shadowOf = async (model: string) => {
    await ask(key, { model });
    return JSON.parse(log.at(-1) ?? "").shadow;
  };
  expect(await shadowOf("m")).toMatchObject({ outcome: "different" });
  expect(await shadowOf("none-1")).toBeUndefined();
  expect(await shadowOf("other-1")).toEqual({ outcome: "same" });
});

test("of a hundred conversations so many have one, and others than those that something is rolled out to", async () => {
  const { config } = loadConfig({
    ...{ TOOLCALL_SHADOW: "50", TOOLCALL_SHADOW_MODE: "canonical" },
    ...{ TOOLCALL_ROLLOUT: "50", TOOLCALL_ROLLOUT_EARLY_EMIT: "off" },
  });
  if (!config) throw new Error("invalid");
  const counts = { in: 0, out: 0 };
  for (let count = 0; count < 1_000; count += 1) {
    const turns = [{ role: "user" as const, parts: [{ type: "text" as const, text: `Question ${count}` }] }];
    const { config: rolled, rollout = "out" } = await withRollout(config, "key", turns);
    const { shadow } = (await withShadow(rolled, "key", turns)).toolcall;
    const later = [...turns, { role: "assistant" as const, parts: [] }];
    expect((await withShadow(rolled, "key", later)).toolcall.shadow).toEqual(shadow);
    if (shadow) counts[rollout] += 1;
  }
  // Four standard deviations of a binomial distribution: 250 ± 55 on each side.
  expect(Math.abs(counts.in - 250)).toBeLessThan(55);
  expect(Math.abs(counts.out - 250)).toBeLessThan(55);
});

test.each<[object, RegExp]>([
  [
    { TOOLCALL_SHADOW: "10" },
    /TOOLCALL_SHADOW takes 0 where none of mode, early_emit, dialects, .* is set for the shadow/,
  ],
  [{ TOOLCALL_SHADOW: "101", TOOLCALL_SHADOW_MODE: "off" }, /TOOLCALL_SHADOW takes a whole number from 0 to 100/],
  [{ TOOLCALL_SHADOW_MODE: "canonic" }, /TOOLCALL_SHADOW_MODE takes off, canonical, feature_match/],
  [{ TOOLCALL_SHADOW_DIALECTS: "hermes,morse" }, /TOOLCALL_SHADOW_DIALECTS takes notations of .*, not "morse"/],
])("a shadow that makes no sense: %j", (env, message) => {
  expect(loadConfig(env)).toMatchObject({ error: { message: expect.stringMatching(message) } });
});

test("what the model is told has no shadow", () => {
  const { issues = [] } = v.safeParse(Settings, { toolcall: { shadow: { teach: "hermes" } } });
  expect(issues.map(faultOf).map(describeFault)).toEqual(["toolcall.shadow.teach is no setting."]);
});

test.each([true, false])("a reply that breaks off is incomplete; stream: %s", async (stream) => {
  const cut = { steps: [{ send: chunk({ content: `Some words. ${CALL} And more.` }) }] };
  const gateway = inProcess({ TOOLCALL_SHADOW_MODE: "canonical" }, cut);
  await gateway.ask(chat, request, { stream });
  expect(gateway.reports).toMatchObject([{ outcome: "upstream-failed", shadow: { outcome: "incomplete" } }]);
});

test("at 0 % nobody has one", async () => {
  expect(await shadowIn({ TOOLCALL_SHADOW: "0", TOOLCALL_SHADOW_MODE: "canonical" })).toBeUndefined();
  expect(await shadowIn({ TOOLCALL_SHADOW: "0" })).toBeUndefined();
});

test("C23: what the shadow alone holds counts as held", async () => {
  const argument = `${CALL.slice(0, CALL.indexOf("Paris"))}${"word ".repeat(40_000)}`;
  const bytesHeld = async (given: Variables) => {
    const occupancy = createOccupancy();
    vi.stubGlobal("fetch", async () => {
      const events = new TextEncoder().encode(chunk({ content: argument }));
      return new Response(new ReadableStream({ start: (controller) => controller.enqueue(events) }));
    });
    const settings = { UPSTREAM_BASE_URL: "http://upstream-held.example/v1", GATEWAY_AUTH: "none", ...given };
    const { send } = gatewayOf(variables(settings), { occupancy });
    const leaving = new AbortController();
    const { path, fields } = chat.address({ model: "m", stream: true });
    const body = JSON.stringify({ ...fields, ...chat.write(request, true) });
    const response = await send(path, { method: "POST", body, signal: leaving.signal });
    const reader = response.body?.getReader();
    let read = 0;
    while (read < argument.length) read += (await reader?.read())?.value?.length ?? Number.POSITIVE_INFINITY;
    // What has gone out is no longer held a moment later.
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { bytes } = occupancy;
    leaving.abort();
    await reader?.cancel();
    await expect.poll(() => occupancy.bytes).toBe(0);
    return bytes - body.length;
  };
  vi.spyOn(console, "log").mockImplementation(() => {});
  const early = { TOOLCALL_MODE: "canonical" };
  expect(await bytesHeld(early)).toBeLessThan(10_000);
  const shadow = { TOOLCALL_SHADOW_MODE: "feature_match", TOOLCALL_SHADOW_EARLY_EMIT: "off" };
  expect(await bytesHeld({ ...early, ...shadow })).toBeGreaterThan(argument.length - 10_000);
});
