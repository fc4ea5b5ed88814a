import { delimitedCalls } from "../sieve/grammars/delimited-calls.ts";
import { mark } from "../sieve/notation.ts";
import { delimitedWriter } from "./delimited-writer.ts";
import type { Dialect } from "./dialect.ts";

const DELIMITER = '<|"|>';
const CALL = "call:";

const { wrapper, body, bare } = delimitedCalls({
  open: "<|tool_call>",
  close: "<tool_call|>",
  call: CALL,
  delimiter: DELIMITER,
  // As in `google:mcp:calendar:list_events`.
  namespace: ":",
});

/** Gemma 4: calls in a special pair of tokens, their strings between another. */
export const gemma4: Dialect = {
  id: "gemma4",
  models: "Gemma 4",
  source: "markup",
  openers: [{ ...mark(CALL), at: "line", pinned: true, evidence: "weak", read: bare }],
  wrappers: [wrapper],
  bodies: [body],
  suspendsReasoning: "always",
  results: ["<|tool_response>"],
  channels: { reasoning: [{ open: "<|channel>thought", close: "<channel|>" }], strips: ["<turn|>"] },
  write: delimitedWriter(DELIMITER, (name, object) => `<|tool_call>${CALL}${name}${object}<tool_call|>`),
  reserved: [DELIMITER],
};
