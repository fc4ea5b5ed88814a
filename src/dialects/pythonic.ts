import { bareLines, bareList } from "../sieve/grammars/pythonic.ts";
import { mark } from "../sieve/notation.ts";
import type { TaughtDialect } from "./dialect.ts";
import { pythonListWriter } from "./python-writer.ts";
import { RESULTS, resultFrame } from "./result-frames.ts";
import { IN_LIST, PYTHON, taught } from "./teaching.ts";

/** A list of Python calls at the start of a reply, or one call without a list. */
export const pythonic: TaughtDialect = {
  id: "pythonic",
  models: "Llama 3.2 and 4, ToolACE, LFM2 and Gemma 3 where their marks are lost",
  source: "markup",
  openers: [{ ...mark("["), at: "start", pinned: true, evidence: "weak", leads: ["name"], read: bareList() }],
  unmarked: bareLines(),
  channels: { strips: ["<|eot_id|>", "<|eom_id|>", "<|eot|>"] },
  results: [RESULTS],
  ...taught({ ...pythonListWriter("python"), first: true }, resultFrame, { values: PYTHON, several: IN_LIST }),
};
