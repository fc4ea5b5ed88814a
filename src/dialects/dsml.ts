import { type BlockName, barredTags, barredWriter, type Frame } from "./barred-tags.ts";
import type { Dialect } from "./dialect.ts";

const USUAL: BlockName = { name: "tool_calls" };

/** Each version knows one of the first two by itself, but models write either. */
const BLOCKS: readonly BlockName[] = [
  USUAL,
  { name: "function_calls" },
  { name: "tool calls", repair: "lost-underscore" },
  { name: "toolcalls", repair: "lost-underscore" },
];

const frame = (before: string): Frame => ({ open: `<${before}`, close: `</${before}` });

/** What models make of the marker: one bar for another, too many of them, or too few. */
const FRAMES: readonly Frame[] = [
  ...["｜DSML｜", "|DSML|"].map(frame),
  ...["｜｜DSML｜｜", "||DSML||"].map((before) => ({ ...frame(before), repair: "doubled-bars" })),
  ...["DSML｜", "DSML|", "｜DSML ", "|DSML ", "DSML"].map((before) => ({
    ...frame(before),
    blocks: [USUAL],
    repair: "lost-bars",
  })),
  { ...frame("dsml-"), blocks: [{ name: "tool-calls" }], repair: "lost-bars" },
  ...["｜", "|"].map((bar) => ({ ...frame(`${bar}DSML${bar}`), after: bar, blocks: [USUAL], repair: "stray-bar" })),
  ...["｜DSML｜", "|DSML|"].map((before) => ({
    ...frame(before),
    open: `<<${before}`,
    blocks: [USUAL],
    repair: "doubled-bracket",
  })),
];

/** DeepSeek's own markup: what is a string says so in its tag. Proxies teach it with ASCII bars and CDATA. */
export const dsml: Dialect = {
  id: "dsml",
  aliases: ["dsml_ascii", "deepseek_v32", "deepseek_v4"],
  models: "DeepSeek V3.2, V4 and newer",
  source: "xml",
  ...barredTags(FRAMES, BLOCKS),
  suspendsReasoning: "always",
  results: ["<function_results>"],
  channels: { strips: ["<｜end▁of▁sentence｜>"] },
  write: barredWriter("｜DSML｜", "tool_calls"),
  reserved: ["<｜DSML｜parameter", "<|DSML|parameter"],
};
