import { vi } from "vitest";
import { canonical } from "../../../src/dialects/canonical.ts";
import { GET_WEATHER } from "../../chat-tools.ts";
import { chunk, DONE } from "../../scripted-upstream/script.ts";
import { variables } from "../../variables.ts";
import type { RequestTool } from "../../wires/requests.ts";
import { WIRES, type Wire } from "../../wires/wires.ts";
import { MemoryObjects } from "../tenants/memory-objects.ts";
import { MemoryStore } from "../tenants/stored-tenant.ts";
import { gatewayOf } from "./in-process.ts";

/** What an upstream has got. */
interface Sent {
  url: string;
  authorization: string | null;
  headers: Headers;
  model: string;
  messages: { content: string }[];
}

/** What upstreams have been sent in this test. */
export const sent: Sent[] = [];
/** What every one of them answers: a call of `get_weather`. */
export const block = canonical.write.calls([{ name: "get_weather", input: { city: "Oslo" } }]);

/** Before each test: `fetch` answers for all upstreams, and the log goes nowhere else. */
export function stubUpstreams(answer = () => new Response(chunk({ content: block }) + chunk({}, "stop") + DONE)) {
  sent.length = 0;
  const log: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void log.push(line));
  vi.stubGlobal("fetch", async (url: string, { headers, body = "{}" }: { headers: Headers; body?: string }) => {
    sent.push({ url, authorization: headers.get("authorization"), headers, ...JSON.parse(body) });
    return answer();
  });
  return { sent, log };
}

/** After each. */
export function unstubUpstreams() {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
}

export const MASTER = new Uint8Array(32).fill(7);
export const VARIABLES = variables({ MASTER_KEY_1: btoa(String.fromCharCode(...MASTER)), GATEWAY_API_KEYS: "own" });
const request = {
  turns: [{ user: "The weather?" }],
  tools: [GET_WEATHER.function as RequestTool],
  maxTokens: 100,
};
const [chat] = WIRES as [Wire, ...Wire[]];

/** A gateway with a store of tenants, and their objects. */
export function platform(given: Parameters<typeof variables>[0] = {}) {
  const store = new MemoryStore();
  const objects = new MemoryObjects(store);
  const gateway = gatewayOf({ ...VARIABLES, ...given, TENANTS: store, TENANT_OBJECTS: objects });
  /** As `ask` of a gateway, below a path's prefix; an empty key is none. */
  async function ask(key: string, { prefix = "", wire = chat, model = "m", stream = false, headers = {} } = {}) {
    const { path, fields } = wire.address({ model, stream });
    const body = JSON.stringify({ ...fields, ...wire.write(request, stream) });
    const response = await gateway.send(prefix + path, {
      method: "POST",
      headers: { ...(key !== "" && { "x-api-key": key }), ...headers },
      body,
    });
    const text = await response.clone().text();
    const read = response.ok ? (stream ? wire.readStream(text) : wire.readBody(text)) : undefined;
    return { response, text, calls: read?.calls.length };
  }
  return { store, objects, ask, send: gateway.send };
}

/** Settings with one upstream. */
export const server = (name: string, more: object = {}) => ({
  upstreams: { main: { base_url: `https://${name}.example/v1`, ...more } },
});
