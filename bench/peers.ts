import { repeat } from "./adversarial.ts";
import { manyCalls, mixed, prose, writeFile } from "./corpora.ts";
import { type Climb, checksum, climb, cut, round, table } from "./measure.ts";
import { CONTENDERS, type Contender } from "./peer-parsers.ts";

/**
 * The sieve beside other packages that find tool calls in streamed text, each on the same texts in a notation that it
 * reads, cut into deltas of 4 characters. Prints Markdown.
 */

const DELTA = 4;
const KILOBYTES = [2, 8, 32, 128];
const VALUE = "VALUE";

const print = (...lines: string[]) => console.log(`${lines.join("\n")}\n`);
const exponent = (value: number | undefined) => value?.toFixed(1) ?? "–";
const measured = ({ perCharacter, exponent: grows, stoppedAt }: Climb) =>
  `${round(perCharacter)} (${exponent(grows)})${stoppedAt === undefined ? "" : ` over at ${round(stoppedAt / 1000)}k`}`;

/** Whether what is read is what was written, and whether what was streamed before adds up to it. */
function judge({ write, read }: Contender): { right: string; agrees: string } {
  let meant = "";
  const text = writeFile(8_000, (name, strings) => {
    meant = JSON.stringify(strings);
    return write(name, strings);
  });
  const [call] = read(cut(text, DELTA));
  const verdict = (holds: boolean) => (holds ? "yes" : "**no**");
  const streamed = call?.streamed;
  return {
    right: verdict(call?.arguments === meant),
    agrees: streamed === undefined ? "–" : verdict(streamed === call?.arguments),
  };
}

function printArguments() {
  const rows = CONTENDERS.map((contender) => {
    const texts = KILOBYTES.map((size) => writeFile(size * 1000, contender.write));
    const { times, exponent: grows } = climb(contender.consume, texts, DELTA);
    const cells = KILOBYTES.map((_, index) => (times[index] === undefined ? "over" : round(times[index] / 1e6)));
    const { right, agrees } = judge(contender);
    return [contender.name, ...cells, exponent(grows), right, agrees];
  });
  print(
    "### One `write_file`: milliseconds by the size of its argument",
    "",
    table(["", ...KILOBYTES.map((size) => `${size} KB`), "exponent", "arguments right", "deltas add up"], rows),
  );
}

function printTexts() {
  const texts: [name: string, make: (write: Contender["write"]) => string[]][] = [
    ["prose, 50 KB", () => [12_500, 50_000].map(prose)],
    ["mixed text, 50 KB", () => [12_500, 50_000].map(mixed)],
    ["20 calls", (write) => [5, 20].map((count) => manyCalls(count, write))],
  ];
  printClimbs("Text and short calls", texts);
}

function printHostile() {
  const sizes = [1_500, 6_000, 24_000];
  const grown = (make: (size: number) => string) => sizes.map(make);
  const frame = (write: Contender["write"]) => write("write_file", { path: "a", content: VALUE }).split(VALUE);
  printClimbs("Texts made to cost, 24 KB", [
    ["`<` repeated", () => grown(repeat("<"))],
    ["`{` repeated", () => grown(repeat("{"))],
    ["an opening, then prose", (write) => grown((size) => `${frame(write)[0]}${prose(size)}`)],
    ["openings", (write) => grown(repeat(frame(write)[0] ?? ""))],
    ["half openings", (write) => grown(repeat(write("write_file", {}).slice(0, 11)))],
    ["closers in a value", (write) => grown(repeat(frame(write)[1] ?? "", frame(write)[0]))],
  ]);
}

function printClimbs(title: string, texts: readonly [name: string, make: (write: Contender["write"]) => string[]][]) {
  const contenders = CONTENDERS.filter(({ callOnly }) => !callOnly);
  const rows = contenders.map(({ name, write, consume }) => [
    name,
    ...texts.map(([, make]) => measured(climb(consume, make(write), DELTA))),
  ]);
  print(
    `### ${title}: nanoseconds per character (growth exponent)`,
    "",
    table(["", ...texts.map(([name]) => name)], rows),
  );
}

print(
  `Node ${process.version}, ${process.arch}; deltas of ${DELTA} characters; the streams of the others are left out.`,
);
for (const { consume, write } of CONTENDERS) consume(cut(writeFile(2_000, write), DELTA));
printArguments();
printTexts();
printHostile();
print(`Checksum ${checksum()}.`);
