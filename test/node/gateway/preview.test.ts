import { afterEach, describe, expect, test, vi } from "vitest";
import { GET_WEATHER } from "../../chat-tools.ts";
import { says } from "../../scripted-upstream/script.ts";
import type { RequestTool } from "../../wires/requests.ts";
import { WIRES } from "../../wires/wires.ts";
import { inProcess } from "./in-process.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const request = {
  system: "Be kind.",
  turns: [{ user: "What is the weather in Paris?" }],
  tools: [GET_WEATHER.function as RequestTool],
  maxTokens: 100,
};
const VARIABLES = { ADMIN_TOKEN: "admin-1,admin-2", GATEWAY_API_KEYS: "client", UPSTREAM_API_KEY: "upstream-key" };

describe.each(WIRES.map((wire) => [wire.name, wire] as const))("%s", (_name, wire) => {
  function look(headers: Record<string, string>, variables = VARIABLES, query = "") {
    const gateway = inProcess(variables, says("Sunny."));
    const { path, fields } = wire.address({ model: "qwen3:8b", stream: true });
    const body = JSON.stringify({ ...fields, ...wire.write(request, true) });
    return { gateway, response: gateway.send(path + query, { method: "POST", headers, body }) };
  }

  test("an operator is shown exactly what would be sent, and nothing is sent", async () => {
    const { gateway, response } = look({ authorization: "Bearer admin-2", "x-toolcall-debug": "prompt" });
    const shown = await (await response).json();
    expect(gateway.requests).toEqual([]);
    expect(shown).toMatchObject({
      dialect: "hermes",
      warnings: [],
      upstream_kind: "generic",
      prompt_tokens: expect.any(Number),
    });
    await gateway.ask(wire, request, { model: "qwen3:8b", stream: true, headers: { "x-api-key": "client" } });
    expect((shown as { upstream_request: object }).upstream_request).toEqual(gateway.requests[0]);
    expect(JSON.stringify(shown)).not.toMatch(/upstream-key|upstream-\d|admin/);
  });

  test.each<[string, Record<string, string>, Partial<typeof VARIABLES>]>([
    ["a client's key", { authorization: "Bearer client" }, {}],
    ["no key", {}, {}],
    ["another key", { authorization: "Bearer admin" }, {}],
    ["two that differ", { authorization: "Bearer admin-1", "x-api-key": "client" }, {}],
    ["any key where no token is set", { authorization: "Bearer admin-1" }, { ADMIN_TOKEN: "" }],
    ["an open gateway, where no token is set", {}, { ADMIN_TOKEN: "", GATEWAY_API_KEYS: "" }],
  ])("%s is refused", async (_what, headers, variables) => {
    const { gateway, response } = look({ ...headers, "x-toolcall-debug": "prompt" }, { ...VARIABLES, ...variables });
    expect((await response).status).toBe(401);
    expect(await (await response).text()).toContain("A valid API key is required.");
    expect(gateway.requests).toEqual([]);
  });

  test("a token in the address is none", async () => {
    const query = wire.address({ model: "m", stream: true }).path.includes("?") ? "&key=admin-1" : "?key=admin-1";
    const { response } = look({ "x-toolcall-debug": "prompt" }, VARIABLES, query);
    expect((await response).status).toBe(401);
  });

  test("an operator's token is no client's key", async () => {
    const { response } = look({ authorization: "Bearer admin-1" });
    expect((await response).status).toBe(401);
  });
});
