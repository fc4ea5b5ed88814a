import { fencedCalls } from "../sieve/grammars/bare-json.ts";
import { mark } from "../sieve/notation.ts";
import type { Dialect } from "./dialect.ts";
import { callsJson } from "./json-spacing.ts";

/** An action as a fenced list of JSON objects: the fence belongs to the notation. */
export const commandR: Dialect = {
  id: "command_r",
  models: "Command R and R+",
  source: "json",
  openers: [fencedCalls(mark("Action: ```json"), { at: "line", evidence: "weak" })],
  channels: { strips: ["<|END_OF_TURN_TOKEN|>"] },
  write: { calls: (calls) => `Action: \`\`\`json\n${callsJson(calls, KEYS)}\n\`\`\`` },
};

const KEYS = { name: "tool_name", arguments: "parameters" };
