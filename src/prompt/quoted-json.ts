import type { Json, JsonObject } from "../conversation.ts";
import { isExactNumber } from "../json.ts";
import type { Quoting } from "./quoting.ts";

/** Leaves and keys are quoted before they are serialised: an escape of the notation could hide a mark. */
export function quoteMembers(object: JsonObject, quoting: Quoting): JsonObject {
  // `fromEntries` defines what it is given, `__proto__` too.
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [quoting.quote(key), quoteLeaves(value, quoting)]),
  );
}

function quoteLeaves(value: Json, quoting: Quoting): Json {
  if (typeof value === "string") return quoting.quote(value);
  if (value === null || typeof value !== "object" || isExactNumber(value)) return value;
  return Array.isArray(value) ? value.map((item) => quoteLeaves(item, quoting)) : quoteMembers(value, quoting);
}
