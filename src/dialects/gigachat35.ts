import { barredTags, barredWriter, type Frame } from "./barred-tags.ts";
import type { Dialect } from "./dialect.ts";

const FRAMES: readonly Frame[] = [{ spell: (name) => [`｜GCML｜${name}`, `|GCML|${name}`] }];

/** GigaChat's tags are those of DeepSeek with a marker of their own. */
export const gigachat35: Dialect = {
  id: "gigachat35",
  models: "GigaChat 3.5",
  source: "xml",
  ...barredTags(FRAMES, [{ name: "tool_calls" }]),
  suspendsReasoning: "always",
  channels: { strips: ["<|message_sep|>", "</s>"] },
  write: barredWriter("｜GCML｜", "tool_calls"),
  reserved: ["<｜GCML｜parameter", "<|GCML|parameter"],
};
