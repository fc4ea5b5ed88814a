import type { JsonObject, Part, ResultPart } from "../../conversation.ts";
import { isObject } from "../../json.ts";
import { REQUEST_LIMITS } from "../../limits.ts";
import { createArgumentsReader } from "../arguments.ts";
import { excerpt, invalid, readBoolean, readList, readString } from "../fields.ts";
import type { Warn } from "../tool-list.ts";
import { createTurnList, type TurnList } from "../turns.ts";
import { readBlock, readBlocks, readContent } from "./content.ts";

type History = ReturnType<TurnList["read"]> & {
  /** The last that was said is the assistant's: the client has begun the answer itself. */
  answerBegun: boolean;
};

/** What Claude Code counts its requests by: the only text before the tools that changes with every one of them. */
const BILLING_HEADER = /^x-anthropic-billing-header:.*$/;

/** `system` and `messages` as turns: results come first, whatever stands between them in their message. */
export function readMessages(body: JsonObject, warn: Warn): History {
  const messages = readList(body, "messages") ?? [];
  if (messages.length === 0) return invalid("messages", "expected at least one message.");
  if (messages.length > REQUEST_LIMITS.messages) {
    return invalid("messages", `more than ${REQUEST_LIMITS.messages} messages.`);
  }
  const turns = createTurnList();
  const readCallBlock = createCallReader(warn);

  // Blocks of `system` are texts of their own, unlike those of a message: a blank line stands between them.
  for (const part of readContent(body.system, "system", warn)) {
    // Left in, it would keep servers from finding the prompt in their cache.
    if (part.type !== "text" || !BILLING_HEADER.test(part.text)) turns.system([part]);
  }

  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    if (!isObject(message)) return invalid(path, "expected an object.");
    const role = readString(message, "role", `${path}.`) ?? "user";
    const parts = readBlocks(message.content, `${path}.content`, readCallBlock);
    const results = parts.filter((part) => part.type === "tool-result");
    const others = parts.filter((part) => part.type !== "tool-result");
    switch (role) {
      case "system":
        turns.system(others);
        break;
      case "user":
        for (const result of results) turns.result(result);
        if (others.length > 0 || results.length === 0) turns.user(others);
        break;
      case "assistant":
        turns.assistant(others);
        break;
      default:
        return invalid(`${path}.role`, `unknown role '${excerpt(role)}'.`);
    }
  }
  const history = turns.read();
  return { ...history, answerBegun: history.turns.at(-1)?.role === "assistant" };
}

/**
 * Blocks of a message: calls, results and thinking besides what may also stand in a result. What is odd in the history is
 * borne: the client cannot repair it, and a 400 would end its session for good.
 */
function createCallReader(warn: Warn): (block: JsonObject, path: string) => Part[] {
  const names = new Map<string, string>();
  const readInput = createArgumentsReader();

  function readCall(block: JsonObject, path: string): Part[] {
    const id = readString(block, "id", `${path}.`) ?? path;
    const name = readString(block, "name", `${path}.`) ?? "";
    if (name === "") {
      warn("a tool call without a name was left out of the history");
      return [];
    }
    names.set(id, name);
    return [{ type: "tool-call", id, name, input: readInput(block.input) }];
  }

  function readResult(block: JsonObject, path: string): ResultPart {
    const callId = readString(block, "tool_use_id", `${path}.`) ?? "";
    const name = names.get(callId);
    return {
      type: "tool-result",
      callId,
      ...(name !== undefined && { name }),
      failed: readBoolean(block, "is_error", `${path}.`) ?? false,
      parts: readContent(block.content, `${path}.content`, warn),
    };
  }

  return (block, path) => {
    switch (block.type) {
      case "tool_use":
        return readCall(block, path);
      case "tool_result":
        return [readResult(block, path)];
      case "thinking": {
        const text = readString(block, "thinking", `${path}.`) ?? "";
        return text === "" ? [] : [{ type: "reasoning", text }];
      }
      case "redacted_thinking":
        return [];
      default:
        return readBlock(block, path, warn);
    }
  };
}
