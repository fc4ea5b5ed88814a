/** `npm run demo`: what the demo model writes, beside what a client gets of it. One process, no server, no network. */
import type { Conversation } from "../src/conversation.ts";
import { canonical } from "../src/dialects/canonical.ts";
import { exchange } from "../src/exchange.ts";
import { openAiChat } from "../src/protocols/openai-chat/protocol.ts";
import type { Protocol } from "../src/protocols/protocol.ts";
import { loadConfig } from "../src/tenants/config.ts";
import { writeAnswer } from "../src/upstreams/demo/answer.ts";

const body = {
  model: "demo",
  stream: true,
  messages: [{ role: "user", content: 'What is the weather in Paris for the next 3 days? Note it as "trip".' }],
  tools: [
    {
      type: "function",
      function: {
        name: "get_weather",
        description: "Weather forecast for a city",
        parameters: {
          type: "object",
          properties: { city: { type: "string" }, days: { type: "integer" } },
          required: ["city", "days"],
        },
      },
    },
    {
      type: "function",
      function: {
        name: "add_note",
        description: "Keep a note",
        parameters: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
      },
    },
  ],
};

const wires: { protocol: Protocol; body: unknown }[] = [{ protocol: openAiChat, body }];

function heading(text: string) {
  console.log(`\n── ${text} ${"─".repeat(Math.max(0, 76 - text.length))}\n`);
}

function modelText(conversation: Conversation): string {
  return writeAnswer(conversation, canonical.write);
}

/** The client's stream, one event a line, without what is the same in every chunk. */
async function clientStream(response: Response): Promise<string> {
  const events = (await response.text()).split("\n\n").filter((event) => event !== "");
  return events.map((event) => event.replace(/^(data: )\{"id".*?"choices"/, '$1{… "choices"')).join("\n");
}

const { config } = loadConfig({});
if (!config) throw new Error("the default configuration is invalid");

for (const [index, wire] of wires.entries()) {
  const request = wire.protocol.readRequest(wire.body);
  if (index === 0) {
    heading("the model writes");
    console.log(modelText(request.conversation));
  }
  const response = await exchange({
    protocol: wire.protocol,
    request,
    config,
    requestId: "req_demo",
    hops: 0,
    signal: new AbortController().signal,
    onFailure: (error) => console.error(error),
  });
  heading(`an ${wire.protocol.name} client reads`);
  console.log(await clientStream(response));
}
