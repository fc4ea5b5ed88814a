import { beforeEach, describe, expect, test, vi } from "vitest";
import { createApp } from "../../../src/app.ts";
import { exchange } from "../../../src/exchange.ts";
import { says } from "../../scripted-upstream/script.ts";

const sends = says("Done.").steps?.map((step) => (typeof step === "object" ? step.send : "")) ?? [];
const fetched = vi.spyOn(globalThis, "fetch");
beforeEach(() => {
  fetched.mockReset();
  fetched.mockImplementation(
    async () => new Response(sends.join(""), { headers: { "content-type": "text/event-stream" } }),
  );
});

const app = createApp({ exchange, listUpstreamModels: async () => [] });
const env = { UPSTREAM_BASE_URL: "https://model.example/v1", GATEWAY_AUTH: "none" };

const ARGUMENTS = '{"id":12345678901234567890,"ratio":1.0}';
const STRING = JSON.stringify(ARGUMENTS);
/** A bound that one can count with, although it is written with a digit too many. */
const SCHEMA = '{"type":"object","properties":{"id":{"type":"integer","minimum":1.0}}}';

/** As text: only there has a number digits. */
const BODIES: readonly [path: string, body: string][] = [
  [
    "/v1/chat/completions",
    `{"model":"m","temperature":1.0,"tools":[{"type":"function","function":{"name":"f","parameters":${SCHEMA}}}],"messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":${STRING}}}]},{"role":"tool","tool_call_id":"c","content":"R"}]}`,
  ],
  [
    "/v1/responses",
    `{"model":"m","temperature":1.0,"tools":[{"type":"function","name":"f","parameters":${SCHEMA}}],"input":[{"role":"user","content":"hi"},{"type":"function_call","call_id":"c","name":"f","arguments":${STRING}},{"type":"function_call_output","call_id":"c","output":"R"}]}`,
  ],
  [
    "/v1/messages",
    `{"model":"m","max_tokens":9,"temperature":1.0,"tools":[{"name":"f","input_schema":${SCHEMA}}],"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":${ARGUMENTS}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"R"}]}]}`,
  ],
  [
    "/v1beta/models/m:generateContent",
    `{"generationConfig":{"temperature":1.0},"tools":[{"functionDeclarations":[{"name":"f","parameters":${SCHEMA}}]}],"contents":[{"parts":[{"text":"hi"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":${ARGUMENTS}}}]},{"parts":[{"functionResponse":{"name":"f","response":{"output":"R"}}}]}]}`,
  ],
];

describe("arguments of earlier calls keep the digits that the model wrote", () => {
  test.each(BODIES)("%s", async (path, body) => {
    const response = await app.fetch(new Request(`http://localhost${path}`, { method: "POST", body }), env);
    expect(response.status).toBe(200);
    const sent = JSON.parse(String(fetched.mock.calls[0]?.[1]?.body));
    expect(sent.temperature).toBe(1);
    expect(sent.messages[0].content).toContain("id?: int // >=1");
    expect(sent.messages[2].content).toContain('<parameter name="id">12345678901234567890</parameter>');
    expect(sent.messages[2].content).toContain('<parameter name="ratio">1.0</parameter>');
  });
});
