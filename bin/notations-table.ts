import { DIALECTS } from "../src/dialects/all.ts";
import { type Dialect, isPinned, isTaught } from "../src/dialects/dialect.ts";
import { parseToolCallsDetailed } from "../src/sieve/index.ts";

/** Between these lines of the README stands what the dialects' files say of themselves. */
const BEGIN = "<!-- notations: written by npm run notations -->";
/** Its columns are as wide as they are. */
const UNFORMATTED = "<!-- biome-ignore format: written by a program -->";
const END = "<!-- end of notations -->";

const EXAMPLE = [{ name: "get_weather", input: { city: "Oslo" } }];
const TOOLS = [{ name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } }];
const OTHERS = [{ name: "get_time" }];

/** The README with its table of notations as the files of `src/dialects` have it. */
export function withNotations(readme: string): string {
  const [before, rest] = readme.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error("the README has no place for the table of notations");
  return `${before}${BEGIN}\n\n${UNFORMATTED}\n${table()}\n\n${END}${after}`;
}

function table(): string {
  const rows = DIALECTS.map((dialect) => {
    const example = dialect.write.calls(EXAMPLE);
    const looks = code(example.replace(/\s*\n\s*/g, " ⏎ "));
    const also = (dialect.aliases ?? []).map(code).join(", ");
    return [
      code(dialect.id),
      also,
      dialect.models,
      looks,
      isTaught(dialect) ? "yes" : "",
      ...readingOf(dialect, example),
    ];
  });
  const cells = [
    ["notation", "also", "written by", "looks like", "taught", "read", "only"],
    ["---", "---", "---", "---", "---", "---", "---"],
    ...rows,
  ];
  return cells.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** When the example is a call, and where: the sieve itself is asked, as a dialect's parts may have conditions of their own. */
function readingOf(dialect: Dialect, example: string): [read: string, only: string] {
  const unpinned = readAs(example, []);
  const pins = unpinned === undefined ? [dialect.id] : [];
  const place = [
    ["", `So: ${example}`],
    ["line start", `So:\n${example}`],
    ["reply start", `${example}\n\nDone.`],
    ["whole reply", example],
  ].find(([, text = ""]) => readAs(text, pins))?.[0];
  if (place === undefined) throw new Error(`the example of ${dialect.id} is no call`);
  const declared = readAs(example, pins, OTHERS) ? "" : "declared tool";
  return [nameOfReading(dialect, unpinned), [place, declared].filter(Boolean).join(", ")];
}

function nameOfReading(dialect: Dialect, unpinned: string | undefined): string {
  if (dialect.id === "canonical") return "always";
  if (unpinned === undefined) return "pinned";
  return isPinned(dialect) ? `\`feature_match\`, as ${code(unpinned)}` : "`feature_match`";
}

/** The notation that the one call of a text was read in. */
function readAs(text: string, dialects: string[], tools: typeof OTHERS = TOOLS): string | undefined {
  const { calls, blocks } = parseToolCallsDetailed(text, { tools, dialects });
  return JSON.stringify(calls) === JSON.stringify(EXAMPLE) ? blocks[0]?.dialect : undefined;
}

/** A bar would end the cell, a backtick the span. */
function code(text: string): string {
  const escaped = text.replaceAll("|", "\\|");
  return text.includes("`") ? `\`\`\`\` ${escaped} \`\`\`\`` : `\`${escaped}\``;
}
