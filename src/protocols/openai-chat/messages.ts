import { type Json, type JsonObject, type Part, type ResultPart, type Turn, textOf } from "../../conversation.ts";
import { isObject, parseExactJson } from "../../json.ts";
import { measureStructure } from "../../json-structure.ts";
import { REQUEST_LIMITS } from "../../limits.ts";
import { excerpt, invalid, readFields, readList, readString } from "../fields.ts";
import { freeformInput } from "../freeform.ts";
import { readContent } from "./content.ts";

interface ReadMessages {
  system: string;
  turns: Turn[];
}

/**
 * `messages` as turns: one message is one turn, but a run of results is one user turn. Only leading system messages are
 * the system text: a later one keeps its place, so that turn n stays a prefix of turn n + 1.
 */
export function readMessages(body: JsonObject, warn: (warning: string) => void): ReadMessages {
  const messages = readList(body, "messages") ?? [];
  if (messages.length === 0) return invalid("messages", "expected at least one message.");
  if (messages.length > REQUEST_LIMITS.messages) {
    return invalid("messages", `more than ${REQUEST_LIMITS.messages} messages.`);
  }
  const system: string[] = [];
  const turns: Turn[] = [];
  const calls = createCallReader(warn);
  let leading = true;

  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    if (!isObject(message)) return invalid(path, "expected an object.");
    const role = readString(message, "role", `${path}.`) ?? "user";
    const parts = readContent(message, path, warn);
    if (role !== "system" && role !== "developer") leading = false;
    switch (role) {
      case "system":
      case "developer":
        if (leading) system.push(textOf(parts));
        else turns.push({ role: "user", parts: [{ type: "text", text: `[system note]\n${textOf(parts)}` }] });
        break;
      case "user":
        turns.push({ role: "user", parts });
        break;
      case "assistant":
        addAnswer(turns, [
          ...readReasoning(message),
          ...parts,
          ...readRefusal(message, path),
          ...calls.readCalls(message, path),
        ]);
        break;
      case "tool":
      case "function":
        addResult(turns, calls.readResult(message, path, parts));
        break;
      default:
        return invalid(`${path}.role`, `unknown role '${excerpt(role)}'.`);
    }
  }
  return { system: system.filter((text) => text !== "").join("\n\n"), turns };
}

/** Nothing where an answer was empty, or broke off before its first word. */
function addAnswer(turns: Turn[], parts: Part[]): void {
  if (parts.length > 0) turns.push({ role: "assistant", parts });
}

function addResult(turns: Turn[], result: ResultPart): void {
  const last = turns.at(-1);
  if (last?.parts[0]?.type === "tool-result") last.parts.push(result);
  else turns.push({ role: "user", parts: [result] });
}

/** Not of OpenAI's wire: clients of reasoning models send back what they were shown, under one of two names. */
function readReasoning(message: JsonObject): Part[] {
  const text = message.reasoning_content ?? message.reasoning;
  return typeof text === "string" && text !== "" ? [{ type: "reasoning", text }] : [];
}

function readRefusal(message: JsonObject, path: string): Part[] {
  const text = readString(message, "refusal", `${path}.`) ?? "";
  return text === "" ? [] : [{ type: "text", text }];
}

/**
 * Calls and results of the history. What is odd in them is borne: the client cannot repair its history, and a 400 would
 * end its session for good.
 */
function createCallReader(warn: (warning: string) => void) {
  const names = new Map<string, string>();
  /** `function` messages carry no id: they answer the last `function_call`. */
  let lastId = "";
  const readArguments = createArgumentsReader();

  function add(id: string, name: string | undefined, input: () => JsonObject): Part[] {
    if (name === undefined || name === "") {
      warn("a tool call without a name was left out of the history");
      return [];
    }
    names.set(id, name);
    lastId = id;
    return [{ type: "tool-call", id, name, input: input() }];
  }

  function readCall(value: unknown, path: string): Part[] {
    if (!isObject(value)) return invalid(path, "expected an object.");
    const id = readString(value, "id", `${path}.`) ?? path;
    const custom = readFields(value, "custom", `${path}.`);
    if (custom) {
      const text = readString(custom, "input", `${path}.custom.`) ?? "";
      return add(id, readString(custom, "name", `${path}.custom.`), () => freeformInput(text));
    }
    const called = readFields(value, "function", `${path}.`) ?? {};
    return add(id, readString(called, "name", `${path}.function.`), () => readArguments(called.arguments));
  }

  return {
    readCalls(message: JsonObject, path: string): Part[] {
      const list = readList(message, "tool_calls", `${path}.`) ?? [];
      const parts = list.flatMap((call, index) => readCall(call, `${path}.tool_calls[${index}]`));
      const legacy = readFields(message, "function_call", `${path}.`);
      if (!legacy) return parts;
      const name = readString(legacy, "name", `${path}.function_call.`);
      return [...parts, ...add(`${path}.function_call`, name, () => readArguments(legacy.arguments))];
    },

    readResult(message: JsonObject, path: string, parts: Part[]): ResultPart {
      const id = readString(message, "tool_call_id", `${path}.`) ?? (message.role === "function" ? lastId : "");
      const name = names.get(id) ?? readString(message, "name", `${path}.`);
      return { type: "tool-result", callId: id, ...(name !== undefined && { name }), failed: false, parts };
    },
  };
}

/**
 * Arguments are JSON inside a JSON string: the caps on a body's structure have not seen it, and hold for all of a
 * request together. What is no object is kept as the one argument `input`.
 */
function createArgumentsReader(): (value: Json | undefined) => JsonObject {
  let left: number = REQUEST_LIMITS.structure;

  return (value) => {
    if (isObject(value)) return value;
    if (typeof value !== "string") return value === undefined || value === null ? {} : freeformInput(value);
    if (value.trim() === "") return {};
    const structure = measureStructure(value, { depth: REQUEST_LIMITS.depth, structure: left });
    if ("exceeded" in structure) return freeformInput(value);
    left -= structure.count;
    const parsed = parseExactJson(value);
    return isObject(parsed) ? parsed : freeformInput(parsed === undefined ? value : parsed);
  };
}
