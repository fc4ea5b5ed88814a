import { createSieve } from "../src/sieve/index.ts";
import { ADVERSARIAL } from "./adversarial.ts";
import { frames, identity, indexOfTrigger, jsonEscape, leastWork, looks, sieve } from "./consumers.ts";
import { fencedExamples, manyCalls, mixed, prose, TOOLS, writeFile } from "./corpora.ts";
import { lag } from "./lag.ts";
import { checksum, cut, exponents, nanoseconds, round, SIZES, sizeName, table } from "./measure.ts";

/**
 * What the sieve costs, beside floors measured in the same run: absolute numbers differ between machines and between
 * two runs, ratios within a run hardly. Prints Markdown.
 */

interface Corpus {
  name: string;
  /** A text of a size that is a multiple of the smallest one. */
  make(times: number): string;
  times: number;
}

const CORPORA: readonly Corpus[] = [
  { name: "prose, 200 KB", make: (times) => prose(50_000 * times), times: 4 },
  { name: "mixed text, 200 KB", make: (times) => mixed(50_000 * times), times: 4 },
  { name: "one call, 2 KB", make: (times) => writeFile(2_000 * times), times: 1 },
  { name: "20 calls", make: (times) => manyCalls(20 * times), times: 1 },
  { name: "write_file, 1 MB", make: (times) => writeFile(250_000 * times), times: 4 },
  { name: "fenced examples, 200 KB", make: (times) => fencedExamples(50_000 * times), times: 4 },
];

/** The gateway's floor is a microsecond a delta, so a part of a corpus tells it as well as the whole. */
const LEAST_WORK_SAMPLE = 32_768;

interface Cost {
  corpus: string;
  size: number;
  identity: number;
  indexOf: number;
  escape: number;
  least: number;
  sieve: number;
}

const print = (...lines: string[]) => console.log(`${lines.join("\n")}\n`);
const canonical = sieve({ mode: "canonical" });

function cost({ name, make, times }: Corpus, size: number): Cost {
  const text = make(times);
  const chunks = cut(text, size);
  const sample = cut(text.slice(0, LEAST_WORK_SAMPLE), size);
  const perCharacter = (time: number, length = text.length) => time / length;
  return {
    corpus: name,
    size,
    identity: perCharacter(nanoseconds(identity, chunks)),
    indexOf: perCharacter(nanoseconds(indexOfTrigger, chunks)),
    escape: perCharacter(nanoseconds(jsonEscape, chunks)),
    least: perCharacter(nanoseconds(leastWork, frames(sample)), Math.min(text.length, LEAST_WORK_SAMPLE)),
    sieve: perCharacter(nanoseconds(canonical, chunks)),
  };
}

function printCosts(): Cost[] {
  const costs = SIZES.flatMap((size) => CORPORA.map((corpus) => cost(corpus, size)));
  const head = [
    "corpus",
    "identity",
    "`indexOf`",
    "JSON escape",
    "least work",
    "**sieve**",
    "÷ `indexOf`",
    "÷ escape",
    "of least work",
  ];
  for (const size of SIZES) {
    const rows = costs
      .filter((each) => each.size === size)
      .map((each) => [
        each.corpus,
        ...[each.identity, each.indexOf, each.escape, each.least].map(round),
        `**${round(each.sieve)}**`,
        ...[each.sieve / each.indexOf, each.sieve / each.escape].map(round),
        `${round((each.sieve / each.least) * 100)} %`,
      ]);
    print(
      `### Nanoseconds per character, ${Number.isFinite(size) ? `chunks of ${size}` : "the whole text at once"}`,
      "",
      table(head, rows),
    );
  }
  return costs;
}

function printGrowth(): number {
  const rows = CORPORA.map(({ name, make }) => ({ name, grows: exponents(canonical, make) }));
  const head = ["corpus", ...SIZES.map(sizeName)];
  print(
    "### Growth exponent from n to 4n characters, by chunk size",
    "",
    table(
      head,
      rows.map(({ name, grows }) => [name, ...grows.map((each) => each.toFixed(2))]),
    ),
  );
  return Math.max(...rows.flatMap(({ grows }) => grows));
}

