import { createApp } from "../src/app.ts";
import { exchange } from "../src/exchange.ts";
import { fencedExamples, manyCalls, mixed, prose, writeFile } from "./corpora.ts";
import { costOfReplies, ENV, setReply } from "./gateway.ts";
import { round, table } from "./measure.ts";

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
/** Deltas that come in one read. */
const READS = [1, 16] as const;
const ROUNDS = 21;
const REPLIES = 4;

const gateway = createApp({ exchange, listUpstreamModels: async () => [] });

async function cost(text: string, [mode, shadow]: (typeof SETTINGS)[number], perRead: number) {
  setReply(text, perRead);
  const time = (env: object) => costOfReplies(gateway, { env, stream: true, replies: REPLIES });
  const without = { ...ENV, TOOLCALL_MODE: mode };
  const withIt = { ...without, TOOLCALL_SHADOW_MODE: shadow };
  const pairs: { without: number; withIt: number }[] = [];
  for (let at = 0; at < ROUNDS; at++) pairs.push({ without: await time(without), withIt: await time(withIt) });
  const perCharacter = (microseconds: number) => (microseconds * 1_000) / text.length;
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
