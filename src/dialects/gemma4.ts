import { delimitedCalls } from "../sieve/grammars/delimited-calls.ts";
import { mark } from "../sieve/notation.ts";
import { delimitedWriter } from "./delimited-writer.ts";
import type { TaughtDialect } from "./dialect.ts";
import { RESULTS, resultFrame } from "./result-frames.ts";
import { IN_OWN_TAGS, taught } from "./teaching.ts";

const DELIMITER = '<|"|>';
const CALL = "call:";

const VALUES = `- A string stands between two ${DELIMITER} exactly as it is: no quotes, no escaping, as many lines as needed.
- Other values are written as JSON, but strings in them as above, and keys without quotes.`;

const { wrapper, body, bare } = delimitedCalls({
  open: "<|tool_call>",
  close: "<tool_call|>",
  call: CALL,
  delimiter: DELIMITER,
  // As in `google:mcp:calendar:list_events`.
  namespace: ":",
});

/** Gemma 4: calls in a special pair of tokens, their strings between another. */
export const gemma4: TaughtDialect = {
  id: "gemma4",
  models: "Gemma 4",
  source: "markup",
  openers: [{ ...mark(CALL), at: "line", pinned: true, evidence: "weak", read: bare }],
  wrappers: [wrapper],
  bodies: [body],
  suspendsReasoning: "always",
  results: [RESULTS, "<|tool_response>"],
  channels: { reasoning: [{ open: "<|channel>thought", close: "<channel|>" }], strips: ["<turn|>"] },
  ...taught(
    delimitedWriter(DELIMITER, (name, object) => `<|tool_call>${CALL}${name}${object}<tool_call|>`),
    resultFrame,
    { values: VALUES, several: IN_OWN_TAGS, typed: true },
  ),
  reserved: [DELIMITER],
};