function printAdversarial(): { growth: number; looks: number; dearest: number } {
  const size = 25_000;
  const rows = ADVERSARIAL.map(({ name, make }) => {
    const text = make(4 * size);
    const perCharacter = nanoseconds(canonical, cut(text, 4)) / text.length;
    return {
      name,
      perCharacter,
      grows: exponents(canonical, (times) => make(size * times)),
      looks: looks({ mode: "canonical" }, cut(text, 4)) / text.length,
    };
  });
  const head = [
    "adversarial, 100 KB",
    "ns/char at 4",
    ...SIZES.map((each) => `exponent at ${sizeName(each)}`),
    "looks/char",
  ];
  print(
    "### Texts made to cost",
    "",
    table(
      head,
      rows.map(({ name, perCharacter, grows, looks }) => [
        name,
        round(perCharacter),
        ...grows.map((each) => each.toFixed(2)),
        looks.toFixed(2),
      ]),
    ),
  );
  return {
    growth: Math.max(...rows.flatMap(({ grows }) => grows)),
    looks: Math.max(...rows.map((row) => row.looks)),
    dearest: Math.max(...rows.map((row) => row.perCharacter)),
  };
}

function heldWhileStreaming(): number {
  const machine = createSieve({ tools: TOOLS, mode: "canonical" });
  for (const chunk of cut(writeFile(1_000_000), 4)) machine.push(chunk);
  machine.end("stop");
  return machine.report().heldMax;
}

function printLag(): void {
  const code = "if (a < b) { go(); }\n".repeat(200).trimEnd();
  const rows = [
    ["CDATA", lag(`<![CDATA[${code}]]>`, code)],
    ["CDATA with `]]>` in it", lag(`<![CDATA[${"m[i[0]]>1;\n".repeat(400)}x]]>`, `${"m[i[0]]>1;\n".repeat(400)}x`)],
    ["bare", lag(code, code)],
  ] as const;
  const head = [
    "one call, 1 character a chunk",
    "name",
    "announcement",
    "first character",
    "in the argument, p50 / max",
    "end of the call",
  ];
  print(
    "### Lag in characters",
    "",
    table(
      head,
      rows.map(([name, { name: announced, announcement, firstCharacter, argument, end }]) => [
        name,
        ...[announced, announcement, firstCharacter].map(String),
        `${argument.median} / ${argument.max}`,
        String(end),
      ]),
    ),
    "",
    "Name: behind its last character. Announcement: behind the `>` of the first parameter. End: behind the last character of the argument, its closing tags included.",
  );
}

function printGoals(costs: readonly Cost[], worst: number, adversarial: ReturnType<typeof printAdversarial>) {
  const at = (corpus: string, size: number) =>
    costs.find((each) => each.corpus.startsWith(corpus) && each.size === size) as Cost;
  const text = at("prose", 4);
  const goals: [goal: string, value: number, limit: number][] = [
    ["prose, chunks of 4: times the `indexOf` floor", text.sieve / text.indexOf, 6],
    ["prose, chunks of 4: percent of the least work", (text.sieve / text.least) * 100, 5],
    ["prose, chunks of 64: times the `indexOf` floor", at("prose", 64).sieve / at("prose", 64).indexOf, 8],
    ["mixed text, chunks of 4: times prose", at("mixed", 4).sieve / text.sieve, 1.5],
    [
      "string argument, chunks of 4: times the escape floor",
      at("write_file", 4).sieve / at("write_file", 4).escape,
      2.5,
    ],
    [
      "string argument, chunks of 64: times the escape floor",
      at("write_file", 64).sieve / at("write_file", 64).escape,
      2.5,
    ],
    ["growth exponent, worst corpus and chunk size", worst, 1.2],
    ["growth exponent, worst adversarial text", adversarial.growth, 1.2],
    ["dearest adversarial text, chunks of 4: times prose", adversarial.dearest / text.sieve, 3],
    ["looks per character, worst adversarial text", adversarial.looks, 4],
    ["characters held while 1 MB of an argument streams", heldWhileStreaming(), 1024],
  ];
  print(
    "### Goals",
    "",
    table(
      ["goal", "at most", "measured", "reached"],
      goals.map(([goal, value, limit]) => [goal, `${limit}`, round(value), value <= limit ? "yes" : "**no**"]),
    ),
  );
}

print(
  `Node ${process.version}, ${process.arch}; processor time, best of 5 runs; ns per character unless it says otherwise.`,
);
// The first numbers would tell how fast the compiler is.
for (const size of SIZES) cost({ name: "warm-up", make: () => mixed(20_000) + writeFile(20_000), times: 1 }, size);
const costs = printCosts();
const worst = printGrowth();
printLag();
const adversarial = printAdversarial();
printGoals(costs, worst, adversarial);
print(`Checksum ${checksum()}.`);
