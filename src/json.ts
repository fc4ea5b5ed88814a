import type { Json, JsonObject } from "./conversation.ts";

/** Looking into JSON from outside. What was parsed from JSON holds nothing but JSON. */
export function isObject(value: unknown): value is JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  // A number whose digits are kept. The first question is the cheap one: no delta holds such a number.
  return !("rawJSON" in value && JSON.isRawJSON(value));
}

/** A number with more digits than a double keeps, or written otherwise than JavaScript would. */
const MAY_LOSE = /\d{16}|\d[.eE]/;

/**
 * The same as `parseJson`, but a number that JavaScript would write otherwise keeps the digits that it was sent with: it is
 * a `JSON.rawJSON`, which `JSON.stringify` writes as it is.
 */
export function parseExactJson(text: string): Json | undefined {
  if (!MAY_LOSE.test(text)) return parseJson(text);
  try {
    return JSON.parse(text, (_key, value, { source }) => {
      return typeof value === "number" && source !== String(value) ? JSON.rawJSON(source ?? "0") : value;
    });
  } catch {
    return undefined;
  }
}

/** A number whose digits are kept; it has no members. */
export function isExactNumber(value: Json | undefined): boolean {
  return JSON.isRawJSON(value);
}

declare global {
  // ECMAScript 2026, in every engine that this runs on.
  interface JSON {
    parse(text: string, reviver: (key: string, value: Json, context: { source?: string }) => unknown): Json;
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/** Undefined for what is no JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
