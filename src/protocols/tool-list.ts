import type { JsonObject, JsonSchema, Tool, ToolChoice } from "../conversation.ts";
import { isObject } from "../json.ts";
import { REQUEST_LIMITS } from "../limits.ts";
import { excerpt, invalid, readObjects, readString, unsupportedValue } from "./fields.ts";
import type { Warn } from "./warnings.ts";

/** The tools of a request, on any wire. */
export interface ToolList {
  /** Of two tools with one name the first counts. */
  add(tool: Tool): void;
  /** A tool that runs on the vendor's own servers: nobody can run it here. */
  addHosted(type: string): void;
  /** @throws GatewayFailure `unsupported` where there are hosted tools and no others */
  read(): Tool[];
}

export function createToolList(warn: Warn): ToolList {
  const tools = new Map<string, Tool>();
  const hosted = new Set<string>();
  return {
    add(tool) {
      if (tools.has(tool.name)) warn(`tool '${tool.name}' is declared twice: the first declaration is used`);
      else if (tools.size === REQUEST_LIMITS.tools) invalid("tools", `more than ${REQUEST_LIMITS.tools} tools.`);
      else tools.set(tool.name, tool);
    },
    addHosted: (type) => void hosted.add(excerpt(type)),
    read() {
      if (hosted.size > 0 && tools.size === 0) {
        unsupportedValue(
          "tools",
          `tools of type '${[...hosted].slice(0, 8).join("', '")}' cannot run on this gateway.`,
        );
      }
      for (const type of hosted) warn(`tools of type '${type}' cannot run on this gateway and were left out`);
      return [...tools.values()];
    },
  };
}

/** The objects of a list of tools, each behind its path. */
export function readEntries(fields: JsonObject, name: string, path = ""): [path: string, tool: JsonObject][] {
  return readObjects(fields, name, path, REQUEST_LIMITS.tools);
}

/** Anything but what would break the markup that calls are written in. */
export function readToolName(tool: JsonObject, path: string): string {
  const name = readString(tool, "name", `${path}.`);
  const limit = REQUEST_LIMITS.toolName;
  if (name === undefined || name === "" || name.length > limit || /["<>\s]/.test(name)) {
    return invalid(`${path}.name`, `expected 1 to ${limit} characters without quotes, angle brackets and white space.`);
  }
  return name;
}

/**
 * A function: name, description and the schema of its arguments, under whatever name a wire has for that.
 * @param schema absent: no arguments
 */
export function readFunctionTool(tool: JsonObject, path: string, schema: string): Tool {
  const description = readString(tool, "description", `${path}.`);
  return {
    name: readToolName(tool, path),
    ...(description !== undefined && { description }),
    parameters: readSchema(tool[schema] ?? { type: "object", properties: {} }, `${path}.${schema}`),
  };
}

/** Checked for its size alone: `schema.ts` is the one reader of what it says. Its numbers are such as one can count with. */
export function readSchema(value: unknown, path: string): JsonSchema {
  if (!isObject(value) && typeof value !== "boolean") return invalid(path, "expected a JSON Schema.");
  const json = JSON.stringify(value);
  checkSize(json, path);
  return JSON.parse(json);
}

export function checkSize(text: string, path: string): void {
  if (text.length > REQUEST_LIMITS.schema) invalid(path, `longer than ${REQUEST_LIMITS.schema} characters.`);
}

/** A choice has to be one that the tools allow. */
export function checkChoice(choice: ToolChoice, tools: readonly Tool[], param: string): ToolChoice {
  if (choice.mode === "required" && tools.length === 0) return invalid(param, "no tools are declared.");
  const undeclared = choice.only?.find((name) => !tools.some((tool) => tool.name === name));
  if (undeclared !== undefined) return invalid(param, `no tool named '${excerpt(undeclared)}' is declared.`);
  return choice;
}
