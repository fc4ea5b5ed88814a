/** `npm run demo`: what the demo model writes, and what clients of all four wires get of it. One process, no network. */

import { styleText } from "node:util";
import type { Conversation } from "../src/conversation.ts";
import { canonical } from "../src/dialects/canonical.ts";
import { writeReply } from "../src/dialects/dialect.ts";
import { exchange } from "../src/exchange.ts";
import { createOccupancy } from "../src/occupancy.ts";
import type { ReadRequest } from "../src/protocols/protocol.ts";
import type { Config } from "../src/tenants/config.ts";
import { UNLIMITED } from "../src/tenants/spending.ts";
import { loadConfig } from "../src/tenants/variables.ts";
import { makeAnswer } from "../src/upstreams/demo/answer.ts";
import { type DemoRequest, REQUESTS } from "./demo-requests.ts";

function heading(text: string) {
  console.log(styleText("bold", `\n── ${text} ${"─".repeat(Math.max(0, 96 - text.length))}\n`));
}

function modelText(conversation: Conversation): string {
  const { text, calls } = makeAnswer(conversation);
  return writeReply(text, calls, canonical.write);
}

/** Members that are the same in every event of a stream, or as good as. */
const FRAME = new Set(
  "id object created created_at model logprobs annotations item_id sequence_number modelVersion responseId".split(" "),
);

/** A stream, one event a line, without what would hide the rest. */
function shorten(stream: string): string {
  const events = stream.split("\n\n").filter((event) => event !== "");
  return events
    .map((event) => event.replace(/^data: (?=\{)(.*)$/m, (_, json) => brief(json)).replace("\n", "  "))
    .join("\n");
}

function brief(json: string): string {
  return JSON.stringify(JSON.parse(json), (key, value) => {
    if (FRAME.has(key) || value === null) return undefined;
    // The event's name stands before it already.
    if (key === "type" && /^(response\.|message_|content_block_)/.test(value)) return undefined;
    // A whole response, as it stands in the first and the last events of a Responses stream.
    if (key === "response") return { status: value.status, output: `${value.output.length} items`, usage: value.usage };
    return value;
  });
}

function send({ protocol }: DemoRequest, request: ReadRequest, config: Config): Promise<Response> {
  const { signal } = new AbortController();
  return exchange({
    protocol,
    request,
    config,
    requestId: "req_demo",
    modelLabel: "demo",
    arrived: Date.now(),
    route: "demo",
    url: new URL("http://localhost"),
    hops: 0,
    signal,
    lease: createOccupancy().enter("", undefined, signal),
    spending: UNLIMITED,
    onWarning: (warning) => console.error(warning),
    observer: { failed: console.error, upstreamFailed: console.error, dropped() {}, replied() {} },
  });
}

const { config } = loadConfig({});
if (!config) throw new Error("the default configuration is invalid");

for (const [index, asked] of REQUESTS.entries()) {
  const request = asked.protocol.readRequest(asked.body, asked.target);
  if (index === 0) {
    heading("the model writes");
    console.log(modelText(request.conversation));
  }
  const response = await send(asked, request, config);
  heading(`a client of ${asked.wire} reads`);
  console.log(shorten(await response.text()));
}
