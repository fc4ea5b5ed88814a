import type { Json, JsonObject } from "../conversation.ts";
import { isObject, parseExactJson } from "../json.ts";
import { measureStructure } from "../json-structure.ts";
import { REQUEST_LIMITS } from "../limits.ts";

/** The arguments of an earlier call that are no object, and the plain text of a freeform call, as the one member. */
export function soleArgument(input: Json): JsonObject {
  return { input };
}

/**
 * Arguments of earlier calls as JSON inside a JSON string: the caps on a body's structure have not seen it, and hold for
 * all of a request together. What is no object is kept as the one argument `input`.
 */
export function createArgumentsReader(): (value: Json | undefined) => JsonObject {
  let left: number = REQUEST_LIMITS.structure;

  return (value) => {
    if (isObject(value)) return value;
    if (typeof value !== "string") return value === undefined || value === null ? {} : soleArgument(value);
    if (value.trim() === "") return {};
    const structure = measureStructure(value, { depth: REQUEST_LIMITS.depth, structure: left });
    if ("exceeded" in structure) return soleArgument(value);
    left -= structure.count;
    const parsed = parseExactJson(value);
    return isObject(parsed) ? parsed : soleArgument(parsed === undefined ? value : parsed);
  };
}
