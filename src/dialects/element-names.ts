import { elementCalls } from "../sieve/grammars/element-calls.ts";

/** What several notations share that write the parts of a call as elements, as ds2api's prompt has it. */

export const ELEMENT_NAMES = {
  names: ["tool_name", "function_name", "name"],
  calls: ["tool"],
  containers: ["parameters", "arguments", "input"],
  arguments: ["parameter", "argument"],
  style: "markup",
} as const;

export const ELEMENT_CALL = elementCalls(ELEMENT_NAMES);
