import { readFileSync } from "node:fs";
import { planExchange } from "../src/plan.ts";
import { openAiChat } from "../src/protocols/openai-chat/protocol.ts";
import { loadConfig } from "../src/tenants/variables.ts";
import type { Kind, Sample } from "./token-samples.ts";

/** The repository's own texts, which change with it, and the prompts that the requests of real clients become. */
export function repositoryTexts(): Sample[] {
  return [...FILES.map(([kind, name]) => ({ name, kind, text: readFileSync(name, "utf8") })), ...clientTexts()];
}

const FILES: readonly (readonly [Kind, string])[] = [
  ["prose", "README.md"],
  ["prose", "docs/sieve.md"],
  ["prose", "docs/decisions.md"],
  ["code", "src/app.ts"],
  ["code", "src/exchange.ts"],
  ["code", "src/sieve/engine.ts"],
  ["code", "test/node/upstreams/decode.test.ts"],
  ["code", "package.json"],
];

/** Clients whose requests differ. */
const CLIENTS = ["cline", "continue_openai", "openai_chat", "opencode_chat", "qwen-code_openai"];

interface Sent {
  body: { tools?: unknown[]; messages?: unknown[] };
}

function clientTexts(): Sample[] {
  const { config } = loadConfig({});
  if (!config) throw new Error("no variables at all should do");
  return CLIENTS.flatMap((client): Sample[] => {
    const sent: Sent[] = JSON.parse(readFileSync(`test/cases/client-requests/${client}-loop.json`, "utf8"));
    const last = sent.findLast(({ body }) => body.tools);
    if (!last) return [];
    const body = withWords(last.body);
    const { conversation } = openAiChat.readRequest(body);
    const { messages } = planExchange(config, conversation).upstream;
    return [
      { name: `${client}, prompt`, kind: "prompt", text: messages.map(({ content }) => content).join("\n") },
      { name: `${client}, tools`, kind: "code", text: JSON.stringify(body.tools) },
    ];
  });
}

/** The requests tell of each text only how long it was: other words take its place. */
function withWords<T>(value: T): T {
  const words = ["README.md", "CONTRIBUTING.md", "docs/decisions.md"]
    .map((file) => readFileSync(file, "utf8"))
    .join("");
  let at = 0;
  const take = (length: number) => {
    const start = at;
    at = (at + length) % (words.length / 2);
    return words.slice(start, start + length);
  };
  const text = JSON.stringify(value).replace(/«(\d+)»/g, (_, length) =>
    JSON.stringify(take(Number(length))).slice(1, -1),
  );
  return JSON.parse(text);
}
