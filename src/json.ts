import type { Json, JsonObject } from "./conversation.ts";

/** Looking into JSON from outside. What was parsed from JSON holds nothing but JSON. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Undefined for what is no JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
