import type { JsonObject, Tool, ToolChoice } from "../../conversation.ts";
import { isObject } from "../../json.ts";
import { invalid, readFields, readString, unsupportedValue } from "../fields.ts";
import { checkChoice, checkSize, readEntries, readFunctionTool, readToolName } from "../tool-list.ts";
import { freeformTool } from "./freeform.ts";

/**
 * Tools and choices of both OpenAI wires. Chat wraps what belongs to a type in a member of that name
 * (`{type: "function", function: {name}}`), Responses does not (`{type: "function", name}`); clients that speak both mix
 * them up, so either is read wherever it comes.
 *
 * @returns undefined for a type that the client cannot run itself
 */
export function readTool(entry: JsonObject, path: string): Tool | undefined {
  const type = readString(entry, "type", `${path}.`) ?? "function";
  const [tool, place] = unwrap(entry, type, path);
  if (type === "function") return readFunctionTool(tool, place, "parameters");
  return type === "custom" ? readCustom(tool, place) : undefined;
}

/** What belongs to a type, and its path: in a member of that name, or beside the type. */
export function unwrap(entry: JsonObject, type: string, path: string): [JsonObject, string] {
  const wrapped = type === "namespace" ? undefined : readFields(entry, type, `${path}.`);
  return wrapped ? [wrapped, `${path}.${type}`] : [entry, path];
}

function readCustom(tool: JsonObject, path: string): Tool {
  const name = readToolName(tool, path);
  const description = readString(tool, "description", `${path}.`);
  const format = readFields(tool, "format", `${path}.`) ?? {};
  const [grammar, place] = unwrap(format, "grammar", `${path}.format`);
  const definition = readString(grammar, "definition", `${place}.`);
  if (!definition) return freeformTool(name, description, undefined);
  const syntax = readString(grammar, "syntax", `${place}.`) ?? "lark";
  checkSize(definition, `${place}.definition`);
  return freeformTool(name, description, `Grammar (${syntax}):\n${definition}`);
}

/** @param param the field's name in the body: `tool_choice`, or the older `function_call` */
export function readToolChoice(body: JsonObject, tools: readonly Tool[], param = "tool_choice"): ToolChoice {
  const value = body[param] ?? undefined;
  if (value === undefined) return { mode: "auto" };
  return checkChoice(typeof value === "string" ? readMode(value, param) : readNamed(value, param), tools, param);
}

function readMode(value: string, param: string): ToolChoice {
  if (value === "auto" || value === "none" || value === "required") return { mode: value };
  return invalid(param, "expected 'auto', 'none', 'required' or an object.");
}

function readNamed(value: unknown, param: string): ToolChoice {
  if (!isObject(value)) return invalid(param, "expected a string or an object.");
  if (value.type === "allowed_tools") return readAllowed(...unwrap(value, "allowed_tools", param));
  return { mode: "required", only: [nameOf(value, param)] };
}

function readAllowed(allowed: JsonObject, path: string): ToolChoice {
  const mode = readString(allowed, "mode", `${path}.`) ?? "auto";
  if (mode !== "auto" && mode !== "required") return invalid(`${path}.mode`, "expected 'auto' or 'required'.");
  const entries = readEntries(allowed, "tools", `${path}.`);
  if (entries.length === 0) return invalid(`${path}.tools`, "expected at least one tool.");
  return { mode, only: entries.map(([place, tool]) => nameOf(tool, place)) };
}

/** The older `function_call` gives no type: a function is all that it can choose. */
function nameOf(choice: JsonObject, path: string): string {
  const type = readString(choice, "type", `${path}.`) ?? "function";
  if (type !== "function" && type !== "custom") {
    return unsupportedValue(path, "only tools of type 'function' and 'custom' can be chosen.");
  }
  const [tool, place] = unwrap(choice, type, path);
  return readString(tool, "name", `${place}.`) ?? invalid(`${place}.name`, "expected the name of a tool.");
}
