import { unmarkedCalls } from "../sieve/grammars/named-json.ts";
import type { Dialect } from "./dialect.ts";
import { spacedJson } from "./json-spacing.ts";

/** GLM-4 before 4.5: the name on a line of its own, and the arguments on the next. */
export const glm4Old: Dialect = {
  id: "glm4_old",
  models: "GLM-4-9B, GLM-4-32B-0414",
  source: "json",
  unmarked: unmarkedCalls({}),
  channels: { strips: ["<|observation|>", "<|user|>", "<|assistant|>"] },
  write: { calls: (calls) => calls.map(({ name, input }) => `${name}\n${spacedJson(input)}`).join("\n") },
};
