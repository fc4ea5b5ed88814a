import type { Json, JsonObject, Part, ResultPart } from "../../conversation.ts";
import { REQUEST_LIMITS } from "../../limits.ts";
import { soleArgument } from "../arguments.ts";
import { createCallHistory } from "../calls.ts";
import { textParts } from "../content.ts";
import { excerpt, invalid, readFields, readObjects, readString } from "../fields.ts";
import { readContent } from "../openai/content.ts";
import { createTurnList, type TurnList } from "../turns.ts";
import type { Warn } from "../warnings.ts";

/** `messages` as turns: one message is one turn, but a run of results is one user turn. */
export function readMessages(body: JsonObject, warn: Warn): ReturnType<TurnList["read"]> {
  const messages = readObjects(body, "messages", "", REQUEST_LIMITS.messages);
  if (messages.length === 0) return invalid("messages", "expected at least one message.");
  const turns = createTurnList();
  const calls = createCallReader(warn);

  for (const [path, message] of messages) {
    const role = readString(message, "role", `${path}.`) ?? "user";
    const parts = readContent(message, path, warn);
    switch (role) {
      case "system":
      case "developer":
        turns.system(parts);
        break;
      case "user":
        turns.user(parts);
        break;
      case "assistant":
        turns.assistant([
          ...readReasoning(message),
          ...parts,
          ...textParts(readString(message, "refusal", `${path}.`) ?? ""),
          ...calls.readCalls(message, path),
        ]);
        break;
      case "tool":
      case "function":
        turns.user([calls.readResult(message, path, parts)]);
        break;
      default:
        return invalid(`${path}.role`, `unknown role '${excerpt(role)}'.`);
    }
  }
  return turns.read();
}

/** Not of OpenAI's wire: clients of reasoning models send back what they were shown, under one of two names. */
function readReasoning(message: JsonObject): Part[] {
  const text = message.reasoning_content ?? message.reasoning;
  return typeof text === "string" && text !== "" ? [{ type: "reasoning", text }] : [];
}

function createCallReader(warn: Warn) {
  const history = createCallHistory(warn);
  /** `function` messages carry no id: they answer the last `function_call`. */
  let lastId = "";

  function add(id: string, name: string | undefined, input: Json | undefined): Part[] {
    if (name) lastId = id;
    return history.call(id, name, input);
  }

  function readCall([path, value]: [string, JsonObject]): Part[] {
    const id = readString(value, "id", `${path}.`) ?? path;
    const custom = readFields(value, "custom", `${path}.`);
    if (custom) {
      const text = readString(custom, "input", `${path}.custom.`) ?? "";
      return add(id, readString(custom, "name", `${path}.custom.`), soleArgument(text));
    }
    const called = readFields(value, "function", `${path}.`) ?? {};
    return add(id, readString(called, "name", `${path}.function.`), called.arguments);
  }

  return {
    readCalls(message: JsonObject, path: string): Part[] {
      const parts = readObjects(message, "tool_calls", `${path}.`).flatMap(readCall);
      const legacy = readFields(message, "function_call", `${path}.`);
      if (!legacy) return parts;
      const name = readString(legacy, "name", `${path}.function_call.`);
      return [...parts, ...add(`${path}.function_call`, name, legacy.arguments)];
    },

    readResult(message: JsonObject, path: string, parts: Part[]): ResultPart {
      const id = readString(message, "tool_call_id", `${path}.`) ?? (message.role === "function" ? lastId : "");
      return history.result(id, parts, false, readString(message, "name", `${path}.`));
    },
  };
}
