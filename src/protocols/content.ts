import type { JsonObject, Part } from "../conversation.ts";
import { invalid, readObjects } from "./fields.ts";

/** A text, a list of parts, or nothing: what a message holds on most wires, and much that stands in one. */
export function readTextOrParts(
  fields: JsonObject,
  name: string,
  path: string,
  read: (part: JsonObject, path: string) => Part[],
): Part[] {
  const content = fields[name] ?? "";
  if (typeof content === "string") return textParts(content);
  if (!Array.isArray(content)) return invalid(path + name, "expected a string or a list of objects.");
  return readObjects(fields, name, path).flatMap(([place, part]) => read(part, place));
}

export function textParts(text: string): Part[] {
  return text === "" ? [] : [{ type: "text", text }];
}
