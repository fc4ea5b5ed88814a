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

/** A number of something: finite, whole, not negative. */
export function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.trunc(value) : undefined;
}
