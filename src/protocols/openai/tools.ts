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
  if (type === "function") return readFunctionTool(...unwrap(entry, type, path), "parameters");
  return type === "custom" ? readCustom(...unwrap(entry, type, path)) : undefined;
}

/** What belongs to a type, and its path: in a member of that name, or beside the type. */
export function unwrap(entry: JsonObject, type: string, path: string): [JsonObject, string] {
  const wrapped = readFields(entry, type, `${path}.`);
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

interface ChoiceOptions {
  /** The field's name in the body: `tool_choice`, or the older `function_call`. */
  param?: string;
  /** What the model is shown a tool as, where that differs from the client's name. */
  shown?(name: string, namespace: string | undefined): string;
}

export function readToolChoice(
  body: JsonObject,
  tools: readonly Tool[],
  { param = "tool_choice", shown = (name) => name }: ChoiceOptions = {},
): ToolChoice {
  const value = body[param] ?? undefined;
  if (value === undefined) return { mode: "auto" };
  const choice = typeof value === "string" ? readMode(value, param) : readNamed(value, param, tools, shown);
  return checkChoice(choice, tools, param);
}

function readMode(value: string, param: string): ToolChoice {
  if (value === "auto" || value === "none" || value === "required") return { mode: value };
  return invalid(param, "expected 'auto', 'none', 'required' or an object.");
}

type Shown = NonNullable<ChoiceOptions["shown"]>;

function readNamed(value: unknown, param: string, tools: readonly Tool[], shown: Shown): ToolChoice {
  if (!isObject(value)) return invalid(param, "expected a string or an object.");
  if (value.type === "allowed_tools") return readAllowed(...unwrap(value, "allowed_tools", param), tools, shown);
  return { mode: "required", only: [nameOf(value, param, shown) ?? refuseHosted(param)] };
}

/** Of a set, what cannot run here is left out, as it is of the tools themselves. */
function readAllowed(allowed: JsonObject, path: string, tools: readonly Tool[], shown: Shown): ToolChoice {
  const mode = readString(allowed, "mode", `${path}.`) ?? "auto";
  if (mode !== "auto" && mode !== "required") return invalid(`${path}.mode`, "expected 'auto' or 'required'.");
  const entries = readEntries(allowed, "tools", `${path}.`);
  if (entries.length === 0) return invalid(`${path}.tools`, "expected at least one tool.");
  const names = entries.flatMap(([place, entry]) =>
    entry.type === "namespace" ? namesIn(entry.name, tools) : (nameOf(entry, place, shown) ?? []),
  );
  // A namespace named many times would be all of its tools as often.
  const only = [...new Set(names)];
  return only.length > 0 ? { mode, only } : refuseHosted(`${path}.tools`);
}

function namesIn(namespace: unknown, tools: readonly Tool[]): string[] {
  return tools.filter((tool) => tool.namespace === namespace).map(({ name }) => name);
}

/** Undefined for a tool that cannot run here. The older `function_call` gives no type: a function is all it can choose. */
function nameOf(choice: JsonObject, path: string, shown: Shown): string | undefined {
  const type = readString(choice, "type", `${path}.`) ?? "function";
  if (type !== "function" && type !== "custom") return undefined;
  const [tool, place] = unwrap(choice, type, path);
  const name = readString(tool, "name", `${place}.`) ?? invalid(`${place}.name`, "expected the name of a tool.");
  return shown(name, readString(tool, "namespace", `${place}.`));
}

function refuseHosted(path: string): never {
  return unsupportedValue(path, "only tools of type 'function' and 'custom' can be chosen.");
}
