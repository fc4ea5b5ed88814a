import { expect, test } from "vitest";
import type { Conversation, Turn } from "../../../src/conversation.ts";
import { planExchange } from "../../../src/plan.ts";
import { loadConfig } from "../../../src/tenants/config.ts";
import { capabilitiesOf, UPSTREAM_KINDS } from "../../../src/upstreams/capabilities.ts";
import { buildBody, writeBody } from "../../../src/upstreams/chat-body.ts";

const turns: Turn[] = [
  { role: "user", parts: [{ type: "text", text: "Go." }] },
  { role: "assistant", parts: [{ type: "tool-call", id: "c1", name: "ping", input: {} }] },
  {
    role: "user",
    parts: [{ type: "tool-result", callId: "c1", failed: false, parts: [{ type: "text", text: "pong" }] }],
  },
];

/** With everything that a client may give. */
const CONVERSATION: Conversation = {
  model: "m",
  system: "",
  turns,
  tools: ["ping", "read", "find"].map((name) => ({ name, parameters: { type: "object", properties: {} } })),
  toolChoice: { mode: "auto" },
  parallelToolCalls: true,
  sampling: {
    maxTokens: 9,
    temperature: 0,
    topP: 1,
    topK: 3,
    seed: 4,
    presencePenalty: 0.1,
    frequencyPenalty: 0.2,
    logitBias: { "7": -1 },
    verbosity: "low",
    user: "u",
    stop: ["END"],
  },
  reasoning: { effort: "low", expose: true },
  stream: true,
};

const CHOICES: [string, Partial<Conversation>][] = [
  ["auto", {}],
  ["none", { toolChoice: { mode: "none" } }],
  ["required", { toolChoice: { mode: "required" } }],
  ["named", { toolChoice: { mode: "required", only: ["read"] } }],
  ["allowed set", { toolChoice: { mode: "auto", only: ["read", "find"] } }],
  ["parallel off", { parallelToolCalls: false }],
];

function bodyFor(kind: string, teach: string, fields: Partial<Conversation>) {
  const { config } = loadConfig({ UPSTREAM_BASE_URL: "https://h/v1", UPSTREAM_KIND: kind, TOOLCALL_TEACH: teach });
  if (!config || config.upstream.kind === "demo") throw new Error("no server");
  const { upstream } = planExchange(config, { ...CONVERSATION, ...fields });
  const body = buildBody(upstream, capabilitiesOf(config.upstream.kind), new Set());
  return JSON.parse(writeBody(body));
}

/** Of the prompt the lines that this turn's choice adds, of the tools the names: both have tests of their own. */
function brief({ messages, tools, ...rest }: ReturnType<typeof bodyFor>) {
  const choice = messages
    .at(-1)
    .content.split("\n")
    .filter((line: string) => line.startsWith("("));
  return {
    taught: messages[0].role === "system",
    ...(choice.length > 0 && { choice }),
    ...(tools && { tools: tools.map((tool: { function: { name: string } }) => tool.function.name) }),
    ...rest,
  };
}

test("what goes upstream, for every kind of server and every choice (vitest -u writes the file)", async () => {
  const lines = UPSTREAM_KINDS.flatMap((kind) =>
    ["canonical", "native"].flatMap((teach) =>
      CHOICES.map(([choice, fields]) =>
        [`${kind}, ${teach}, ${choice}:`, JSON.stringify(brief(bodyFor(kind, teach, fields)))].join("\n  "),
      ),
    ),
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./bodies.txt");
});
