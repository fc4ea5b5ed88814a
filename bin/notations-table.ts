import { DIALECTS } from "../src/dialects/all.ts";
import { isPinned } from "../src/dialects/dialect.ts";

/** Between these lines of the README stands what the dialects' files say of themselves. */
const BEGIN = "<!-- notations: written by npm run notations -->";
/** Its columns are as wide as they are. */
const UNFORMATTED = "<!-- biome-ignore format: written by a program -->";
const END = "<!-- end of notations -->";

const EXAMPLE = [{ name: "get_weather", input: { city: "Oslo" } }];

/** The README with its table of notations as the files of `src/dialects` have it. */
export function withNotations(readme: string): string {
  const [before, rest] = readme.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error("the README has no place for the table of notations");
  return `${before}${BEGIN}\n\n${UNFORMATTED}\n${table()}\n\n${END}${after}`;
}

function table(): string {
  const rows = DIALECTS.map((dialect) => [
    code(dialect.id),
    (dialect.aliases ?? []).map(code).join(", "),
    dialect.models,
    code(dialect.write.calls(EXAMPLE).replace(/\s*\n\s*/g, " ⏎ ")),
    isPinned(dialect) ? "pinned" : dialect.id === "canonical" ? "always" : "`feature_match`",
  ]);
  const cells = [
    ["notation", "also", "written by", "looks like", "read"],
    ["---", "---", "---", "---", "---"],
    ...rows,
  ];
  return cells.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** A bar would end the cell, a backtick the span. */
function code(text: string): string {
  const escaped = text.replaceAll("|", "\\|");
  return text.includes("`") ? `\`\`\`\` ${escaped} \`\`\`\`` : `\`${escaped}\``;
}
