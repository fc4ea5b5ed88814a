import { jsonBody } from "../sieve/grammars/json-calls.ts";
import { mark } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { callJson } from "./json-spacing.ts";

const ROLE = mark("function call<|role_sep|>");

/** A message in the role of a function call: one JSON object, and nothing that closes it. */
export const gigachat3: Dialect = {
  id: "gigachat3",
  models: "GigaChat 3",
  source: "json",
  openers: [
    // What parts it from the message before was stripped.
    { ...ROLE, evidence: "complete", at: "line", leads: jsonBody.leads, read: jsonBody.in({ open: ROLE, closes: [] }) },
  ],
  wrappers: [
    { open: mark("<|message_sep|>function call<|role_sep|>"), closes: [] },
    { open: mark("<|function_call|>"), closes: [] },
  ],
  bodies: [jsonBody],
  channels: { strips: ["<|message_sep|>", "</s>"] },
  write: {
    calls: (calls) => calls.map((call) => `<|message_sep|>function call<|role_sep|>\n${callJson(call)}`).join(""),
  },
};
