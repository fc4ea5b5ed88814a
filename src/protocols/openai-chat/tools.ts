import type { JsonObject, Tool, ToolChoice } from "../../conversation.ts";
import { readString } from "../fields.ts";
import { readTool, readToolChoice } from "../openai/tools.ts";
import { createToolList, readEntries, readFunctionTool } from "../tool-list.ts";
import type { Warn } from "../warnings.ts";

/** `tools`, and the older `functions` behind them. */
export function readTools(body: JsonObject, warn: Warn): Tool[] {
  const list = createToolList(warn);
  for (const [path, entry] of readEntries(body, "tools")) {
    const tool = readTool(entry, path);
    if (tool) list.add(tool);
    else list.addHosted(readString(entry, "type", `${path}.`) ?? "");
  }
  for (const [path, entry] of readEntries(body, "functions")) list.add(readFunctionTool(entry, path, "parameters"));
  return list.read();
}

/** `tool_choice`, or the older `function_call`. */
export function readChoice(body: JsonObject, tools: readonly Tool[]): ToolChoice {
  const param = (body.tool_choice ?? undefined) === undefined ? "function_call" : "tool_choice";
  return readToolChoice(body, tools, { param });
}
