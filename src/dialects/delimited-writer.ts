import type { Json, JsonObject } from "../conversation.ts";
import type { CallWriter } from "./dialect.ts";

/** Calls as objects with bare keys, their strings between delimiters that no string can hold. */
export function delimitedWriter(delimiter: string, call: (name: string, object: string) => string): CallWriter {
  return {
    calls: (calls) => calls.map(({ name, input }) => call(name, object(input, delimiter))).join(""),
    carries: ({ input }) => isPlain(input, delimiter),
  };
}

function object(members: JsonObject, delimiter: string): string {
  const written = Object.entries(members).map(([key, value]) => `${key}:${literal(value, delimiter)}`);
  return `{${written.join(",")}}`;
}

function literal(value: Json, delimiter: string): string {
  if (typeof value === "string") return delimiter + value + delimiter;
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, delimiter)).join(",")}]`;
  return typeof value === "object" && value !== null ? object(value, delimiter) : JSON.stringify(value);
}

function isPlain(value: Json, delimiter: string): boolean {
  if (typeof value === "string") return !value.includes(delimiter);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, delimiter));
  return Object.entries(value).every(
    ([key, item]) => /^[\p{L}\p{M}\p{N}._$-]+$/u.test(key) && isPlain(item, delimiter),
  );
}
