import type { App } from "../src/app.ts";
import { frames } from "./consumers.ts";
import { TOOLS } from "./corpora.ts";
import { cut } from "./measure.ts";

/** The whole gateway in this process, before an upstream that writes one text in deltas of 4 characters. */

export const ENV = { UPSTREAM_BASE_URL: "http://upstream.example/v1", GATEWAY_AUTH: "none" };

const END = new TextEncoder().encode(
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
);
let reads: readonly Uint8Array[] = [];

globalThis.fetch = async () => {
  let next = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const read = reads[next++];
        if (read) controller.enqueue(read);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
};
// Standard output is for what was measured; a line of the log costs what it costs to make it.
console.log = () => {};

/**
 * @param perRead deltas that come in one read: a server writes each by itself, a network may bring several
 * @returns how many reads the text makes
 */
export function setReply(text: string, perRead = 1): number {
  reads = [...joined(frames(cut(text, 4)), perRead), END];
  return reads.length;
}

function joined(parts: readonly Uint8Array[], count: number): Uint8Array[] {
  const groups = Array.from({ length: Math.ceil(parts.length / count) }, (_, at) =>
    parts.slice(at * count, (at + 1) * count),
  );
  return groups.map((group) => new Uint8Array(Buffer.concat(group)));
}

/** Microseconds of the processor's time for one of so many replies. */
export async function costOfReplies(
  gateway: App,
  { env, stream, replies }: { env: object; stream: boolean; replies: number },
): Promise<number> {
  const tools = TOOLS.map((tool) => ({ type: "function", function: tool }));
  const body = JSON.stringify({ model: "m", stream, messages: [{ role: "user", content: "Go on." }], tools });
  const start = process.cpuUsage();
  for (let reply = 0; reply < replies; reply++) {
    const asked = new Request("http://localhost/v1/chat/completions", { method: "POST", body });
    await (await gateway.fetch(asked, env)).text();
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / replies;
}
