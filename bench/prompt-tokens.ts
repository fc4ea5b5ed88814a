import { readFileSync, writeFileSync } from "node:fs";
import { Tiktoken } from "js-tiktoken/lite";
import o200k from "js-tiktoken/ranks/o200k_base";
import type { Tool } from "../src/conversation.ts";
import { DIALECTS } from "../src/dialects/all.ts";
import { canonical } from "../src/dialects/canonical.ts";
import type { TaughtDialect } from "../src/dialects/dialect.ts";
import { renderPrompt } from "../src/prompt/prompt.ts";
import { createQuoting } from "../src/prompt/quoting.ts";
import { describeTools, type ToolDocsSettings } from "../src/prompt/tool-docs.ts";
import { anthropic } from "../src/protocols/anthropic/protocol.ts";
import { gemini } from "../src/protocols/gemini/protocol.ts";
import { openAiChat } from "../src/protocols/openai-chat/protocol.ts";
import { openAiResponses } from "../src/protocols/openai-responses/protocol.ts";
import type { Protocol } from "../src/protocols/protocol.ts";
import { prose } from "./corpora.ts";
import { table } from "./measure.ts";
import { TOOL_LISTS } from "./prompt-tools.ts";

/**
 * What telling a model of tools costs, in tokens of o200k. Prints Markdown, and fails where a figure is over its limit or
 * has grown by more than 3 % over the recorded one. `--record` records the figures, `--check` prints failures alone.
 */

const RECORD = "bench/prompt-tokens.json";
const GROWTH = 1.03;

/** Of the instructions without any tool, whatever the notation. */
const FIXED_LIMIT = 300;
const LIMITS: Readonly<Record<string, number>> = { "20 tools, signatures": 1_600 };

/** A budget that no list meets makes it as short as it gets. */
const LEVELS: Readonly<Record<string, ToolDocsSettings>> = {
  "JSON Schema": { form: "schema" },
  signatures: { form: "signatures" },
  "signatures, 1,000 tokens": { form: "signatures", budget: 1_000 },
  "a line each": { form: "signatures", budget: 1 },
};

const CLIENTS: readonly (readonly [client: string, protocol: Protocol])[] = [
  ["claude-code", anthropic],
  ["cline", openAiChat],
  ["codex", openAiResponses],
  ["continue_openai", openAiChat],
  ["gemini-cli", gemini],
  ["opencode_chat", openAiChat],
  ["qwen-code_openai", openAiChat],
];

const encoder = new Tiktoken(o200k);
const quoting = createQuoting([canonical]);

/** Of all that stands in the prompt because of tools. */
function tokensOf(tools: readonly Tool[], settings: ToolDocsSettings, dialect: TaughtDialect = canonical): number {
  const conversation = {
    model: "",
    system: "",
    turns: [],
    tools: [...tools],
    toolChoice: { mode: "auto" as const },
    parallelToolCalls: true,
    sampling: {},
    reasoning: { expose: false },
    stream: false,
  };
  const messages = renderPrompt(conversation, dialect, quoting, describeTools(tools, settings, quoting));
  // The marks of chat templates are nothing but text here.
  return encoder.encode(messages.map(({ content }) => content).join(""), [], []).length;
}

const words = prose(200_000);

/** The requests tell of each text only how long it was: other words take its place. */
function clientTools(client: string, protocol: Protocol): readonly Tool[] {
  const sent: { body: { tools?: unknown } }[] = JSON.parse(
    readFileSync(`test/cases/client-requests/${client}-loop.json`, "utf8"),
  );
  const { body } = sent.findLast(({ body: { tools } }) => tools) ?? { body: {} };
  let at = 0;
  const filled = JSON.stringify(body).replace(/«(\d+)»/g, (_, length) => {
    const text = words.slice(at, at + Number(length));
    at = (at + text.length) % (words.length / 2);
    return JSON.stringify(text).slice(1, -1);
  });
  const target = { model: "m", method: "generateContent", query: new URLSearchParams() };
  return protocol.readRequest(JSON.parse(filled), target).conversation.tools;
}

const lists = Object.entries({
  ...TOOL_LISTS,
  ...Object.fromEntries(CLIENTS.map(([client, protocol]) => [client, clientTools(client, protocol)])),
});
const taught = DIALECTS.filter((dialect): dialect is TaughtDialect => "teach" in dialect);
const fixed = taught.map((dialect) => [dialect.id, tokensOf([], { form: "signatures" }, dialect)] as const);
const levels = lists.map(
  ([name, tools]) =>
    [name, Object.entries(LEVELS).map(([level, settings]) => [level, tokensOf(tools, settings)] as const)] as const,
);

const figures: Record<string, number> = Object.fromEntries([
  ...fixed.map(([id, tokens]) => [`${id}, fixed`, tokens]),
  ...levels.flatMap(([name, row]) => row.map(([level, tokens]) => [`${name}, ${level}`, tokens])),
]);

function failuresOf(recorded: Readonly<Record<string, number>>): string[] {
  return Object.entries(figures).flatMap(([name, tokens]) => {
    const limit = name.endsWith(", fixed") ? FIXED_LIMIT : LIMITS[name];
    if (limit !== undefined && tokens > limit) return [`${name}: ${tokens} of ${limit} tokens`];
    const was = recorded[name];
    if (was === undefined) return [`${name}: not recorded (npm run bench:prompt -- --record)`];
    return tokens > was * GROWTH ? [`${name}: ${tokens} tokens, recorded were ${was}`] : [];
  });
}

if (!process.argv.includes("--check")) {
  console.log(
    table(
      ["instructions", "tokens"],
      fixed.map(([id, tokens]) => [id, `${tokens}`]),
    ),
  );
  const rows = levels.map(([name, row]) => [name, ...row.map(([, tokens]) => `${tokens}`)]);
  console.log(`\n${table(["tools and instructions", ...Object.keys(LEVELS)], rows)}\n`);
}
if (process.argv.includes("--record")) writeFileSync(RECORD, `${JSON.stringify(figures, null, 2)}\n`);

const failures = failuresOf(JSON.parse(readFileSync(RECORD, "utf8")));
for (const failure of failures) console.log(failure);
process.exitCode = failures.length > 0 ? 1 : 0;
