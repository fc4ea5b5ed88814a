import { expect, test } from "vitest";
import type { Conversation, Turn } from "../../../src/conversation.ts";
import { planExchange } from "../../../src/plan.ts";
import { loadConfig } from "../../../src/tenants/variables.ts";
import { capabilitiesOf, UPSTREAM_KINDS } from "../../../src/upstreams/capabilities.ts";
import { buildBody, writeBody } from "../../../src/upstreams/chat-body.ts";

const turns: Turn[] = [
  { role: "user", parts: [{ type: "text", text: "Go." }] },
  {
    role: "assistant",
    parts: [
      { type: "reasoning", text: "Hm." },
      { type: "tool-call", id: "c1", name: "ping", input: {} },
    ],
  },
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
  ["no thinking", { reasoning: { effort: "none", expose: false } }],
  ["most thinking", { reasoning: { effort: "max", expose: true } }],
];

/** How required calls are forced, where the conversation lets them. */
const FORCED: [string, Partial<Conversation>][] = CHOICES.filter(([choice]) => /required|named/.test(choice)).flatMap(
  ([choice, fields]) => [
    [`${choice}, forced`, { ...fields, reasoning: { expose: true } }],
    [`${choice}, one at a time, forced, thinking`, { ...fields, parallelToolCalls: false }],
  ],
);

function bodyFor(kind: string, teach: string, fields: Partial<Conversation>, variables: object = {}) {
  const { config } = loadConfig({
    UPSTREAM_BASE_URL: "https://h/v1",
    UPSTREAM_KIND: kind,
    TOOLCALL_TEACH: teach,
    ...variables,
  });
  if (!config || config.upstream.kind === "demo") throw new Error("no server");
  const { upstream } = planExchange(config, { ...CONVERSATION, ...fields });
  const body = buildBody(upstream, capabilitiesOf(config.upstream.kind), new Set());
  return JSON.parse(writeBody(body));
}

/** Without what they share with the same request in words alone. */
function force(kind: string, teach: string, fields: Partial<Conversation>) {
  const variables = { TOOLCALL_FORCE: "always", UPSTREAM_BASE_URL: "https://h/beta" };
  const inWords = bodyFor(kind, teach, fields, { TOOLCALL_FORCE: "never" });
  const { messages, ...rest } = bodyFor(kind, teach, fields, variables);
  const added = Object.entries(rest).filter(([name, value]) => JSON.stringify(inWords[name]) !== JSON.stringify(value));
  const [prefill] = messages.slice(inWords.messages.length);
  const { choice } = brief({ messages: messages.slice(0, inWords.messages.length), ...rest });
  return { choice, ...(prefill && { prefill }), ...Object.fromEntries(added) };
}

/** Of the prompt the lines that this turn's choice adds and where reasoning stands, of the tools the names. */
function brief({ messages, tools, ...rest }: ReturnType<typeof bodyFor>) {
  const choice = messages
    .at(-1)
    .content.split("\n")
    .filter((line: string) => line.startsWith("("));
  const answer = messages.find(({ role }: { role: string }) => role === "assistant");
  const thought = Object.keys(answer).filter((field) => answer[field] === "Hm.");
  return {
    taught: messages[0].role === "system",
    ...(thought.length > 0 && { thought }),
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

test("what forces a call, besides, in notations of all kinds", async () => {
  const helped = UPSTREAM_KINDS.filter((kind) => capabilitiesOf(kind).forcings.length > 0);
  expect(UPSTREAM_KINDS.filter((kind) => !helped.includes(kind))).toEqual(["generic", "workers-ai"]);
  const lines = helped.flatMap((kind) =>
    ["canonical", "hermes", "qwen3_coder"].flatMap((teach) =>
      FORCED.map(([choice, fields]) => {
        return [`${kind}, ${teach}, ${choice}:`, JSON.stringify(force(kind, teach, fields))].join("\n  ");
      }),
    ),
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./forced-bodies.txt");
});
