import { DIALECTS } from "../src/dialects/all.ts";
import type { Dialect } from "../src/dialects/dialect.ts";
import { parseToolCalls } from "../src/sieve/index.ts";
import { ADVERSARIAL, type Adversarial } from "./adversarial.ts";
import { ADVERSARIAL_OPENERS, adversarialOf } from "./adversarial-openers.ts";
import { looks, sieve } from "./consumers.ts";
import { braces, fencedExamples, manyCalls, mixed, prose, TOOLS, type WriteCall, writeFile } from "./corpora.ts";
import { type Consumer, checksum, cut, exponents, nanoseconds, round, SIZES, sizeName, table } from "./measure.ts";

/**
 * What it costs that all notations are armed (`feature_match`), beside the canonical one alone: ratios of one run.
 * Prints Markdown.
 */

const print = (...lines: string[]) => console.log(`${lines.join("\n")}\n`);
const canonical = sieve({ mode: "canonical" });
const everything = sieve({ mode: "feature_match" });

const perCharacter = (consume: Consumer<string>, text: string, size: number) =>
  nanoseconds(consume, cut(text, size)) / text.length;

const decimals = (value: number) => value.toFixed(2);

const TEXTS: readonly { name: string; make(times: number): string; times: number }[] = [
  { name: "prose, 200 KB", make: (times) => prose(50_000 * times), times: 4 },
  { name: "mixed text, 200 KB", make: (times) => mixed(50_000 * times), times: 4 },
  { name: "braces and brackets, 200 KB", make: (times) => braces(50_000 * times), times: 4 },
  { name: "fenced examples, 200 KB", make: (times) => fencedExamples(50_000 * times), times: 4 },
  { name: "20 canonical calls", make: (times) => manyCalls(20 * times), times: 1 },
  { name: "canonical write_file, 250 KB", make: (times) => writeFile(62_500 * times), times: 4 },
];

/** Both modes read all of these alike: what differs is how many openers are looked for. */
function printTexts(): number {
  const rows = TEXTS.map(({ name, make, times }) => {
    const text = make(times);
    const costs = SIZES.map((size) => [canonical, everything].map((each) => perCharacter(each, text, size)));
    return { name, costs: costs.map(([alone = 0, all = 0]) => ({ alone, all })), grows: exponents(everything, make) };
  });
  const head = SIZES.flatMap((size) => [`canonical, ${sizeName(size)}`, `all, ${sizeName(size)}`, "÷"]);
  print(
    "### Nanoseconds per character, by chunk size",
    "",
    table(
      ["text", ...head],
      rows.map(({ name, costs }) => [
        name,
        ...costs.flatMap(({ alone, all }) => [round(alone), round(all), `**${decimals(all / alone)}**`]),
      ]),
    ),
    "",
    "### Growth exponent from n to 4n characters with all armed, by chunk size",
    "",
    table(
      ["text", ...SIZES.map(sizeName)],
      rows.map(({ name, grows }) => [name, ...grows.map(decimals)]),
    ),
  );
  return Math.max(...rows.flatMap(({ grows }) => grows));
}

/** A notation of low confidence is armed only when pinned, so each is. */
const pinned = (dialect: Dialect) => sieve({ mode: "feature_match", dialects: [dialect.id] });

const writes =
  (dialect: Dialect): WriteCall =>
  (name, input) =>
    dialect.write.calls([{ name, input }]);

function printDialects(): number {
  const alone = perCharacter(canonical, writeFile(250_000), 4);
  const rows = DIALECTS.map((dialect) => {
    const [consume, write] = [pinned(dialect), writes(dialect)];
    const file = (times: number) => writeFile(62_500 * times, write);
    const calls = manyCalls(20, write);
    const read = parseToolCalls(calls, { tools: TOOLS, dialects: [dialect.id] }).length;
    return {
      id: dialect.id,
      read,
      calls: perCharacter(consume, calls, 4),
      file: perCharacter(consume, file(4), 4),
      grows: exponents(consume, file),
    };
  });
  print(
    "### Calls in each notation: nanoseconds per character at chunks of 4, and growth of `write_file` by chunk size",
    "",
    table(
      ["notation", "20 calls", "read", "write_file, 250 KB", "÷ canonical", ...SIZES.map(sizeName)],
      rows.map(({ id, read, calls, file, grows }) => [
        id,
        round(calls),
        `${read}`,
        round(file),
        `**${decimals(file / alone)}**`,
        ...grows.map(decimals),
      ]),
    ),
  );
  return Math.max(...rows.flatMap(({ grows }) => grows));
}

