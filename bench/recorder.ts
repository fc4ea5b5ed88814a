import { createApp } from "../src/app.ts";
import { exchange } from "../src/exchange.ts";
import { planExchange } from "../src/plan.ts";
import { createSieve } from "../src/sieve/index.ts";
import { createNumbers } from "../src/telemetry/numbers.ts";
import { createObserver } from "../src/telemetry/observer.ts";
import { createReplyRecorder } from "../src/telemetry/reply-recorder.ts";
import { createCountKeeper, type Tally } from "../src/tenants/count-keeper.ts";
import type { TenantObjects } from "../src/tenants/tenant-object.ts";
import { loadConfig } from "../src/tenants/variables.ts";
import { conversationOf } from "../test/node/prompt/conversations.ts";
import { memorySql } from "../test/node/tenants/memory-objects.ts";
import { manyCalls, mixed, prose, TOOLS, writeFile } from "./corpora.ts";
import { costOfReplies, ENV, setReply } from "./gateway.ts";
import { nanoseconds, round, table } from "./measure.ts";

/**
 * What it costs to record a reply, beside the reply itself: the report, its line in the log, its counts on their way to the tenant's
 * object, its points for Analytics Engine; and what the object does with them, in an isolate of its own. The reply is the
 * whole gateway in this process, its upstream a list of deltas of 4 characters, each a read. Prints Markdown.
 */

const GOAL = 5;
const CORPORA: readonly (readonly [name: string, text: string, stream: boolean])[] = [
  ["a sentence, whole", "It is mild today, with a little rain.", false],
  ["a sentence, streamed", "It is mild today, with a little rain.", true],
  ["one call, 2 KB", writeFile(2_000), true],
  ["prose, 2 KB", prose(2_000), true],
  ["20 calls", manyCalls(20), true],
  ["mixed text, 20 KB", mixed(20_000), true],
];

const { config } = loadConfig(ENV);
if (!config) throw new Error("the configuration is invalid");
const plan = planExchange(config, conversationOf({}));

/** A reply without anything that records it. */
const gateway = createApp({
  exchange: (asked) => exchange({ ...asked, observer: { ...asked.observer, replied() {} } }),
  listUpstreamModels: async () => [],
});

/** Microseconds of the processor's time, the best of some rounds. */
async function costOfReply(reads: number, stream: boolean): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 15; round++) {
    best = Math.min(best, await costOfReplies(gateway, { env: ENV, stream, replies: Math.ceil(2_000 / reads) }));
  }
  return best;
}

/** Microseconds: of the gateway, and of the object. */
function costOfRecord(text: string, reads: number, stream: boolean): { gateway: number; object: number } {
  const sieve = createSieve({ tools: TOOLS });
  sieve.push(text);
  sieve.end();
  const found = sieve.report();
  const stages = {
    decode: { usage: () => ({ input: 900, output: 200 }) },
    sieve: { report: () => found, held: () => 0 },
    choice: { unmet: () => undefined },
    reduce: { outcome: () => ({ calls: 1, usage: undefined, ending: "stop" as const }) },
  };
  const tallies: Tally[] = [];
  let take = true;
  const count = async (tally: Tally) => {
    if (take) tallies.push(tally);
  };
  const numbers = createNumbers({
    config: { metrics: true },
    bindings: {
      tenantObjects: { getByName: () => ({ count }) } as unknown as TenantObjects,
      analytics: { writeDataPoint() {} },
    },
    requestId: "req_1",
    waitUntil() {},
  });
  const observer = createObserver({ requestId: "req_1", route: "/v1/chat/completions" }, [], numbers);
  const record = () => {
    const recorder = createReplyRecorder(
      {
        protocol: { name: "openai-chat" },
        request: { conversation: { stream } },
        config: { toolcall: { mode: "feature_match" } },
        requestId: "req_1",
        modelLabel: "other",
        arrived: 0,
        route: "/v1/chat/completions",
        signal: new AbortController().signal,
      },
      observer.replied,
    );
    recorder.asks({ requests: 1, retried: undefined });
    const attempt = recorder.begin(plan);
    attempt.answered(stages);
    if (stream) for (let read = 0; read < reads; read++) attempt.taken("x");
    attempt.over({ ending: "finished" });
    return 1;
  };
  record();
  take = false;
  const [tally] = tallies;
  if (!tally) throw new Error("nothing was counted");
  const keeper = createCountKeeper(memorySql());
  // A model that writes half a dozen notations.
  for (let at = 0; at < 6; at++) {
    keeper.count({ ...tally, counts: tally.counts.map((each) => ({ ...each, labels: [...each.labels, `${at}`] })) });
  }
  return {
    gateway: nanoseconds(record, [""]) / 1_000,
    object:
      nanoseconds(() => {
        keeper.count(tally);
        return 1;
      }, [""]) / 1_000,
  };
}

const rows: string[][] = [];
for (const [name, text, stream] of CORPORA) {
  const reads = setReply(text);
  const reply = await costOfReply(reads, stream);
  const { gateway: recorded, object } = costOfRecord(text, reads, stream);
  const share = (recorded / (reply + recorded)) * 100;
  rows.push([name, round(reply), round(recorded), `${round(share)} %`, share < GOAL ? "yes" : "no", round(object)]);
}
process.stdout.write(
  [
    `Node ${process.version}, ${process.arch}; microseconds of the processor's time for a reply.`,
    "",
    table(["reply", "itself", "its record", "share", `under ${GOAL} %`, "in the object"], rows),
    "",
  ].join("\n"),
);
