import { expect, test } from "vitest";
import { planExchange } from "../../../src/plan.ts";
import type { UpstreamMessage } from "../../../src/prompt/messages.ts";
import { anthropic } from "../../../src/protocols/anthropic/protocol.ts";
import { gemini } from "../../../src/protocols/gemini/protocol.ts";
import { openAiChat } from "../../../src/protocols/openai-chat/protocol.ts";
import { openAiResponses } from "../../../src/protocols/openai-responses/protocol.ts";
import { loadConfig } from "../../../src/tenants/variables.ts";
import type { UpstreamRequest } from "../../../src/upstreams/upstream.ts";
import histories from "../../cases/histories.jsonl?raw";
import { jsonLines } from "../../json-lines.ts";

/** What a client has sent, and what the upstream gets of it, the system text apart. */
interface History {
  name: string;
  protocol: keyof typeof PROTOCOLS;
  /** Variables that are set. */
  env?: Record<string, string>;
  body: object;
  messages: UpstreamMessage[];
  warnings: string[];
}

const PROTOCOLS = { "openai-chat": openAiChat, "openai-responses": openAiResponses, anthropic, gemini };
const target = { model: "m", method: "generateContent", query: new URLSearchParams() };

/** Reasoning that has no field goes upstream only where it is demanded. */
function sent({ messages, reasoningField }: UpstreamRequest): UpstreamMessage[] {
  const told = messages.filter(({ role }) => role !== "system");
  return reasoningField
    ? told
    : told.map(({ reasoning: _, ...message }: UpstreamMessage & { reasoning?: string }) => message);
}

test.each(jsonLines<History>(histories).map((history) => [`${history.protocol}: ${history.name}`, history] as const))(
  "%s",
  (_name, { protocol, env = {}, body, messages, warnings }) => {
    const { config } = loadConfig(env);
    if (!config) throw new Error("the configuration is invalid");
    const request = PROTOCOLS[protocol].readRequest(body, target);
    const plan = planExchange(config, request.conversation);
    expect(sent(plan.upstream)).toEqual(messages);
    expect([...request.warnings, ...plan.warnings]).toEqual(warnings);
  },
);