const SMALL = 12_500;
/** In one piece and in small ones: whatever is superlinear shows at one of them. */
const EXTREMES = [4, Number.POSITIVE_INFINITY];

interface Dear {
  name: string;
  cost: number;
  grows: number[];
  looks: number;
}

function dear({ name, make }: Adversarial, dialects: readonly string[] = []): Dear {
  const armed = { mode: "feature_match", dialects } as const;
  const text = make(4 * SMALL);
  return {
    name,
    cost: perCharacter(sieve(armed), text, 4),
    grows: exponents(sieve(armed), (times) => make(SMALL * times), EXTREMES),
    looks: looks(armed, cut(text, 4)) / text.length,
  };
}

/** A bar would end the cell. */
const cell = (text: string) => text.replaceAll("|", "\\|");

function printAdversarial(usual: number): Dear[] {
  const rows = [...ADVERSARIAL, ...ADVERSARIAL_OPENERS].map((each) => dear(each));
  const exponentsAt = EXTREMES.map((size) => `exponent, ${sizeName(size)}`);
  print(
    "### Texts made to cost, 50 KB, all armed",
    "",
    table(
      ["text", "ns/char at 4", "× prose", ...exponentsAt, "looks/char"],
      rows.map(({ name, cost, grows, looks }) => [
        cell(name),
        ...[cost, cost / usual].map(round),
        ...[...grows, looks].map(decimals),
      ]),
    ),
  );
  return rows;
}

/** Of each dialect the worst only: with all of them there would be hundreds of rows. */
function printOwnMarks(usual: number): Dear[] {
  const worst = (rows: readonly Dear[], of: (row: Dear) => number) =>
    rows.reduce((one, other) => (of(other) > of(one) ? other : one));
  const steepest = ({ grows }: Dear) => Math.max(...grows);
  const all = DIALECTS.map((dialect) => adversarialOf(dialect).map((each) => dear(each, [dialect.id])));
  print(
    "### Texts made to cost, of each dialect's own marks: the worst of them, 50 KB",
    "",
    table(
      ["dearest", "× prose", "steepest", "exponent", "most looks", "looks/char"],
      all.map((rows) => {
        const [cost, grows, seen] = [
          worst(rows, (row) => row.cost),
          worst(rows, steepest),
          worst(rows, (row) => row.looks),
        ];
        return [
          ...[cell(cost.name), round(cost.cost / usual)],
          ...[cell(grows.name), decimals(steepest(grows))],
          ...[cell(seen.name), decimals(seen.looks)],
        ];
      }),
    ),
  );
  return all.flat();
}

function printGoals(growth: number, adversarial: readonly Dear[], usual: number) {
  const text = prose(200_000);
  const goals: [goal: string, value: number, limit: number][] = [
    [
      "prose, chunks of 4: all armed, times canonical",
      perCharacter(everything, text, 4) / perCharacter(canonical, text, 4),
      1.5,
    ],
    ["growth exponent, worst text or call and chunk size", growth, 1.2],
    ["growth exponent, worst adversarial text", Math.max(...adversarial.flatMap(({ grows }) => grows)), 1.2],
    ["dearest adversarial text, chunks of 4: times prose", Math.max(...adversarial.map(({ cost }) => cost)) / usual, 3],
    ["looks per character, worst adversarial text", Math.max(...adversarial.map((row) => row.looks)), 4],
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

print(`Node ${process.version}, ${process.arch}; ${DIALECTS.length} notations; processor time, best of 5 runs.`);
// The first numbers would tell how fast the compiler is.
for (const consume of [canonical, everything]) perCharacter(consume, mixed(20_000) + writeFile(20_000), 4);
const growth = Math.max(printTexts(), printDialects());
const usual = perCharacter(everything, prose(200_000), 4);
printGoals(growth, [...printAdversarial(usual), ...printOwnMarks(usual)], usual);
print(`Checksum ${checksum()}.`);
