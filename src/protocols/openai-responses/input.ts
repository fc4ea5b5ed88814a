import { type Json, type JsonObject, type Part, textOf } from "../../conversation.ts";
import { REQUEST_LIMITS } from "../../limits.ts";
import { soleArgument } from "../arguments.ts";
import { createCallHistory } from "../calls.ts";
import { excerpt, invalid, readObjects, readString, unsupportedValue } from "../fields.ts";
import { readContent } from "../openai/content.ts";
import { createTurnList, type TurnList } from "../turns.ts";
import type { Warn } from "../warnings.ts";
import type { ToolNames } from "./tools.ts";

/** `instructions`, and `input` as turns. */
export function readInput(body: JsonObject, names: ToolNames, warn: Warn): ReturnType<TurnList["read"]> {
  const turns = createTurnList();
  turns.system([{ type: "text", text: readString(body, "instructions") ?? "" }]);
  if (typeof body.input === "string") {
    turns.user([{ type: "text", text: body.input }]);
    return turns.read();
  }
  const readItem = createItemReader(turns, names, warn);
  for (const [path, item] of readObjects(body, "input", "", REQUEST_LIMITS.messages)) readItem(item, path);
  return turns.read();
}

function createItemReader(turns: TurnList, names: ToolNames, warn: Warn): (item: JsonObject, path: string) => void {
  const history = createCallHistory(warn);
  /** Two messages in a row are two answers; whatever else comes in between is of one answer with both. */
  let behindMessage = false;

  function addMessage(item: JsonObject, path: string): void {
    const role = readString(item, "role", `${path}.`) ?? "user";
    const parts = readContent(item, path, warn);
    switch (role) {
      case "system":
      case "developer":
        turns.system(parts);
        break;
      case "user":
        turns.user(parts);
        break;
      case "assistant":
        turns.assistant(parts, !behindMessage);
        break;
      default:
        invalid(`${path}.role`, `unknown role '${excerpt(role)}'.`);
    }
    behindMessage = true;
  }

  function addToAnswer(parts: Part[]): void {
    if (parts.length === 0) return;
    behindMessage = false;
    turns.assistant(parts, true);
  }

  function addCall(item: JsonObject, path: string, input: Json | undefined): void {
    const name = readString(item, "name", `${path}.`) ?? "";
    const id = readString(item, "call_id", `${path}.`) ?? path;
    addToAnswer(history.call(id, names.shown(name, readString(item, "namespace", `${path}.`)), input));
  }

  function addResult(item: JsonObject, path: string): void {
    const id = readString(item, "call_id", `${path}.`) ?? "";
    turns.user([history.result(id, readContent(item, path, warn, "output"))]);
  }

  /** Encrypted reasoning is for its vendor alone; what is left without it is often nothing. */
  function addReasoning(item: JsonObject, path: string): void {
    const text = textOf(["summary", "content"].flatMap((field) => readContent(item, path, warn, field)));
    behindMessage = false;
    addToAnswer(text === "" ? [] : [{ type: "reasoning", text }]);
  }

  return (item, path) => {
    const type = readString(item, "type", `${path}.`) ?? typeWithoutName(item);
    switch (type) {
      case "message":
        addMessage(item, path);
        break;
      case "function_call":
        addCall(item, path, item.arguments);
        break;
      case "custom_tool_call":
        addCall(item, path, soleArgument(readString(item, "input", `${path}.`) ?? ""));
        break;
      case "function_call_output":
      case "custom_tool_call_output":
        addResult(item, path);
        break;
      case "reasoning":
        addReasoning(item, path);
        break;
      case "additional_tools":
        // Read with the others (tools.ts).
        break;
      case "compaction":
        // The conversation so far, in a form that its vendor alone can read.
        unsupportedValue(path, "a compacted conversation cannot be read here; send its items.");
        break;
      default:
        // An `item_reference`, too: nothing is stored here, and a refusal would make the AI SDK unusable.
        warn(`input items of type '${excerpt(type)}' are not supported and were left out`);
    }
  };
}

/** Only messages and references may come without a type. */
function typeWithoutName(item: JsonObject): string {
  return "id" in item && !("role" in item || "content" in item) ? "item_reference" : "message";
}
