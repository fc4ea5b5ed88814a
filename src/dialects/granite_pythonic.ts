import { bareLines } from "../sieve/grammars/pythonic.ts";
import type { Dialect } from "./dialect.ts";
import { pythonLinesWriter } from "./python-writer.ts";

/** Granite where it leaves its marks out: Python calls, one a line. */
export const granitePythonic: Dialect = {
  id: "granite_pythonic",
  models: "Granite 3.3, Granite 4 H",
  source: "markup",
  unmarked: bareLines(),
  channels: { strips: ["<|end_of_text|>"] },
  write: pythonLinesWriter("python-double"),
};
