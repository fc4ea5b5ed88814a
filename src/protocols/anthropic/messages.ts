import type { JsonObject, Part } from "../../conversation.ts";
import { REQUEST_LIMITS } from "../../limits.ts";
import { createCallHistory } from "../calls.ts";
import { readTextOrParts } from "../content.ts";
import { excerpt, invalid, readBoolean, readObjects, readString } from "../fields.ts";
import { createTurnList, type TurnList } from "../turns.ts";
import type { Warn } from "../warnings.ts";
import { readBlock, readContent } from "./content.ts";

type History = ReturnType<TurnList["read"]> & {
  /** The last that was said is the assistant's: the client has begun the answer itself. */
  answerBegun: boolean;
};

/** What Claude Code counts its requests by: the only text before the tools that changes with every one of them. */
const BILLING_HEADER = /^x-anthropic-billing-header:.*$/;

/** `system` and `messages` as turns: results come first, whatever stands between them in their message. */
export function readMessages(body: JsonObject, warn: Warn): History {
  const messages = readObjects(body, "messages", "", REQUEST_LIMITS.messages);
  if (messages.length === 0) return invalid("messages", "expected at least one message.");
  const turns = createTurnList();
  const readMessageBlock = createBlockReader(warn);

  // Blocks of `system` are texts of their own, unlike those of a message: a blank line stands between them.
  for (const part of readContent(body, "system", "", warn)) {
    // Left in, it would keep servers from finding the prompt in their cache.
    if (part.type !== "text" || !BILLING_HEADER.test(part.text)) turns.system([part]);
  }

  for (const [path, message] of messages) {
    const role = readString(message, "role", `${path}.`) ?? "user";
    const parts = readTextOrParts(message, "content", `${path}.`, readMessageBlock);
    switch (role) {
      case "system":
        turns.system(parts);
        break;
      case "user":
        turns.user(parts);
        break;
      case "assistant":
        turns.assistant(parts);
        break;
      default:
        return invalid(`${path}.role`, `unknown role '${excerpt(role)}'.`);
    }
  }
  const history = turns.read();
  return { ...history, answerBegun: history.turns.at(-1)?.role === "assistant" };
}

/** Blocks of a message: calls, results and thinking besides what may also stand in a result. */
function createBlockReader(warn: Warn): (block: JsonObject, path: string) => Part[] {
  const history = createCallHistory(warn);

  return (block, path) => {
    switch (block.type) {
      case "tool_use": {
        const id = readString(block, "id", `${path}.`) ?? path;
        return history.call(id, readString(block, "name", `${path}.`), block.input);
      }
      case "tool_result": {
        const id = readString(block, "tool_use_id", `${path}.`) ?? "";
        const content = readContent(block, "content", `${path}.`, warn);
        return [history.result(id, content, readBoolean(block, "is_error", `${path}.`))];
      }
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
