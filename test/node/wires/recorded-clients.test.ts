import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createApp } from "../../../src/app.ts";
import type { Json, JsonObject } from "../../../src/conversation.ts";
import { exchange } from "../../../src/exchange.ts";
import { isObject } from "../../../src/json.ts";
import { says } from "../../scripted-upstream/script.ts";
import { clientRequests } from "../../wires/client-requests.ts";
import { fillPrompts } from "./fill-prompts.ts";

const { requests } = clientRequests<JsonObject>();

test("all four wires are spoken", () => {
  const paths = requests.map(({ path }) => path.replace(/models\/.*:/, "models/{model}:").split("?")[0]);
  expect([...new Set(paths)].toSorted()).toEqual([
    "/v1/chat/completions",
    "/v1/messages",
    "/v1/models/{model}:streamGenerateContent",
    "/v1/responses",
    "/v1beta/models/{model}:generateContent",
    "/v1beta/models/{model}:streamGenerateContent",
  ]);
});

const app = createApp({ exchange, listUpstreamModels: async () => [] });
const env = { UPSTREAM_BASE_URL: "https://model.example/v1", GATEWAY_AUTH: "none" };
const sends = says("Done.").steps?.map((step) => (typeof step === "object" ? step.send : "")) ?? [];
const fetched = vi.spyOn(globalThis, "fetch");
beforeEach(() => {
  fetched.mockImplementation(
    async () => new Response(sends.join(""), { headers: { "content-type": "text/event-stream" } }),
  );
});
afterEach(() => void fetched.mockReset());

/** What the model gets of a request that is answered well. */
async function sendUpstream({ method, path }: { method: string; path: string }, body: JsonObject, env: object) {
  const response = await app.fetch(new Request(`http://localhost${path}`, { method, body: JSON.stringify(body) }), env);
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("Done.")]);
  return JSON.parse(String(fetched.mock.calls[0]?.[1]?.body)) as UpstreamBody;
}

interface UpstreamBody {
  messages: { role: string; content: string; tool_calls?: { id: string }[]; tool_call_id?: string }[];
  tools?: Json;
}

describe("reach the model with every tool taught and every result in place:", () => {
  test.each(requests)("$name", async ({ body, ...request }) => {
    const { filled, results } = fillPrompts(body);
    const { messages } = await sendUpstream(request, filled, env);
    const system = messages[0]?.role === "system" ? messages[0].content : "";
    const taught = [...system.matchAll(/^([\w-]+)\(/gm)].map(([, name]) => name);
    expect(taught.toSorted()).toEqual(toolNames(body.tools ?? []).toSorted());
    const shown = messages.flatMap(({ content }) => [...content.matchAll(/<result [^>]*>\n([\s\S]*?)\n<\/result>/g)]);
    expect(shown.map(([, text]) => text)).toEqual(results);
    expect(shown.map(([block]) => block).join("")).not.toContain("missing");
  });
});

describe("reach an upstream that knows tools with each call answered, as strict servers demand:", () => {
  const native = { ...env, TOOLCALL_TEACH: "native" };

  test.each(requests)("$name", async ({ body, ...request }) => {
    const { filled, results } = fillPrompts(body);
    const { messages, tools = [] } = await sendUpstream(request, filled, native);
    expect(toolNames(tools).toSorted()).toEqual(toolNames(body.tools ?? []).toSorted());
    const answers = messages.filter(({ role }) => role === "tool");
    expect(answers.map(({ content }) => content)).toEqual(results);
    for (const [index, { tool_calls: calls = [] }] of messages.entries()) {
      const behind = messages.slice(index + 1, index + 1 + calls.length);
      expect(behind.map(({ tool_call_id }) => tool_call_id)).toEqual(calls.map(({ id }) => id));
    }
    expect(messages.flatMap(({ tool_calls: calls = [] }) => calls)).toHaveLength(answers.length);
  });
});

/** Tools that only the maker's own servers can run. */
const HOSTED = ["web_search", "tool_search"];

/** Whatever the wire: declarations stand in lists, in members named after their type, or in a namespace. */
function toolNames(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(toolNames);
  if (!isObject(value) || HOSTED.includes(String(value.type))) return [];
  const inner = value.tools ?? value.functionDeclarations ?? value.function ?? value.custom;
  if (inner) return toolNames(inner);
  return typeof value.name === "string" ? [value.name] : [];
}
