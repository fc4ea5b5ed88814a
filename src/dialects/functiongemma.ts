import { delimitedCalls } from "../sieve/grammars/delimited-calls.ts";
import { delimitedWriter } from "./delimited-writer.ts";
import type { Dialect } from "./dialect.ts";

const DELIMITER = "<escape>";
const CALL = "call:";

const { wrapper, body } = delimitedCalls({
  open: "<start_function_call>",
  close: "<end_function_call>",
  call: CALL,
  delimiter: DELIMITER,
});

/** FunctionGemma: what Gemma 4 writes, with other marks. */
export const functiongemma: Dialect = {
  id: "functiongemma",
  models: "FunctionGemma",
  source: "markup",
  wrappers: [wrapper],
  bodies: [body],
  suspendsReasoning: "always",
  results: ["<start_function_response>"],
  channels: { strips: ["<end_of_turn>"] },
  write: delimitedWriter(
    DELIMITER,
    (name, object) => `<start_function_call>${CALL}${name}${object}<end_function_call>`,
  ),
  reserved: [DELIMITER],
};
