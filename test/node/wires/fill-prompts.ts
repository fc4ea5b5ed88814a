import type { Json, JsonObject } from "../../../src/conversation.ts";
import { isObject } from "../../../src/json.ts";

/**
 * A recorded body with text in place of the lengths that stand for it, such as `«583»`: no two texts of it are the same.
 * `results`: those that are results of tools, in their order.
 */
export function fillPrompts(body: JsonObject): { filled: JsonObject; results: string[] } {
  const results: string[] = [];
  let texts = 0;

  function textOf(length: number): string {
    texts += 1;
    return `${texts}. ${"text ".repeat(Math.ceil(length / 5))}`.slice(0, length).trimEnd();
  }

  function fill(value: Json, key: string, inResult: boolean): Json {
    if (Array.isArray(value)) return value.map((entry) => fill(entry, key, inResult));
    if (isObject(value)) {
      const isResult = inResult || RESULTS.includes(String(value.role ?? value.type));
      const entries = Object.entries(value);
      return Object.fromEntries(
        entries.map(([name, member]) => [name, fill(member, name, isResult || name === "response")]),
      );
    }
    if (typeof value !== "string") return value;
    const length = /^«(\d+)»$/.exec(value)?.[1];
    const text = length === undefined ? value : textOf(Number(length));
    if (inResult && TEXTS.includes(key)) results.push(text);
    // JSON inside a string has to stay JSON.
    return key === "arguments" ? JSON.stringify({ text }) : text;
  }

  return { filled: fill(body, "", false) as JsonObject, results };
}

/** What a result is told by, on the wires that have a role or a type for it. */
const RESULTS: readonly string[] = ["tool", "tool_result", "function_call_output", "custom_tool_call_output"];

/** Where a result has its text. */
const TEXTS: readonly string[] = ["content", "text", "output", "result"];
