import { createApp } from "../src/app.ts";
import { exchange } from "../src/exchange.ts";
import { frames } from "./consumers.ts";
import { fencedExamples, manyCalls, mixed, prose, TOOLS, writeFile } from "./corpora.ts";
import { cut, round, table } from "./measure.ts";

/**
 * What a shadow costs of a streamed reply: the whole gateway in this process, with and without one in turn, its upstream a list
 * of deltas of 4 characters. Prints Markdown.
 */

const CORPORA: readonly (readonly [name: string, text: string])[] = [
  ["prose, 20 KB", prose(20_000)],
  ["mixed text, 20 KB", mixed(20_000)],
  ["20 calls", manyCalls(20)],
  ["write_file, 20 KB", writeFile(20_000)],
  ["fenced examples, 20 KB", fencedExamples(20_000)],
];
/** Main setting and shadow. */
const SETTINGS = [
  ["feature_match", "canonical"],
  ["canonical", "feature_match"],
] as const;
/** Deltas that come in one read: a server writes each by itself, a network may bring several. */
const READS = [1, 16] as const;
const ROUNDS = 21;
const REPLIES = 4;

const gateway = createApp({ exchange, listUpstreamModels: async () => [] });
const request = JSON.stringify({
  model: "m",
  stream: true,
  messages: [{ role: "user", content: "Go on." }],
  tools: TOOLS.map((tool) => ({ type: "function", function: tool })),
});
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
// A line on each reply is the same with and without, but for the shadow's words.
console.log = () => {};

function joined(parts: readonly Uint8Array[], count: number): Uint8Array[] {
  const groups = Array.from({ length: Math.ceil(parts.length / count) }, (_, at) =>
    parts.slice(at * count, (at + 1) * count),
  );
  return groups.map((group) => new Uint8Array(Buffer.concat(group)));
}

/** Milliseconds of the processor's time for some replies. */
async function time(env: object): Promise<number> {
  const start = process.cpuUsage();
  for (let reply = 0; reply < REPLIES; reply++) {
    const asked = new Request("http://localhost/v1/chat/completions", { method: "POST", body: request });
    await (await gateway.fetch(asked, env)).text();
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

async function cost(text: string, [mode, shadow]: (typeof SETTINGS)[number], perRead: number) {
  reads = [...joined(frames(cut(text, 4)), perRead), END];
  const env = { UPSTREAM_BASE_URL: "http://upstream.example/v1", GATEWAY_AUTH: "none", TOOLCALL_MODE: mode };
  const shadowed = { ...env, TOOLCALL_SHADOW_MODE: shadow };
  const pairs: { without: number; withIt: number }[] = [];
  for (let at = 0; at < ROUNDS; at++) pairs.push({ without: await time(env), withIt: await time(shadowed) });
  const perCharacter = (ms: number) => (ms * 1e6) / REPLIES / text.length;
  return {
    without: perCharacter(median(pairs.map(({ without }) => without))),
    withIt: perCharacter(median(pairs.map(({ withIt }) => withIt))),
    // Of two that ran side by side, since the machine is not the same all the time.
    more: (median(pairs.map(({ without, withIt }) => withIt / without)) - 1) * 100,
  };
}

const median = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

const print = (...lines: string[]) => process.stdout.write(`${lines.join("\n")}\n\n`);

print(
  `Node ${process.version}, ${process.arch}; processor time, medians of ${ROUNDS} rounds; ns per character of a reply.`,
);
for (const perRead of READS) {
  for (const setting of SETTINGS) {
    const rows: string[][] = [];
    for (const [name, text] of CORPORA) {
      const { without, withIt, more } = await cost(text, setting, perRead);
      rows.push([name, round(without), round(withIt), `${round(more)} %`]);
    }
    const [mode, shadow] = setting;
    print(
      `### ${mode}, ${shadow} as its shadow; deltas in a read: ${perRead}`,
      "",
      table(["text", "without", "with", "more"], rows),
    );
  }
}
