import { pythonBody } from "../sieve/grammars/pythonic.ts";
import { mark } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { pythonListWriter } from "./python-writer.ts";

/** Llama 4: a list of Python calls between special tokens. */
export const llama4Pythonic: Dialect = {
  id: "llama4_pythonic",
  models: "Llama 4",
  source: "markup",
  wrappers: [{ open: mark("<|python_start|>"), closes: [mark("<|python_end|>")] }],
  bodies: [pythonBody],
  suspendsReasoning: "always",
  channels: { strips: ["<|eot|>", "<|eom|>"] },
  write: pythonListWriter("python", (list) => `<|python_start|>${list}<|python_end|>`),
};
