import { afterEach, describe, expect, test, vi } from "vitest";
import { loadConfig } from "../../../src/tenants/variables.ts";
import { GET_WEATHER } from "../../chat-tools.ts";
import { says } from "../../scripted-upstream/script.ts";
import type { Variables } from "../../variables.ts";
import type { RequestTool, WireRequest } from "../../wires/requests.ts";
import { WIRES } from "../../wires/wires.ts";
import { inProcess } from "./in-process.ts";
import { platform, server, stubUpstreams, unstubUpstreams } from "./platform.ts";

afterEach(() => {
  unstubUpstreams();
  vi.restoreAllMocks();
});

const request: WireRequest = {
  system: "Be brief.",
  turns: [{ user: "The weather?" }],
  tools: [GET_WEATHER.function as RequestTool],
  maxTokens: 100,
};
const wires = WIRES.map((wire) => [wire.name, wire] as const);
const ROLLOUT = { TOOLCALL_ROLLOUT: "100", TOOLCALL_ROLLOUT_TEACH: "hermes" };

describe.each(wires)("precedence: tenant, model, request; %s", (_name, wire) => {
  const toolcall = { teach: "glm45", overrides: ["teach", "mode"] };
  const routes = [
    { models: ["set-*"], toolcall: { teach: "hermes" } },
    { models: ["fixed-*"], toolcall: { overrides: [] } },
  ];
  test.each<[string, string, Record<string, string>, string | null]>([
    ["the tenant's", "m", {}, "glm45"],
    ["the model's", "set-1", {}, "hermes"],
    ["the request's over the tenant's", "m", { "x-toolcall-teach": "canonical" }, "canonical"],
    ["the request's over the model's", "set-1", { "x-toolcall-teach": "canonical" }, "canonical"],
    ["the request's mode", "set-1", { "x-toolcall-mode": "off" }, null],
    ["what the model's forbids", "fixed-1", { "x-toolcall-teach": "canonical" }, "400"],
    ["what the tenant forbids", "m", { "x-toolcall-early-emit": "off" }, "400"],
    ["what fits not", "set-1", { "x-toolcall-mode": "canonical" }, "400"],
  ])("%s", async (_what, model, headers, told) => {
    stubUpstreams();
    const { store, ask } = platform();
    const { key } = await store.tenant("acme", { ...server("acme"), routes, toolcall });
    const { response, text } = await ask(key, { wire, model, headers });
    if (told !== "400") expect(response.headers.get("x-toolcall-dialect")).toBe(told);
    else expect([response.status, text]).toEqual([400, expect.stringContaining(Object.keys(headers)[0] ?? "")]);
  });
});

describe.each(wires)("roll-out; %s", (_name, wire) => {
  test.each([false, true])("is told in a header and in the report; stream: %s", async (stream) => {
    const gateway = inProcess({ ...ROLLOUT }, says("Hi"));
    const { response } = await gateway.ask(wire, request, { stream });
    expect(response.headers.get("x-toolcall-rollout")).toBe("in");
    expect(gateway.reports).toMatchObject([{ rollout: "in", told: "hermes" }]);
  });

  test("is overridden where allowed, refused where not", async () => {
    const headers = { "x-toolcall-teach": "canonical" };
    const gateway = inProcess({ ...ROLLOUT }, says("Hi"));
    const { response } = await gateway.ask(wire, request, { headers });
    expect(response.headers.get("x-toolcall-rollout")).toBeNull();
    expect(gateway.reports[0]).toMatchObject({ told: "canonical" });
    expect(gateway.reports[0]).not.toHaveProperty("rollout");
    const fixed = inProcess({ ...ROLLOUT, TOOLCALL_OVERRIDES: "none" }, says("Hi"));
    expect((await fixed.ask(wire, request, { headers })).response.status).toBe(400);
  });

  test("is told on errors, too, wherever they come from", async () => {
    const side = async (env: Variables, headers: Record<string, string> = {}, status = 500) => {
      const gateway = inProcess({ ...ROLLOUT, ...env }, { status });
      const { response } = await gateway.ask(wire, request, { headers });
      return [response.status < 400, response.headers.get("x-toolcall-rollout")];
    };
    expect(await side({})).toEqual([false, "in"]);
    expect(await side({ TOOLCALL_ROLLOUT: "0" }, {}, 400)).toEqual([false, "out"]);
    // Of no side, as an answer would be.
    expect(await side({}, { "x-toolcall-teach": "canonical" })).toEqual([false, null]);
    // Nobody knows yet.
    expect(await side({}, { "x-toolcall-teach": "morse" })).toEqual([false, null]);
    expect(await side({ MODELS: "other" })).toEqual([false, null]);
  });
});

test.each<[object, RegExp]>([
  [{ TOOLCALL_ROLLOUT: "10" }, /TOOLCALL_ROLLOUT takes 0 where none of mode, early_emit, teach is rolled out/],
  [{ TOOLCALL_ROLLOUT: "101", TOOLCALL_ROLLOUT_MODE: "off" }, /TOOLCALL_ROLLOUT takes a whole number from 0 to 100/],
  [{ TOOLCALL_ROLLOUT_TEACH: "morse" }, /TOOLCALL_ROLLOUT_TEACH takes auto, native/],
  [{ TOOLCALL_MODE: "canonical", TOOLCALL_ROLLOUT_TEACH: "hermes" }, /TOOLCALL_ROLLOUT_TEACH takes auto, native/],
  [{ TOOLCALL_TEACH: "hermes", TOOLCALL_ROLLOUT_MODE: "canonical" }, /TOOLCALL_ROLLOUT_MODE takes canonical where/],
])("a roll-out that makes no sense: %j", (env, message) => {
  expect(loadConfig(env)).toMatchObject({ error: { message: expect.stringMatching(message) } });
});

test("a roll-out of a model takes the place of the tenant's", async () => {
  stubUpstreams();
  const { store, ask } = platform();
  const routes = [
    { models: ["none-*"], toolcall: { rollout: {} } },
    { models: ["other-*"], toolcall: { rollout: { percent: 100, teach: "glm45" } } },
  ];
  const toolcall = { rollout: { percent: 0, teach: "hermes" } };
  const { key } = await store.tenant("acme", { ...server("acme"), toolcall, routes });
  const side = async (model: string) => {
    const { headers } = (await ask(key, { model })).response;
    return [headers.get("x-toolcall-rollout"), headers.get("x-toolcall-dialect")];
  };
  expect(await side("m")).toEqual(["out", "canonical"]);
  expect(await side("none-1")).toEqual([null, "canonical"]);
  expect(await side("other-1")).toEqual(["in", "glm45"]);
});
