import type { Json, JsonObject } from "../conversation.ts";
import type { WrittenCall } from "./dialect.ts";

/** JSON as Python writes it, a blank behind each comma and colon: what chat templates show models. */
export function spacedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(", ")}]`;
  if (typeof value === "object" && value !== null) return `{${members(value).join(", ")}}`;
  return JSON.stringify(value);
}

function members(object: JsonObject): string[] {
  return Object.entries(object).map(([key, value]) => `${JSON.stringify(key)}: ${spacedJson(value)}`);
}

const KEYS = { name: "name", arguments: "arguments" };

/** A call as an object: its name, then its arguments. */
export function callJson({ name, input }: WrittenCall, keys = KEYS): string {
  return spacedJson({ [keys.name]: name, [keys.arguments]: input });
}

/** Calls as a list of such objects. */
export function callsJson(calls: readonly WrittenCall[], keys = KEYS): string {
  return `[${calls.map((call) => callJson(call, keys)).join(", ")}]`;
}
