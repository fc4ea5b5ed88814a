import type { JsonObject } from "../conversation.ts";
import { isObject } from "../json.ts";

/** Reading an upstream's JSON without trusting its shape: what is not as expected is absent. */
const NONE: JsonObject = Object.freeze({});

export function fields(value: unknown): JsonObject {
  return isObject(value) ? value : NONE;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A number of something: whole, not negative, and so small that sums of it are numbers, too. */
export function count(value: unknown): number | undefined {
  const whole = typeof value === "number" ? Math.trunc(value) : -1;
  return Number.isSafeInteger(whole) && whole >= 0 ? whole : undefined;
}
