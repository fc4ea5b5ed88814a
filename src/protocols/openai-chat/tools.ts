import type { Json, JsonObject, JsonSchema, Tool, ToolChoice } from "../../conversation.ts";
import { isObject } from "../../json.ts";
import { REQUEST_LIMITS } from "../../limits.ts";
import { excerpt, invalid, readFields, readList, readString, unsupportedValue } from "../fields.ts";
import { freeformTool } from "../freeform.ts";

type Warn = (warning: string) => void;

/** `tools`, and the older `functions` behind them. */
export function readTools(body: JsonObject, warn: Warn): Tool[] {
  const tools = new Map<string, Tool>();
  const hosted = new Set<string>();

  function add(tool: Tool) {
    if (tools.has(tool.name)) warn(`tool '${tool.name}' is declared twice: the first declaration is used`);
    else tools.set(tool.name, tool);
  }

  for (const [path, entry] of entries(body, "tools")) {
    const type = readString(entry, "type", `${path}.`) ?? "function";
    if (type === "function") add(readFunction(entry.function, `${path}.function`));
    else if (type === "custom") add(readCustom(entry.custom, `${path}.custom`));
    else hosted.add(excerpt(type));
  }
  for (const [path, entry] of entries(body, "functions")) add(readFunction(entry, path));

  if (hosted.size > 0 && tools.size === 0) {
    unsupportedValue("tools", `tools of type '${[...hosted].join("', '")}' cannot run on this gateway.`);
  }
  for (const type of hosted) warn(`tools of type '${type}' cannot run on this gateway and were left out`);
  return [...tools.values()];
}

/** The objects of a list with their paths, such as `tools[0]`. */
function entries(body: JsonObject, name: "tools" | "functions"): [string, JsonObject][] {
  return readToolList(body, name).map((entry, index) => {
    const path = `${name}[${index}]`;
    return [path, isObject(entry) ? entry : invalid(path, "expected an object.")];
  });
}

function readToolList(fields: JsonObject, name: string, path = ""): readonly Json[] {
  const list = readList(fields, name, path) ?? [];
  if (list.length > REQUEST_LIMITS.tools) invalid(path + name, `more than ${REQUEST_LIMITS.tools} tools.`);
  return list;
}

function readFunction(value: unknown, path: string): Tool {
  if (!isObject(value)) return invalid(path, "expected an object.");
  const name = readName(value, path);
  const description = readString(value, "description", `${path}.`);
  return {
    name,
    ...(description !== undefined && { description }),
    parameters: readSchema(value.parameters ?? { type: "object", properties: {} }, `${path}.parameters`),
  };
}

function readCustom(value: unknown, path: string): Tool {
  if (!isObject(value)) return invalid(path, "expected an object.");
  const name = readName(value, path);
  const description = readString(value, "description", `${path}.`);
  const format = readFields(value, "format", `${path}.`) ?? {};
  const grammar = readFields(format, "grammar", `${path}.format.`);
  const inGrammar = `${path}.format.grammar.`;
  const definition = grammar && readString(grammar, "definition", inGrammar);
  if (!definition) return freeformTool(name, description, undefined);
  const syntax = readString(grammar, "syntax", inGrammar) ?? "lark";
  checkSize(definition, `${inGrammar}definition`);
  return freeformTool(name, description, `Grammar (${syntax}):\n${definition}`);
}

/** Anything but what would break the markup that calls are written in. */
function readName(tool: JsonObject, path: string): string {
  const name = readString(tool, "name", `${path}.`);
  const limit = REQUEST_LIMITS.toolName;
  if (name === undefined || name === "" || name.length > limit || /["<>\s]/.test(name)) {
    return invalid(`${path}.name`, `expected 1 to ${limit} characters without quotes, angle brackets and white space.`);
  }
  return name;
}

/** Checked for its size alone: `schema.ts` is the one reader of what it says. */
export function readSchema(value: unknown, path: string): JsonSchema {
  if (!isObject(value) && typeof value !== "boolean") return invalid(path, "expected a JSON Schema.");
  checkSize(JSON.stringify(value), path);
  return value;
}

function checkSize(text: string, path: string): void {
  if (text.length > REQUEST_LIMITS.schema) invalid(path, `longer than ${REQUEST_LIMITS.schema} characters.`);
}

/** `tool_choice`, or the older `function_call`. */
export function readToolChoice(body: JsonObject, tools: readonly Tool[]): ToolChoice {
  const param = (body.tool_choice ?? undefined) === undefined ? "function_call" : "tool_choice";
  const value = body[param] ?? undefined;
  if (value === undefined) return { mode: "auto" };
  const choice = typeof value === "string" ? readMode(value, param) : readNamed(value, param);
  if (choice.mode === "required" && tools.length === 0) return invalid(param, "no tools are declared.");
  const undeclared = choice.only?.find((name) => !tools.some((tool) => tool.name === name));
  if (undeclared !== undefined) return invalid(param, `no tool named '${excerpt(undeclared)}' is declared.`);
  return choice;
}

function readMode(value: string, param: string): ToolChoice {
  if (value === "auto" || value === "none" || value === "required") return { mode: value };
  return invalid(param, "expected 'auto', 'none', 'required' or an object.");
}

function readNamed(value: unknown, param: string): ToolChoice {
  if (!isObject(value)) return invalid(param, "expected a string or an object.");
  if (param === "function_call") return { mode: "required", only: [nameIn(value, param)] };
  if (value.type === "allowed_tools") return readAllowed(readFields(value, "allowed_tools", `${param}.`) ?? {}, param);
  return { mode: "required", only: [nameOf(value, param)] };
}

function readAllowed(allowed: JsonObject, param: string): ToolChoice {
  const path = `${param}.allowed_tools`;
  const mode = readString(allowed, "mode", `${path}.`) ?? "auto";
  if (mode !== "auto" && mode !== "required") return invalid(`${path}.mode`, "expected 'auto' or 'required'.");
  const list = readToolList(allowed, "tools", `${path}.`);
  if (list.length === 0) return invalid(`${path}.tools`, "expected at least one tool.");
  return { mode, only: list.map((tool, index) => nameOf(tool, `${path}.tools[${index}]`)) };
}

/** The name in `{type: "function", function: {name}}` and its `custom` twin. */
function nameOf(value: unknown, path: string): string {
  if (!isObject(value)) return invalid(path, "expected an object.");
  const type = readString(value, "type", `${path}.`);
  if (type === "function") return nameIn(value.function, `${path}.function`);
  if (type === "custom") return nameIn(value.custom, `${path}.custom`);
  return unsupportedValue(path, "only tools of type 'function' and 'custom' can be chosen.");
}

function nameIn(value: unknown, path: string): string {
  const name = isObject(value) ? readString(value, "name", `${path}.`) : undefined;
  return name ?? invalid(`${path}.name`, "expected the name of a tool.");
}
