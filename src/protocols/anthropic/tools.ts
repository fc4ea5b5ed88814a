import type { JsonObject, Tool, ToolChoice } from "../../conversation.ts";
import { excerpt, invalid, readBoolean, readFields, readString, unsupportedValue } from "../fields.ts";
import { checkChoice, createToolList, readEntries, readFunctionTool } from "../tool-list.ts";
import type { Warn } from "../warnings.ts";

/** Tools that the client runs by a schema that only the vendor's own models know, such as `bash_20250124`. */
const TYPED_CLIENT_TOOL = /^(bash|text_editor|computer|memory|browser)_/;

const MODES: ReadonlyMap<string, ToolChoice["mode"]> = new Map([
  ["auto", "auto"],
  ["any", "required"],
  ["tool", "required"],
  ["none", "none"],
]);

export function readTools(body: JsonObject, warn: Warn): Tool[] {
  const list = createToolList(warn);
  for (const [path, entry] of readEntries(body, "tools")) {
    const type = readString(entry, "type", `${path}.`) ?? "custom";
    if (type === "custom") list.add(readFunctionTool(entry, path, "input_schema"));
    else if (!TYPED_CLIENT_TOOL.test(type)) list.addHosted(type);
    else
      unsupportedValue(`${path}.type`, `the schema of '${excerpt(type)}' is not known; declare it as a custom tool.`);
  }
  return list.read();
}

export function readChoice(
  body: JsonObject,
  tools: readonly Tool[],
): { toolChoice: ToolChoice; parallelToolCalls: boolean } {
  const path = "tool_choice";
  const choice = readFields(body, path) ?? {};
  const type = readString(choice, "type", `${path}.`) ?? "auto";
  const mode = MODES.get(type) ?? invalid(`${path}.type`, "expected 'auto', 'any', 'tool' or 'none'.");
  const toolChoice: ToolChoice = type === "tool" ? { mode, only: [chosenTool(choice, path)] } : { mode };
  return {
    toolChoice: checkChoice(toolChoice, tools, path),
    parallelToolCalls: !readBoolean(choice, "disable_parallel_tool_use", `${path}.`),
  };
}

function chosenTool(choice: JsonObject, path: string): string {
  return readString(choice, "name", `${path}.`) ?? invalid(`${path}.name`, "expected the name of a tool.");
}
