import { type BlockName, barredTags, barredWriter, type Frame } from "./barred-tags.ts";
import type { TaughtDialect, WrittenResult } from "./dialect.ts";
import { envelope } from "./result-frames.ts";
import { inBlock, TEXT, taught } from "./teaching.ts";

const USUAL: BlockName = { name: "tool_calls" };

/** Each version knows one of the first two by itself, but models write either. */
const BLOCKS: readonly BlockName[] = [
  USUAL,
  { name: "function_calls" },
  { name: "tool calls", repair: "lost-underscore" },
  { name: "toolcalls", repair: "lost-underscore" },
];

const framed = (...markers: string[]) => ({ spell: (name: string) => markers.map((marker) => marker + name) });

/** What models make of the marker: one bar for another, too many of them, or too few. */
const FRAMES: readonly Frame[] = [
  framed("｜DSML｜", "|DSML|"),
  { ...framed("｜｜DSML｜｜", "||DSML||"), repair: "doubled-bars" },
  { ...framed("DSML｜", "DSML|", "｜DSML ", "|DSML ", "DSML"), blocks: [USUAL], repair: "lost-bars" },
  { ...framed("dsml-"), blocks: [{ name: "tool-calls" }], repair: "lost-bars" },
  { spell: (name) => [`｜DSML｜${name}｜`, `|DSML|${name}|`], blocks: [USUAL], repair: "stray-bar" },
  { ...framed("｜DSML｜", "|DSML|"), bracket: "<<", blocks: [USUAL], repair: "doubled-bracket" },
];

const resultTags = envelope((text) => `<result>${text}</result>`);

const functionResults = (results: readonly WrittenResult[]) =>
  `<function_results>\n${resultTags(results)}\n</function_results>`;

const taughtAs = (block: string) =>
  taught(barredWriter("｜DSML｜", block), functionResults, { values: TEXT, several: inBlock("invoke"), typed: true });

/** DeepSeek's own markup: what is a string says so in its tag. Proxies teach it with ASCII bars and CDATA. */
export const dsml: TaughtDialect = {
  id: "dsml",
  aliases: ["dsml_ascii", "deepseek_v32", "deepseek_v4"],
  models: "DeepSeek V3.2, V4 and newer",
  source: "xml",
  ...barredTags(FRAMES, BLOCKS),
  suspendsReasoning: "always",
  results: ["<function_results>"],
  channels: { strips: ["<｜end▁of▁sentence｜>"] },
  ...taughtAs("tool_calls"),
  variants: { deepseek_v32: taughtAs("function_calls") },
  reserved: ["<｜DSML｜parameter", "<|DSML|parameter"],
};
