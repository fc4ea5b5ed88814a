import { fencedCalls, markedCalls } from "../sieve/grammars/bare-json.ts";
import { mark } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { callJson } from "./json-spacing.ts";

/** Words in bold, then JSON in a fence or without one. */
export const rwkv: Dialect = {
  id: "rwkv",
  models: "RWKV 7",
  source: "json",
  openers: [
    fencedCalls(mark("**Tool Call:**\n```json"), { at: "line", evidence: "weak" }),
    markedCalls(mark("**Tool Call:**"), { at: "line", evidence: "weak" }),
  ],
  write: {
    calls: (calls) => calls.map((call) => `**Tool Call:**\n\`\`\`json\n${callJson(call)}\n\`\`\``).join("\n"),
  },
};
