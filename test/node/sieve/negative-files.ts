import { jsonLines } from "../../json-lines.ts";
import { sections } from "./notations.ts";
import type { SieveOptions } from "./run.ts";

/** One text of a file: in `.txt` it stands behind `§ name` and `why RULE: reason`, up to the next `§`. */
export interface Negative {
  name: string;
  why: string;
  text: string;
}

const FILES = import.meta.glob<string>("../../cases/negatives/*", { query: "?raw", import: "default", eager: true });

const EXAMPLES = "notations.txt";

/** Names that stand in texts for all sorts of reasons. */
export const TOOLS: SieveOptions["tools"] = [
  tool("search", { query: { type: "string" }, limit: { type: "integer" } }),
  tool("get_weather", { city: { type: "string" }, days: { type: "integer" } }),
  tool("write_file", { path: { type: "string" }, content: { type: "string" } }),
  tool("read", { path: { type: "string" } }),
  tool("table", { rows: { type: "array" } }),
  tool("run", { command: { type: "string" } }),
  tool("a", { href: { type: "string" } }),
  tool("print", { text: { type: "string" } }),
];

const corpora = Object.entries(FILES).map(([path, file]) => [path.split("/").at(-1) ?? "", file] as const);

/** Texts without a call, by their file. */
export const NEGATIVES: Readonly<Record<string, readonly Negative[]>> = Object.fromEntries(
  corpora
    .filter(([file]) => file !== EXAMPLES)
    .map(([file, content]) => [
      file,
      file.endsWith(".jsonl") ? jsonLines<Negative>(content) : sections(content).map(negative),
    ]),
);

function negative({ head: name, body }: { head: string; body: string }): Negative {
  const [, why = "", text = ""] = /^why (.*?)\n(.*)$/s.exec(body) ?? [];
  return { name, why, text };
}

function tool(name: string, properties: Record<string, { type: string }>) {
  return { name, parameters: { type: "object", properties } };
}
