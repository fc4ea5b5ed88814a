import type { Tool, ToolChoice } from "../../conversation.ts";
import { REQUEST_LIMITS } from "../../limits.ts";
import { excerpt, invalid } from "../fields.ts";
import { checkChoice, createToolList, readFunctionTool } from "../tool-list.ts";
import type { Warn } from "../warnings.ts";
import { toJsonSchema } from "./open-api.ts";
import type { ProtoFields } from "./proto-fields.ts";

/** Each entry of `tools` has function declarations, or a tool of the vendor's own under its name, or both. */
export function readTools(body: ProtoFields, warn: Warn): Tool[] {
  const list = createToolList(warn);
  for (const entry of body.objects("tools", REQUEST_LIMITS.tools)) {
    for (const declaration of entry.objects("functionDeclarations", REQUEST_LIMITS.tools)) {
      list.add(readDeclaration(declaration));
    }
    for (const name of entry.names()) if (name !== "functionDeclarations") list.addHosted(name);
  }
  return list.read();
}

function readDeclaration(declaration: ProtoFields): Tool {
  const { json, path } = declaration;
  if (declaration.value("parametersJsonSchema") !== undefined) {
    return readFunctionTool(json, path, declaration.spelling("parametersJsonSchema"));
  }
  const tool = readFunctionTool(json, path, "parameters");
  return { ...tool, parameters: toJsonSchema(tool.parameters) };
}

/** docs/wires.md, Choice of tools. Names mean something only where the vendor's API takes them. */
const MODES = new Map<string, { mode: ToolChoice["mode"]; named: boolean }>([
  ["MODE_UNSPECIFIED", { mode: "auto", named: false }],
  ["AUTO", { mode: "auto", named: false }],
  ["NONE", { mode: "none", named: false }],
  ["ANY", { mode: "required", named: true }],
  ["VALIDATED", { mode: "auto", named: true }],
]);

export function readChoice(body: ProtoFields, tools: readonly Tool[]): ToolChoice {
  const config = body.object("toolConfig")?.object("functionCallingConfig");
  if (!config) return { mode: "auto" };
  const name = config.string("mode") ?? "AUTO";
  const { mode, named } = MODES.get(name) ?? invalid(config.place("mode"), `unknown mode '${excerpt(name)}'.`);
  const only = named ? config.strings("allowedFunctionNames", REQUEST_LIMITS.tools) : [];
  return checkChoice({ mode, ...(only.length > 0 && { only }) }, tools, config.path);
}
