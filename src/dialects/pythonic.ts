import { bareLines, bareList } from "../sieve/grammars/pythonic.ts";
import { mark } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { pythonListWriter } from "./python-writer.ts";

/** A list of Python calls at the start of a reply, or one call without a list. */
export const pythonic: Dialect = {
  id: "pythonic",
  models: "Llama 3.2 and 4, ToolACE, LFM2 and Gemma 3 where their marks are lost",
  source: "markup",
  openers: [{ ...mark("["), at: "start", pinned: true, evidence: "weak", leads: ["name"], read: bareList() }],
  unmarked: bareLines(),
  channels: { strips: ["<|eot_id|>", "<|eom_id|>", "<|eot|>"] },
  write: pythonListWriter("python"),
};
