import { pythonLines } from "../sieve/grammars/pythonic.ts";
import { mark } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { pythonLinesWriter } from "./python-writer.ts";

const fence = { open: mark("```tool_code"), closes: [mark("```")] };
const { leads, in: inFence } = pythonLines({ printed: true });

/** Gemma 2 and 3: Python calls in a fence of their own. */
export const gemma3ToolCode: Dialect = {
  id: "gemma3_tool_code",
  models: "Gemma 2 and 3",
  source: "markup",
  openers: [{ ...fence.open, at: "line", pinned: true, evidence: "weak", leads, read: inFence(fence) }],
  results: ["```tool_output"],
  channels: { strips: ["<end_of_turn>"] },
  write: pythonLinesWriter("python-double", (lines) => `\`\`\`tool_code\n${lines}\n\`\`\``),
};
